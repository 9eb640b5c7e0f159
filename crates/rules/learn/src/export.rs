//! Writes records in Crafty's own format, so that learned values can be shared with users of Crafty.
//!
//! # Format
//!
//! This is how 15.17 writes `book.lrn` (`learn.c`, `LearnBook`), and every version from 14 to 20 reads it:
//!
//! ```text
//! [White "Crafty 15.17"]
//! [Black "GuestABC"]
//! [Date "1998.09.01"]
//!  e4 d6 d4 g6 Be3 Nf6 Nc3 e6 f4 a6 Bd3 {79 3 100}
//! ```
//!
//! A record begins with three tags. The moves follow, each preceded by a space; a new line begins once a line
//! is longer than 60 characters. Last come the value, the depth and the rating difference, in braces. There
//! are no move numbers, no result and no blank line. Castling moves never end in `+` or `#`.

use std::fmt::Write as _;

use crate::{identity::NAME_BYTES_MAX, position_learning::PositionRecord};

/// Once a line of moves is longer than this number of bytes, the line ends.
const LINE_BYTES: usize = 60;

/// A record to write.
#[derive(Clone, Copy, Debug)]
pub struct ExportLine<'a, S> {
    /// The name of the player with White. If the player is Crafty, the version in the name tells readers how
    /// to interpret the record.
    pub white: &'a str,
    /// The name of the player with Black.
    pub black: &'a str,
    /// The date as yyyymmdd; 0 if unknown.
    pub date: u32,
    /// The game's moves in SAN, from the start position.
    pub moves: &'a [S],
    /// The learned value. The version of Crafty in the player's name determines the value's unit and point of
    /// view.
    pub value: i64,
    /// The depth in plies of the search that yielded the value.
    pub depth: i64,
    /// Crafty's rating minus the opponent's.
    pub rating_difference: i64,
}

/// Appends a record to `text`.
///
/// Names are truncated to at most 31 bytes, without splitting a character. The format has no escapes, so
/// quotes become `'` and control characters become spaces.
///
/// ```
/// use learn::export::{ExportLine, write_record};
/// let line = ExportLine {
///     white: "Crafty 15.17",
///     black: "opp",
///     date: 19980901,
///     moves: &["e4", "e5"],
///     value: -135,
///     depth: 5,
///     rating_difference: 0,
/// };
/// let mut text = String::new();
/// write_record(&line, &mut text);
/// assert_eq!(text, "[White \"Crafty 15.17\"]\n[Black \"opp\"]\n[Date \"1998.09.01\"]\n e4 e5 {-135 5 0}\n");
/// ```
pub fn write_record<S: AsRef<str>>(line: &ExportLine<'_, S>, text: &mut String) {
    write_tag("White", &plain(line.white), text);
    write_tag("Black", &plain(line.black), text);
    write_tag("Date", &dotted(line.date), text);
    let mut start = text.len();
    for san in line.moves {
        text.push(' ');
        text.push_str(without_check(san.as_ref()));
        if text.len() - start > LINE_BYTES {
            text.push('\n');
            start = text.len();
        }
    }
    let ExportLine { value, depth, rating_difference, .. } = line;
    append(text, format_args!(" {{{value} {depth} {rating_difference}}}\n"));
}

/// Appends an entry of `position.lrn` to `text`. The first line of the file, which consists of the word
/// `position`, must be written by the caller.
///
/// ```text
/// position
/// [White "Crafty 16.19"]
/// [Black "Tabia"]
/// [Date "1998.09.01"]
/// setboard r2q1rk1/ppp1nppp/1b1p1n2/1P2pb2/P1P5/2N1P3/3PBPPP/R1BQK1NR b KQ -
/// {102 6704 120}
/// ```
pub fn write_position(
    [white, black]: [&str; 2],
    date: u32,
    fen: &str,
    record: &PositionRecord,
    text: &mut String,
) {
    write_tag("White", &plain(white), text);
    write_tag("Black", &plain(black), text);
    write_tag("Date", &dotted(date), text);
    // Crafty leaves out the halfmove clock and the move number.
    let fields: Vec<&str> = fen.split_ascii_whitespace().take(4).collect();
    let PositionRecord { value, mv, depth } = record;
    append(text, format_args!("setboard {}\n{{{value} {mv} {depth}}}\n", fields.join(" ")));
}

fn write_tag(name: &str, value: &str, text: &mut String) {
    append(text, format_args!("[{name} \"{value}\"]\n"));
}

/// Writing to a string cannot fail.
fn append(text: &mut String, arguments: std::fmt::Arguments<'_>) {
    let written = text.write_fmt(arguments);
    debug_assert!(written.is_ok(), "a string takes any text");
}

fn plain(name: &str) -> String {
    let kept = &name[..name.floor_char_boundary(NAME_BYTES_MAX)];
    kept.chars()
        .map(|c| if c == '"' { '\'' } else { c })
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect()
}

fn dotted(date: u32) -> String {
    if date == 0 {
        return "????.??.??".to_owned();
    }
    format!("{:04}.{:02}.{:02}", date / 10_000, date / 100 % 100, date % 100)
}

/// Crafty's `OutputMove` never writes a check mark after castling.
fn without_check(san: &str) -> &str {
    if san.starts_with('O') { san.trim_end_matches(['+', '#']) } else { san }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(white: &str, moves: &[&str]) -> String {
        let mut text = String::new();
        let line =
            ExportLine { white, black: "b", date: 0, moves, value: 1, depth: 2, rating_difference: -3 };
        write_record(&line, &mut text);
        text
    }

    #[test]
    fn names_that_would_break_the_layout() {
        let text = record("a \"quoted\"\nname\u{e9} of more than thirty-one bytes", &[]);
        assert!(text.starts_with("[White \"a 'quoted' name\u{e9} of more than \"]\n"), "{text}");
        assert!(text.contains("[Date \"????.??.??\"]\n {1 2 -3}\n"), "{text}");
    }

    #[test]
    fn castling_has_no_check() {
        assert!(record("a", &["O-O+", "O-O-O#", "Qxf7+"]).contains(" O-O O-O-O Qxf7+ {"));
    }

    #[test]
    fn a_line_that_ends_on_the_last_move() {
        let text = record("a", &["Nbxd7+"; 9]);
        let lines: Vec<_> = text.lines().skip(3).collect();
        assert_eq!(lines, [" Nbxd7+".repeat(9).as_str(), " {1 2 -3}"]);
    }
}
