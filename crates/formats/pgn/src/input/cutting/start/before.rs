//! Examines the lines before a given line, and skips lines that begin with `%`.

use super::text_line::{is_blank, is_header_line, is_tag_line};
use crate::input::cutting::LineEnds;

/// The longest distance in bytes from the first tag line of a header to the Event that completes it. Tests
/// use a smaller distance, so that short texts can exceed it.
const HEADER_BYTES_MAX: usize = if cfg!(test) { 40 } else { 64 << 10 };

/// Whether the Event at `text_line` completes a header: only tags come before it, back to a blank line or the
/// start of the text.
pub(super) fn completes_header(text: &[u8], line: usize, ends: LineEnds) -> bool {
    let (mut at, mut header) = (line, line);
    while at > 0 {
        let end = ends.end_before(text, at);
        at = ends.last_line(&text[..end]);
        let before = &text[at..end];
        if before.first() == Some(&b'%') {
            continue;
        }
        if is_blank(before) {
            break;
        }
        if line - at > HEADER_BYTES_MAX || !is_header_line(before) {
            return false;
        }
        header = at;
    }
    header < line
}

/// Whether the nearest line before `text_line` that does not begin with `%` is blank; true if there is no
/// such line.
pub(super) fn follows_blank(text: &[u8], mut line: usize, ends: LineEnds) -> bool {
    while line > 0 {
        let end = ends.end_before(text, line);
        line = ends.last_line(&text[..end]);
        if text.get(line) != Some(&b'%') {
            return is_blank(&text[line..end]);
        }
    }
    true
}

/// Whether the nearest line before `text_line` that is not blank and does not begin with `%` is a tag line.
pub(super) fn follows_tag(text: &[u8], mut line: usize, ends: LineEnds) -> bool {
    while line > 0 {
        let end = ends.end_before(text, line);
        line = ends.last_line(&text[..end]);
        let before = &text[line..end];
        if before.first() != Some(&b'%') && !is_blank(before) {
            return is_tag_line(before);
        }
    }
    false
}

/// Whether the line before the line at `text_line` is empty. This is only a quick test: a blank line may also
/// contain spaces.
pub(super) fn follows_empty(text: &[u8], line: usize) -> bool {
    matches!(text[..line], [.., b'\n', b'\n'] | [.., b'\n', b'\r', b'\n'])
}
