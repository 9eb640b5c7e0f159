//! The values that minimax computes for positions and moves.

use position::Score;

/// A score from the point of view of the side to move. Being checkmated is worth less than any score.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Value(i32);

impl Value {
    pub(super) const DRAW: Self = Self(0);
    /// The side to move is checkmated: no moves to mate are left.
    pub(super) const MATED: Self = Self(i32::MIN);

    pub(super) fn of(score: Score) -> Self {
        Self(score.code())
    }

    /// The score; `None` if the side to move is checkmated.
    pub(super) fn score(self) -> Option<Score> {
        (self != Self::MATED).then(|| Score::of_code(self.0))
    }

    /// The value of a move that leads to a position with this value.
    pub(super) fn before(self) -> Self {
        Self::of(self.score().map_or(Score::Mate(1), Score::backed_up))
    }

    /// The value of the position after a move with this score.
    pub(super) fn after(mv: Score) -> Self {
        match mv {
            Score::Mate(1) => Self::MATED,
            Score::Mate(mate @ 0..) => Self::of(Score::Mate(1 - mate)),
            Score::Mate(_) | Score::Cp(_) => Self::of(mv.negated()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_on_the_board_is_worse_than_all_and_a_move_before_it_a_mate_in_one() {
        assert!(Value::MATED < Value::of(Score::Mate(-1)));
        assert_eq!((Value::MATED.score(), Value::MATED.before().score()), (None, Some(Score::Mate(1))));
        for score in
            [Score::Mate(1), Score::Mate(2), Score::Mate(-1), Score::Cp(-7), Score::Cp(Score::CP_MAX)]
        {
            assert_eq!(Value::after(score).before().score(), Some(score));
        }
    }
}
