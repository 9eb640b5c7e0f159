//! Filters against moves at, above and below their thresholds.

use position::PackedMove;

use super::*;

const POSITION: Tally = Tally { white: 50, draws: 30, black: 20 };

fn edge(mv: u16, white: u64, draws: u64, black: u64) -> BookEdge {
    BookEdge { mv: PackedMove(mv), tally: Tally { white, draws, black } }
}

fn kept(filter: &BookFilter, turn: Color, edges: &[BookEdge]) -> Vec<u16> {
    let mut edges = edges.to_vec();
    filter.keep(turn, POSITION, &mut edges);
    edges.iter().map(|edge| edge.mv.0).collect()
}

#[test]
fn without_thresholds_everything_stays() {
    let filter = BookFilter { min_games: PerColor::both(1), ..BookFilter::default() };
    assert!(filter.keeps_everything() && BookFilter::default().keeps_everything());
    assert_eq!(kept(&filter, Color::White, &[edge(1, 0, 0, 1), edge(2, 0, 0, 0)][..1]), [1]);
}

#[test]
fn a_colour_keeps_its_own_moves() {
    let filter = BookFilter { color: Some(Color::Black), ..BookFilter::default() };
    assert_eq!(kept(&filter, Color::Black, &[edge(1, 1, 0, 0)]), [1]);
    assert_eq!(kept(&filter, Color::White, &[edge(1, 1, 0, 0)]), [0u16; 0]);
    assert!(!filter.keeps_everything());
}

#[test]
fn thresholds_are_those_of_the_colour_and_reached_exactly() {
    let filter = BookFilter {
        min_games: "white=5,black=3".parse().unwrap(),
        min_score: "white=0.4,black=.35".parse().unwrap(),
        min_share: "0.05".parse().unwrap(),
        ..BookFilter::default()
    };
    let cases = [
        (Color::White, edge(1, 2, 0, 3), true),  // 2 of 5: 0.4
        (Color::White, edge(1, 1, 1, 3), false), // 1.5 of 5
        (Color::White, edge(1, 4, 0, 0), false), // four games
        (Color::Black, edge(1, 13, 0, 7), true), // 7 of 20: 0.35
        (Color::Black, edge(1, 14, 0, 7), false),
        (Color::Black, edge(1, 0, 0, 4), false), // 4 of 100: share
    ];
    for (turn, edge, expected) in cases {
        assert_eq!(!kept(&filter, turn, &[edge]).is_empty(), expected, "{turn} {edge:?}");
    }
}

#[test]
fn shares_are_of_the_position_tally_and_not_of_what_is_left() {
    let filter = BookFilter { min_share: PerColor::both("0.1".parse().unwrap()), ..BookFilter::default() };
    assert_eq!(kept(&filter, Color::White, &[edge(1, 10, 0, 0), edge(2, 9, 0, 0)]), [1]);
}

#[test]
fn the_best_few_are_by_games_then_score_then_move_and_after_all_else() {
    let filter = BookFilter { top: Some(2), ..BookFilter::default() };
    let edges = [edge(1, 0, 0, 5), edge(2, 5, 0, 0), edge(3, 0, 5, 0), edge(4, 0, 5, 0), edge(5, 0, 0, 4)];
    assert_eq!(kept(&filter, Color::White, &edges), [2, 3]);
    assert_eq!(kept(&filter, Color::Black, &edges), [1, 3]);
    let scored = BookFilter { min_score: PerColor::both("0.5".parse().unwrap()), ..filter };
    assert_eq!(kept(&scored, Color::White, &edges[2..]), [3, 4]);
    let none = BookFilter { top: Some(0), ..filter };
    assert_eq!(kept(&none, Color::White, &edges), [0u16; 0]);
}

#[test]
fn counts_of_64_bits_do_not_overflow() {
    let filter = BookFilter {
        min_games: PerColor::both(u64::MAX),
        min_score: PerColor::both("0.999999999999999999".parse().unwrap()),
        min_share: PerColor::both("1".parse().unwrap()),
        ..BookFilter::default()
    };
    assert_eq!(kept(&filter, Color::White, &[edge(1, i64::MAX as u64, 0, 0)]), [0u16; 0]);
    let filter = BookFilter { min_games: PerColor::both(1 << 62), min_share: PerColor::default(), ..filter };
    assert_eq!(
        kept(&filter, Color::White, &[edge(1, i64::MAX as u64, 0, 0), edge(2, 1 << 62, 1 << 61, 0)]),
        [1]
    );
}

#[test]
fn equal_filters_are_described_alike() {
    let filter = BookFilter {
        color: Some(Color::White),
        min_games: "black=5,white=5".parse().unwrap(),
        min_score: "black=0.350".parse().unwrap(),
        min_share: "0.01".parse().unwrap(),
        top: Some(3),
    };
    let text = "color=white min-games=5 min-score=white=0,black=0.35 min-share=0.01 top=3";
    assert_eq!(filter.describe(), text);
    assert_eq!(BookFilter::default().describe(), "");
}

#[test]
fn settings_that_cannot_be_read_are_named() {
    for text in ["", "x", "-1", "white", "white=", "white=1,white=2", "grey=1", "white=1;black=2", "1,2"] {
        let error = text.parse::<PerColor<u64>>().unwrap_err().to_string();
        assert!(error.contains("white=…"), "{error}");
        assert!(text.parse::<PerColor<Ratio>>().is_err(), "{text}");
    }
}
