//! Any text as a script of edits, of a `.tabia` and of a Polyglot book: refused, or done. Games stay as they
//! were counted, and it does not matter whether anything is written, nor where the edits are given.

#![no_main]

use std::{
    fs,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use books::{EditOptions, edit};
use libfuzzer_sys::fuzz_target;
use query::Artefact;
use run::RunOptions;
use shakmaty::Color;
use tempfile::TempDir;

static BOOKS: LazyLock<(TempDir, [PathBuf; 2])> = LazyLock::new(fuzz::books);

fuzz_target!(|data: &[u8]| {
    let Some((kind, script)) = data.split_first() else { return };
    let Some(folder) = fuzz::folder_with("edits", script) else { return };
    let book = &BOOKS.1[usize::from(kind & 1)];
    let output = |stem: &str| {
        let extension = book.extension().unwrap_or_default();
        Some(folder.path().join(stem).with_extension(extension))
    };
    let color = [None, None, Some(Color::White), Some(Color::Black)][usize::from(kind >> 1 & 3)];
    let script_path = Some(folder.path().join("edits"));
    let options = EditOptions { script: script_path, color, ..EditOptions::default() };
    let run = RunOptions::default();
    let dry = edit(book, &options, &run).map(|summary| summary.edited);
    let done =
        edit(book, &EditOptions { output: output("a"), ..options }, &run).map(|summary| summary.edited);
    assert_eq!(dry.as_ref().ok(), done.as_ref().ok());
    let Some(path) = output("a").filter(|path| path.exists()) else {
        return assert!(done.is_err());
    };
    assert!(done.is_ok());
    check_games(book, &path);
    // Without comments, each line is an edit that can be given for itself.
    let Some(text) = str::from_utf8(script).ok().filter(|text| !text.contains(['#', '\u{feff}'])) else {
        return;
    };
    let edits: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect();
    let given = EditOptions { edits, color, output: output("b"), ..EditOptions::default() };
    edit(book, &given, &run).expect("the edits of a script are edits");
    assert_eq!(fs::read(path).ok(), output("b").and_then(|path| fs::read(path).ok()));
});

/// Checks that a new book is sound, and that its positions have the games that they had.
fn check_games(before: &Path, after: &Path) {
    let Artefact::Book(after) = fuzz::verified(after) else { return };
    let Ok(Artefact::Book(before)) = Artefact::open(before) else { return };
    for entry in after.iter() {
        let entry = entry.expect("a sound book");
        let old = before.probe(entry.key).expect("a sound book");
        let games = old.as_ref().map_or(0, |old| old.tally.games());
        assert_eq!(entry.tally.games(), games);
        for edge in entry.edges {
            let edges = old.iter().flat_map(|old| &old.edges);
            let was = edges.filter(|old| old.mv == edge.mv).map(|old| old.tally).next();
            assert_eq!(edge.tally, was.unwrap_or_default());
        }
    }
}
