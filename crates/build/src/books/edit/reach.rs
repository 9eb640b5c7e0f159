//! Which positions a player of the book can reach.

use std::collections::HashSet;

use position::{Key, PackedMove};
use shakmaty::{Chess, Color, Position as _};

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
    /// As `Play` of no side, until both sides are found to have moves.
    Sides,
    /// Moves of the book, and any that lead back into it, as `check` does; this side plays what the book
    /// has and does not forbid.
    Play { color: Option<Color> },
}

/// What was reached.
#[derive(Default)]
pub(super) struct Reached {
    /// Positions from which moves were followed.
    pub(super) opened: HashSet<Key>,
    /// Positions to which only forbidden moves lead.
    pub(super) seen: HashSet<Key>,
    /// Sides that have moves.
    pub(super) sides: HashSet<Color>,
}

/// A move that may be followed.
struct Step {
    after: Chess,
    is_forbidden: bool,
}

/// Follows moves from `starts`.
pub(super) fn reach<D: Draft>(
    draft: &D,
    starts: Vec<Chess>,
    follow: Follow<'_>,
    run: &RunOptions,
) -> Result<Reached> {
    let (mut reached, mut open) = (Reached::default(), starts);
    while let Some(board) = open.pop() {
        if matches!(follow, Follow::Sides) && reached.sides.len() == Color::ALL.len() {
            break;
        }
        if !reached.opened.insert(Key::of(&board)) {
            continue;
        }
        if reached.opened.len().is_multiple_of(POSITIONS_A_LOOK) && run.flow().is_break() {
            return Err(Error::Interrupted);
        }
        for step in steps(draft, &board, follow, &mut reached)? {
            if step.is_forbidden {
                reached.seen.insert(Key::of(&step.after));
            } else {
                open.push(step.after);
            }
        }
    }
    Ok(reached)
}

/// The moves that are followed from a position.
fn steps<D: Draft>(draft: &D, board: &Chess, follow: Follow<'_>, reached: &mut Reached) -> Result<Vec<Step>> {
    let key = Key::of(board);
    let known = draft.moves(key)?.unwrap_or_default();
    if !known.is_empty() {
        reached.sides.insert(board.turn());
    }
    let mut steps = Vec::new();
    for &mv in &known {
        let Some(m) = mv.unpack(board).filter(|_| !follow.leaves_out(key, mv)) else { continue };
        let mut after = board.clone();
        after.play_unchecked(m);
        steps.push(Step { after, is_forbidden: follow.forbids(board) && draft.is_forbidden(key, mv)? });
    }
    if follow.takes_replies(board, &known) {
        for m in board.legal_moves() {
            let mv = PackedMove::pack(m);
            if known.contains(&mv) || follow.leaves_out(key, mv) {
                continue;
            }
            let mut after = board.clone();
            after.play_unchecked(m);
            if draft.moves(Key::of(&after))?.is_some() {
                steps.push(Step { after, is_forbidden: false });
            }
        }
    }
    Ok(steps)
}

impl Follow<'_> {
    fn leaves_out(self, key: Key, mv: PackedMove) -> bool {
        matches!(self, Self::Lines { without, .. } if without.contains(&(key, mv)))
    }

    /// Whether forbidden moves of the side to move are not followed.
    fn forbids(self, board: &Chess) -> bool {
        matches!(self, Self::Play { color } if color == Some(board.turn()))
    }

    /// Whether moves that the book does not have are followed back into it.
    fn takes_replies(self, board: &Chess, known: &[PackedMove]) -> bool {
        match self {
            Self::Lines { only_side, .. } => known.is_empty() && only_side == Some(!board.turn()),
            Self::Sides => true,
            Self::Play { color } => color != Some(board.turn()),
        }
    }
}
