//! What fuzz targets share.

use std::{
    fs, panic,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
};

use games::{ReadGames, Replay};
use pipeline::{
    recipe::{
        Plan,
        builtin::{self, BuildOutputs, Games},
        run,
    },
    stages::{Compact, ExportPolyglot, SortMerge},
};
use query::Artefact;
use run::{Limits, RunOptions};
use tempfile::{NamedTempFile, TempDir};

/// A file that holds `data`; `None` if none can be made.
#[must_use]
pub fn file_of(data: &[u8]) -> Option<NamedTempFile> {
    let file = NamedTempFile::new().ok()?;
    fs::write(file.path(), data).ok()?;
    Some(file)
}

/// A folder with a file of this name that holds `data`; `None` if none can be made.
#[must_use]
pub fn folder_with(name: &str, data: &[u8]) -> Option<TempDir> {
    let folder = TempDir::new().ok()?;
    fs::write(folder.path().join(name), data).ok()?;
    Some(folder)
}

/// One thread and little memory.
#[must_use]
pub fn limits() -> Limits {
    Limits { memory_mib: Some(64), threads: Some(1), temp_dir: None }
}

/// The artefact at `path`, which must be sound because a command has written it without an error.
///
/// # Panics
///
/// If it is not.
#[must_use]
pub fn verified(path: &Path) -> Artefact {
    let artefact = Artefact::open(path).expect("what was written opens");
    query::verify(&artefact, 1, &AtomicBool::new(false)).expect("what was written is sound");
    artefact
}

/// `book.tabia` and `book.bin` of a few games, in a folder; edits and requests are about them.
///
/// # Panics
///
/// If they cannot be made.
#[must_use]
pub fn books() -> (TempDir, [PathBuf; 2]) {
    let folder = folder_with("games.pgn", GAMES.as_bytes()).expect("a temporary folder");
    let [games, book, polyglot] =
        ["games.pgn", "book.tabia", "book.bin"].map(|name| folder.path().join(name));
    let read = ReadGames { paths: vec![games.display().to_string()], ..ReadGames::default() };
    let output = Some(book.clone());
    let outputs = BuildOutputs {
        polyglot: Some(ExportPolyglot { output: polyglot.clone(), ..ExportPolyglot::default() }),
        ..BuildOutputs::default()
    };
    let recipe = builtin::build(
        Games { read, replay: Replay::default() },
        SortMerge::default(),
        Compact { output, ..Compact::default() },
        outputs,
        limits(),
    );
    run(&Plan::new(&recipe).expect("a plan"), RunOptions::default()).expect("a book");
    (folder, [book, polyglot])
}

/// Lines that branch, transpose and castle.
pub const GAMES: &str = "\
[Event \"?\"]\n[White \"A\"]\n[Black \"B\"]\n[Date \"2020.05.01\"]\n[Result \"1-0\"]\n\n\
1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 1-0\n\n\
[Event \"?\"]\n[White \"B\"]\n[Black \"A\"]\n[Date \"2021.07.02\"]\n[Result \"1/2-1/2\"]\n\n\
1. Nf3 Nc6 2. e4 e5 3. Bb5 a6 1/2-1/2\n\n\
[Event \"?\"]\n[White \"C\"]\n[Black \"A\"]\n[Date \"2022.01.03\"]\n[Result \"0-1\"]\n\n\
1. d4 d5 2. c4 e6 3. cxd5 exd5 0-1\n\n\
[Event \"?\"]\n[White \"C\"]\n[Black \"B\"]\n[Date \"2022.01.04\"]\n[Result \"0-1\"]\n\n\
1. e4 c5 2. e5 d5 3. exd6 Qxd6 0-1\n";

/// Lets panics over damaged Parquet files pass, which become errors. Every other panic is still a finding.
pub fn pass_panics_of_parquet() {
    let abort = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !pages::is_guarded() {
            abort(panic);
        }
    }));
}
