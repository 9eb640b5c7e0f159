//! Reads the tags of a record.

use std::ops::Range;

use super::batch::Header;
use pgn::{filter::whole_day, tags::Tags};

/// The years in which Crafty may have learned; a date in any other year is ignored. Other years come from
/// clocks that were never set, or from a 64-bit `time_t` that was read as an `int` (Crafty before 19.6).
const YEARS: Range<u32> = 1990..2100;

/// The values of a record's tags; `offset` is where the record begins in the batch's text.
pub(super) fn of_record(tags: &Tags<'_>, offset: usize) -> Header {
    let name = |name| moved(tags.span(name).unwrap_or_default(), offset);
    Header { white: name("White"), black: name("Black"), date: date(tags) }
}

/// The values of a position's tags. Crafty 15 swapped the names and wrote `Black` first; from version 16 on,
/// `White` comes first and the names are right. Real files of both versions confirm this: with the corrected
/// names, Crafty is the side to move in all but one of 766 entries.
pub(super) fn of_position(tags: &Tags<'_>, offset: usize) -> Header {
    let mut header = of_record(tags, offset);
    if tags.span("Black").zip(tags.span("White")).is_some_and(|(black, white)| black.start < white.start) {
        std::mem::swap(&mut header.white, &mut header.black);
    }
    header
}

/// Returns the offsets at which other records begin among the tags of one record: wherever a player is named
/// a second time. A record that ends at such an offset has lost its moves; only its tags are left.
pub(super) fn more(tags: &Tags<'_>) -> Vec<usize> {
    let mut starts = Vec::new();
    let (mut white, mut black) = (false, false);
    for (at, name) in tags.starts() {
        let named = match name {
            b"White" => std::mem::replace(&mut white, true),
            b"Black" => std::mem::replace(&mut black, true),
            _ => false,
        };
        if named {
            starts.push(at);
            (white, black) = (name == b"White", name == b"Black");
        }
    }
    starts
}

fn date(tags: &Tags<'_>) -> Option<u32> {
    let day = whole_day(tags.get("Date")?.bytes())?;
    YEARS.contains(&(day / 10_000)).then_some(day)
}

fn moved(span: Range<usize>, offset: usize) -> Range<usize> {
    span.start + offset..span.end + offset
}
