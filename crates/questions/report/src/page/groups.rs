//! The games of a position by speed, rating band, month and the named player's colour.

use std::collections::BTreeMap;

use position::{Group, RatingBand, Speed, Tally};
use table::{Groups, Row};

/// Games are shown by month if there are at most this many months from the first to the last, and by year
/// otherwise.
const MONTHS_MOST: u32 = 60;
/// Years without games are shown too, if there are at most this many years from the first to the last. The
/// limit keeps a wrong date from adding thousands of years.
const YEARS_MOST: u32 = 200;

/// The games of a position, in total and broken down by each dimension.
pub(super) struct Groupings {
    /// All games.
    pub(super) all: Tally,
    /// The games broken down by each dimension that the table's groups distinguish.
    pub(super) by: Vec<Grouping>,
}

/// A position's games broken down by one dimension.
pub(super) struct Grouping {
    /// The dimension's name as used in the ids of HTML elements.
    pub(super) id: &'static str,
    /// The dimension's name as readers see it.
    pub(super) name: &'static str,
    /// The name of each group, with the group's games by result. The groups are in ascending order of the
    /// dimension's values; games whose value is unknown come last.
    pub(super) groups: Vec<(String, Tally)>,
}

/// A dimension by which games are broken down.
struct Dimension {
    id: &'static str,
    name: &'static str,
    is_counted: fn(Groups) -> bool,
    /// Returns the number by which the group's value is sorted among the values of this dimension; `None` if
    /// the group's value is unknown.
    place: fn(Group) -> Option<u32>,
    /// Returns the text that the page shows for the value with this number.
    label: fn(u32) -> String,
    /// Whether the values of this dimension are months.
    is_time: bool,
}

static DIMENSIONS: [Dimension; 4] = [
    Dimension {
        id: "rating-band",
        name: "rating band",
        is_counted: |groups| groups.rating_band,
        place: |group| group.rating_band().map(|band| u32::from(band.lower_bound())),
        label: band,
        is_time: false,
    },
    Dimension {
        id: "speed",
        name: "speed",
        is_counted: |groups| groups.speed,
        place: |group| Speed::ALL.iter().position(|&speed| Some(speed) == group.speed()).map(|at| at as u32),
        label: |place| Speed::ALL[place as usize].to_string(),
        is_time: false,
    },
    Dimension {
        id: "month",
        name: "month",
        is_counted: |groups| groups.month,
        place: |group| group.month().map(|(year, month)| u32::from(year) * 12 + u32::from(month) - 1),
        label: |place| format!("{:04}-{:02}", place / 12, place % 12 + 1),
        is_time: true,
    },
    Dimension {
        id: "player-color",
        name: "colour of the player",
        is_counted: |groups| groups.player_color,
        place: |group| group.player_color().map(|color| color.fold_wb(0, 1)),
        label: |place| ["White", "Black"][place as usize].to_owned(),
        is_time: false,
    },
];

impl Groupings {
    /// Sums the rows of a position by each dimension in `groups`.
    pub(super) fn of(groups: Groups, rows: &[Row]) -> Self {
        let all = rows.iter().map(|row| row.tally).sum();
        let counted = DIMENSIONS.iter().filter(|dimension| (dimension.is_counted)(groups));
        Self { all, by: counted.map(|dimension| Grouping::of(dimension, rows)).collect() }
    }
}

impl Grouping {
    fn of(dimension: &'static Dimension, rows: &[Row]) -> Self {
        let (mut known, mut unknown) = (BTreeMap::<u32, Tally>::new(), Tally::default());
        for row in rows {
            match (dimension.place)(row.group) {
                Some(place) => *known.entry(place).or_default() += row.tally,
                None => unknown += row.tally,
            }
        }
        let (mut name, mut label) = (dimension.name, dimension.label);
        if dimension.is_time && span(&known) >= MONTHS_MOST {
            (name, label) = ("year", |year| format!("{year:04}"));
            known = years(known);
        }
        if dimension.is_time && span(&known) < YEARS_MOST {
            fill(&mut known);
        }
        let mut groups: Vec<_> = known.into_iter().map(|(place, tally)| (label(place), tally)).collect();
        if unknown.games() > 0 {
            groups.push(("unknown".to_owned(), unknown));
        }
        Self { id: dimension.id, name, groups }
    }
}

/// Returns the distance between the first place and the last.
fn span(places: &BTreeMap<u32, Tally>) -> u32 {
    let ends = places.keys().next().zip(places.keys().next_back());
    ends.map_or(0, |(first, last)| last - first)
}

/// Sums months to years.
fn years(months: BTreeMap<u32, Tally>) -> BTreeMap<u32, Tally> {
    let mut years = BTreeMap::<u32, Tally>::new();
    for (month, tally) in months {
        *years.entry(month / 12).or_default() += tally;
    }
    years
}

/// Adds places without games to fill the gaps between the first and the last.
fn fill(places: &mut BTreeMap<u32, Tally>) {
    let Some(&first) = places.keys().next() else { return };
    for place in first..first + span(places) {
        places.entry(place).or_default();
    }
}

/// The name of a rating band, such as `1800–1999`.
fn band(lower: u32) -> String {
    let above = RatingBand::LOWER_BOUNDS.iter().map(|&bound| u32::from(bound)).find(|&bound| bound > lower);
    match above {
        Some(above) if lower == 0 => format!("under {above}"),
        Some(above) => format!("{lower}–{}", above - 1),
        None => format!("{lower} and more"),
    }
}

#[cfg(test)]
mod tests {
    use position::Outcome;

    use super::*;

    fn row(group: Group) -> Row {
        Row { group, tally: Tally::one(Outcome::White), ..Row::default() }
    }

    fn names(grouping: &Grouping) -> Vec<(&str, u64)> {
        grouping.groups.iter().map(|(name, tally)| (name.as_str(), tally.games())).collect()
    }

    #[test]
    fn groups_are_in_order_with_the_unknown_last() {
        let band = |mean| Group::NONE.with_rating_band(Some(RatingBand::of_mean(mean)));
        let rows = [row(Group::NONE), row(band(3300)), row(band(900)), row(band(1999)), row(band(1801))];
        let groupings = Groupings::of(Groups { rating_band: true, ..Groups::NONE }, &rows);
        assert_eq!(groupings.all.games(), 5);
        assert_eq!(
            names(&groupings.by[0]),
            [("under 1000", 1), ("1800–1999", 2), ("3200 and more", 1), ("unknown", 1)]
        );
        assert!(Groupings::of(Groups::NONE, &rows).by.is_empty());
    }

    #[test]
    fn months_without_games_are_shown_and_a_long_time_is_by_year() {
        let month = |year, month| row(Group::NONE.with_month(Some((year, month))));
        let by_month = |rows: &[Row]| {
            let grouping = Groupings::of(Groups { month: true, ..Groups::NONE }, rows).by.remove(0);
            (
                grouping.name,
                names(&grouping).into_iter().map(|(name, games)| (name.to_owned(), games)).collect(),
            )
        };
        let owned = |groups: &[(&str, u64)]| -> Vec<_> {
            groups.iter().map(|(name, games)| ((*name).to_owned(), *games)).collect()
        };
        let near = [month(2014, 1), month(2013, 11)];
        assert_eq!(by_month(&near), ("month", owned(&[("2013-11", 1), ("2013-12", 0), ("2014-01", 1)])));
        let far = [month(2007, 1), month(2007, 12), month(2013, 11), month(2005, 11)];
        let (unit, years): (_, Vec<_>) = by_month(&far);
        assert_eq!((unit, years.len()), ("year", 9));
        assert_eq!(years[..3], owned(&[("2005", 1), ("2006", 0), ("2007", 2)]));
        let wrong = [month(1, 1), month(2014, 1)];
        assert_eq!(by_month(&wrong), ("year", owned(&[("0001", 1), ("2014", 1)])));
    }

    #[test]
    fn speeds_go_from_fast_to_slow() {
        let speed = |speed| row(Group::NONE.with_speed(Some(speed)));
        let rows = [speed(Speed::Classical), speed(Speed::Bullet), speed(Speed::Blitz)];
        let groupings = Groupings::of(Groups { speed: true, ..Groups::NONE }, &rows);
        assert_eq!(names(&groupings.by[0]), [("bullet", 1), ("blitz", 1), ("classical", 1)]);
    }
}
