//! Items for the sorter, made from a game: plain observations, or observations with the players' ratings.

use extsort::{Item, Sum};
use position::{Observation, Step, Tally};
use shakmaty::Color;
use table::{RatingSums, Row};

/// A sorted row has three sums, which are the numbers of games that White won, drew and lost.
pub const OUTCOMES: usize = 3;
/// How many sums a row with ratings has: the outcomes, then the sums of the mover's and the opponent's
/// ratings, then the number of rated games.
pub const OUTCOMES_AND_RATINGS: usize = OUTCOMES + 3;

/// A sorter item made from an observation. The sorter adds up equal items, and each sum becomes a row of a
/// table.
pub trait ObservedItem<const SUMS: usize>: Item<SUMS, Combine = Sum> {
    /// Makes an item from an observation. `ratings` are those of White and Black, if both are known.
    fn new(observation: Observation, ratings: Option<[u16; 2]>) -> Self;

    /// Turns a sorted row into a row of a table.
    fn row(sorted: &extsort::Row<SUMS>) -> Row;
}

/// An observation alone.
#[derive(Clone, Copy)]
pub struct PlainItem(Observation);

impl Item<OUTCOMES> for PlainItem {
    type Combine = Sum;
    const PAYLOAD_BITS: u32 = Observation::PAYLOAD_BITS;

    #[inline]
    fn bits(&self) -> u128 {
        self.0.0
    }

    #[inline]
    fn note(&self) -> u16 {
        self.0.step().0
    }

    #[inline]
    fn add_to(&self, sums: &mut [u64; OUTCOMES]) {
        sums[self.0.outcome_index()] += 1;
    }
}

impl ObservedItem<OUTCOMES> for PlainItem {
    #[inline]
    fn new(observation: Observation, _: Option<[u16; 2]>) -> Self {
        Self(observation)
    }

    #[inline]
    fn row(sorted: &extsort::Row<OUTCOMES>) -> Row {
        counted(sorted.id, sorted.note, sorted.sums)
    }
}

/// An observation with ratings, in 20 bytes. With eight-byte alignment it would take 24 bytes, and with a
/// `u128` it would take 32.
#[derive(Clone, Copy)]
#[repr(C, packed(4))]
pub struct RatedItem {
    high: u64,
    low: u64,
    /// The ratings of the mover and the opponent; 0 unless both are known.
    elos: [u16; 2],
}

impl RatedItem {
    #[inline]
    fn observation(self) -> Observation {
        Observation(u128::from(self.high) << 64 | u128::from(self.low))
    }
}

impl Item<OUTCOMES_AND_RATINGS> for RatedItem {
    type Combine = Sum;
    const PAYLOAD_BITS: u32 = Observation::PAYLOAD_BITS;

    #[inline]
    fn bits(&self) -> u128 {
        self.observation().0
    }

    #[inline]
    fn note(&self) -> u16 {
        self.observation().step().0
    }

    #[inline]
    fn add_to(&self, sums: &mut [u64; OUTCOMES_AND_RATINGS]) {
        let [mover, opponent] = self.elos;
        sums[self.observation().outcome_index()] += 1;
        sums[OUTCOMES] += u64::from(mover);
        sums[OUTCOMES + 1] += u64::from(opponent);
        sums[OUTCOMES + 2] += u64::from(mover > 0);
    }
}

impl ObservedItem<OUTCOMES_AND_RATINGS> for RatedItem {
    #[inline]
    fn new(observation: Observation, ratings: Option<[u16; 2]>) -> Self {
        let [white, black] = ratings.unwrap_or_default();
        let elos = match observation.step().mover() {
            Color::White => [white, black],
            Color::Black => [black, white],
        };
        Self { high: (observation.0 >> 64) as u64, low: observation.0 as u64, elos }
    }

    #[inline]
    fn row(sorted: &extsort::Row<OUTCOMES_AND_RATINGS>) -> Row {
        let [white, draws, black, mover_elo, opponent_elo, rated_games] = sorted.sums;
        let ratings = RatingSums { mover_elo, opponent_elo, rated_games };
        Row { ratings, ..counted(sorted.id, sorted.note, [white, draws, black]) }
    }
}

/// The row of a table without ratings.
#[inline]
fn counted(id: u128, note: u16, [white, draws, black]: [u64; OUTCOMES]) -> Row {
    let observation = Observation(id);
    Row {
        key: observation.key(),
        mv: observation.mv(),
        group: observation.group(),
        step: Step(note),
        tally: Tally { white, draws, black },
        ratings: RatingSums::NONE,
    }
}

#[cfg(test)]
mod tests {
    use position::{Group, Key, Outcome, PackedMove};

    use super::*;

    /// The sums for a single observation.
    fn sums(mover: Color, outcome: Outcome, ratings: Option<[u16; 2]>) -> [u64; OUTCOMES_AND_RATINGS] {
        let observation =
            Observation::new(Key::START, PackedMove::TERMINAL, Group::NONE, Step::terminal(mover), outcome);
        let seen = RatedItem::new(observation, ratings);
        assert_eq!((seen.bits(), seen.note()), (observation.0, Step::terminal(mover).0));
        let mut sums = [0; OUTCOMES_AND_RATINGS];
        seen.add_to(&mut sums);
        sums
    }

    #[test]
    fn ratings_are_the_movers_first() {
        let ratings = Some([2400, 2300]);
        assert_eq!(sums(Color::White, Outcome::White, ratings), [1, 0, 0, 2400, 2300, 1]);
        assert_eq!(sums(Color::Black, Outcome::Draw, ratings), [0, 1, 0, 2300, 2400, 1]);
        assert_eq!(sums(Color::Black, Outcome::Black, None), [0, 0, 1, 0, 0, 0]);
    }

    #[test]
    fn items_are_as_small_as_they_can_be() {
        assert_eq!((size_of::<PlainItem>(), size_of::<RatedItem>()), (16, 20));
    }
}
