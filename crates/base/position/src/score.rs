//! The value of a search: centipawns or moves to mate.

use std::ops::RangeInclusive;

/// A value from the mover's point of view; the mover is the side to move in the position that was searched.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[must_use]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// The number of moves to mate, never 0: positive if the mover mates, negative if the mover is mated.
    Mate(i16),
}

/// The code that a mate in 0 moves would have, if there were such a score. It is larger than the code of any
/// score in centipawns.
const MATE_CODE: i32 = 1_000_000_000;

impl Score {
    /// The largest absolute value of a score in centipawns. Up to this value, an `f32` in pawns distinguishes
    /// every number of centipawns.
    pub const CP_MAX: i32 = 1_000_000;

    /// The range of centipawns in a score.
    pub const CP_RANGE: RangeInclusive<i64> = -(Self::CP_MAX as i64)..=Self::CP_MAX as i64;

    /// The range of a score's number of moves to mate, which is never 0.
    pub const MATE_RANGE: RangeInclusive<i64> = -(i16::MAX as i64)..=i16::MAX as i64;

    /// The number of pawns that stands for a mate wherever a score must be given in pawns. It is far above
    /// ordinary evaluations.
    pub const MATE_PAWNS: f32 = 100.0;

    /// The score in pawns.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "f32 tells all centipawns apart")]
    pub fn pawns(self) -> f32 {
        match self {
            Self::Cp(cp) => cp as f32 / 100.0,
            Self::Mate(mate) => Self::MATE_PAWNS.copysign(mate.into()),
        }
    }

    /// A number for comparing scores: the better the score is for the mover, the larger the number.
    #[inline]
    #[must_use]
    pub fn code(self) -> i32 {
        match self {
            Self::Cp(cp) => cp,
            Self::Mate(mate @ 0..) => MATE_CODE - i32::from(mate),
            Self::Mate(mate) => -MATE_CODE - i32::from(mate),
        }
    }

    /// The score with this [`code`](Self::code).
    #[inline]
    pub fn of_code(code: i32) -> Self {
        if (-Self::CP_MAX..=Self::CP_MAX).contains(&code) {
            Self::Cp(code)
        } else {
            Self::Mate((code.signum() * MATE_CODE - code) as i16)
        }
    }

    /// The same score from the other side's point of view.
    #[inline]
    pub fn negated(self) -> Self {
        Self::of_code(-self.code())
    }

    /// The score of a move that leads to a position with this score: the negated score, plus one move if the
    /// mover mates.
    pub fn backed_up(self) -> Self {
        match self.negated() {
            Self::Mate(mate @ 0..) => Self::Mate(mate.saturating_add(1)),
            score => score,
        }
    }

    /// The score as the columns `eval` (in pawns) and `mate` of an experience file; one of the two is `None`.
    #[must_use]
    pub fn columns(self) -> (Option<f32>, Option<i16>) {
        match self {
            Self::Cp(cp) => (Some((f64::from(cp) / 100.0) as f32), None),
            Self::Mate(mate) => (None, Some(mate)),
        }
    }

    /// The score in these columns; `None` if both columns are `None`.
    #[must_use]
    pub fn of_columns(eval: Option<f32>, mate: Option<i16>) -> Option<Self> {
        mate.map(Self::Mate).or_else(|| eval.map(|eval| Self::Cp((eval * 100.0).round() as i32)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_columns_lose_nothing_and_rise_with_the_score() {
        let scores = [
            Score::Mate(-1),
            Score::Mate(i16::MIN + 1),
            Score::Cp(-Score::CP_MAX),
            Score::Cp(0),
            Score::Cp(33),
            Score::Cp(Score::CP_MAX),
            Score::Mate(i16::MAX),
            Score::Mate(1),
        ];
        assert!(scores.is_sorted_by_key(|score| score.code()));
        for score in scores {
            assert_eq!(Score::of_code(score.code()), score);
            let (eval, mate) = score.columns();
            assert_eq!(Score::of_columns(eval, mate), Some(score));
        }
        assert_eq!(Score::Mate(-3).negated(), Score::Mate(3));
        let backed_up = [-3, 3, i16::MIN + 1, -1].map(|mate| Score::Mate(mate).backed_up());
        assert_eq!(backed_up, [4, -3, i16::MAX, 2].map(Score::Mate));
        assert_eq!(Score::Cp(5).backed_up(), Score::Cp(-5));
        for cp in (-Score::CP_MAX..=Score::CP_MAX).step_by(7) {
            let (eval, mate) = Score::Cp(cp).columns();
            assert_eq!(Score::of_columns(eval, mate), Some(Score::Cp(cp)));
        }
    }
}
