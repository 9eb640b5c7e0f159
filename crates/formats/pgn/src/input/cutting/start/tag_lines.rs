//! A fast path through a game's tag lines, which contain most of the text's brackets.

use memchr::memchr;

use super::{
    EVENT,
    text_line::{begins_tag, tag_name},
};
use crate::{
    input::cutting::{LineEnds, Rule, Unit},
    simd::{Classify, Lanes, WINDOW_BYTES, classify},
};

/// Returns the end of the tag lines of the game whose first tag opens at `bracket`. If another game starts
/// among these lines, returns the offset at which that game starts.
///
/// A game can start directly after a tag line only if the game's first tag is Event. So most brackets are
/// skipped quickly.
pub(crate) fn after_tags(text: &[u8], bracket: usize, rule: Rule) -> usize {
    let mut at = bracket + 1;
    if rule.unit == Unit::Lines {
        return at;
    }
    if rule == Rule::games(LineEnds::Lf) {
        match tags_end_of_game(text, at) {
            Ok(end) => return end,
            Err(near_end) => at = near_end,
        }
    }
    while rule.ends == LineEnds::Lf
        && let Some(length) = memchr(b'\n', &text[at..])
    {
        at += length + 1;
        let goes_on = match rule.unit {
            Unit::Games => text.get(at) == Some(&b'[') && tag_name(&text[at..]) != Some(EVENT),
            Unit::Records => begins_tag(&text[at..]),
            Unit::Lines => false,
        };
        if !goes_on {
            break;
        }
    }
    at
}

/// The bytes that tag lines begin and end with.
struct Marks {
    line_ends: u64,
    brackets: u64,
    /// The bytes that may follow the bracket of an Event: `E` or a blank.
    events: u64,
}

impl Classify for Marks {
    #[inline]
    fn classify(lanes: &impl Lanes) -> Self {
        Self { line_ends: lanes.any(*b"\n"), brackets: lanes.any(*b"["), events: lanes.any(*b"E \t") }
    }
}

/// Does the work of [`after_tags`] one window of bytes at a time, starting within the game's first line. If
/// no end is found, fails with an offset from which less than one window ([`WINDOW_BYTES`]) of text is left.
fn tags_end_of_game(text: &[u8], mut at: usize) -> Result<usize, usize> {
    while let Some(window) = text.get(at..).and_then(<[u8]>::first_chunk::<WINDOW_BYTES>) {
        let Marks { line_ends, brackets, events } = classify(window);
        let lines = line_ends << 1;
        let tags = lines & brackets;
        // The byte after the window is not known, so a bracket in the last byte may begin an Event.
        let may_be_event = events >> 1 | 1 << (WINDOW_BYTES - 1);
        let mut ends = lines & !(tags & !may_be_event);
        while ends != 0 {
            let line = at + ends.trailing_zeros() as usize;
            if text[line] != b'[' || tag_name(&text[line..]) == Some(EVENT) {
                return Ok(line);
            }
            ends &= ends - 1;
        }
        // The last byte is read again in the next window, together with the byte after it.
        at += WINDOW_BYTES - 1;
    }
    Err(at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tag_lines_end_at_the_same_place_however_long_they_are() {
        for before in 0..140 {
            for (last, after) in [("[ECO \"\"]", "\n1. e4"), ("[Elo \"\"]", "[Event \"b\"]"), ("x", "")] {
                let tags = format!("[Site \"{}\"]\n{last}\n", "x".repeat(before));
                let end = if last == "x" { tags.len() - 2 } else { tags.len() };
                let text = format!("{tags}{after}{}", " ".repeat(before));
                let found = after_tags(text.as_bytes(), 0, Rule::games(LineEnds::Lf));
                assert_eq!(found, end, "{text:?}");
            }
        }
    }

    #[test]
    fn tag_lines_are_passed_over_up_to_another_event() {
        assert_eq!(
            after_tags(b" [A \"\"]\r\n[B\n[ [Event \"\"]\n\n[C \"\"]", 1, Rule::games(LineEnds::Lf)),
            25
        );
        assert_eq!(after_tags(b"[A \"\"]\n[B \"\"]\n[Event \"\"]", 0, Rule::games(LineEnds::Lf)), 14);
        assert_eq!(after_tags(b"[A \"\"]", 0, Rule::games(LineEnds::Lf)), 1);
        let records = Rule { ends: LineEnds::Lf, unit: Unit::Records };
        assert_eq!(after_tags(b" [A \"\"]\n[Event \"\"]\n[B]\n[%x]", 1, records), 23);
    }
}
