//! The rule of where a game starts, written a second time: line by line, and as simply as possible.

use pgn::input::{LineEnds, PieceKind, games};
use proptest::prelude::*;
use regex::bytes::Regex;

const PIECES: &[&[u8]] = &[
    b"\n",
    b"\n\n",
    b"\r\n",
    b"\r",
    b" ",
    b"\t",
    b"\x1A",
    b"\xEF\xBB\xBF",
    b"\xEF",
    b"\x0B",
    b"%",
    b"%\n",
    b"[",
    b"[Event \"a\"]",
    b"[Event \"",
    b"[Event  \"a\"]\n",
    b"[Event",
    b"[White \"b\"]\n",
    b"[X_1\t\"",
    b" \"",
    b"1. e4 e5",
    b"{ ; }",
    b"\n[W \"\"]",
    b"\n\n[W \"\"]",
];

/// Offsets of the lines that start a game.
fn starts(text: &[u8], line: &Regex) -> Vec<usize> {
    let blanks = r"(?:[ \t\x1A]|\xEF\xBB\xBF)*";
    let event = Regex::new(&format!(r#"(?-u)\A{blanks}\[Event ""#)).unwrap();
    let tag = Regex::new(&format!(r#"(?-u)\A{blanks}\[[A-Za-z][A-Za-z0-9_]*[ \t]+""#)).unwrap();
    let blank = Regex::new(r"(?-u)\A(?:[ \t\r\n\x0B\x0C\x1A]|\xEF\xBB\xBF)*\z").unwrap();
    let (mut found, mut after_blank) = (Vec::new(), true);
    for line in line.find_iter(text) {
        let bytes = line.as_bytes();
        if event.is_match(bytes) || after_blank && tag.is_match(bytes) {
            found.push(line.start());
        }
        if !bytes.starts_with(b"%") {
            after_blank = blank.is_match(bytes);
        }
    }
    found
}

fn found(text: &[u8], ends: LineEnds) -> Vec<usize> {
    let games = games(text, ends).filter(|piece| piece.kind == PieceKind::Game);
    games.map(|piece| piece.offset).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn prop_games_start_as_the_rule_has_it(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..50)) {
        let text = pieces.concat();
        let lf = Regex::new(r"(?s-u)[^\n]*\n|[^\n]+\z").unwrap();
        prop_assert_eq!(found(&text, LineEnds::Lf), starts(&text, &lf), "{}", text.escape_ascii());
        let cr = Regex::new(r"(?s-u)[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\z").unwrap();
        prop_assert_eq!(found(&text, LineEnds::Cr), starts(&text, &cr), "{}", text.escape_ascii());
    }
}
