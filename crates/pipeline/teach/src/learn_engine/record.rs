//! The record of searches, kept beside the output, from which a later run can continue if this one is
//! killed.
//!
//! # Format
//!
//! Lines of JSON, each written in one call. The first is an object, the [`Job`]. Each line after the first is
//! a searched position: its key, and a list of values. The first value is for the position itself (move 0);
//! the others are for the moves that were searched. A value consists of the move in Polyglot's packed form,
//! the [code](Score::code) of the score, the depth in plies, and the nodes or null. An incomplete last line
//! is cut off.

use std::{
    collections::BTreeMap,
    fs::{self, File, OpenOptions},
    io::{Read as _, Seek as _, SeekFrom, Write as _},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use engine::{Limit, Value};
use fault::FileFault;
use position::{Key, PackedMove, Score};
use run::{CannotResume, LeftOver, Result, RunRecord};
use serde_json::{Value as Json, json};

use super::{LearnEngine, positions::Target, search::MoveValues};

/// Version of the record. Incremented whenever a change would make another version misread the record.
const VERSION: u32 = 2;

/// The settings that two runs must have in common for one to continue the other's searches.
pub(super) struct Job(serde_json::Map<String, Json>);

impl Job {
    pub(super) fn new(book: &str, engine: &str, settings: &LearnEngine, limit: Limit) -> Self {
        let (hash, moves) = (settings.search.hash, settings.moves);
        let options: BTreeMap<_, _> = settings.search.options.iter().cloned().collect();
        let job = json!({
            "version": VERSION, "book": book, "engine": engine, "limit": limit.to_string(), "moves": moves,
            "hash": hash, "options": options,
        });
        let Json::Object(job) = job else { unreachable!("it is written as an object") };
        Self(job)
    }

    /// Refuses the record of another job; the error names the first difference.
    fn check(&self, before: &str) -> Result<(), String> {
        let before: Json = serde_json::from_str(before).unwrap_or_default();
        for (name, now) in &self.0 {
            if before[name] != *now {
                let before = &before[name];
                return Err(format!("it was started with `{name}` = {before}, but now it is {now}"));
            }
        }
        Ok(())
    }
}

/// The file in which searches are recorded, and the searches that earlier runs recorded there.
pub(super) struct Record {
    path: PathBuf,
    /// The searches that earlier runs recorded.
    before: BTreeMap<Key, MoveValues>,
    state: Mutex<State>,
}

struct State {
    file: File,
    searches: usize,
}

impl Record {
    /// Begins a record beside `output` or, if the user asked for it, continues the one that is already
    /// there.
    ///
    /// # Errors
    ///
    /// Fails with [`LeftOver`] if there are recorded searches but the user did not ask to continue from
    /// them, or with [`CannotResume`] if they belong to another job.
    pub(super) fn open(output: &Path, job: &Job, resumes: bool) -> Result<Self> {
        let name = output.file_name().unwrap_or_default().to_string_lossy();
        let path = output.with_file_name(format!(".{name}.searches"));
        let (file, before) = open_at(&path, job, resumes)?;
        let state = State { file, searches: before.len() }.into();
        Ok(Self { path, before, state })
    }

    /// The values that an earlier run found for a position.
    pub(super) fn of_position(&self, key: Key) -> Option<&MoveValues> {
        self.before.get(&key)
    }

    /// How many of the positions `wanted` were searched by earlier runs.
    pub(super) fn before(&self, wanted: &[Target]) -> u64 {
        wanted.iter().filter(|wanted| self.before.contains_key(&wanted.key)).count() as u64
    }

    /// Adds a search.
    pub(super) fn add(&self, key: Key, searched: &MoveValues) -> Result<()> {
        let mut state = self.state();
        // The whole line is written in one call, so that if the process is killed, at most the last line is
        // incomplete.
        state.file.write_all(line(key, searched).as_bytes()).map_err(FileFault::of("write", &self.path))?;
        state.searches += 1;
        Ok(())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunRecord for Record {
    fn folder(&self) -> &Path {
        &self.path
    }

    fn has_records(&self) -> bool {
        self.state().searches > 0
    }

    fn remove(&self) -> Result<()> {
        fs::remove_file(&self.path).map_err(FileFault::of("remove", &self.path))
    }
}

/// Opens the file, and reads the searches that it contains. New searches are appended to it.
fn open_at(path: &Path, job: &Job, resumes: bool) -> Result<(File, BTreeMap<Key, MoveValues>)> {
    let failed = FileFault::of("write", path);
    let mut options = OpenOptions::new();
    let options = options.read(true).write(true).create(true).truncate(false);
    let mut file = options.open(path).map_err(&failed)?;
    let mut text = Vec::new();
    file.read_to_end(&mut text).map_err(&failed)?;
    text.truncate(text.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1));
    let refuse = |why| CannotResume { folder: path.to_owned(), why };
    let lines = String::from_utf8_lossy(&text);
    let (begun, lines) = lines.split_once('\n').unwrap_or_default();
    let (mut before, searches) = (BTreeMap::new(), lines.lines().count());
    if searches == 0 {
        // No search has been recorded yet, so nothing is lost if the record begins anew, even if it belongs
        // to another job.
        text = format!("{}\n", Json::Object(job.0.clone())).into();
        file.rewind().and_then(|()| file.write_all(&text)).map_err(&failed)?;
    } else if resumes {
        job.check(begun).map_err(refuse)?;
        for (line, number) in lines.lines().zip(2..) {
            let unreadable = || refuse(format!("line {number} cannot be read"));
            before.extend([parse(line).ok_or_else(unreadable)?]);
        }
    } else {
        return Err(LeftOver { place: path.to_owned(), searches }.into());
    }
    let whole_bytes = text.len() as u64;
    file.set_len(whole_bytes).and_then(|()| file.seek(SeekFrom::Start(whole_bytes))).map_err(&failed)?;
    Ok((file, before))
}

fn line(key: Key, searched: &MoveValues) -> String {
    let value = |(mv, value): &(PackedMove, Value)| (*mv, value.score.code(), value.depth, value.nodes);
    let values: Vec<_> = searched.iter().map(value).collect();
    format!("{}\n", json!([key, values]))
}

fn parse(line: &str) -> Option<(Key, MoveValues)> {
    let (key, values): (_, Vec<(_, _, _, _)>) = serde_json::from_str(line).ok()?;
    let value = |(mv, code, depth, nodes)| (mv, Value { score: Score::of_code(code), depth, nodes });
    (!values.is_empty()).then(|| (key, values.into_iter().map(value).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_loses_nothing() {
        let value = |score, depth, nodes| Value { score, depth, nodes };
        let searched: MoveValues = [
            (PackedMove::TERMINAL, value(Score::Cp(-35), 12, Some(u64::MAX))),
            (PackedMove(0x8fff), value(Score::Mate(-3), 0, None)),
        ]
        .into();
        let text = line(Key(7), &searched);
        assert_eq!(text, "[7,[[0,-35,12,18446744073709551615],[36863,-999999997,0,null]]]\n");
        assert_eq!(parse(text.trim_end()), Some((Key(7), searched)));
        for wrong in ["", "7", "[7]", "[7,[]]", "[7,[[0,1,1]]]", "[7,[[0,\"cp\",1,1]]]", "[7,[[0,1,1,1,2]]]"]
        {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
