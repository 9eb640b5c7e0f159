//! Finds where units start if the unit is [`Unit::Lines`](crate::input::Unit::Lines): at each line that is
//! not blank.

use super::{
    LOOK_BYTES_MAX, Start,
    text_line::{MARK, leading_blanks},
};
use crate::input::cutting::LineEnds;

/// The first line whose first visible byte is at `from` or later.
pub(super) fn first(text: &[u8], from: usize, ends: LineEnds) -> Option<Start> {
    let mut line = ends.last_line(&text[..from]);
    loop {
        if let Some(start) = visible(text, line, ends).filter(|start| start.bracket >= from) {
            return Some(start);
        }
        line = ends.next_line(text, line)?;
    }
}

/// The last line whose first visible byte is at `from` or later.
pub(super) fn last(text: &[u8], from: usize, ends: LineEnds) -> Option<Start> {
    let mut end = text.len();
    loop {
        let line = ends.last_line(&text[..end]);
        match visible(text, line, ends) {
            Some(start) if start.bracket >= from => return Some(start),
            _ if line <= from => return None,
            _ => end = line - 1,
        }
    }
}

/// The line at `text_line`, unless it is blank, or begins with more blanks than [`LOOK_BYTES_MAX`]. The first
/// bytes of a byte order mark at the end of the text also count as a blank, because the rest of it may
/// follow.
fn visible(text: &[u8], line: usize, ends: LineEnds) -> Option<Start> {
    let look = &text[line..text.len().min(line + LOOK_BYTES_MAX)];
    let bracket = line + leading_blanks(look);
    let byte = *text.get(bracket)?;
    // A CR is a blank where lines end at LF.
    let is_blank = ends.ends(byte) || byte == b'\r' || MARK.starts_with(&text[bracket..]);
    (!is_blank && bracket - line < look.len()).then_some(Start { line, bracket })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_can_be_seen_start() {
        let text = b"\n a\r\n\r\n  \nbc\n\xEF\xBB\xBFd\n";
        let starts = |from| first(text, from, LineEnds::Lf).map(|start| (start.line, start.bracket));
        let found = [0, 2, 3, 11, 12, 15, 18].map(starts);
        assert_eq!(
            found,
            [
                Some((1, 2)),
                Some((1, 2)),
                Some((10, 10)),
                Some((13, 16)),
                Some((13, 16)),
                Some((13, 16)),
                None
            ]
        );
        let last = |from| last(text, from, LineEnds::Lf).map(|start| start.line);
        assert_eq!([last(0), last(16), last(17)], [Some(13), Some(13), None]);
        assert_eq!(super::last(b"a\rb", 1, LineEnds::Cr), Some(Start { line: 2, bracket: 2 }));
    }
}
