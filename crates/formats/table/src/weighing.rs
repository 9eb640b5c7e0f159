//! Weights games by their age and by their players' ratings. Counts are weighted as rows are read; the table
//! itself does not change.
//!
//! A game whose age is the half-life has half the weight of a new game. Weights are fixed-point numbers, so
//! that sums are exact and the same on every machine. Each move's weighted sum over its groups is rounded to
//! whole games.

mod half_life;
mod month;
mod months;
mod of_table;
mod rating_weights;
mod rows;
mod weighted_position;

use position::Group;

use self::weighted_position::WeightedPosition;
pub use self::{
    half_life::HalfLife, month::Month, months::Months, rating_weights::RatingWeights, rows::WeightedRows,
};
use crate::{Error, Groups, Result, Row};

/// A weight of 1, with 32 bits after the binary point.
const ONE: u64 = 1 << 32;

/// How much each game counts. By default every game counts once.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct GameWeights {
    /// The age at which a game has half the weight of a new game.
    pub half_life: Option<HalfLife>,
    /// The month from which ages are measured. Games from later months have the same weight as games from
    /// this month. `None` stands for the newest month that was counted.
    pub as_of: Option<Month>,
    /// The weights of games by their players' mean rating.
    pub ratings: Option<RatingWeights>,
}

impl GameWeights {
    /// Whether every game counts once.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.half_life.is_none() && self.ratings.is_none()
    }

    /// Checks that the counts are grouped by each dimension that the weights depend on: month, rating band or
    /// both.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NotGrouped`] if the weights depend on a dimension by which the counts are not
    /// grouped.
    pub fn check(&self, groups: Groups) -> Result<()> {
        let needed = [
            ("month", self.half_life.is_some() && !groups.month),
            ("rating band", self.ratings.is_some() && !groups.rating_band),
        ];
        let missing = needed.into_iter().find_map(|(by, is_missing)| is_missing.then_some(by));
        missing.map_or(Ok(()), |by| Err(Error::NotGrouped(by)))
    }

    /// The weights in one line, such as `half-life=3y as-of=2015-06 rating-weight=2200=2`; empty if every
    /// game counts once. Equal weights are always described by the same line.
    #[must_use]
    pub fn describe(&self) -> String {
        let as_of = self.half_life.and(self.as_of);
        let parts = [
            self.half_life.map(|time| format!("half-life={time}")),
            as_of.map(|month| format!("as-of={month}")),
            self.ratings.map(|weights| format!("rating-weight={weights}")),
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// The weights of the games in each group of a table's counts.
#[derive(Clone, Debug)]
pub struct Weighing {
    weights: GameWeights,
    /// A game's weight by its age in months, in units of 2^-32. Games older than the last entry have the
    /// weight of that entry.
    by_age: Vec<u64>,
    /// The age, in months, assumed for games whose month is unknown.
    unknown_age: usize,
    /// The newest month and, if that month may be a mistake, the reason to think so; `None` if ages are not
    /// counted from the newest month.
    newest: Option<(Month, Option<String>)>,
}

impl Weighing {
    /// Computes the weights of games that were played in `months`. Games whose month is unknown have the same
    /// weight as games from the median month.
    #[must_use]
    pub fn new(weights: GameWeights, months: &Months) -> Self {
        let Some((half_life, (oldest, newest))) = weights.half_life.zip(months.ends()) else {
            return Self { weights, by_age: vec![ONE], unknown_age: 0, newest: None };
        };
        let as_of = weights.as_of.unwrap_or(newest);
        Self {
            by_age: (0..=as_of.since(oldest)).map(|age| at_age(age, half_life)).collect(),
            unknown_age: as_of.since(months.median().unwrap_or(oldest)) as usize,
            newest: weights.as_of.is_none().then(|| (newest, months.doubt())),
            weights: GameWeights { as_of: Some(as_of), ..weights },
        }
    }

    /// A warning that the newest month, from which ages are counted, may be a mistake, because it is after
    /// `today` (a year and a month) or has almost no games. `None` if there is no reason for a warning, if
    /// the month from which ages are counted was set explicitly, or if the weights do not depend on age.
    #[must_use]
    pub fn doubt(&self, today: Option<(u16, u8)>) -> Option<String> {
        let (newest, few) = self.newest.as_ref()?;
        let is_to_come = today.and_then(Month::new).is_some_and(|today| *newest > today);
        let why = if is_to_come { Some("lies after today") } else { few.as_deref() }?;
        Some(format!(
            "ages of games are counted from the newest month, {newest}, which {why}; choose another month with as-of"
        ))
    }

    /// The weights, including the month from which ages are counted.
    #[must_use]
    pub fn weights(&self) -> &GameWeights {
        &self.weights
    }

    /// The weight of a game of `group`, in units of 2^-32.
    pub(crate) fn of(&self, group: Group) -> u64 {
        let age = || Some(self.weights.as_of?.since(Month::new(group.month()?)?) as usize);
        let last = self.by_age.len() - 1;
        let by_age = self.by_age[age().unwrap_or(self.unknown_age).min(last)];
        match &self.weights.ratings {
            Some(ratings) => {
                let thousandths = ratings.thousandths(group.rating_band());
                by_age * u64::from(thousandths) / u64::from(rating_weights::ONE)
            }
            None => by_age,
        }
    }

    /// Weights the counts in the rows of one position, and combines the rows into one row per move, without
    /// group or ratings.
    pub fn weigh(&self, rows: &mut Vec<Row>) {
        let mut position = WeightedPosition::default();
        for row in rows.iter() {
            position.add(row, self.of(row.group));
        }
        rows.clear();
        position.finish_into(rows);
    }
}

/// 2^(-age / half-life) in units of 2^-32. Computed with libm, which returns the same value on every machine.
#[expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "0 to 2^32")]
fn at_age(age: u32, half_life: HalfLife) -> u64 {
    let halves = f64::from(age) / f64::from(half_life.months());
    libm::round(libm::exp2(-halves) * ONE as f64) as u64
}

#[cfg(test)]
mod tests;
