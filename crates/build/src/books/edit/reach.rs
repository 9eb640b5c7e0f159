//! Which positions a player of the book can reach.

use std::{collections::HashSet, mem};

use position::{Key, PackedMove};
use query::PositionIndex;
use shakmaty::{Chess, Color, Move, Position as _};

use super::draft::Draft;
use crate::{Error, Result, RunOptions};

/// Positions between two looks at whether the user interrupts.
const POSITIONS_A_LOOK: usize = 1 << 12;

/// Which moves are followed.
#[derive(Clone, Copy)]
pub(super) enum Follow<'f> {
    /// Moves of the book but these; where a book has moves of one side only, the other side's replies are
    /// those that lead to a position of the book.
    Lines { only_side: Option<Color>, without: &'f HashSet<(Key, PackedMove)> },
    /// As `Play` of no side with transpositions, until both sides are found to have moves.
    Sides,
    /// Moves of the book, and any that lead back into it, as `check` does; this side plays what the book
    /// has and does not forbid. Without `transpositions`, moves back into it only where the book has none.
    Play { color: Option<Color>, transpositions: bool },
}

/// What was reached.
#[derive(Default)]
pub(super) struct Reached {
    /// Whether moves were followed from each position of the draft, by its place.
    pub(super) opened: Vec<bool>,
    /// Positions from which moves were followed, and which the draft does not have.
    others: HashSet<Key>,
    /// Positions to which only forbidden moves lead.
    pub(super) seen: HashSet<Key>,
    /// Sides that have moves.
    pub(super) sides: HashSet<Color>,
}

impl Reached {
    /// Notes that moves are followed from a position; whether they were not before.
    fn open(&mut self, key: Key, place: Option<usize>) -> bool {
        match place {
            Some(place) => !mem::replace(&mut self.opened[place], true),
            None => self.others.insert(key),
        }
    }
}

/// Follows moves from `starts`, ply by ply; `positions` are all those of `draft`.
///
/// # Memory
///
/// A byte a position, and a board for each move that leads to a position of the widest two plies.
pub(super) fn reach<D: Draft>(
    (draft, positions): (&D, &PositionIndex),
    starts: Vec<Chess>,
    follow: Follow<'_>,
    run: &RunOptions,
) -> Result<Reached> {
    let reached = Reached { opened: vec![false; positions.len()], ..Reached::default() };
    let open = starts.into_iter().map(|board| (Key::of(&board), board)).collect();
    let mut walk = Walk { draft, positions, follow, open, reached };
    while !walk.open.is_empty() {
        let mut of_ply = mem::take(&mut walk.open);
        // Positions are then looked up in the order in which they are in memory.
        of_ply.sort_unstable_by_key(|&(key, _)| key);
        for (number, (key, board)) in of_ply.iter().enumerate() {
            if matches!(follow, Follow::Sides) && walk.reached.sides.len() == Color::ALL.len() {
                return Ok(walk.reached);
            }
            if number.is_multiple_of(POSITIONS_A_LOOK) && run.flow().is_break() {
                return Err(Error::Interrupted);
            }
            walk.leave(*key, board)?;
        }
    }
    Ok(walk.reached)
}

/// Moves that are followed.
struct Walk<'w, D> {
    draft: &'w D,
    positions: &'w PositionIndex,
    follow: Follow<'w>,
    /// Positions that were reached, of which some are opened already, or are there twice.
    open: Vec<(Key, Chess)>,
    reached: Reached,
}

impl<D: Draft> Walk<'_, D> {
    /// Follows the moves of a position, if it is new.
    fn leave(&mut self, key: Key, board: &Chess) -> Result<()> {
        let place = self.positions.place(key);
        if !self.reached.open(key, place) {
            return Ok(());
        }
        let known = place.map_or(&[][..], |place| self.positions.moves(place));
        if !known.is_empty() {
            self.reached.sides.insert(board.turn());
        }
        for &mv in known {
            let Some(m) = mv.unpack(board).filter(|_| !self.follow.leaves_out(key, mv)) else { continue };
            let after = key.after(board, m);
            if self.follow.forbids(board) && self.draft.is_forbidden(key, mv)? {
                self.reached.seen.insert(after);
            } else {
                self.open.push((after, played(board, m)));
            }
        }
        if self.follow.takes_replies(board, known) {
            self.follow_replies(board, key, known);
        }
        Ok(())
    }

    /// Follows moves that the draft does not have, and that lead back into it.
    fn follow_replies(&mut self, board: &Chess, key: Key, known: &[PackedMove]) {
        let replies = board.legal_moves().into_iter().map(|m| (m, key.after(board, m)));
        // The second pass is the first that waits for memory, and then for many moves at once.
        for (m, after) in replies.collect::<Vec<_>>() {
            let Some(place) = self.positions.place(after) else { continue };
            let mv = PackedMove::pack(m);
            let is_known = known.iter().any(|known| known.normalized(board) == mv);
            if !self.reached.opened[place] && !is_known && !self.follow.leaves_out(key, mv) {
                self.open.push((after, played(board, m)));
            }
        }
    }
}

fn played(board: &Chess, m: Move) -> Chess {
    let mut after = board.clone();
    after.play_unchecked(m);
    after
}

impl Follow<'_> {
    fn leaves_out(self, key: Key, mv: PackedMove) -> bool {
        matches!(self, Self::Lines { without, .. } if without.contains(&(key, mv)))
    }

    /// Whether forbidden moves of the side to move are not followed.
    fn forbids(self, board: &Chess) -> bool {
        matches!(self, Self::Play { color, .. } if color == Some(board.turn()))
    }

    /// Whether moves that the book does not have are followed back into it.
    fn takes_replies(self, board: &Chess, known: &[PackedMove]) -> bool {
        match self {
            Self::Lines { only_side, .. } => known.is_empty() && only_side == Some(!board.turn()),
            Self::Sides => true,
            Self::Play { color, transpositions } => {
                color != Some(board.turn()) && (transpositions || known.is_empty())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(color: Option<Color>) -> Follow<'static> {
        Follow::Play { color, transpositions: true }
    }

    #[test]
    fn only_dropped_moves_of_lines_are_left_out() {
        let [dropped, other] = [PackedMove(1), PackedMove(2)];
        let without = HashSet::from([(Key::START, dropped)]);
        let lines = Follow::Lines { only_side: None, without: &without };
        assert!(lines.leaves_out(Key::START, dropped));
        assert!(!lines.leaves_out(Key::START, other));
        assert!(!lines.leaves_out(Key(0), dropped));
        assert!(!play(None).leaves_out(Key::START, dropped));
    }

    #[test]
    fn forbidden_moves_are_those_of_the_side_that_plays() {
        let board = Chess::default();
        assert!(play(Some(Color::White)).forbids(&board));
        assert!(!play(Some(Color::Black)).forbids(&board));
        assert!(!play(None).forbids(&board));
        assert!(!Follow::Sides.forbids(&board));
    }
}
