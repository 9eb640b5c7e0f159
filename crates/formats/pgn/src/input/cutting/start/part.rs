//! Examines lines when only part of the text is available: the text after a line has not been read yet, or
//! the text before the line is unknown or was replaced with a short substitute.

use super::{
    LOOK_BYTES_MAX,
    before::{follows_blank, follows_tag},
    text_line::{is_blank, is_header_line, is_tag_line, may_become_start},
};
use crate::input::cutting::{Rule, Unit};

/// The substitute for a tag line of a learning file.
const TAG: &[u8] = b"[x";

/// The start of the last line of `text`, if more text could show that a game starts at that line; otherwise
/// the end of the text.
pub(crate) fn open_line(text: &[u8], rule: Rule) -> usize {
    let line = rule.ends.last_line(text);
    if text.len() - line <= LOOK_BYTES_MAX && may_become_start(&text[line..], rule.unit) {
        line
    } else {
        text.len()
    }
}

/// A short substitute for `text[..line]` that does not change whether a game starts at `text_line`. The
/// substitute is empty if the text before `text_line` does not matter.
pub(crate) fn substitute_before(text: &[u8], line: usize, rule: Rule) -> &'static [u8] {
    match rule.unit {
        Unit::Games if !follows_blank(text, line, rule.ends) => b"x",
        Unit::Records if follows_tag(text, line, rule.ends) => TAG,
        Unit::Games | Unit::Records | Unit::Lines => b"",
    }
}

/// A short substitute for `text_line`, the beginning of a line that is not blank. Whatever follows, no game
/// starts at this line.
pub(crate) fn substitute_of(line: &[u8], rule: Rule) -> &'static [u8] {
    if rule.unit == Unit::Records && is_tag_line(line) { TAG } else { b"x" }
}

/// The offsets of the first *decisive* line and of the line after it. For every line after a decisive line,
/// it is certain whether a game starts there, whatever text comes before `text`.
///
/// A header line is not decisive: the header may begin before `text`, and the missing part of the header may
/// contain an Event tag.
pub(crate) fn first_decisive_line(text: &[u8], rule: Rule) -> Option<(usize, usize)> {
    let mut line = 0;
    while let Some(next) = rule.ends.next_line(text, line) {
        if is_decisive(&text[line..next], rule.unit) {
            return Some((line, next));
        }
        line = next;
    }
    None
}

fn is_decisive(line: &[u8], unit: Unit) -> bool {
    if line.first() == Some(&b'%') {
        return false;
    }
    match unit {
        // A line this long cannot be part of a header that an Event completes.
        Unit::Games => line.len() > LOOK_BYTES_MAX || !is_header_line(line),
        Unit::Records => !is_blank(line) && !is_tag_line(line),
        Unit::Lines => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::cutting::LineEnds;

    #[test]
    fn an_open_line_is_one_that_more_text_could_make_a_start() {
        for open in ["", " ", "\u{feff}", "[", "[E", "[ ", "[ \tE", "[Event ", "[White_2 \t", " \u{1a}[W"] {
            assert_eq!(open_line(format!("e4\n{open}").as_bytes(), Rule::games(LineEnds::Lf)), 3, "{open:?}");
        }
        assert_eq!(open_line(b"e4\n\xEF\xBB", Rule::games(LineEnds::Lf)), 3);
        for closed in ["x", "[1", "[ 1", "[Event \"", "[ Event\"", "[Event x", "%", "[%"] {
            assert_eq!(
                open_line(format!("e4\n{closed}").as_bytes(), Rule::games(LineEnds::Lf)),
                3 + closed.len(),
                "{closed:?}"
            );
        }
    }

    #[test]
    fn lines_of_records_are_open_up_to_their_first_letter() {
        let rule = Rule { ends: LineEnds::Lf, unit: Unit::Records };
        for open in ["", " ", "\u{feff}", "[", "[ ", "[ W "] {
            assert_eq!(open_line(format!("e4\n{open}").as_bytes(), rule), 3, "{open:?}");
        }
        for closed in ["x", "[E", "[1", "[ W \"", "%"] {
            assert_eq!(open_line(format!("e4\n{closed}").as_bytes(), rule), 3 + closed.len(), "{closed:?}");
        }
    }
}
