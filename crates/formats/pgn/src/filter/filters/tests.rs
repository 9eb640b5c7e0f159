//! Every filter against a table of tags, their order, and their canonical text.

use position::{Outcome, Speed};

use super::*;
use crate::filter::testing::with_tags;

const GAME: [(&str, &str); 12] = [
    ("Event", "Rated Blitz game"),
    ("Date", "2013.06.15"),
    ("White", "Kasparov, Garry"),
    ("Black", "Deep Blue"),
    ("Result", "0-1"),
    ("UTCDate", "2014.07.01"),
    ("WhiteElo", "2785"),
    ("BlackElo", "2300"),
    ("WhiteTitle", "GM"),
    ("ECO", "B17"),
    ("TimeControl", "180+2"),
    ("Termination", "Normal"),
];

/// The game above with some tags set otherwise.
fn judge(filters: &Filters, changed: &[(&str, &str)]) -> Option<Filter> {
    let tags: Vec<(&str, &str)> = GAME.into_iter().chain(changed.iter().copied()).collect();
    with_tags(&tags, |tags| filters.refuse(tags))
}

fn all() -> Filters {
    Filters::default()
}

#[test]
fn the_default_lets_everything_through() {
    assert_eq!(with_tags(&[], |tags| all().refuse(tags)), None);
    assert_eq!(judge(&all(), &[]), None);
    assert_eq!(all().min_plies, 1);
}

#[test]
fn ratings_bound_both_players() {
    let min = |min_elo| Filters { min_elo: Some(min_elo), ..all() };
    let max = |max_elo| Filters { max_elo: Some(max_elo), ..all() };
    assert_eq!(judge(&min(2300), &[]), None);
    assert_eq!(judge(&min(2301), &[]), Some(Filter::MinElo));
    assert_eq!(judge(&max(2785), &[]), None);
    assert_eq!(judge(&max(2784), &[]), Some(Filter::MaxElo));
    for unknown in ["", "?", "0", "-", "2300.5"] {
        assert_eq!(judge(&min(1), &[("BlackElo", unknown)]), Some(Filter::MinElo), "{unknown}");
        assert_eq!(judge(&max(9999), &[("BlackElo", unknown)]), Some(Filter::MaxElo), "{unknown}");
    }
    let between = Filters { min_elo: Some(2300), max_elo: Some(2500), ..all() };
    assert_eq!(judge(&between, &[]), Some(Filter::MaxElo));
    assert_eq!(judge(&between, &[("WhiteElo", "?")]), Some(Filter::MinElo));
}

#[test]
fn with_any_one_player_must_fit_both_limits() {
    let any = |min_elo, max_elo| Filters { min_elo, max_elo, elo_any: true, ..all() };
    assert_eq!(judge(&any(Some(2700), None), &[]), None);
    assert_eq!(judge(&any(Some(2700), None), &[("BlackElo", "?")]), None);
    assert_eq!(judge(&any(Some(2800), None), &[]), Some(Filter::MinElo));
    assert_eq!(judge(&any(None, Some(2400)), &[]), None);
    assert_eq!(
        judge(&any(Some(2400), Some(2700)), &[]),
        Some(Filter::MaxElo),
        "2785 and 2300 lie on either side"
    );
    assert_eq!(judge(&any(Some(2200), Some(2700)), &[]), None);
    assert_eq!(judge(&any(None, None), &[("WhiteElo", "?"), ("BlackElo", "?")]), None, "nothing is asked");
}

#[test]
fn dates_bound_the_utc_date() {
    let since = |bound: &str| Filters { since: Some(bound.parse().unwrap()), ..all() };
    let until = |bound: &str| Filters { until: Some(bound.parse().unwrap()), ..all() };
    assert_eq!(judge(&since("2014-07-01"), &[]), None);
    assert_eq!(judge(&since("2014-07-02"), &[]), Some(Filter::Since));
    assert_eq!(judge(&since("2014"), &[("UTCDate", "?")]), Some(Filter::Since), "Date is 2013");
    assert_eq!(judge(&until("2014"), &[]), None);
    assert_eq!(judge(&until("2014-06"), &[]), Some(Filter::Until));
    assert_eq!(judge(&until("2014-06"), &[("UTCDate", "2014.??.??")]), None, "as far as known");
    for bound in [since("0001"), until("9999")] {
        assert!(judge(&bound, &[("UTCDate", "????.??.??"), ("Date", "26.11.20")]).is_some());
    }
}

#[test]
fn kinds_of_games() {
    let speeds = |speeds: &[Speed]| Filters { speed: speeds.to_vec(), ..all() };
    assert_eq!(judge(&speeds(&[Speed::Rapid, Speed::Blitz]), &[]), None);
    assert_eq!(judge(&speeds(&[Speed::Rapid]), &[]), Some(Filter::Speed));
    assert_eq!(judge(&speeds(Speed::ALL), &[("TimeControl", "?")]), Some(Filter::Speed));
    let results = |results: &[Outcome]| Filters { result: results.to_vec(), ..all() };
    assert_eq!(judge(&results(&[Outcome::Black]), &[]), None);
    assert_eq!(judge(&results(&[Outcome::White, Outcome::Draw]), &[]), Some(Filter::Result));
    assert_eq!(judge(&results(&Outcome::ALL), &[("Result", "*")]), Some(Filter::Result));
    let eco = |ranges: &[&str]| Filters {
        eco: ranges.iter().map(|range| range.parse().unwrap()).collect(),
        ..all()
    };
    assert_eq!(judge(&eco(&["A", "B10..B19"]), &[]), None);
    assert_eq!(judge(&eco(&["B20..B99"]), &[]), Some(Filter::Eco));
    assert_eq!(judge(&eco(&["A..E"]), &[("ECO", "?")]), Some(Filter::Eco));
}

#[test]
fn people_and_bots() {
    let player =
        |name: &str, player_color| Filters { player: Some(name.parse().unwrap()), player_color, ..all() };
    assert_eq!(judge(&player("KASPAROV, GARRY", None), &[]), None);
    assert_eq!(judge(&player("Kasparov, Garry", Some(Color::Black)), &[]), Some(Filter::Player));
    assert_eq!(judge(&player("/./", Some(Color::Black)), &[("Black", "")]), Some(Filter::Player));
    let no_bots = Filters { exclude_bots: true, ..all() };
    assert_eq!(judge(&no_bots, &[]), None, "Black has no title");
    assert_eq!(judge(&no_bots, &[("BlackTitle", "BOT")]), Some(Filter::Bots));
    let rated = Filters { rated_only: true, ..all() };
    assert_eq!(judge(&rated, &[]), None);
    assert_eq!(judge(&rated, &[("Event", "Casual Blitz game")]), Some(Filter::Rated));
}

#[test]
fn an_expression_must_be_true() {
    let expression = |text: &str| Filters { expression: Some(text.parse().unwrap()), ..all() };
    assert_eq!(judge(&expression("Termination = 'Normal'"), &[]), None);
    assert_eq!(judge(&expression("Termination != 'Normal'"), &[]), Some(Filter::Where));
    assert_eq!(judge(&expression("not PlyCount > 80"), &[]), Some(Filter::Where), "unknown");
}

#[test]
fn the_first_filter_in_order_is_named() {
    let mut filters = Filters {
        min_elo: Some(2400),
        max_elo: Some(2700),
        since: Some("2015".parse().unwrap()),
        until: Some("2012".parse().unwrap()),
        speed: vec![Speed::Bullet],
        result: vec![Outcome::White],
        player: Some("No One".parse().unwrap()),
        exclude_bots: true,
        rated_only: true,
        eco: vec!["A".parse().unwrap()],
        expression: Some("Event = 'x'".parse().unwrap()),
        ..all()
    };
    let switch_off: [fn(&mut Filters); 11] = [
        |f| f.min_elo = None,
        |f| f.max_elo = None,
        |f| f.since = None,
        |f| f.until = None,
        |f| f.speed.clear(),
        |f| f.result.clear(),
        |f| f.player = None,
        |f| f.exclude_bots = false,
        |f| f.rated_only = false,
        |f| f.eco.clear(),
        |f| f.expression = None,
    ];
    for (off, &filter) in switch_off.into_iter().zip(Filter::ALL) {
        let refused = judge(&filters, &[("BlackTitle", "BOT"), ("Event", "Casual game")]);
        assert_eq!(refused, Some(filter));
        off(&mut filters);
    }
    assert_eq!(judge(&filters, &[]), None);
}

#[test]
fn equal_filters_have_equal_text() {
    assert_eq!(all().describe(), "");
    assert_eq!(Filters { elo_any: true, ..all() }.describe(), "", "asks nothing");
    let filters = Filters {
        min_elo: Some(2400),
        max_elo: Some(2800),
        elo_any: true,
        since: Some("2013.1".parse().unwrap()),
        until: Some("2014.12.31".parse().unwrap()),
        speed: vec![Speed::Rapid, Speed::Blitz, Speed::Rapid],
        result: vec![Outcome::Draw, Outcome::White],
        min_plies: 10,
        player: Some("Anand, \"V\"".parse().unwrap()),
        player_color: Some(Color::White),
        exclude_bots: true,
        rated_only: true,
        eco: vec!["C".parse().unwrap(), "B20".parse().unwrap()],
        expression: Some("WhiteElo>=2400 && !(Event~'a' OR Site=='b')".parse().unwrap()),
    };
    assert_eq!(
        filters.describe(),
        "min-elo 2400; max-elo 2800; elo any; since 2013-01; until 2014-12-31; speed blitz,rapid; result 1-0,1/2-1/2; \
         player \"Anand, \\\"V\\\"\" white; exclude-bots yes; rated-only yes; eco B20,C00..C99; \
         where WhiteElo >= 2400 and not (Event =~ \"a\" or Site = \"b\"); min-plies 10"
    );
}
