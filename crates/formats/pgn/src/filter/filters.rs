//! The filters for one run, and the code that applies them to a game's tags.

use clap::Args;
use position::{Outcome, Speed};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::{
    DateBound, EcoRange, Filter, PlayerName, Where,
    date::date_of,
    eco::eco_of,
    rated::{is_bot_game, is_rated},
    rating::elos_of,
    result::outcome_of,
};
use crate::{Error, Result, filter::clock::speed_of, setting, tags::Tags};

/// The conditions under which a game counts. The default lets every game with at least one move through.
///
/// Each field is both a command-line flag and a key in a recipe.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[command(next_help_heading = "Which games count")]
#[serde(default)]
pub struct Filters {
    /// Only games in which both players are rated at least this
    #[arg(long, value_name = "ELO")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_elo: Option<u16>,
    /// Only games in which both players are rated at most this
    #[arg(long, value_name = "ELO")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_elo: Option<u16>,
    /// Require only one of the players' ratings to be within --min-elo and --max-elo
    #[arg(long)]
    pub elo_any: bool,
    /// Only games played on or after this date: 2013, 2013-01 or 2013-01-31
    #[arg(long, value_name = "DATE")]
    #[serde(with = "setting::option", skip_serializing_if = "Option::is_none")]
    pub since: Option<DateBound>,
    /// Only games played on or before this date
    #[arg(long, value_name = "DATE")]
    #[serde(with = "setting::option", skip_serializing_if = "Option::is_none")]
    pub until: Option<DateBound>,
    /// Only games at these Lichess speeds: ultraBullet, bullet, blitz, rapid, classical, correspondence
    #[arg(long, value_delimiter = ',', value_parser = setting::parse::<Speed>)]
    #[serde(with = "setting::list")]
    pub speed: Vec<Speed>,
    /// Only games with this result: 1-0, 0-1 or 1/2-1/2
    #[arg(long, value_delimiter = ',', value_parser = setting::parse::<Outcome>)]
    #[serde(with = "setting::list")]
    pub result: Vec<Outcome>,
    /// Only games of at least N plies; 0 includes games without moves
    #[arg(long, value_name = "N", default_value_t = Filters::default().min_plies)]
    pub min_plies: u32,
    /// Only games of this player: a name (case is ignored) or /regex/
    #[arg(long, value_name = "NAME")]
    #[serde(with = "setting::option", skip_serializing_if = "Option::is_none")]
    pub player: Option<PlayerName>,
    /// The colour that --player plays
    #[arg(long, value_name = "white|black", value_parser = setting::parse::<Color>, requires = "player")]
    #[serde(alias = "color", with = "setting::option", skip_serializing_if = "Option::is_none")]
    pub player_color: Option<Color>,
    /// Leave out games of bots
    #[arg(long)]
    pub exclude_bots: bool,
    /// Only rated games
    #[arg(long)]
    pub rated_only: bool,
    /// Only games with these ECO codes or ranges, such as B20..B99
    #[arg(long, value_name = "RANGE", value_delimiter = ',')]
    #[serde(with = "setting::list")]
    pub eco: Vec<EcoRange>,
    /// Only games whose tags satisfy this expression, such as 'WhiteElo >= 2400 and Event !~ "Bullet"'
    #[arg(id = "where", long = "where", value_name = "EXPR")]
    #[serde(rename = "where", with = "setting::option", skip_serializing_if = "Option::is_none")]
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
            speed: Vec::new(),
            result: Vec::new(),
            min_plies: 1,
            player: None,
            player_color: None,
            exclude_bots: false,
            rated_only: false,
            eco: Vec::new(),
            expression: None,
        }
    }
}

impl Filters {
    /// Checks the filters against each other.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Setting`] if there is a `player_color` without a `player`, or if the rating limits
    /// exclude every rating.
    pub fn check(&self) -> Result<()> {
        if let (Some(min), Some(max)) = (self.min_elo, self.max_elo)
            && max < min
        {
            let (expected, got) = ("at least what `min_elo` is", format!("{max}, below {min}"));
            return Err(Error::Setting { setting: "max_elo", expected, got });
        }
        if self.player_color.is_some() && self.player.is_none() {
            return Err(Error::Setting {
                setting: "player_color",
                expected: "a `player`, whose colour it is",
                got: "none".into(),
            });
        }
        Ok(())
    }

    /// These filters, with one more expression that games must satisfy.
    #[must_use]
    pub fn with_expression(&self, more: Option<&Where>) -> Self {
        let both = match (self.expression.clone(), more.cloned()) {
            (Some(own), Some(more)) => Some(own.and(more)),
            (own, more) => own.or(more),
        };
        Self { expression: both, ..self.clone() }
    }

    /// Returns the colours that the named player has in a game. If `player_color` is set, no other colour is
    /// returned. If the name matches both players, both colours are returned. If the filters name no player,
    /// the list is empty.
    #[must_use]
    pub fn sides(&self, tags: &Tags<'_>) -> Vec<Color> {
        let plays = |color: &Color| {
            let is_wanted = self.player_color.is_none_or(|wanted| wanted == *color);
            is_wanted && self.player.as_ref().is_some_and(|player| player.plays(tags, Some(*color)))
        };
        [Color::White, Color::Black].into_iter().filter(plays).collect()
    }

    /// The first filter, in the order of [`Filter`], that excludes a game with these tags; `None` if the game
    /// passes all filters. Filters that need the moves are not applied here. Nothing is allocated for tags in
    /// ASCII without escapes.
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
        let ratings = elos_of(tags);
        let strong_enough = |elo: u16| self.min_elo.is_none_or(|min| min <= elo);
        let weak_enough = |elo: u16| self.max_elo.is_none_or(|max| elo <= max);
        if self.min_elo.is_some() && !self.rating_holds(ratings, strong_enough) {
            return Some(Filter::MinElo);
        }
        let fits = self.rating_holds(ratings, |elo| strong_enough(elo) && weak_enough(elo));
        (!fits).then_some(Filter::MaxElo)
    }

    fn rating_holds(&self, ratings: [Option<u16>; 2], holds: impl Fn(u16) -> bool) -> bool {
        let known_and_holds = |rating: &Option<u16>| rating.is_some_and(&holds);
        if self.elo_any { ratings.iter().any(known_and_holds) } else { ratings.iter().all(known_and_holds) }
    }

    fn refuse_date(&self, tags: &Tags<'_>) -> Option<Filter> {
        if self.since.is_none() && self.until.is_none() {
            return None;
        }
        let date = date_of(tags);
        let is_since = |bound| date.is_some_and(|date| date.cmp_known(bound).is_ge());
        let is_until = |bound| date.is_some_and(|date| date.cmp_known(bound).is_le());
        if self.since.is_some_and(|bound| !is_since(bound)) {
            return Some(Filter::Since);
        }
        self.until.is_some_and(|bound| !is_until(bound)).then_some(Filter::Until)
    }

    fn refuse_kind(&self, tags: &Tags<'_>) -> Option<Filter> {
        if !self.speed.is_empty() && !speed_of(tags).is_some_and(|speed| self.speed.contains(&speed)) {
            return Some(Filter::Speed);
        }
        if !self.result.is_empty() && !outcome_of(tags).is_some_and(|outcome| self.result.contains(&outcome))
        {
            return Some(Filter::Result);
        }
        None
    }

    fn refuse_content(&self, tags: &Tags<'_>) -> Option<Filter> {
        if self.player.as_ref().is_some_and(|player| !player.plays(tags, self.player_color)) {
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
