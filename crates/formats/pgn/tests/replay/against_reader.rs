//! Our tokens against pgn-reader's, which is the reference for well-formed movetext.

use std::{fmt::Write as _, fs::File, io::Read as _, ops::ControlFlow};

use pgn::{
    input::{LineEnds, PieceKind, games},
    movetext::{Movetext, Terminator, Token},
    tags::TagBuffer,
};
use pgn_reader::{Outcome, RawTag, Reader, SanPlus, Skip, Visitor};
use proptest::prelude::*;
use shakmaty::san::San;

use crate::made;

/// Moves of the main line and result of one game.
#[derive(Debug, Default, Eq, PartialEq)]
struct Read {
    moves: Vec<San>,
    result: Option<String>,
}

struct Reference;

impl Visitor for Reference {
    type Tags = ();
    type Movetext = Read;
    type Output = Read;

    fn begin_tags(&mut self) -> ControlFlow<Read, ()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<Read> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<Read, Read> {
        ControlFlow::Continue(Read::default())
    }

    fn san(&mut self, read: &mut Read, san: SanPlus) -> ControlFlow<Read> {
        read.moves.push(san.san);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut Read) -> ControlFlow<Read, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, read: &mut Read, outcome: Outcome) -> ControlFlow<Read> {
        read.result.get_or_insert(outcome.to_string());
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, read: Read) -> Read {
        read
    }
}

fn reference(text: &[u8]) -> Option<Read> {
    Reader::new(text).read_game(&mut Reference).unwrap()
}

/// What we read, and whether all of it was well formed.
fn ours(text: &[u8], at: usize) -> (Read, bool) {
    let mut read = Read::default();
    let mut well_formed = true;
    for token in Movetext::new(text, at) {
        match token {
            Token::Move(san) => read.moves.push(san),
            Token::Result(Terminator::Star) => read.result = Some("*".to_owned()),
            Token::Result(Terminator::Known(outcome)) => read.result = Some(outcome.to_string()),
            Token::Bad | Token::UnclosedComment => well_formed = false,
        }
    }
    (read, well_formed)
}

proptest! {
    #[test]
    fn prop_well_formed_games_read_as_pgn_reader_reads_them(
        picks in prop::collection::vec(any::<u16>(), 1..160),
        notes in prop::collection::vec(0_usize..8, 160),
        result in prop::sample::select(vec!["1-0", "0-1", "1/2-1/2", "*"]),
    ) {
        const NOTES: [&str; 8] = [" ", "! ", " $13 ", " {note} ", " (1. d4 (1. c4 {)} e5) d5) ", "\n", " ; note\n", "?! {x}\n"];
        let mut text = String::new();
        for (ply, (made, note)) in made::game(&picks).iter().zip(notes).enumerate() {
            let number = if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
            write!(text, "{number}{}{}", made.san, NOTES[note]).unwrap();
        }
        text += result;
        prop_assert_eq!(ours(text.as_bytes(), 0), (reference(text.as_bytes()).unwrap(), true), "{}", text);
    }
}

/// The first `bytes_max` bytes of a `.zst` file of the corpus.
fn head(name: &str, bytes_max: u64) -> Option<Vec<u8>> {
    let file = File::open(testing::corpus(name)?).unwrap();
    let mut text = Vec::new();
    zstd::Decoder::new(file).unwrap().take(bytes_max).read_to_end(&mut text).unwrap();
    Some(text)
}

/// Compares those games at the beginning of a corpus file that both readers can be asked about.
fn compare(name: &str) {
    let Some(text) = head(name, 8 << 20) else { return };
    let mut buffer = TagBuffer::default();
    let mut compared = 0;
    for piece in games(&text, LineEnds::of(&text)).filter(|piece| piece.kind == PieceKind::Game) {
        let at = buffer.read(piece.text).movetext_at;
        let (read, well_formed) = ours(piece.text, at);
        // pgn-reader ends a game at a blank line and drops what it does not know.
        let movetext = piece.text[at..].trim_ascii_end();
        if !well_formed
            || movetext.windows(2).any(|two| two == b"\n\n")
            || movetext.windows(3).any(|three| three == b"\n\r\n")
        {
            continue;
        }
        assert_eq!(Some(read), reference(piece.text), "{name}, byte {}", piece.offset);
        compared += 1;
    }
    assert!(compared > 100, "{name}: only {compared} games compared");
}

#[test]
fn real_games_read_as_pgn_reader_reads_them() {
    for name in [
        "kingbase2015-recon-a.pgn.zst",
        "lichess-2013-01a.pgn.zst",
        "pgnmentor-2023a.pgn.zst",
        "gnuchess-book-a.pgn.zst",
        "twic-a.pgn.zst",
        "online-clk-eval-a.pgn.zst",
        "otb-clk-a.pgn.zst",
        "tcec-a.pgn.zst",
    ] {
        compare(name);
    }
}
