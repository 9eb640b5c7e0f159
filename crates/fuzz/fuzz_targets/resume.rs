//! What a run before has recorded, changed: any bytes in its files, or any records with the right checksums.
//! The next run begins anew, goes on, or refuses it. Where bytes were changed, what it then writes is what a
//! run without a record writes; where the records are of the fuzzer, the book is sound.

#![no_main]

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use count::KeptMoves;
use games::{ReadGames, RejectList, Replay};
use libfuzzer_sys::fuzz_target;
use pgn::replay::CountingOptions;
use pipeline::{
    recipe::{
        Plan,
        builtin::{self, BuildOutputs, Games},
        run,
    },
    stages::{Compact, SortMerge},
};
use run::{Limits, Resumable, RunOptions, Summary};
use serde_json::Value;
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes before the text of a record.
const HEADER_BYTES: usize = 12;
/// Enough moves that a text of this length may hold more of them than there is memory for.
const MANY_MOVES: usize = 20_000;
const LONG_BYTES: usize = 12 << 20;
const LEDGER: &str = "ledger";
/// The words of a text that become the run and the list that the run before has recorded.
const RUN: &str = "@run";
const LIST: &str = "@list";

/// A run that has recorded all it counted, and then ended.
struct Before {
    folder: TempDir,
    /// Where its record is, and the files of that.
    record: PathBuf,
    files: Vec<(PathBuf, Vec<u8>)>,
    /// Texts of records, of a run and of a list.
    job: String,
    run: String,
    list: String,
    /// What a run without a record writes.
    written: [Option<Vec<u8>>; 2],
}

static BEFORE: LazyLock<Before> = LazyLock::new(Before::new);

fuzz_target!(|data: &[u8]| {
    let Some((kind, rest)) = data.split_first() else { return };
    let before = &*BEFORE;
    let mut files = before.files.clone();
    let are_records = kind & 1 == 0;
    if are_records {
        let ledger = files.iter_mut().find(|(path, _)| path.ends_with(LEDGER)).expect("a ledger");
        ledger.1 = before.ledger(&String::from_utf8_lossy(rest), kind & 2 == 0);
    } else {
        change(&mut files, rest);
    }
    fs::create_dir_all(&before.record).expect("a folder");
    files.iter().for_each(|(path, bytes)| fs::write(path, bytes).expect("a file"));
    let ended = build(before.folder.path(), 1, true);
    if ended.is_ok() && are_records {
        let _ = fuzz::verified(&outputs(before.folder.path())[0]);
    } else if ended.is_ok() {
        assert!(take_written(before.folder.path()) == before.written, "another book or list");
    }
    clear(before.folder.path());
    let _ = fs::remove_dir_all(&before.record);
});

impl Before {
    fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        let [first, second] = [0, 1].map(|number| folder.path().join(format!("{number}.pgn")));
        let games = fuzz::GAMES.replace("3. Bb5 a6", "3. Bb6 a6");
        let (games, last) = games.split_at(games.rfind("[Event").expect("a game"));
        let moves = "Nf3 Nf6 Ng1 Ng8 ".repeat(MANY_MOVES / 4);
        let game = format!("[Event \"?\"]\n[Result \"1-0\"]\n\n{moves}1-0\n\n");
        fs::write(&first, games.to_owned() + &game).expect("games");
        // Before a long text, what was counted is recorded.
        fs::write(&second, format!("{last}{{{}}}", " ".repeat(LONG_BYTES))).expect("games");
        let ended = build(folder.path(), 1000, true).expect_err("no move is played so often");
        let record = ended.downcast_ref::<Resumable>().expect("what was counted is recorded").folder.clone();
        let paths = fs::read_dir(&record).expect("a record").map(|entry| entry.expect("a file").path());
        let mut files: Vec<_> = paths.map(|path| (path.clone(), fs::read(path).expect("a file"))).collect();
        files.sort();
        fs::remove_dir_all(&record).expect("a record");
        clear(folder.path());
        fs::write(&second, last).expect("games");
        build(folder.path(), 1, false).expect("a book");
        let written = take_written(folder.path());
        clear(folder.path());
        let ledger = files.iter_mut().find(|(path, _)| path.ends_with(LEDGER)).expect("a ledger");
        let [mut job, group]: [Value; 2] = texts(&ledger.1).try_into().expect("a job and a group");
        let of_second = second.metadata().expect("a file");
        let input = &mut job["job"]["inputs"][1];
        input["bytes"] = of_second.len().into();
        input["modified"] = [of_second.mtime(), of_second.mtime_nsec()].as_slice().into();
        let (run, list) = (group["group"]["runs"][0].to_string(), group["group"]["list"].to_string());
        let mut before = Self { folder, record, files: Vec::new(), job: job.to_string(), run, list, written };
        ledger.1 = before.ledger(&group.to_string(), true);
        before.files = files;
        before
    }

    /// A ledger with a record a line of `text`, after that of the job if that is wanted.
    fn ledger(&self, text: &str, has_job: bool) -> Vec<u8> {
        let text = text.replace(RUN, &self.run).replace(LIST, &self.list);
        let job = has_job.then_some(self.job.as_str());
        let record = |text: &str| {
            let length = (text.len() as u32).to_le_bytes();
            [&length[..], &xxh3_64(text.as_bytes()).to_le_bytes(), text.as_bytes()].concat()
        };
        job.into_iter().chain(text.lines()).flat_map(record).collect()
    }
}

/// A ledger's records.
fn texts(mut ledger: &[u8]) -> Vec<Value> {
    let mut texts = Vec::new();
    while let Some((length, _)) = ledger.split_first_chunk::<4>() {
        let (record, rest) = ledger.split_at(HEADER_BYTES + u32::from_le_bytes(*length) as usize);
        texts.push(serde_json::from_slice(&record[HEADER_BYTES..]).expect("JSON"));
        ledger = rest;
    }
    texts
}

/// Changes files: four bytes each say which one, where, and what.
fn change(files: &mut [(PathBuf, Vec<u8>)], changes: &[u8]) {
    for &[which, low, high, byte] in changes.as_chunks().0 {
        let (at, count) = (usize::from(u16::from_le_bytes([low, high])), files.len());
        let bytes = &mut files[usize::from(which & 0x7f) % count].1;
        match bytes.get_mut(at) {
            _ if which & 0x80 != 0 => bytes.truncate(at),
            Some(changed) => *changed = byte,
            None => bytes.push(byte),
        }
    }
}

/// Builds a book of all games, with a list of the rejected ones.
fn build(folder: &Path, min_games: u64, is_resumed: bool) -> run::Result<Summary> {
    let [book, rejects] = outputs(folder);
    let read = ReadGames { paths: vec![folder.join("*.pgn").display().to_string()], ..ReadGames::default() };
    let list = RejectList { rejects: Some(rejects), ..RejectList::default() };
    let min_games = min_games.to_string().parse().expect("a number of games");
    let keep = KeptMoves { min_games, ..KeptMoves::default() };
    let counting = CountingOptions { max_ply: 0, ..CountingOptions::default() };
    let replay = Replay { options: counting.into(), list, ..Replay::default() };
    let recipe = builtin::build(
        Games { read, replay },
        SortMerge::default(),
        Compact { output: Some(book.clone()), keep, ..Compact::default() },
        BuildOutputs::default(),
        Limits { memory_mib: Some(24), ..fuzz::limits() },
    );
    let options = RunOptions { resume: is_resumed.then_some(book), ..RunOptions::default() };
    run(&Plan::new(&recipe).expect("a plan"), options)
}

fn outputs(folder: &Path) -> [PathBuf; 2] {
    ["book.tabia", "rejects.jsonl"].map(|name| folder.join(name))
}

fn take_written(folder: &Path) -> [Option<Vec<u8>>; 2] {
    outputs(folder).map(|path| fs::read(path).ok())
}

fn clear(folder: &Path) {
    outputs(folder).iter().for_each(|path| drop(fs::remove_file(path)));
}
