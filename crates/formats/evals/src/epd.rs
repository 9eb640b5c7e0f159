//! Reads a line of EPD with a value. The operations are `ce` or `dm`, `acd`, `acn`, and `pm` or `bm` (PGN
//! standard, section 16.2.5). The program cdbdirect, which reads the cloud database chessdb.cn, prints
//! another operation instead, such as `cdb eval: 12, ply: 3;` or `cdb eval: -M7;`.
//!
//! Values are from the mover's point of view. Other operations are ignored.

use memchr::memchr_iter;
use position::{PackedMove, Score};

use crate::{EvalReason, Evaluation, LineReader, Refusal, number::within, shown};

/// Reads a line into `reader`.
pub(crate) fn read<'l>(reader: &mut LineReader, line: &'l [u8]) -> Result<position::Key, Refusal<'l>> {
    let (fen, rest) = split(line).ok_or((EvalReason::BadPosition, shown(line)))?;
    let key = reader.position.set(fen)?;
    let (mut cp, mut mate, mut depth, mut nodes, mut best) = (None, None, 0, 0, None);
    for operation in operations(rest) {
        let (name, operand) = at_blank(operation);
        match name {
            b"ce" => cp = Some(Score::Cp(within(operand, Score::CP_RANGE)?)),
            b"dm" => mate = Some(crate::mate(operand)?),
            b"cdb" => match of_cloud(operand)? {
                score @ Score::Mate(_) => mate = Some(score),
                score @ Score::Cp(_) => cp = Some(score),
            },
            b"acd" => depth = within(operand, 0..=u16::MAX.into())?,
            b"acn" => nodes = within(operand, 0..=Evaluation::NODES_MAX)?,
            // A predicted move (`pm`) counts as the best; if `bm` has several moves, the value belongs to
            // none of them.
            b"pm" => best = Some(operand),
            b"bm" if best.is_none() && !operand.contains(&b' ') => best = Some(operand),
            _ => {}
        }
    }
    let score = mate.or(cp).ok_or((EvalReason::NoEvaluation, &b"ce"[..]))?;
    let evaluation = Evaluation { score, depth, nodes };
    reader.keep(PackedMove::TERMINAL, evaluation);
    if let Some(best) = best {
        let mv = reader.position.named(best).ok_or((EvalReason::IllegalMove, best))?;
        reader.keep(mv, evaluation);
    }
    Ok(key)
}

/// Parses the value in an operand such as `eval: 12, ply: 3`. In a mate such as `eval: -M7`, the number
/// counts plies: cdbdirect computes it as 30000 minus the value (`main_threaded.cpp`).
fn of_cloud(operand: &[u8]) -> Result<Score, Refusal<'_>> {
    let value = operand.strip_prefix(b"eval:").ok_or((EvalReason::BadText, shown(operand)))?;
    let value = value.split(|&byte| byte == b',').next().unwrap_or_default().trim_ascii();
    let (sign, value) = value.strip_prefix(b"-").map_or((1, value), |value| (-1, value));
    let Some(plies) = value.strip_prefix(b"M") else {
        return Ok(Score::Cp(i32::from(sign) * within::<i32>(value, 0..=Score::CP_MAX.into())?));
    };
    let plies: i16 = within(plies, 1..=Score::MATE_RANGE.end() / 2)?;
    Ok(Score::Mate(sign * (plies + 1) / 2))
}

/// Whether a line of text begins like a FEN: with four fields that together contain seven slashes.
pub(crate) fn begins(line: &[u8]) -> bool {
    split(line).is_some_and(|(fen, _)| memchr_iter(b'/', fen).count() == 7)
}

/// Splits a line into the four fields of the position and the rest of the line. The move counters of a FEN
/// are dropped.
fn split(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let mut blanks = memchr_iter(b' ', line);
    let end = blanks.nth(3).unwrap_or(line.len());
    let (fen, mut rest) = line.split_at(end);
    for _ in 0..2 {
        let (word, after) = at_blank(rest.trim_ascii());
        if !word.is_empty() && word.iter().all(u8::is_ascii_digit) {
            rest = after;
        }
    }
    (memchr_iter(b' ', fen).count() == 3).then_some((fen, rest))
}

/// Splits text at its first space.
fn at_blank(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|&byte| byte == b' ').unwrap_or(text.len());
    (&text[..end], text[end..].trim_ascii())
}

/// Splits text into operations, which end at semicolons outside quotes.
fn operations(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut quoted = false;
    text.split(move |&byte| {
        quoted ^= byte == b'"';
        byte == b';' && !quoted
    })
    .map(<[u8]>::trim_ascii)
}
