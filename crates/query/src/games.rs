//! Some of the games of a table, by the groups that it counts apart, and results by group.

use std::collections::BTreeMap;

use position::{Group, Key, PackedMove, RatingBand, Speed, Tally};
use serde::Serialize;
use shakmaty::Color;

use crate::{Artefact, Result, View};

/// Which games count. A game whose group is not known passes no filter that asks for it.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct GamesFilter {
    /// Only these speeds.
    pub speeds: Option<Vec<Speed>>,
    /// Only these bands of mean ratings.
    pub bands: Option<Vec<RatingBand>>,
    /// From this year and month on.
    pub since: Option<(u16, u8)>,
    /// Through this year and month.
    pub until: Option<(u16, u8)>,
    /// Only games in which the named player had this colour.
    pub player_color: Option<Color>,
}

impl GamesFilter {
    /// Whether games of this group count.
    #[must_use]
    pub fn admits(&self, group: Group) -> bool {
        let is_in_months = || {
            group.month().is_some_and(|month| {
                self.since.is_none_or(|since| since <= month) && self.until.is_none_or(|until| month <= until)
            })
        };
        let has = |speeds: &Vec<Speed>| group.speed().is_some_and(|speed| speeds.contains(&speed));
        let is_in = |bands: &Vec<RatingBand>| group.rating_band().is_some_and(|band| bands.contains(&band));
        self.speeds.as_ref().is_none_or(has)
            && self.bands.as_ref().is_none_or(is_in)
            && (self.since.is_none() && self.until.is_none() || is_in_months())
            && self.player_color.is_none_or(|color| group.player_color() == Some(color))
    }
}

/// Results of a month.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MonthResults {
    /// As `2013-01`.
    pub month: String,
    /// Games that White won.
    pub white: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
}

/// Results of a band of mean ratings.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BandResults {
    /// Its lower bound, Elo.
    pub band: u16,
    /// Games that White won.
    pub white: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that Black won.
    pub black: u64,
}

impl View<'_> {
    /// Results of a position by month, ascending; games of no known month are left out.
    ///
    /// # Errors
    ///
    /// If a table cannot be read or is damaged.
    pub fn months(&self, key: Key) -> Result<Vec<MonthResults>> {
        Ok(months(self.split(key, |_, group| group.month())?))
    }

    /// Results of each move of a position by month, ascending.
    ///
    /// # Errors
    ///
    /// As [`months`](Self::months).
    pub fn months_of_moves(&self, key: Key) -> Result<BTreeMap<PackedMove, Vec<MonthResults>>> {
        let split = self.split(key, |mv, group| Some((mv, group.month()?)))?;
        let mut moves = BTreeMap::<_, BTreeMap<_, _>>::new();
        for ((mv, month), tally) in split.into_iter().filter(|((mv, _), _)| !mv.is_terminal()) {
            moves.entry(mv).or_default().insert(month, tally);
        }
        Ok(moves.into_iter().map(|(mv, split)| (mv, months(split))).collect())
    }

    /// Results of a position by rating band, ascending; games of no known band are left out.
    ///
    /// # Errors
    ///
    /// As [`months`](Self::months).
    pub fn bands(&self, key: Key) -> Result<Vec<BandResults>> {
        let split = self.split(key, |_, group| group.rating_band())?;
        let results = |(band, Tally { white, draws, black }): (RatingBand, _)| BandResults {
            band: band.lower_bound(),
            white,
            draws,
            black,
        };
        Ok(split.into_iter().map(results).collect())
    }

    /// Results of a position, by what is made of move and group; nothing of an artefact that is no table.
    fn split<T: Ord>(
        &self,
        key: Key,
        by: impl Fn(PackedMove, Group) -> Option<T>,
    ) -> Result<BTreeMap<T, Tally>> {
        let mut split = BTreeMap::<_, Tally>::new();
        if let Artefact::Table(table) = self.artefact {
            for row in self.rows_of(table, key)? {
                if let Some(part) = by(row.mv, row.group) {
                    *split.entry(part).or_default() += row.tally;
                }
            }
        }
        Ok(split)
    }
}

fn months(split: BTreeMap<(u16, u8), Tally>) -> Vec<MonthResults> {
    let results = |((year, month), Tally { white, draws, black })| MonthResults {
        month: format!("{year:04}-{month:02}"),
        white,
        draws,
        black,
    };
    split.into_iter().map(results).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_groups_pass_no_filter_that_asks() {
        let blitz = Group::NONE.with_speed(Some(Speed::Blitz)).with_month(Some((2013, 5)));
        let everything = GamesFilter::default();
        assert!(everything.admits(Group::NONE) && everything.admits(blitz));
        let speeds = GamesFilter { speeds: Some(vec![Speed::Blitz, Speed::Rapid]), ..GamesFilter::default() };
        assert!(speeds.admits(blitz) && !speeds.admits(Group::NONE));
        let spring = GamesFilter { since: Some((2013, 3)), until: Some((2013, 5)), ..GamesFilter::default() };
        assert!(spring.admits(blitz) && !spring.admits(Group::NONE));
        assert!(!spring.admits(blitz.with_month(Some((2013, 6)))));
        assert!(!spring.admits(blitz.with_month(Some((2012, 4)))));
        let white = GamesFilter { player_color: Some(Color::White), ..GamesFilter::default() };
        assert!(white.admits(blitz.with_player_color(Some(Color::White))) && !white.admits(blitz));
        let bands = GamesFilter { bands: Some(vec![RatingBand::of_mean(1700)]), ..GamesFilter::default() };
        assert!(
            bands.admits(blitz.with_rating_band(Some(RatingBand::of_mean(1600)))) && !bands.admits(blitz)
        );
    }
}
