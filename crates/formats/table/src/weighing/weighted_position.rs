//! Weights the counts in the rows of a position, and rounds the weighted counts to whole games.

use position::{Key, PackedMove, RatingSums, Step, Tally};

use super::ONE;
use crate::Row;

/// Weighted games by result, in units of 2^-32: White won, drawn, Black won.
type Sums = [u128; 3];

/// The moves of a position. Each move has its step and its weighted counts, which are summed over all groups.
#[derive(Debug, Default)]
pub(super) struct WeightedPosition {
    key: Key,
    moves: Vec<(PackedMove, Step, Sums)>,
}

impl WeightedPosition {
    /// Whether a row with `key` begins a new position.
    pub(super) fn ends_before(&self, key: Key) -> bool {
        self.key != key && !self.moves.is_empty()
    }

    /// Adds a row; `weight` is the weight of one game in the row's group.
    pub(super) fn add(&mut self, row: &Row, weight: u64) {
        self.key = row.key;
        if self.moves.last().is_none_or(|&(mv, ..)| mv != row.mv) {
            self.moves.push((row.mv, row.step, Sums::default()));
        }
        let Tally { white, draws, black } = row.tally;
        if let Some((_, _, sums)) = self.moves.last_mut() {
            add(sums, [white, draws, black].map(|games| u128::from(games) * u128::from(weight)));
        }
    }

    /// Appends one row per move, and removes the moves from this position. If the weighted games of a move
    /// add up to less than half a game, the move gets no row. Its games are added to the terminal visits
    /// instead, so that a position has at least as many games as each move that leads to it.
    pub(super) fn finish_into(&mut self, rows: &mut Vec<Row>) {
        let (begin, mut ended, mut mover) = (rows.len(), Sums::default(), None);
        for (mv, step, sums) in self.moves.drain(..) {
            mover = Some(step.mover());
            let row = Row { key: self.key, mv, step, tally: rounded(sums), ..Row::default() };
            if mv.is_terminal() || row.tally.games() == 0 {
                add(&mut ended, sums);
            } else {
                rows.push(row);
            }
        }
        let tally = rounded(ended);
        if let Some(mover) = mover.filter(|_| tally.games() > 0) {
            let step = Step::terminal(mover);
            let ratings = RatingSums::NONE;
            rows.insert(begin, Row { key: self.key, step, tally, ratings, ..Row::default() });
        }
    }
}

fn add(sums: &mut Sums, others: Sums) {
    sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
}

/// Rounds to the nearest whole number of games, with results as close to the weighted ones as possible.
/// Neither side is favoured: if a win for White and a win for Black would be equally close to the weighted
/// results, the game counts as a draw.
fn rounded(sums: Sums) -> Tally {
    let one = u128::from(ONE);
    let games = (sums.iter().sum::<u128>() + one / 2) / one;
    let [mut white, mut draws, mut black] = sums.map(|sum| sum / one);
    let [of_white, of_draws, of_black] = sums.map(|sum| sum % one);
    match games.saturating_sub(white + draws + black) {
        0 => {}
        1 if of_white > of_draws.max(of_black) => white += 1,
        1 if of_black > of_draws.max(of_white) => black += 1,
        1 => draws += 1,
        // One more game goes to each of the two results with the largest remainders.
        2 if of_white < of_draws.min(of_black) => (draws, black) = (draws + 1, black + 1),
        2 if of_black < of_draws.min(of_white) => (white, draws) = (white + 1, draws + 1),
        2 => (white, black) = (white + 1, black + 1),
        _ => (white, draws, black) = (white + 1, draws + 1, black + 1),
    }
    let [white, draws, black] = [white, draws, black].map(|games| u64::try_from(games).unwrap_or(u64::MAX));
    Tally { white, draws, black }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Rounds eighths of games.
    fn of(eighths: [u64; 3]) -> [u64; 3] {
        let Tally { white, draws, black } = rounded(eighths.map(|part| u128::from(part * ONE / 8)));
        [white, draws, black]
    }

    #[test]
    fn results_are_rounded_to_whole_games_without_a_favour() {
        assert_eq!(of([8, 16, 24]), [1, 2, 3]);
        assert_eq!(of([2, 0, 1]), [0, 0, 0]);
        assert_eq!(of([4, 0, 4]), [0, 1, 0], "a win each is as good as a draw");
        assert_eq!(of([6, 2, 2]), [1, 0, 0]);
        assert_eq!(of([2, 2, 6]), [0, 0, 1]);
        assert_eq!(of([6, 6, 4]), [1, 1, 0]);
        assert_eq!(of([4, 6, 6]), [0, 1, 1]);
        assert_eq!(of([6, 6, 6]), [1, 0, 1]);
        assert_eq!(of([7, 7, 31]), [1, 1, 4]);
    }

    proptest! {
        #[test]
        fn rounding_moves_no_count_by_a_game_and_mirrors(parts in prop::array::uniform3(0_u64..1 << 40)) {
            let sums = parts.map(u128::from);
            let tally = rounded(sums);
            let counts = [tally.white, tally.draws, tally.black];
            for (count, sum) in counts.into_iter().zip(sums) {
                prop_assert!((u128::from(count) << 32).abs_diff(sum) <= u128::from(ONE));
            }
            let total: u128 = sums.iter().sum();
            prop_assert!((u128::from(tally.games()) << 32).abs_diff(total) <= u128::from(ONE / 2));
            let mirrored = rounded([sums[2], sums[1], sums[0]]);
            prop_assert_eq!([mirrored.black, mirrored.draws, mirrored.white], counts);
        }
    }
}
