//! The groups that a table counted separately.

use std::collections::BTreeSet;

use position::{Group, Key, RatingBand, Speed};
use query::Artefact;
use table::Groups;

/// The dimensions by which a table's games are split, and the values that occur in each; empty for other
/// artefacts.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroupValues {
    pub(crate) by: Groups,
    /// Whether ratings were summed.
    pub(crate) rated: bool,
    /// Fastest first.
    pub(crate) speeds: Vec<Speed>,
    /// Ascending.
    pub(crate) bands: Vec<RatingBand>,
    /// Ascending.
    pub(crate) months: Vec<(u16, u8)>,
    /// Whether `months` is known to contain all months of the games.
    pub(crate) has_all_months: bool,
    /// The filters that the games passed, as the table describes them.
    pub(crate) filters: Vec<String>,
}

impl GroupValues {
    /// Reads the groups from the rows of the position at which counting starts, since every game reaches this
    /// position. If games may have started from other positions, these rows may lack some groups, so every
    /// speed and band is assumed to occur.
    pub(crate) fn of(artefact: &Artefact) -> query::Result<Self> {
        let Artefact::Table(table) = artefact else { return Ok(Self::default()) };
        let counting = table.counting();
        let by = counting.groups;
        let rows = table.rows_of(counting.root.unwrap_or(Key::START))?;
        let groups: BTreeSet<Group> = rows.into_iter().map(|row| row.group).collect();
        let is_whole = !counting.from_position && !groups.is_empty();
        let occurs = |speed: &Speed| {
            by.speed && (!is_whole || groups.iter().any(|group| group.speed() == Some(*speed)))
        };
        let bands: BTreeSet<_> = if is_whole {
            groups.iter().filter_map(|group| group.rating_band()).collect()
        } else {
            RatingBand::LOWER_BOUNDS.into_iter().filter(|_| by.rating_band).map(RatingBand::of_mean).collect()
        };
        let months: BTreeSet<_> = groups.iter().filter_map(|group| group.month()).collect();
        Ok(Self {
            by,
            rated: counting.ratings,
            speeds: Speed::ALL.iter().copied().filter(occurs).collect(),
            bands: bands.into_iter().collect(),
            months: months.into_iter().collect(),
            has_all_months: is_whole,
            filters: counting.filters.iter().cloned().collect(),
        })
    }

    /// Whether the player with this name took part in every game; `None` if this is not known, for example
    /// because players were chosen by a pattern.
    pub(crate) fn is_of_player(&self, name: &str) -> Option<bool> {
        let name = name.replace('\\', r"\\").replace('"', r#"\""#).to_lowercase();
        let named = format!("player \"{name}\"");
        let says = |what: &str| self.filters.iter().all(|filter| filter.to_lowercase().contains(what));
        // In a filter, a pattern for names is written between slashes.
        let is_known = !self.filters.is_empty() && says("player \"") && !says("player \"/");
        is_known.then(|| says(&named))
    }
}
