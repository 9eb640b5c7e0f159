use std::sync::Arc;

use position::{Key, Outcome, PackedMove, RatingBand, Tally};
use proptest::prelude::*;

use super::*;
use crate::RowBatches;

fn month(text: &str) -> Month {
    text.parse().unwrap()
}

fn weighing(half_life: &str, as_of: Option<&str>) -> Weighing {
    let weights =
        GameWeights { half_life: Some(half_life.parse().unwrap()), as_of: as_of.map(month), ratings: None };
    Weighing::new(weights, &played(&[((2000, 1), 3), ((2004, 1), 2), ((2010, 1), 1)]))
}

/// Games of the start position by month.
fn played(games: &[((u16, u8), u64)]) -> Months {
    let mut months = Months::default();
    for &(month, games) in games {
        let tally = Tally { white: games, ..Tally::default() };
        months.add(&Row {
            key: Key::START,
            mv: PackedMove(1),
            group: Group::NONE.with_month(Some(month)),
            tally,
            ..Row::default()
        });
    }
    months
}

fn of_month(year: u16, month: u8) -> Group {
    Group::NONE.with_month(Some((year, month)))
}

#[test]
fn a_game_as_old_as_the_half_life_counts_half() {
    let weighing = weighing("2y", None);
    let of = |year, month| weighing.of(of_month(year, month));
    assert_eq!([of(2010, 1), of(2008, 1), of(2006, 1), of(2000, 1)], [ONE, ONE / 2, ONE / 4, ONE / 32]);
    assert_eq!(of(2009, 1), 3_037_000_500, "2^32 / sqrt 2");
    assert_eq!(weighing.of(Group::NONE), ONE / 32, "an unknown month is taken for the median");
    assert_eq!(weighing.weights().describe(), "half-life=2y as-of=2010-01");
}

#[test]
fn games_after_the_month_that_is_named_weigh_as_its_own() {
    let weighing = weighing("12m", Some("2005-01"));
    let of = |year, month| weighing.of(of_month(year, month));
    assert_eq!([of(2010, 1), of(2005, 1), of(2004, 1), of(2000, 1)], [ONE, ONE, ONE / 2, ONE / 32]);
    assert_eq!(weighing.of(of_month(1970, 1)), ONE / 32, "no month is older than the oldest");
}

#[test]
fn games_of_unknown_month_weigh_as_those_of_the_median_month() {
    let half_life = Some("2y".parse().unwrap());
    let unknown = |games: &[((u16, u8), u64)], as_of: Option<&str>| {
        let weights = GameWeights { half_life, as_of: as_of.map(month), ratings: None };
        Weighing::new(weights, &played(games)).of(Group::NONE)
    };
    let (old, mid, new) = ((2000, 1), (2008, 1), (2010, 1));
    assert_eq!(unknown(&[(old, 1), (mid, 1), (new, 1)], None), ONE / 2);
    assert_eq!(unknown(&[(old, 1), (mid, 1), (new, 3)], None), ONE);
    assert_eq!(unknown(&[(old, 2), (mid, 1), (new, 1)], None), ONE / 32, "the earlier of two");
    assert_eq!(unknown(&[(old, 1), (mid, 1), (new, 1)], Some("2012-01")), ONE / 4);
    assert_eq!(unknown(&[(old, 1), (mid, 1), (new, 1)], Some("2005-01")), ONE, "later months weigh 1");
    assert_eq!(unknown(&[], None), ONE);
    // If no game begins at the start position, all games are counted where they end.
    let ended = |year, games| Row {
        key: Key(9),
        group: of_month(year, 1),
        tally: Tally { white: games, ..Tally::default() },
        ..Row::default()
    };
    let mut months = Months::default();
    for row in [ended(2000, 1), ended(2008, 3), ended(2010, 1)] {
        months.add(&row);
    }
    let weights = GameWeights { half_life, ..GameWeights::default() };
    assert_eq!(Weighing::new(weights, &months).of(Group::NONE), ONE / 2);
}

#[test]
fn a_newest_month_of_few_games_or_after_today_is_doubted() {
    let doubt = |games: &[((u16, u8), u64)], as_of: Option<&str>, today| {
        let half_life = Some("3y".parse().unwrap());
        let weights = GameWeights { half_life, as_of: as_of.map(month), ratings: None };
        Weighing::new(weights, &played(games)).doubt(today)
    };
    let (today, usual) = (Some((2026, 11)), [((2010, 1), 30), ((2011, 1), 12)]);
    assert_eq!(doubt(&usual, None, today), None);
    let stray = [((2010, 1), 30), ((2999, 12), 1)];
    let counted = "ages of games are counted from the newest month, 2999-12, which";
    let said = format!("{counted} lies after today; choose another month with as-of");
    assert_eq!(doubt(&stray, None, today), Some(said));
    let said = format!("{counted} has only 1 of 31 games; choose another month with as-of");
    assert_eq!(doubt(&stray, None, None), Some(said));
    assert_eq!(doubt(&stray, Some("2010-01"), today), None, "a month was named");
    assert_eq!(doubt(&[((2010, 1), 19), ((2012, 1), 1)], None, today), None);
    assert_eq!(doubt(&[((2026, 11), 1)], None, today), None);
    assert_eq!(doubt(&[], None, today), None);
}

#[test]
fn age_and_ratings_multiply() {
    let weights = GameWeights { ratings: Some("2200=2".parse().unwrap()), ..*weighing("2y", None).weights() };
    let weighing = Weighing::new(weights, &played(&[((2000, 1), 1), ((2010, 1), 1)]));
    let band = |rating| of_month(2008, 1).with_rating_band(Some(RatingBand::of_mean(rating)));
    assert_eq!([band(2300), band(2100)].map(|group| weighing.of(group)), [ONE, ONE / 2]);
    let groups = Groups { month: true, ..Groups::NONE };
    let missing = |groups| weights.check(groups).unwrap_err().to_string();
    assert!(missing(groups).contains("by rating band") && missing(Groups::NONE).contains("by month"));
    weights.check(Groups { rating_band: true, ..groups }).unwrap();
    assert!(GameWeights::default().is_none() && GameWeights::default().describe().is_empty());
}

#[test]
fn moves_that_weigh_too_little_end_at_their_position() {
    let row = |mv, year, outcome| Row {
        key: Key(7),
        mv: PackedMove(mv),
        group: of_month(year, 1),
        tally: Tally::one(outcome),
        ..Row::default()
    };
    let old = |mv| row(mv, 2006, Outcome::White);
    let mut rows = vec![old(1), row(2, 2010, Outcome::Draw), old(3), old(4)];
    weighing("2y", None).weigh(&mut rows);
    let seen: Vec<_> = rows.iter().map(|row| (row.mv.0, row.tally)).collect();
    assert_eq!(seen, [(0, Tally::one(Outcome::White)), (2, Tally::one(Outcome::Draw))]);
}

/// Rows in batches of a size.
struct Batches<'r>(&'r [Row], usize);

impl RowBatches for Batches<'_> {
    fn next_batch(&mut self, rows: &mut Vec<Row>) -> fault::Result<bool> {
        rows.clear();
        let (next, rest) = self.0.split_at(self.0.len().min(self.1));
        rows.extend_from_slice(next);
        self.0 = rest;
        Ok(!rows.is_empty())
    }
}

fn all(rows: &[Row], batch: usize, weighing: Option<Arc<Weighing>>) -> Vec<Row> {
    let mut weighted = WeightedRows::new(Box::new(Batches(rows, batch)), weighing);
    let (mut found, mut rows) = (Vec::new(), Vec::new());
    while weighted.next_batch(&mut rows).unwrap() {
        assert!(!rows.is_empty());
        found.append(&mut rows);
    }
    assert!(!weighted.next_batch(&mut rows).unwrap());
    found
}

fn any_rows() -> impl Strategy<Value = Vec<Row>> {
    let row = (0_u64..4, 0_u16..3, 2000_u16..=2010, 0_u64..9, 0_u64..9).prop_map(
        |(key, mv, year, white, draws)| Row {
            key: Key(key),
            mv: PackedMove(mv),
            group: of_month(year, 1),
            tally: Tally { white, draws, black: 1 },
            ..Row::default()
        },
    );
    prop::collection::vec(row, 0..40).prop_map(|mut rows| {
        rows.sort_by_key(Row::id);
        rows.dedup_by_key(|row| row.id());
        rows
    })
}

proptest! {
    #[test]
    fn batches_do_not_matter_and_no_game_is_lost(rows in any_rows(), batch in 1_usize..7) {
        let weighing = Arc::new(weighing("2y", None));
        let weighted = all(&rows, batch, Some(weighing.clone()));
        let mut one_by_one = Vec::new();
        for of_key in rows.chunk_by(|a, b| a.key == b.key) {
            let mut of_key = of_key.to_vec();
            weighing.weigh(&mut of_key);
            one_by_one.append(&mut of_key);
        }
        prop_assert_eq!(&weighted, &one_by_one);
        prop_assert!(weighted.is_sorted_by(|a, b| a.id() < b.id()));
        for of_key in rows.chunk_by(|a, b| a.key == b.key) {
            let exact: u128 = of_key.iter().map(|row| u128::from(row.tally.games()) * u128::from(weighing.of(row.group))).sum();
            let games: u64 = weighted.iter().filter(|row| row.key == of_key[0].key).map(|row| row.tally.games()).sum();
            prop_assert!((u128::from(games) << 32).abs_diff(exact) <= u128::from(ONE) * 2);
        }
        prop_assert_eq!(all(&rows, batch, None), rows);
    }
}
