//! Encodes tallies, in one byte for up to 9 games and in a few bytes for more.
//!
//! # Format
//!
//! Tallies are numbered by games, then by White's wins, then by draws: tally 0 has no games, 1–3 have one
//! game (Black won, drawn, White won), and 4–9 have two games. In general, if White won w of s games and d
//! were drawn,
//!
//! > number = s(s+1)(s+2)/6 + w(s+1) − w(w−1)/2 + d
//!
//! | first byte | bytes | number |
//! |---|---|---|
//! | 0–219 | 1 | the byte: up to 9 games |
//! | 220–234 | 2 | 220 + (first − 220)·256 + second: 10–27 games |
//! | 235–254 | 3 | 4,060 + (first − 235)·65,536 + second·256 + third: 28–197 games |
//! | 255 | 4–28 | none; White's wins, draws and Black's wins follow as LEB128: 198 games and more |
//!
//! The limits of 27 and 197 games follow from how many tallies there are. There are exactly 15·256 tallies of
//! 10–27 games, and at most 20·65,536 of 28–197 games.

use position::Tally;

use super::cursor::{Cursor, write_varint};
use crate::error::DecodeFault;

/// The maximum number of games in a position's tally, and the largest value that the table's signed columns
/// can hold.
pub(crate) const GAMES_MAX: u64 = i64::MAX as u64;

const NUMBERED_GAMES_MAX: u64 = 197;
const TWO_BYTES_FROM: u32 = 220;
const THREE_BYTES_FROM: u32 = 4_060;
const TWO_BYTES: u8 = 220;
const THREE_BYTES: u8 = 235;
const VARINTS: u8 = 255;

/// The number of tallies with fewer than s games, for s = 0..=198.
static FEWER_GAMES: [u32; 199] = fewer_games();
/// The tallies whose code is one byte, indexed by number.
static ONE_BYTE: [[u8; 3]; TWO_BYTES_FROM as usize] = one_byte();

const fn fewer_games() -> [u32; 199] {
    let mut table = [0; 199];
    let mut s = 0;
    while s < 199 {
        table[s as usize] = s * (s + 1) * (s + 2) / 6;
        s += 1;
    }
    table
}

const fn one_byte() -> [[u8; 3]; TWO_BYTES_FROM as usize] {
    let mut table = [[0; 3]; TWO_BYTES_FROM as usize];
    let (mut number, mut games) = (0, 0);
    while games <= 9 {
        let mut white = 0;
        while white <= games {
            let mut draws = 0;
            while white + draws <= games {
                table[number] = [white, draws, games - white - draws];
                number += 1;
                draws += 1;
            }
            white += 1;
        }
        games += 1;
    }
    table
}

/// The number that the format assigns to a tally; `None` if the tally has more than 197 games.
pub(crate) fn number(tally: Tally) -> Option<u32> {
    let games = tally.white.checked_add(tally.draws)?.checked_add(tally.black)?;
    if games > NUMBERED_GAMES_MAX {
        return None;
    }
    // With at most 197 games, every term fits in 32 bits. `saturating_sub` makes the last term 0 if w = 0.
    let (s, w, d) = (games as u32, tally.white as u32, tally.draws as u32);
    Some(FEWER_GAMES[s as usize] + w * (s + 1) + d - (w * w.saturating_sub(1)) / 2)
}

/// The tally with this number, which must be below 220.
#[inline]
pub(crate) fn small(number: u8) -> Tally {
    let [white, draws, black] = ONE_BYTE[usize::from(number)].map(u64::from);
    Tally { white, draws, black }
}

/// The tally with this number; `None` if the number is too large for a code of three bytes.
fn numbered(number: u32) -> Option<Tally> {
    // `FEWER_GAMES[s]` is the lowest number of a tally with s games. The tally's number of games is therefore
    // the last s for which this entry is at most `number`.
    let games = FEWER_GAMES.partition_point(|&fewer| fewer <= number) as u32 - 1;
    if u64::from(games) > NUMBERED_GAMES_MAX {
        return None;
    }
    // To invert the numbering, count backwards from the last tally with `games` games. Counted backwards, the
    // tallies are in ascending order of k, the number of games that White did not win. Each k has k + 1
    // tallies, so the number of tallies before the first tally with a given k is the k-th triangular number.
    // `left` is the number of tallies before the wanted one, so the wanted tally's k is the largest k whose
    // triangular number is at most `left`.
    let left = (games + 1) * (games + 2) / 2 - 1 - (number - FEWER_GAMES[games as usize]);
    let not_white = ((8 * left + 1).isqrt() - 1) / 2;
    let lost = left - not_white * (not_white + 1) / 2;
    let [white, draws, black] = [games - not_white, not_white - lost, lost].map(u64::from);
    Some(Tally { white, draws, black })
}

/// Appends the code of `tally`.
pub(crate) fn write(tally: Tally, out: &mut Vec<u8>) {
    match number(tally) {
        Some(number @ ..TWO_BYTES_FROM) => out.push(number as u8),
        Some(number @ ..THREE_BYTES_FROM) => {
            // The smallest number with a code of this length is subtracted, and `TWO_BYTES` or `THREE_BYTES`
            // is added to the first byte, which therefore also shows how long the code is.
            let [_, _, high, low] = (number - TWO_BYTES_FROM).to_be_bytes();
            out.extend([TWO_BYTES + high, low]);
        }
        Some(number) => {
            let [_, high, middle, low] = (number - THREE_BYTES_FROM).to_be_bytes();
            out.extend([THREE_BYTES + high, middle, low]);
        }
        None => {
            out.push(VARINTS);
            for count in [tally.white, tally.draws, tally.black] {
                write_varint(count, out);
            }
        }
    }
}

/// Reads a tally of at most [`GAMES_MAX`] games.
#[inline]
pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Tally, DecodeFault> {
    match cursor.byte()? {
        first @ ..TWO_BYTES => Ok(small(first)),
        first => read_long(first, cursor),
    }
}

fn read_long(first: u8, cursor: &mut Cursor<'_>) -> Result<Tally, DecodeFault> {
    let number = match first {
        VARINTS => return read_varints(cursor),
        THREE_BYTES.. => {
            let (middle, low) = (cursor.byte()?, cursor.byte()?);
            THREE_BYTES_FROM + u32::from_be_bytes([0, first - THREE_BYTES, middle, low])
        }
        _ => TWO_BYTES_FROM + u32::from_be_bytes([0, 0, first - TWO_BYTES, cursor.byte()?]),
    };
    numbered(number).ok_or(DecodeFault("a tally number past the last"))
}

fn read_varints(cursor: &mut Cursor<'_>) -> Result<Tally, DecodeFault> {
    let tally = Tally { white: cursor.varint()?, draws: cursor.varint()?, black: cursor.varint()? };
    if countable(tally) { Ok(tally) } else { Err(DecodeFault("a tally of more than 2^63 − 1 games")) }
}

/// Whether `tally` has at most [`GAMES_MAX`] games.
pub(crate) fn countable(tally: Tally) -> bool {
    let games = tally.white.checked_add(tally.draws).and_then(|sum| sum.checked_add(tally.black));
    games.is_some_and(|games| games <= GAMES_MAX)
}

/// Skips a tally.
#[inline]
pub(crate) fn skip(cursor: &mut Cursor<'_>) -> Result<(), DecodeFault> {
    match cursor.byte()? {
        ..TWO_BYTES => {}
        TWO_BYTES..THREE_BYTES => cursor.skip(1),
        THREE_BYTES..VARINTS => cursor.skip(2),
        VARINTS => {
            for _ in 0..3 {
                cursor.varint()?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip(tally: Tally) -> usize {
        let mut bytes = Vec::new();
        write(tally, &mut bytes);
        let mut cursor = Cursor::new(&bytes, 0);
        assert_eq!(read(&mut cursor), Ok(tally));
        assert_eq!(cursor.at, bytes.len());
        let mut cursor = Cursor::new(&bytes, 0);
        assert_eq!(skip(&mut cursor), Ok(()));
        assert_eq!(cursor.at, bytes.len());
        bytes.len()
    }

    #[test]
    fn numbers_count_without_a_gap() {
        let mut expected = 0;
        for games in 0..=NUMBERED_GAMES_MAX {
            for white in 0..=games {
                for draws in 0..=games - white {
                    let tally = Tally { white, draws, black: games - white - draws };
                    assert_eq!(number(tally), Some(expected));
                    assert_eq!(numbered(expected), Some(tally));
                    expected += 1;
                }
            }
        }
        assert_eq!(expected, 1_313_400);
        assert_eq!(numbered(expected), None);
    }

    #[test]
    fn lengths_change_where_the_format_says() {
        for (games, bytes) in [(0, 1), (9, 1), (10, 2), (27, 2), (28, 3), (197, 3), (198, 5), (GAMES_MAX, 12)]
        {
            for (white, draws) in [(games, 0), (0, games), (0, 0), (games / 3, games / 2)] {
                let length = round_trip(Tally { white, draws, black: games - white - draws });
                let counts = usize::from(white > 0) + usize::from(draws > 0);
                assert!(length == bytes || games > 197 && counts > 0, "{games} games in {length} bytes");
            }
        }
    }

    #[test]
    fn tallies_past_the_limit_are_refused() {
        let mut bytes = Vec::new();
        write(Tally { white: u64::MAX, draws: 1, black: 0 }, &mut bytes);
        assert!(read(&mut Cursor::new(&bytes, 0)).is_err());
        assert!(read(&mut Cursor::new(&[254, 255, 255], 0)).is_err());
    }

    proptest! {
        #[test]
        fn prop_tallies_round_trip(white in 0u64..1 << 61, draws in 0u64..1 << 61, black in 0u64..1 << 61, shift in 0u32..61) {
            round_trip(Tally { white: white >> shift, draws: draws >> shift, black: black >> shift });
        }
    }
}
