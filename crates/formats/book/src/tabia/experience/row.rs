//! Encodes and decodes one row of experience.
//!
//! # Format
//!
//! | bytes | |
//! |---|---|
//! | 2 | move |
//! | 2 | bits 0, 1 and 11 kind (0 book, 1 postbook, 2 position, 4 evaluation, 5 minimax); then what follows: bit 2 `learn`, 3 `own`, 4 `user_value`, 5 `priority`, 6 `nag`, 7 `eval`, 8 `depth`, 9 `mate`, 10 `nodes` |
//! | 4, LEB128 | `learn`: the value as an IEEE 754 single, the count |
//! | 3 × LEB128 | `own`: wins, draws, losses |
//! | 1 | `user_value` |
//! | 1 | `priority` |
//! | 1 | `nag` |
//! | 4 | `eval`: an IEEE 754 single |
//! | LEB128 | `depth` |
//! | 2 | `mate`: moves, signed |
//! | LEB128 | `nodes` |
//! | LEB128 | number of sources; for each: LEB128 of four times its place in the list of sources plus its lesson (0 learn, 1 own, 2 set, 3 search), LEB128 count, LEB128 last day yyyymmdd or 0 |
//!
//! Bits 9 to 11 belong to evaluations, which books of version 2 may have.

use position::{
    Contribution, Experience, ExperienceKind, ExperienceRow, Key, Lesson, OwnResults, PackedMove,
};

use crate::{
    error::DecodeFault,
    tabia::entries::cursor::{Cursor, write_varint},
};

const LEARN: u16 = 1 << 2;
const OWN: u16 = 1 << 3;
const USER_VALUE: u16 = 1 << 4;
const PRIORITY: u16 = 1 << 5;
const NAG: u16 = 1 << 6;
const EVAL: u16 = 1 << 7;
const DEPTH: u16 = 1 << 8;
const MATE: u16 = 1 << 9;
const NODES: u16 = 1 << 10;
/// The kind of a row is a number of three bits. Flag bits 0 and 1 are the two lower bits of this number, and
/// flag bit 11 is the upper bit.
const KIND: u16 = 3;
const KIND_HIGH: u16 = 1 << 11;

/// Appends a row, without its key.
pub(crate) fn write(row: &ExperienceRow, out: &mut Vec<u8>) {
    let Experience { learn, learn_count, own, user_value, priority, nag, eval, mate, depth, nodes } =
        row.experience;
    let bit = |bit: u16, there: bool| if there { bit } else { 0 };
    let learned = learn != 0.0 || learn_count > 0;
    let has_own = own != OwnResults::default();
    let kind = row.kind as u16;
    let flags = kind & KIND
        | bit(KIND_HIGH, kind > KIND)
        | bit(LEARN, learned)
        | bit(OWN, has_own)
        | bit(USER_VALUE, user_value.is_some())
        | bit(PRIORITY, priority.is_some())
        | bit(NAG, nag.is_some())
        | bit(EVAL, eval.is_some())
        | bit(DEPTH, depth.is_some())
        | bit(MATE, mate.is_some())
        | bit(NODES, nodes.is_some());
    out.extend(row.mv.0.to_le_bytes());
    out.extend(flags.to_le_bytes());
    if learned {
        out.extend(learn.to_le_bytes());
        write_varint(learn_count.into(), out);
    }
    if has_own {
        for count in [own.wins, own.draws, own.losses] {
            write_varint(count.into(), out);
        }
    }
    out.extend([user_value, priority, nag].into_iter().flatten());
    out.extend(eval.into_iter().flat_map(f32::to_le_bytes));
    if let Some(depth) = depth {
        write_varint(depth.into(), out);
    }
    out.extend(mate.into_iter().flat_map(i16::to_le_bytes));
    if let Some(nodes) = nodes {
        write_varint(nodes, out);
    }
    write_sources(&row.taught, out);
}

fn write_sources(taught: &[Contribution], out: &mut Vec<u8>) {
    write_varint(taught.len() as u64, out);
    for taught in taught {
        write_varint(u64::from(taught.source) << 2 | taught.lesson as u64, out);
        write_varint(taught.count.into(), out);
        write_varint(taught.last.into(), out);
    }
}

/// Reads a row of the position with `key`.
pub(crate) fn read(key: Key, cursor: &mut Cursor<'_>) -> Result<ExperienceRow, DecodeFault> {
    let mv = PackedMove(cursor.u16()?);
    let flags = cursor.u16()?;
    let has = |bit: u16| flags & bit != 0;
    let kind = usize::from(flags & KIND) + if has(KIND_HIGH) { usize::from(KIND) + 1 } else { 0 };
    let kind = *ExperienceKind::ALL
        .get(kind)
        .filter(|kind| kind.is_for_books())
        .ok_or(DecodeFault("an unknown kind of experience"))?;
    if flags >= KIND_HIGH << 1 {
        return Err(DecodeFault("an unknown value in experience"));
    }
    let mut known = Experience::default();
    if has(LEARN) {
        (known.learn, known.learn_count) = (single(cursor)?, number(cursor)?);
    }
    if has(OWN) {
        known.own = OwnResults { wins: number(cursor)?, draws: number(cursor)?, losses: number(cursor)? };
    }
    known.user_value = has(USER_VALUE).then(|| cursor.byte()).transpose()?;
    known.priority = has(PRIORITY).then(|| cursor.byte()).transpose()?;
    known.nag = has(NAG).then(|| cursor.byte()).transpose()?;
    known.eval = has(EVAL).then(|| single(cursor)).transpose()?;
    known.depth = has(DEPTH).then(|| number(cursor)).transpose()?;
    known.mate = has(MATE).then(|| cursor.u16()).transpose()?.map(u16::cast_signed);
    known.nodes = has(NODES).then(|| cursor.varint()).transpose()?;
    Ok(ExperienceRow { key, mv, kind, experience: known, taught: read_sources(cursor)? })
}

fn read_sources(cursor: &mut Cursor<'_>) -> Result<Vec<Contribution>, DecodeFault> {
    let count: u32 = number(cursor)?;
    // The count may be damaged, so no memory is reserved in advance. If the count is too large, reading fails
    // when there are no bytes left.
    (0..count)
        .map(|_| {
            let source = cursor.varint()?;
            let lesson = Lesson::ALL[(source & 3) as usize];
            let source =
                u32::try_from(source >> 2).map_err(|_| DecodeFault("the number of a source is too large"))?;
            Ok(Contribution { source, lesson, count: number(cursor)?, last: number(cursor)? })
        })
        .collect()
}

fn number<T: TryFrom<u64>>(cursor: &mut Cursor<'_>) -> Result<T, DecodeFault> {
    T::try_from(cursor.varint()?).map_err(|_| DecodeFault("a number in experience that is too large"))
}

fn single(cursor: &mut Cursor<'_>) -> Result<f32, DecodeFault> {
    let bits = u32::from(cursor.u16()?) | u32::from(cursor.u16()?) << 16;
    let value = f32::from_bits(bits);
    if value.is_finite() { Ok(value) } else { Err(DecodeFault("a value in experience that is not a number")) }
}
