//! The tags that the settings depend on. A game in which one of these tags is unreadable is not accepted.

use super::ReplayOptions;
use crate::filter::{Dimension, Filter};

/// The tags that give a game's rules, its first position and its result.
const ALWAYS: [&str; 3] = ["Variant", "FEN", "Result"];

impl ReplayOptions {
    /// Whether the tag `name` can affect a game's verdict, group or ratings.
    pub(super) fn needs(&self, name: &[u8]) -> bool {
        let Self { counting, filters } = self;
        let by = |dimension| counting.by.contains(&dimension);
        let (min, max) = (filters.min_elo, filters.max_elo);
        let read = [
            (min.or(max).is_some() || counting.ratings || by(Dimension::RatingBand), Filter::MinElo),
            (filters.since.or(filters.until).is_some() || by(Dimension::Month), Filter::Since),
            (!filters.speed.is_empty() || by(Dimension::Speed), Filter::Speed),
            (filters.player.is_some(), Filter::Player),
            (filters.rated_only, Filter::Rated),
            (!filters.eco.is_empty(), Filter::Eco),
        ];
        let read =
            read.iter().filter(|(is_set, _)| *is_set).flat_map(|(_, filter)| filter.tags().iter().copied());
        let titles = ["WhiteTitle", "BlackTitle"].into_iter().filter(|_| filters.exclude_bots);
        let asked = filters.expression.iter().flat_map(|expression| expression.tags().into_iter().flatten());
        ALWAYS.into_iter().chain(read).chain(titles).chain(asked).any(|tag| tag.as_bytes() == name)
    }
}
