//! Reads the filters of a request. A filter, such as one for speeds, can only be applied if the artefact
//! counted games separately by that criterion.

use axum::http::StatusCode;
use position::{RatingBand, Speed};
use query::GamesFilter;
use shakmaty::Color;

use crate::{answer::Refusal, artefacts::GroupValues, asked::QueryFields};

/// Lichess's rating groups; the last one has no upper limit.
const LICHESS_GROUPS: [u16; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];
/// The range of valid years.
const YEARS: std::ops::RangeInclusive<u16> = 0..=4095;

/// Which games count.
#[derive(Debug, Default)]
pub(crate) struct Filters {
    pub(crate) games: GamesFilter,
    /// The names of request fields that are ignored because every game passes them, or because the artefact
    /// does not support them.
    pub(crate) ignored: Vec<&'static str>,
    /// The names of ignored filters that the artefact does not support.
    pub(crate) unanswered: Vec<&'static str>,
}

/// How a request's filters are read.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) counted: &'a GroupValues,
    /// Whether ratings are grouped as on Lichess, where the last group begins at 2500.
    pub(crate) as_lichess: bool,
    /// Whether a request is refused if the artefact cannot apply one of its filters.
    pub(crate) strict: bool,
}

impl Reading<'_> {
    /// Reads `speeds`, `ratings`, `since` and `until`.
    pub(crate) fn filters(self, asked: &QueryFields) -> Result<Filters, Refusal> {
        let mut filters = Filters::default();
        self.speeds(asked, &mut filters)?;
        self.bands(asked, &mut filters)?;
        self.months(asked, &mut filters)?;
        Ok(filters)
    }

    /// Also reads `player`, `color` and `modes`.
    pub(crate) fn player_filters(self, asked: &QueryFields) -> Result<Filters, Refusal> {
        let Some(name) = asked.text("player") else { return Err(Refusal::bad("player: must be given")) };
        let color = match asked.text("color") {
            Some("white") => Color::White,
            Some("black") => Color::Black,
            _ => return Err(Refusal::bad("color: must be white or black")),
        };
        let mut filters = self.filters(asked)?;
        filters.games.player_color = Some(color);
        match self.counted.is_of_player(name) {
            Some(true) => {}
            Some(false) => {
                let why = format!("player: the served artefact has no games of `{name}`");
                return Err(Refusal::new(StatusCode::NOT_FOUND, why));
            }
            None => self.ignore("player", &mut filters)?,
        }
        if asked
            .list("modes")
            .is_some_and(|modes| !["casual", "rated"].iter().all(|mode| modes.contains(mode)))
        {
            self.ignore("modes", &mut filters)?;
        }
        Ok(filters)
    }

    /// Handles a filter that the artefact cannot apply: refuses the request if filters are strict, and
    /// otherwise notes that the filter is ignored.
    fn ignore(self, name: &'static str, filters: &mut Filters) -> Result<(), Refusal> {
        if self.strict {
            return Err(Refusal::bad(format!(
                "{name}: games cannot be filtered by this, because they were not counted in such groups"
            )));
        }
        filters.ignored.push(name);
        filters.unanswered.push(name);
        Ok(())
    }

    fn speeds(self, asked: &QueryFields, filters: &mut Filters) -> Result<(), Refusal> {
        let Some(names) = asked.list("speeds") else { return Ok(()) };
        let speed =
            |name: &str| name.parse().map_err(|_| Refusal::bad(format!("speeds: `{name}` is not a speed")));
        let speeds = names.into_iter().map(speed).collect::<Result<Vec<_>, _>>()?;
        if !self.counted.by.speed {
            return self.ignore("speeds", filters);
        }
        if Speed::ALL.iter().all(|speed| speeds.contains(speed)) {
            filters.ignored.push("speeds");
        } else {
            filters.games.speeds = Some(speeds);
        }
        Ok(())
    }

    fn bands(self, asked: &QueryFields, filters: &mut Filters) -> Result<(), Refusal> {
        let Some(texts) = asked.list("ratings") else { return Ok(()) };
        let bounds = texts.into_iter().map(lower_bound).collect::<Result<Vec<_>, _>>()?;
        if !self.counted.by.rating_band {
            return self.ignore("ratings", filters);
        }
        let is_named = |bound: &u16| {
            bounds.contains(bound) || self.as_lichess && *bound > 2500 && bounds.contains(&2500)
        };
        let named: Vec<_> = RatingBand::LOWER_BOUNDS.into_iter().filter(is_named).collect();
        if named.len() == RatingBand::LOWER_BOUNDS.len() {
            filters.ignored.push("ratings");
        } else {
            filters.games.bands = Some(named.into_iter().map(RatingBand::of_mean).collect());
        }
        Ok(())
    }

    fn months(self, asked: &QueryFields, filters: &mut Filters) -> Result<(), Refusal> {
        let since = asked.text("since").map(|text| month("since", text, 1)).transpose()?;
        let until = asked.text("until").map(|text| month("until", text, 12)).transpose()?;
        let (first, last) = (self.counted.months.first(), self.counted.months.last());
        let knows_all = self.counted.has_all_months;
        for (name, month, is_all) in [
            ("since", since, knows_all && first.is_none_or(|first| since <= Some(*first))),
            ("until", until, knows_all && last.is_none_or(|last| until >= Some(*last))),
        ] {
            match month {
                None => {}
                Some(_) if !self.counted.by.month => self.ignore(name, filters)?,
                Some(_) if is_all => filters.ignored.push(name),
                Some(month) if name == "since" => filters.games.since = Some(month),
                Some(month) => filters.games.until = Some(month),
            }
        }
        Ok(())
    }
}

fn lower_bound(text: &str) -> Result<u16, Refusal> {
    let bound = text.parse().ok().filter(|bound| RatingBand::LOWER_BOUNDS.contains(bound));
    let groups = || LICHESS_GROUPS.map(|group| group.to_string()).join(", ");
    bound.ok_or_else(|| Refusal::bad(format!("ratings: expected one of {}, not `{text}`", groups())))
}

/// Reads a month such as `2013-01` or `2013-1`. If the text is only a year, returns that year with the month
/// number `of_year`.
fn month(name: &str, text: &str, of_year: u8) -> Result<(u16, u8), Refusal> {
    let (year, month) = text.split_once('-').map_or((text, None), |(year, month)| (year, Some(month)));
    let year = year.parse().ok().filter(|year| YEARS.contains(year));
    // A day may follow the month; it is ignored.
    let month = month.map_or(Some(of_year), |month| month.split('-').next()?.parse().ok());
    let month = month.filter(|month| (1..=12).contains(month));
    year.zip(month).ok_or_else(|| Refusal::bad(format!("{name}: `{text}` is not a month such as 2013-01")))
}

#[cfg(test)]
mod tests {
    use table::Groups;

    use super::*;

    fn counted() -> GroupValues {
        let by = Groups { speed: true, rating_band: true, month: true, player_color: false };
        let months = vec![(2013, 1), (2013, 2)];
        GroupValues { by, months, has_all_months: true, ..GroupValues::default() }
    }

    fn read(query: &str, counted: &GroupValues, strict: bool) -> Result<Filters, Refusal> {
        let asked = QueryFields::read(&format!("/?{query}").parse().unwrap()).unwrap();
        Reading { counted, as_lichess: true, strict }.filters(&asked)
    }

    #[test]
    fn the_last_group_has_no_end() {
        let filters = read("ratings=2200,2500&speeds[]=blitz&speeds[]=rapid", &counted(), true).unwrap();
        let bands: Vec<_> = filters.games.bands.unwrap().iter().map(|band| band.lower_bound()).collect();
        assert_eq!(bands, [2200, 2500, 2800, 3200]);
        assert_eq!(filters.games.speeds, Some(vec![Speed::Blitz, Speed::Rapid]));
        assert!(filters.ignored.is_empty());
    }

    #[test]
    fn filters_of_everything_are_ignored() {
        let every = "ratings=0,1000,1200,1400,1600,1800,2000,2200,2500\
            &speeds=ultraBullet,bullet,blitz,rapid,classical,correspondence&since=1952-01&until=3000-12";
        let filters = read(every, &counted(), true).unwrap();
        assert_eq!(filters.games, GamesFilter::default());
        assert_eq!(filters.ignored, ["speeds", "ratings", "since", "until"]);
        let filters = read("since=2013-2&until=2013", &counted(), true).unwrap();
        assert_eq!((filters.games.since, filters.games.until), (Some((2013, 2)), None));
    }

    #[test]
    fn what_was_not_counted_apart_is_ignored_or_refused() {
        let plain = GroupValues::default();
        assert_eq!(read("speeds=blitz&since=2014", &plain, false).unwrap().ignored, ["speeds", "since"]);
        assert!(read("speeds=blitz", &plain, true).is_err());
        for wrong in ["speeds=warp", "ratings=1500", "since=soon", "until=2013-13"] {
            assert!(read(wrong, &plain, false).is_err(), "{wrong}");
        }
    }
}
