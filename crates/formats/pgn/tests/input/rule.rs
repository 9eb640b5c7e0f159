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
    b"[Event\"a\"]\n",
    b"[ Event \"a\" ]\n",
    b"[ W\"\" ] ",
    b"[W \"a]\n",
    b"\n\n[A \"\"]\n",
    b"]",
    b"\n[W \"\"]",
    b"\n\n[W \"\"]",
];

/// The rule's expressions.
struct Expressions {
    line: Regex,
    tag: Regex,
    whole_tag: Regex,
    unclosed_tag: Regex,
    lead: Regex,
    blank: Regex,
}

impl Expressions {
    fn new(line: &str) -> Self {
        let new = |text: &str| Regex::new(&format!("(?s-u){text}")).unwrap();
        let lead = r"\A(?:[ \t\x1A]|\xEF\xBB\xBF)*";
        let gap = r"(?:[ \t\r\n\x0B\x0C\x1A]|\xEF\xBB\xBF)*";
        let name = r"\[[ \t]*([A-Za-z][A-Za-z0-9_]*)";
        Self {
            line: new(line),
            lead: new(lead),
            tag: new(&format!("{lead}{name}[ \\t]*\"")),
            // The first quote that a bracket follows closes. Values of the texts here have no escapes.
            whole_tag: new(&format!(r#"\A{name}[ \t]*"[^\r\n]*?"[ \t]*\]{gap}"#)),
            unclosed_tag: new(&format!(r"\A{name}")),
            blank: new(&format!(r"\A{gap}\z")),
        }
    }

    fn is_event(&self, line: &[u8]) -> bool {
        self.tag.captures(line).is_some_and(|tag| &tag[1] == b"Event")
    }

    /// Whether a line that begins with a tag holds tags and nothing else, none of them Event; the last may be
    /// unclosed.
    fn is_header(&self, line: &[u8]) -> bool {
        let mut rest = &line[self.lead.find(line).unwrap().end()..];
        while let Some(tag) = self.whole_tag.captures(rest) {
            if &tag[1] == b"Event" {
                return false;
            }
            rest = &rest[tag[0].len()..];
        }
        rest.is_empty() || self.unclosed_tag.captures(rest).is_some_and(|tag| &tag[1] != b"Event")
    }
}

/// What the lines before a line are.
#[derive(Clone, Copy, PartialEq)]
enum Before {
    Blank,
    Header,
    Other,
}

/// Offsets of the lines that start a game, of a text in which no header is long.
fn starts(text: &[u8], by: &Expressions) -> Vec<usize> {
    let (mut found, mut before) = (Vec::new(), Before::Blank);
    for line in by.line.find_iter(text) {
        let bytes = line.as_bytes();
        if by.is_event(bytes) && before != Before::Header || by.tag.is_match(bytes) && before == Before::Blank
        {
            found.push(line.start());
        }
        let header = by.tag.is_match(bytes) && by.is_header(bytes);
        before = match before {
            _ if bytes.starts_with(b"%") => before,
            _ if by.blank.is_match(bytes) => Before::Blank,
            Before::Blank | Before::Header if header => Before::Header,
            _ => Before::Other,
        };
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
        let lf = Expressions::new(r"[^\n]*\n|[^\n]+\z");
        prop_assert_eq!(found(&text, LineEnds::Lf), starts(&text, &lf), "{}", text.escape_ascii());
        let cr = Expressions::new(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\z");
        prop_assert_eq!(found(&text, LineEnds::Cr), starts(&text, &cr), "{}", text.escape_ascii());
    }
}
