//! Finds out which side a book is for, if it has moves for only one.
//!
//! All checks, edits, exports and comparisons must agree on which positions of a book can be reached. These
//! are the positions that the book's moves lead to from the start position. If the book has moves for only
//! one side, the other side may reply with any move that leads back into the book.

use std::collections::HashSet;

use book::PositionEntry;
use position::{Key, PackedMove, only_side as only, position_after};
use shakmaty::{ByColor, Chess, Color, Move, Position as _};

use crate::{Artefact, KeyProbe, Result, probe_key};

/// The side that a book has moves for, if it has moves for only one side. `None` for a book with moves for
/// both sides, and for a table, which has all moves.
///
/// # Errors
///
/// Fails if the artefact cannot be read or is damaged.
pub fn only_side(artefact: &Artefact) -> Result<Option<Color>> {
    match artefact {
        Artefact::Table(_) | Artefact::Experience(_) => Ok(None),
        Artefact::Book(book) => only_side_among(book.positions().map(|entry| Ok(entry?))),
        Artefact::Polyglot(_) => only_side_on_lines(|key| {
            let found = probe_key(artefact, key)?;
            Ok(found.map_or_else(Vec::new, |found| found.moves.iter().map(|known| known.mv).collect()))
        }),
    }
}

/// The side that has moves in these positions of a book, if only one side has any; `None` if both do. Reads
/// no more positions than necessary.
///
/// # Errors
///
/// Fails with the error of the first position that cannot be read.
pub fn only_side_among<E>(
    positions: impl Iterator<Item = Result<PositionEntry, E>>,
) -> Result<Option<Color>, E> {
    let mut has_moves = ByColor::new_with(|_| false);
    for entry in positions {
        let entry = entry?;
        *has_moves.get_mut(entry.turn) |= !entry.edges.is_empty();
        if has_moves.white && has_moves.black {
            break;
        }
    }
    Ok(only(|side| *has_moves.get(side)))
}

/// The replies of the side that has no moves in the book: every legal move that leads to a position in the
/// book, with the book's data for that position.
///
/// # Errors
///
/// Fails as [`probe_key`] does.
pub fn replies(artefact: &Artefact, board: &Chess) -> Result<Vec<(Move, KeyProbe)>> {
    let (key, mut replies) = (Key::of(board), Vec::new());
    for m in board.legal_moves() {
        if let Some(found) = probe_key(artefact, key.after(board, m))? {
            replies.push((m, found));
        }
    }
    Ok(replies)
}

/// The side that has moves on the lines from the start position, if only one side has any. Used for books
/// that do not store the side to move. `moves` looks up the moves of a position. The search ends as soon as
/// it has found a move for each side, which happens at the second ply in nearly all books. If the book has no
/// moves at the start position, all legal moves are followed from there.
///
/// # Errors
///
/// Fails if `moves` fails.
pub fn only_side_on_lines<E>(
    mut moves: impl FnMut(Key) -> Result<Vec<PackedMove>, E>,
) -> Result<Option<Color>, E> {
    let (mut seen, mut has_moves) = (HashSet::from([Key::START]), ByColor::new_with(|_| false));
    let mut open = vec![Chess::default()];
    for ply in 0.. {
        let mut next = Vec::new();
        for board in open {
            let key = Key::of(&board);
            let known = moves(key)?;
            let mut onward: Vec<_> = known.iter().filter_map(|mv| mv.unpack(&board)).collect();
            *has_moves.get_mut(board.turn()) |= !onward.is_empty();
            if has_moves.white && has_moves.black {
                return Ok(None);
            }
            if ply == 0 && onward.is_empty() {
                onward.extend(board.legal_moves());
            }
            for m in onward.into_iter().filter(|m| seen.insert(key.after(&board, *m))) {
                next.push(position_after(&board, m));
            }
        }
        if next.is_empty() {
            break;
        }
        open = next;
    }
    Ok(only(|side| *has_moves.get(side)))
}
