//! Every handmade tricky file, its outcome reviewed by hand: games, and what became of each.

use std::{fmt::Write as _, fs, path::Path};

use pgn::{
    input::{LineEnds, PieceKind, games},
    replay::{CountingOptions, Replay},
    verdict::{Rejection, Verdict},
};

#[test]
fn outcomes_are_as_reviewed() {
    let Some(folder) = testing::corpus("tricky/handmade") else { return };
    let mut files: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "pgn"));
    files.sort();
    let report = files.iter().fold(String::new(), |mut report, file| {
        writeln!(report, "{}: {}", file.file_name().unwrap().display(), outcome(file)).unwrap();
        report
    });
    insta::assert_snapshot!(report);
}

/// What became of each game: `+17` accepted with 17 plies, or the reason and ply.
fn outcome(file: &Path) -> String {
    let text = fs::read(file).unwrap();
    let mut replay = Replay::new(&CountingOptions { max_ply: 0, ..CountingOptions::default() }.into());
    let verdict = |piece: pgn::input::Piece<'_>| match piece.kind {
        PieceKind::Game => text_of(&replay.game(piece.text)),
        PieceKind::Fragment => text_of(&Verdict::Rejected(Rejection::fragment(piece.text))),
        PieceKind::Oversized => text_of(&replay.too_large(piece.text)),
    };
    games(&text, LineEnds::of(&text)).map(verdict).collect::<Vec<_>>().join(", ")
}

fn text_of(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Accepted { plies, cut, .. } => format!("+{plies}{}", if *cut { " cut" } else { "" }),
        Verdict::Filtered(filter) => format!("filtered {filter}"),
        Verdict::Copy(_) => "copy".into(),
        Verdict::Rejected(rejection) => match rejection.ply {
            Some(ply) => format!("{} at ply {ply}", rejection.reason),
            None => rejection.reason.to_string(),
        },
    }
}
