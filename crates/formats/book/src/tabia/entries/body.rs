//! Encodes positions without their keys; most positions take two bytes.
//!
//! # Format
//!
//! The low four bits of the first byte are the shape, whose lowest bit is set when Black is to move.
//!
//! | shape | bytes | the position |
//! |---|---|---|
//! | 0, 2, 4 (+1) | 2 | one game, one move: 0 Black won, 2 drawn, 4 White won; the upper 12 of the 16 bits are the move's squares |
//! | 6, 8, 10 (+1) | 1 | one game, no move: 6 Black won, 8 drawn, 10 White won; the upper 4 bits are zero |
//! | 12 (+1) | 3… | one move, played in every game: squares as above, then a tally code |
//! | 14 (+1) | 1… | any other, see below |
//!
//! In shape 14, bits 4–6 of the first byte are the number of moves. If that number is 7, a LEB128 number
//! follows, which is added to it. Bit 7 is set if there were games in which none of the position's kept moves
//! was played. These games are the *rest*, and their tally code follows. The moves come last, in ascending
//! order. Each begins with 16 bits, of which bits 0–11 are its squares and bits 12–15 are one of these codes:
//!
//! | code | |
//! |---|---|
//! | 0–13 | the tally's number minus one: one or two games, and five tallies of three |
//! | 14 | a tally code follows |
//! | 15 | a byte follows with the promotion (1 knight, 2 bishop, 3 rook, 4 queen), then a tally code |
//!
//! Sixteen-bit numbers are little-endian. A move's squares are bits 0–11 of its Polyglot encoding. The
//! position's tally is the sum of its moves' tallies and the rest. A position has exactly one encoding,
//! because the first shape that fits is used.

use position::{PackedMove, Tally};
use shakmaty::Color;

use super::{
    cursor::{Cursor, write_varint},
    tally_code,
};
use crate::{BookEdge, PositionEntry, error::DecodeFault};

/// The mask for the shape in the first byte, without the bit for the side to move.
const SHAPE: u8 = 0b1110;
const ONE_GAME_LEAF: u8 = 6;
const ONE_MOVE: u8 = 12;
const GENERAL: u8 = 14;
const REST: u8 = 0x80;
const MANY: usize = 7;
const SQUARES: u16 = 0x0fff;
const TALLY_FOLLOWS: u8 = 14;
const PROMOTION_FOLLOWS: u8 = 15;

/// The body of a position whose entry has been checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Body<'e> {
    entry: &'e PositionEntry,
    /// The games that reached the position but did not continue with a kept move, by result.
    rest: Tally,
}

impl<'e> Body<'e> {
    /// The body of `entry`.
    ///
    /// # Errors
    ///
    /// Fails if the entry cannot be stored in a book.
    #[inline]
    pub(crate) fn of(entry: &'e PositionEntry) -> Result<Self, DecodeFault> {
        Ok(Self { entry, rest: rest(entry)? })
    }

    /// Appends the body to `out`.
    #[inline]
    pub(crate) fn write(self, out: &mut Vec<u8>) {
        let Self { entry, rest } = self;
        let turn = u8::from(entry.turn.is_black());
        let single = tally_code::number(entry.tally).filter(|number| (1..=3).contains(number));
        match (entry.edges.as_slice(), single) {
            ([edge], _) if rest == Tally::default() && edge.mv.0 & !SQUARES == 0 => {
                // A position with tally number 1, 2 or 3 gets shape 0, 2 or 4. The squares move up by four
                // bits to make room for the shape and the turn.
                let shape = single.map_or(ONE_MOVE, |number| (number as u8 - 1) * 2);
                out.extend((edge.mv.0 << 4 | u16::from(shape | turn)).to_le_bytes());
                if single.is_none() {
                    tally_code::write(edge.tally, out);
                }
            }
            // A leaf with tally number 1, 2 or 3 gets shape 6, 8 or 10.
            ([], Some(number)) => out.push(((number as u8 + 2) * 2) | turn),
            (edges, _) => write_general(turn, rest, edges, out),
        }
    }
}

fn write_general(turn: u8, rest: Tally, edges: &[BookEdge], out: &mut Vec<u8>) {
    let count = edges.len().min(MANY);
    let has_rest = rest != Tally::default();
    out.push(GENERAL | turn | (count as u8) << 4 | if has_rest { REST } else { 0 });
    if count == MANY {
        write_varint((edges.len() - MANY) as u64, out);
    }
    if has_rest {
        tally_code::write(rest, out);
    }
    for edge in edges {
        write_edge(edge, out);
    }
}

fn write_edge(edge: &BookEdge, out: &mut Vec<u8>) {
    let promotion = (edge.mv.0 >> 12) as u8;
    let short = tally_code::number(edge.tally).filter(|number| (1..=14).contains(number));
    let code = match (promotion, short) {
        (0, Some(number)) => number as u8 - 1,
        (0, None) => TALLY_FOLLOWS,
        _ => PROMOTION_FOLLOWS,
    };
    out.extend((edge.mv.0 & SQUARES | u16::from(code) << 12).to_le_bytes());
    if code == PROMOTION_FOLLOWS {
        out.push(promotion);
    }
    if code >= TALLY_FOLLOWS {
        tally_code::write(edge.tally, out);
    }
}

/// Checks the entry, and returns the games that reached the position but did not continue with a kept move.
fn rest(entry: &PositionEntry) -> Result<Tally, DecodeFault> {
    if !tally_code::countable(entry.tally) {
        return Err(DecodeFault("more than 2^63 − 1 games"));
    }
    // Most positions in a large book have a single move, played in all of their games, so nothing has to be
    // subtracted.
    if let [edge] = &entry.edges[..]
        && edge.tally == entry.tally
        && (1..=SQUARES).contains(&edge.mv.0)
    {
        return Ok(Tally::default());
    }
    let mut rest = entry.tally;
    let mut previous = PackedMove::TERMINAL;
    // Each move must be greater than the move before it, and the first must be greater than 0. This also
    // rules out duplicates.
    for edge in &entry.edges {
        if edge.mv <= previous {
            return Err(DecodeFault("its moves are not ascending and above 0"));
        }
        if edge.mv.0 >> 12 > 4 {
            return Err(DecodeFault("a move has an unknown promotion"));
        }
        previous = edge.mv;
        rest = rest.checked_sub(edge.tally).ok_or(DecodeFault("its moves have more games than itself"))?;
    }
    Ok(rest)
}

/// Reads a body into `entry`. The key of `entry` does not change.
#[inline]
pub(crate) fn read(cursor: &mut Cursor<'_>, entry: &mut PositionEntry) -> Result<(), DecodeFault> {
    let first = cursor.peek()?;
    let shape = first & SHAPE;
    entry.turn = Color::from_black(first & 1 == 1);
    entry.edges.clear();
    match shape {
        GENERAL => return read_general(cursor, entry),
        ONE_GAME_LEAF..ONE_MOVE => {
            cursor.skip(1);
            // This inverts `write`: shapes 6, 8 and 10 stand for the tally numbers 1, 2 and 3.
            entry.tally = tally_code::small(shape / 2 - 2);
            return Ok(());
        }
        _ => {}
    }
    let mv = PackedMove(cursor.u16()? >> 4);
    let tally = if shape == ONE_MOVE { tally_code::read(cursor)? } else { tally_code::small(shape / 2 + 1) };
    // A copy from `entry.tally` would have to wait until the processor has written it.
    entry.edges.push(BookEdge { mv, tally });
    entry.tally = tally;
    if mv.is_terminal() { Err(DecodeFault("a move from a1 to a1")) } else { Ok(()) }
}

fn read_general(cursor: &mut Cursor<'_>, entry: &mut PositionEntry) -> Result<(), DecodeFault> {
    let (edges, has_rest) = read_general_head(cursor)?;
    let mut tally = if has_rest { tally_code::read(cursor)? } else { Tally::default() };
    let mut previous = PackedMove::TERMINAL;
    for _ in 0..edges {
        let edge = read_edge(cursor)?;
        if edge.mv <= previous {
            return Err(DecodeFault("moves that are not ascending"));
        }
        previous = edge.mv;
        // The sum is checked at each move, so even in a damaged book it cannot overflow or exceed the limit.
        let sum = tally.checked_add(edge.tally).filter(|&sum| tally_code::countable(sum));
        tally = sum.ok_or(DecodeFault("a position of more than 2^63 − 1 games"))?;
        entry.edges.push(edge);
    }
    entry.tally = tally;
    Ok(())
}

/// Reads the number of moves, and the bit that says whether the tally of the rest follows.
fn read_general_head(cursor: &mut Cursor<'_>) -> Result<(u64, bool), DecodeFault> {
    let first = cursor.byte()?;
    let count = u64::from(first >> 4 & 7);
    // The number of moves may be damaged, but it needs no check here: the loop over the moves ends with an
    // error at the end of the bucket.
    let more = if count == MANY as u64 { cursor.varint()? } else { 0 };
    Ok((count.saturating_add(more), first & REST != 0))
}

fn read_edge(cursor: &mut Cursor<'_>) -> Result<BookEdge, DecodeFault> {
    let bits = cursor.u16()?;
    let (squares, code) = (bits & SQUARES, (bits >> 12) as u8);
    if code < TALLY_FOLLOWS {
        return Ok(BookEdge { mv: PackedMove(squares), tally: tally_code::small(code + 1) });
    }
    let promotion = if code == PROMOTION_FOLLOWS { cursor.byte()? } else { 0 };
    if promotion > 4 {
        return Err(DecodeFault("an unknown promotion"));
    }
    Ok(BookEdge { mv: PackedMove(squares | u16::from(promotion) << 12), tally: tally_code::read(cursor)? })
}

/// Skips a body.
#[inline]
pub(crate) fn skip(cursor: &mut Cursor<'_>) -> Result<(), DecodeFault> {
    match cursor.peek()? & SHAPE {
        ..ONE_GAME_LEAF => cursor.skip(2),
        ONE_GAME_LEAF..ONE_MOVE => cursor.skip(1),
        ONE_MOVE => {
            cursor.skip(2);
            tally_code::skip(cursor)?;
        }
        _ => skip_general(cursor)?,
    }
    Ok(())
}

fn skip_general(cursor: &mut Cursor<'_>) -> Result<(), DecodeFault> {
    let (edges, has_rest) = read_general_head(cursor)?;
    if has_rest {
        tally_code::skip(cursor)?;
    }
    for _ in 0..edges {
        let code = (cursor.u16()? >> 12) as u8;
        cursor.skip(usize::from(code == PROMOTION_FOLLOWS));
        if code >= TALLY_FOLLOWS {
            tally_code::skip(cursor)?;
        }
    }
    Ok(())
}
