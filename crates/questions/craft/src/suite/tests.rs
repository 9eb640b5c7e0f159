use std::{
    collections::{BTreeMap, BTreeSet},
    num::NonZeroU8,
    ops::ControlFlow,
    path::Path,
};

use openings::Openings;
use policy::Rng;
use position::{Board, Key, Outcome, PackedMove, Step, Tally};
use proptest::prelude::*;
use shakmaty::{Chess, Position as _, san::San};
use table::{Counting, PositionCounts, Row, Table, TableWriter};
use walk::{Work, shard_of};

use super::{
    Spread, Suite, SuiteInputs, SuiteOptions,
    often::{FrequencyRecorder, FrequentPositions},
    suite,
};
use crate::Plies;

const SHARDS: u32 = 4;
const GAMES: u64 = 800;
const PLIES: u64 = 9;
/// Memory that holds all candidates, and memory that holds few at a time.
const MUCH: u64 = 64 << 20;
const LITTLE: u64 = 256 * 600;

type Edges = BTreeMap<(Key, PackedMove), (Step, Tally)>;

/// The edges of games whose moves are drawn from seven.
fn edges() -> Edges {
    let (mut rng, mut rows) = (Rng::new(3), Edges::new());
    for _ in 0..GAMES {
        let (mut board, mut position) = (Board::start(), Chess::default());
        let outcome = [Outcome::White, Outcome::Draw, Outcome::Black][rng.below(3) as usize];
        let mut add = |id, step| rows.entry(id).or_insert((step, Tally::default())).1 += Tally::one(outcome);
        for _ in 0..PLIES {
            let (key, legal) = (board.key(), position.legal_moves());
            let m = legal[3 * rng.below(7) as usize % legal.len()];
            let ply = board.play_san(&San::from_move(&position, m)).unwrap();
            position.play_unchecked(m);
            add((key, ply.mv), ply.step);
        }
        add((board.key(), PackedMove::TERMINAL), Step::terminal(board.turn()));
    }
    rows
}

/// The table of these games.
fn table(folder: &Path) -> Table {
    let rows = edges();
    let writer = TableWriter::create(&folder.join("a.table"), Counting::default(), SHARDS, false).unwrap();
    let mut parts = Vec::new();
    for shard in 0..SHARDS {
        let mut part = writer.shard(shard).unwrap();
        for (&(key, mv), &(step, tally)) in &rows {
            if shard_of(key, SHARDS) == shard {
                part.push(&Row { key, mv, step, tally, ..Row::default() }).unwrap();
            }
        }
        parts.push(part.finish().unwrap());
    }
    writer.finish(parts, Vec::new()).unwrap()
}

fn made(table: &Table, options: &SuiteOptions, memory_bytes: u64, threads: usize) -> Suite {
    let temp_dir = std::env::temp_dir();
    let work = Work { threads, memory_bytes, temp_dir, on_progress: &|_| ControlFlow::Continue(()) };
    let source =
        SuiteInputs { rows: table, played: None, openings: &Openings::bundled(), known: &|_, _| None };
    suite(&source, options, &work).unwrap()
}

/// A suite is the same whether all candidates are in memory or are looked up when they are drawn.
#[test]
fn memory_changes_no_suite() {
    let folder = tempfile::tempdir().unwrap();
    let table = table(folder.path());
    let options = (0..6_u16, 0..4_u64, 1..150_usize, 0..5_u64);
    let spread = prop_oneof![Just(Spread::Games), Just(Spread::Even), Just(Spread::Any)];
    let config = ProptestConfig::with_cases(24);
    let checked = proptest::test_runner::TestRunner::new(config).run(
        &(options, spread),
        |((apart, seed, lines, min_games), spread)| {
            let plies = Plies { first: 2, last: 8 };
            let options =
                SuiteOptions { plies, min_games, apart, spread, lines, seed, ..SuiteOptions::default() };
            let [all, few] =
                [(MUCH, 1), (LITTLE, 2)].map(|(memory, threads)| made(&table, &options, memory, threads));
            prop_assert_eq!(&all.report, &few.report);
            prop_assert_eq!(&all.openings, &few.openings);
            let left_out: u64 =
                ["alike", "not needed"].iter().filter_map(|why| all.report.left_out.get(why)).sum();
            prop_assert_eq!(all.report.candidates, all.report.openings + left_out);
            prop_assert!(min_games > 1 || all.report.candidates > LITTLE / 256);
            Ok(())
        },
    );
    checked.unwrap();
}

/// The positions that are kept on the way to the walk are those with enough games, with all their games.
#[test]
fn positions_with_many_games_are_kept_while_rows_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let table = table(folder.path());
    let kept = |min_games, memory_bytes| {
        let passing = FrequencyRecorder::of(&table, min_games, memory_bytes);
        let (mut expected, mut position) = (Vec::new(), PositionCounts::default());
        for shard in 0..SHARDS {
            let mut positions = walk::open(&passing, shard).unwrap();
            let mut often = Vec::new();
            while positions.next_into(&mut position).unwrap() {
                often.extend((position.tally.games() >= min_games).then_some((position.key, position.tally)));
            }
            expected.push(often);
        }
        let shards = |often: FrequentPositions| {
            (0..SHARDS).map(|shard| often.of_shard(shard).to_vec()).collect::<Vec<_>>()
        };
        (passing.often().map(shards), expected)
    };
    for min_games in 1..5 {
        let (found, expected) = kept(min_games, MUCH);
        assert!(expected.iter().flatten().count() > 20);
        assert_eq!(found, Some(expected));
    }
    assert_eq!(kept(1, LITTLE).0, None);
}

/// The label that the walk hands on is the last name on the line.
#[test]
fn codes_are_those_of_the_lines() {
    let folder = tempfile::tempdir().unwrap();
    let table = table(folder.path());
    let even = SuiteOptions {
        plies: Plies { first: 3, last: 8 },
        min_games: 1,
        spread: Spread::Even,
        apart: 0,
        lines: 1_000_000,
        ..SuiteOptions::default()
    };
    let [turns, others] = [0, 1].map(|seed| {
        let suite = made(&table, &SuiteOptions { seed, ..even.clone() }, MUCH, 1);
        let code = |at: usize| suite.openings[at].name.clone().map_or(String::new(), |(code, _)| code);
        // Each code has its first turn before any has its second.
        let codes = suite.report.eco.len();
        let first: Vec<_> = (0..codes).map(code).collect();
        let different: BTreeSet<_> = first.iter().cloned().collect();
        assert!(codes > 5 && different.len() == codes, "{first:?}");
        (first, different)
    });
    assert_eq!(turns.1, others.1);
    // The codes that a small suite has are drawn too.
    assert_ne!(turns.0, others.0);
}

/// A line ends where the last moves had one game each, and other lines stay.
#[test]
fn a_line_ends_after_new_moves() {
    let folder = tempfile::tempdir().unwrap();
    let (table, edges) = (table(folder.path()), edges());
    let lines_of = |new_after| {
        let plies = Plies { first: 1, last: 8 };
        let options = SuiteOptions {
            plies,
            new_after,
            min_games: 1,
            apart: 0,
            lines: 1_000_000,
            ..SuiteOptions::default()
        };
        let openings = made(&table, &options, MUCH, 2).openings;
        openings.into_iter().map(|opening| opening.line).collect::<BTreeSet<_>>()
    };
    let all = lines_of(None);
    for most in 1..4 {
        let ends_before = |line: &str| {
            let (mut board, mut new) = (Board::start(), 0);
            line.split(' ').any(|san| {
                let (key, ended) = (board.key(), new == most);
                let ply = board.play_san(&san.parse().unwrap()).unwrap();
                new = if edges[&(key, ply.mv)].1.games() > 1 { 0 } else { new + 1 };
                ended
            })
        };
        let kept = lines_of(NonZeroU8::new(most));
        assert!(kept.iter().all(|line| !ends_before(line)));
        let (ended, others): (Vec<_>, Vec<_>) = all.iter().partition(|line| ends_before(line));
        assert!(ended.len() > 100 && others.iter().all(|line| kept.contains(*line)));
    }
}
