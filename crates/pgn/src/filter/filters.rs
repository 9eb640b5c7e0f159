//! The filters of one run and the judgement of one game by its tags.

use position::{Outcome, Speed};

use super::{
    DateBound, EcoRange, Filter, PlayerFilter, Where,
    date::{PartialDate, date_of},
    eco::eco_of,
    rated::{is_bot_game, is_rated},
    rating::{Ratings, ratings_of},
    result::outcome_of,
};
use crate::{filter::clock::speed_of, tags::Tags};

/// What a game must be to count. The default lets every game with at least one move through.
#[derive(Clone, Debug)]
pub struct Filters {
    /// Least rating of both players.
    pub min_elo: Option<u16>,
    /// Greatest rating of both players.
    pub max_elo: Option<u16>,
    /// One player within the rating limits is enough (the same one for both limits).
    pub elo_any: bool,
    /// First date that counts.
    pub since: Option<DateBound>,
    /// Last date that counts.
    pub until: Option<DateBound>,
    /// Speeds that count; empty: all, unknown ones too.
    pub speeds: Vec<Speed>,
    /// Results that count, by the Result tag; empty: all.
    pub results: Vec<Outcome>,
    /// Least number of moves (plies) in the main line; applied by replay.
    pub min_plies: u32,
    /// Whose games count.
    pub players: Option<PlayerFilter>,
    /// Games of accounts titled BOT do not count.
    pub exclude_bots: bool,
    /// Only games marked as rated count.
    pub rated_only: bool,
    /// Opening codes that count; empty: all.
    pub eco: Vec<EcoRange>,
    /// An expression over tags that must be true.
    pub expression: Option<Where>,
}

impl Default for Filters {
    fn default() -> Self {
        Self {
            min_elo: None,
            max_elo: None,
            elo_any: false,
            since: None,
            until: None,
            speeds: Vec::new(),
            results: Vec::new(),
            min_plies: 1,
            players: None,
            exclude_bots: false,
            rated_only: false,
            eco: Vec::new(),
            expression: None,
        }
    }
}

impl Filters {
    /// The first filter that refuses a game with these tags, in the order of [`Filter`]; `None` if it passes. Filters that
    /// need the moves are not asked here. Nothing is allocated for tags in ASCII without escapes.
    #[must_use]
    pub fn refuse(&self, tags: &Tags<'_>) -> Option<Filter> {
        self.refuse_rating(tags)
            .or_else(|| self.refuse_date(tags))
            .or_else(|| self.refuse_kind(tags))
            .or_else(|| self.refuse_content(tags))
    }

    fn refuse_rating(&self, tags: &Tags<'_>) -> Option<Filter> {
        if self.min_elo.is_none() && self.max_elo.is_none() {
            return None;
        }
        let ratings = ratings_of(tags);
        let strong_enough = |elo: u16| self.min_elo.is_none_or(|min| min <= elo);
        let weak_enough = |elo: u16| self.max_elo.is_none_or(|max| elo <= max);
        if self.min_elo.is_some() && !self.rating_holds(ratings, strong_enough) {
            return Some(Filter::MinElo);
        }
        let fits = self.rating_holds(ratings, |elo| strong_enough(elo) && weak_enough(elo));
        (!fits).then_some(Filter::MaxElo)
    }

    fn rating_holds(&self, ratings: Ratings, holds: impl Fn(u16) -> bool) -> bool {
        let known_and_holds = |rating: &Option<u16>| rating.is_some_and(&holds);
        if self.elo_any { ratings.iter().any(known_and_holds) } else { ratings.iter().all(known_and_holds) }
    }

    fn refuse_date(&self, tags: &Tags<'_>) -> Option<Filter> {
        if self.since.is_none() && self.until.is_none() {
            return None;
        }
        let date = date_of(tags);
        let holds = |bound: DateBound, test: fn(PartialDate, DateBound) -> bool| {
            date.is_some_and(|date| test(date, bound))
        };
        if self.since.is_some_and(|bound| !holds(bound, PartialDate::is_since)) {
            return Some(Filter::Since);
        }
        self.until.is_some_and(|bound| !holds(bound, PartialDate::is_until)).then_some(Filter::Until)
    }

    fn refuse_kind(&self, tags: &Tags<'_>) -> Option<Filter> {
        if !self.speeds.is_empty() && !speed_of(tags).is_some_and(|speed| self.speeds.contains(&speed)) {
            return Some(Filter::Speed);
        }
        if !self.results.is_empty()
            && !outcome_of(tags).is_some_and(|outcome| self.results.contains(&outcome))
        {
            return Some(Filter::Result);
        }
        None
    }

    fn refuse_content(&self, tags: &Tags<'_>) -> Option<Filter> {
        if self.players.as_ref().is_some_and(|player| !player.plays(tags)) {
            return Some(Filter::Player);
        }
        if self.exclude_bots && is_bot_game(tags) {
            return Some(Filter::Bots);
        }
        if self.rated_only && !is_rated(tags) {
            return Some(Filter::Rated);
        }
        if !self.eco.is_empty()
            && !eco_of(tags).is_some_and(|code| self.eco.iter().any(|range| range.contains(code)))
        {
            return Some(Filter::Eco);
        }
        self.expression.as_ref().is_some_and(|expression| !expression.matches(tags)).then_some(Filter::Where)
    }
}

#[cfg(test)]
mod tests;
