//! The months in which games were played.

use std::collections::BTreeMap;

use position::Key;

use super::Month;
use crate::Row;

/// The newest month counts as almost empty if its number of games, multiplied by this number, is below the
/// average number of games per month.
const FEW: u64 = 10;

/// The months in which counted games were played, and the number of games in each.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Months {
    /// The oldest and the newest month among all rows.
    ends: Option<(Month, Month)>,
    /// The number of games that passed through the start position, by month.
    begun: BTreeMap<Month, u64>,
    /// The number of games by month. Each game is counted once, in the row of its terminal visit.
    ended: BTreeMap<Month, u64>,
}

impl Months {
    /// Creates a record with `ends` as its oldest and newest month, and without any games.
    pub(crate) fn between(ends: Option<(Month, Month)>) -> Self {
        Self { ends, ..Self::default() }
    }

    /// Adds a row.
    pub fn add(&mut self, row: &Row) {
        let Some(month) = row.group.month().and_then(Month::new) else { return };
        self.ends = Some(Month::widen(self.ends, month));
        if row.key == Key::START {
            *self.begun.entry(month).or_default() += row.tally.games();
        }
        if row.mv.is_terminal() {
            *self.ended.entry(month).or_default() += row.tally.games();
        }
    }

    /// Adds the months found in other rows of the same counts.
    pub fn merge(&mut self, other: Self) {
        for month in other.ends.into_iter().flat_map(|(oldest, newest)| [oldest, newest]) {
            self.ends = Some(Month::widen(self.ends, month));
        }
        for (ours, theirs) in [(&mut self.begun, other.begun), (&mut self.ended, other.ended)] {
            for (month, games) in theirs {
                *ours.entry(month).or_default() += games;
            }
        }
    }

    /// Whether any game whose month is known begins at the start position.
    pub(crate) fn has_begun(&self) -> bool {
        !self.begun.is_empty()
    }

    /// The oldest and the newest month.
    #[must_use]
    pub fn ends(&self) -> Option<(Month, Month)> {
        self.ends
    }

    /// The number of games by month. If any games begin at the start position, only these games are counted;
    /// otherwise, all games are counted.
    fn games(&self) -> &BTreeMap<Month, u64> {
        if self.has_begun() { &self.begun } else { &self.ended }
    }

    /// The month in which the median game was played; games whose month is unknown are ignored.
    pub(super) fn median(&self) -> Option<Month> {
        let total: u64 = self.games().values().sum();
        let mut reached = 0;
        let mut months = self.games().iter();
        months.find_map(|(&month, games)| {
            reached += games;
            (reached >= total.div_ceil(2)).then_some(month)
        })
    }

    /// The end of a sentence about the newest month, such as `has only 3 of 9000 games`; `None` unless that
    /// month has almost no games.
    pub(super) fn doubt(&self) -> Option<String> {
        let (_, newest) = self.ends?;
        let (games, total) = (self.games(), self.games().values().sum::<u64>());
        let of_newest = games.get(&newest).copied().unwrap_or(0);
        let is_few = of_newest.saturating_mul(FEW).saturating_mul(games.len() as u64) < total;
        is_few.then(|| format!("has only {of_newest} of {total} games"))
    }
}
