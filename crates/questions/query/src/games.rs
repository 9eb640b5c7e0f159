//! A filter that selects games of a table by their groups.

use position::{Group, RatingBand, Speed};
use shakmaty::Color;

/// Decides which games count. If the filter restricts the speed, rating band, month or colour, games for
/// which that property is unknown do not count.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct GamesFilter {
    /// If set, only games played at these speeds count.
    pub speeds: Option<Vec<Speed>>,
    /// If set, only games in these bands of mean ratings count.
    pub bands: Option<Vec<RatingBand>>,
    /// If set, only games played in or after this month count.
    pub since: Option<(u16, u8)>,
    /// If set, only games played in or before this month count.
    pub until: Option<(u16, u8)>,
    /// If set, a game counts only if the named player had this colour.
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
