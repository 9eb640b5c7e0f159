//! Finds the positions that a player who follows the book can reach.

use std::{collections::HashSet, mem};

use position::{Key, PackedMove, position_after};
use query::PositionIndex;
use run::{Result, RunOptions};
use shakmaty::{Chess, Color, Position as _};

use super::draft::Draft;

/// The number of positions between checks for an interrupt.
const POSITIONS_A_LOOK: usize = 1 << 12;

/// Which moves to follow: those of the book and, if `replies_of` is a side, all moves by this side that lead
/// to a position of the book.
#[derive(Clone, Copy, Default)]
pub(super) struct Follow<'f> {
    /// The side for which any move that leads to a position of the book is followed.
    pub(super) replies_of: Option<Color>,
    /// The side whose forbidden moves are not followed.
    pub(super) forbids: Option<Color>,
    /// Individual moves that are not followed.
    pub(super) without: Option<&'f HashSet<(Key, PackedMove)>>,
}

/// The result of a walk.
#[derive(Default)]
pub(super) struct FollowedMoves {
    /// For each position of the draft, by its index in the [`PositionIndex`], whether its moves were
    /// followed.
    pub(super) opened: Vec<bool>,
    /// Positions that are not in the draft, but whose moves were followed.
    others: HashSet<Key>,
    /// Positions that forbidden moves lead to, even if other moves lead to them as well.
    pub(super) seen: HashSet<Key>,
}

impl FollowedMoves {
    /// Records that the moves of a position are being followed. Returns `false` if these moves have already
    /// been followed.
    fn open(&mut self, key: Key, place: Option<usize>) -> bool {
        match place {
            Some(place) => !mem::replace(&mut self.opened[place], true),
            None => self.others.insert(key),
        }
    }
}

/// Follows moves from `starts`, ply by ply; `positions` is the index of all positions in `draft`.
///
/// # Memory
///
/// Takes one byte for each position, and one board for each followed move in the two widest plies.
pub(super) fn reach<D: Draft>(
    (draft, positions): (&D, &PositionIndex),
    starts: Vec<Chess>,
    follow: Follow<'_>,
    run: &RunOptions,
) -> Result<FollowedMoves> {
    let reached = FollowedMoves { opened: vec![false; positions.len()], ..FollowedMoves::default() };
    let open = starts.into_iter().map(|board| (Key::of(&board), board)).collect();
    let mut walk = Walk { draft, positions, follow, open, reached };
    while !walk.open.is_empty() {
        let mut of_ply = mem::take(&mut walk.open);
        // The positions are sorted so that look-ups move through memory in order.
        of_ply.sort_unstable_by_key(|&(key, _)| key);
        for (number, (key, board)) in of_ply.iter().enumerate() {
            if number.is_multiple_of(POSITIONS_A_LOOK) {
                run.check_interrupt()?;
            }
            walk.leave(*key, board)?;
        }
    }
    Ok(walk.reached)
}

/// A walk along moves, ply by ply.
struct Walk<'w, D> {
    draft: &'w D,
    positions: &'w PositionIndex,
    follow: Follow<'w>,
    /// Positions that were reached. The list may contain duplicates, and positions whose moves have already
    /// been followed.
    open: Vec<(Key, Chess)>,
    reached: FollowedMoves,
}

impl<D: Draft> Walk<'_, D> {
    /// Follows the moves of a position, if it is new.
    fn leave(&mut self, key: Key, board: &Chess) -> Result<()> {
        let place = self.positions.place(key);
        if !self.reached.open(key, place) {
            return Ok(());
        }
        let known = place.map_or(&[][..], |place| self.positions.moves(place));
        for &mv in known {
            let Some(m) = mv.unpack(board).filter(|_| !self.follow.leaves_out(key, mv)) else { continue };
            let after = key.after(board, m);
            if self.follow.forbids == Some(board.turn()) && self.draft.is_forbidden(key, mv)? {
                self.reached.seen.insert(after);
            } else {
                self.open.push((after, position_after(board, m)));
            }
        }
        if self.follow.replies_of == Some(board.turn()) {
            for (m, after, place) in self.positions.replies(key, board, known) {
                if !self.reached.opened[place] && !self.follow.leaves_out(key, PackedMove::pack(m)) {
                    self.open.push((after, position_after(board, m)));
                }
            }
        }
        Ok(())
    }
}

impl Follow<'_> {
    fn leaves_out(self, key: Key, mv: PackedMove) -> bool {
        self.without.is_some_and(|without| without.contains(&(key, mv)))
    }
}
