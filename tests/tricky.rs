//! Every tricky PGN file of the corpus: no panic, no endless loop, no silent error. The outcomes are a
//! reviewed snapshot.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use pgn::{
    input::{ChunkOptions, Chunks, PieceKind, expand},
    replay::{Replay, ReplayOptions},
    verdict::{Reason, Rejection, Verdict},
};
use testing::corpus;

fn outcome(file: &Path, replay: &mut Replay) -> pgn::Result<String> {
    let inputs = expand(&[file.display().to_string()])?.inputs;
    let chunks = Chunks::open(inputs, ChunkOptions { chunk_bytes: 4096, ..ChunkOptions::default() })?;
    let (mut games, mut accepted, mut rejected) = (0, 0, BTreeMap::<Reason, u32>::new());
    while let Some(chunk) = chunks.next(0, Vec::new())? {
        for piece in chunk.games() {
            games += 1;
            let verdict = match piece.kind {
                PieceKind::Game => replay.game(piece.text),
                PieceKind::Fragment => Verdict::Rejected(Rejection::fragment(piece.text)),
                PieceKind::Oversized => replay.too_large(piece.text),
            };
            match &verdict {
                Verdict::Accepted { .. } => accepted += 1,
                Verdict::Rejected(rejection) => *rejected.entry(rejection.reason).or_default() += 1,
                Verdict::Filtered(_) | Verdict::Copy(_) => panic!("{verdict:?} without a filter"),
            }
        }
    }
    let reasons: Vec<_> = rejected.iter().map(|(reason, count)| format!("{reason} {count}")).collect();
    Ok(format!(
        "{games} games, {accepted} counted{}{}",
        if reasons.is_empty() { "" } else { ": " },
        reasons.join(", ")
    ))
}

fn pgn_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pgn_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "pgn") {
            files.push(path);
        }
    }
}

#[test]
fn every_tricky_file_comes_out_as_reviewed() {
    let Some(folder) = corpus("tricky") else { return };
    let mut files = Vec::new();
    pgn_files(&folder, &mut files);
    files.sort();
    let (mut replay, mut text) = (Replay::new(&ReplayOptions::default()), String::new());
    for file in files {
        let name = file.strip_prefix(&folder).unwrap().display().to_string();
        let outcome_text = outcome(&file, &mut replay).unwrap_or_else(|error| format!("error: {error}"));
        writeln!(text, "{name}: {}", outcome_text.replace(&file.display().to_string(), "FILE")).unwrap();
    }
    insta::assert_snapshot!(text);
}
