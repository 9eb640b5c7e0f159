//! The whole pipeline against a map in memory, for several settings of threads, chunks, memory and fan-in;
//! and the same bytes each time.

use std::{collections::BTreeMap, fs};

use pgn::{
    input::{LineEnds, PieceKind, games},
    replay::{CountingOptions, Repeats, Replay},
    verdict::Verdict,
};
use position::{Key, PackedMove, Tally};
use proptest::prelude::*;
use table::{RatingSums, Row, Table};

use crate::workbench::{Workbench, sample};

/// How often the sample is counted.
const COPIES: usize = 6;

pub(crate) type Edges = BTreeMap<(Key, PackedMove), Tally>;
type Ratings = BTreeMap<(Key, PackedMove), RatingSums>;

/// Counts a text in the simplest way.
fn count(text: &[u8], max_ply: u32, repeats: Repeats) -> Edges {
    let mut replay = Replay::new(&CountingOptions { max_ply, repeats, ..CountingOptions::default() }.into());
    let mut edges = Edges::new();
    for piece in games(text, LineEnds::of(text)).filter(|piece| piece.kind == PieceKind::Game) {
        if let Verdict::Accepted { .. } = replay.game(piece.text) {
            for seen in replay.observations() {
                let outcome = position::Outcome::ALL[seen.outcome_index()];
                *edges.entry((seen.key(), seen.mv())).or_default() += Tally::one(outcome);
            }
        }
    }
    edges
}

fn rows(table: &Table) -> Vec<Row> {
    let (mut rows, mut batch) = (Vec::new(), Vec::new());
    for shard in 0..table.shards().len() as u32 {
        let mut shard = table.shard_rows(shard).unwrap();
        while shard.next_batch(&mut batch).unwrap() {
            rows.append(&mut batch);
        }
    }
    rows
}

pub(crate) fn edges_of(table: &Table) -> Edges {
    let mut edges = Edges::new();
    for row in rows(table) {
        assert!(edges.insert((row.key, row.mv), row.tally).is_none(), "{row:?} twice");
    }
    edges
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]
    #[test]
    fn prop_table_equals_the_map(
        threads in 1usize..5,
        chunk_kib in 1u32..600,
        spare_mib in prop::sample::select(vec![0u32, 8, 100]),
        fan_in in 2usize..5,
        shards in prop::sample::select(vec![1u32, 4, 16]),
        max_ply in prop::sample::select(vec![0u32, 10, 60]),
        once: bool,
    ) {
        let bench = Workbench::new();
        let (repeats, name) = if once { (Repeats::Once, "once") } else { (Repeats::Each, "each") };
        // With the least memory for this number of threads, a few copies of the sample spill.
        let memory_mib = 8 * (threads as u32 + 2) + spare_mib;
        let sample = fs::read(sample()).unwrap();
        bench.write("games.pgn", sample.repeat(COPIES));
        bench.ok(&format!(
            "count games.pgn -o a.table --threads {threads} --chunk-kib {chunk_kib} --memory {memory_mib}MiB --fan-in {fan_in} \
             --shards {shards} --max-ply {max_ply} --repeats {name}"
        ));
        let table = Table::open(&bench.path("a.table")).unwrap();
        let mut expected = count(&sample, max_ply, repeats);
        for tally in expected.values_mut() {
            *tally = Tally {
                white: tally.white * COPIES as u64,
                draws: tally.draws * COPIES as u64,
                black: tally.black * COPIES as u64,
            };
        }
        prop_assert_eq!(edges_of(&table), expected);
    }
}

/// The sample with Black's rating unknown in a third of its games.
fn partly_rated() -> String {
    fs::read_to_string(sample()).unwrap().replace("[BlackElo \"2500\"]", "[BlackElo \"?\"]")
}

/// Sums ratings in the simplest way: read from the tags as text, White moving first.
fn sum_ratings(text: &str, max_ply: u32, games_times: u64) -> Ratings {
    let mut replay = Replay::new(&CountingOptions { max_ply, ..CountingOptions::default() }.into());
    let mut ratings = Ratings::new();
    for piece in games(text.as_bytes(), LineEnds::of(text.as_bytes())) {
        let game = str::from_utf8(piece.text).unwrap();
        let elo = |tag| game.split_once(tag)?.1.split_once('"')?.0.parse::<u64>().ok();
        let known = elo("[WhiteElo \"").zip(elo("[BlackElo \""));
        let Verdict::Accepted { .. } = replay.game(game.as_bytes()) else { continue };
        for (ply, seen) in replay.observations().enumerate() {
            let sums = ratings.entry((seen.key(), seen.mv())).or_default();
            let Some((white, black)) = known else { continue };
            let (mover, opponent) = if ply % 2 == 0 { (white, black) } else { (black, white) };
            *sums += RatingSums {
                mover_elo: mover * games_times,
                opponent_elo: opponent * games_times,
                rated_games: games_times,
            };
        }
    }
    ratings
}

fn ratings_of(table: &Table) -> Ratings {
    rows(table).iter().map(|row| ((row.key, row.mv), row.ratings)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]
    #[test]
    fn prop_ratings_equal_the_map(
        threads in 1usize..5,
        chunk_kib in 1u32..600,
        spare_mib in prop::sample::select(vec![0u32, 100]),
        fan_in in 2usize..5,
        max_ply in prop::sample::select(vec![0u32, 10]),
    ) {
        let bench = Workbench::new();
        let memory_mib = 8 * (threads as u32 + 2) + spare_mib;
        let sample = partly_rated();
        bench.write("games.pgn", sample.repeat(COPIES));
        let how = format!("--threads {threads} --chunk-kib {chunk_kib} --memory {memory_mib}MiB --fan-in {fan_in} --max-ply {max_ply}");
        bench.ok(&format!("count games.pgn -o rated.table --ratings {how}"));
        bench.ok(&format!("count games.pgn -o plain.table --max-ply {max_ply}"));
        let [rated, plain] = ["rated.table", "plain.table"].map(|name| Table::open(&bench.path(name)).unwrap());
        prop_assert_eq!(ratings_of(&rated), sum_ratings(&sample, max_ply, COPIES as u64));
        prop_assert_eq!(edges_of(&rated), edges_of(&plain));
        prop_assert!(ratings_of(&plain).values().all(|sums| *sums == RatingSums::NONE));
    }
}

/// Writes the games of a text, cut at about this part of it, as `a.pgn` and `b.pgn`.
fn cut(bench: &Workbench, text: &str, part: usize) {
    let middle = text[text.len() / part..].find("[Event \"").unwrap() + text.len() / part;
    bench.write("a.pgn", &text[..middle]);
    bench.write("b.pgn", &text[middle..]);
}

/// `a.pgn` and `b.pgn` counted at once, in two tables merged, and in one table added to and taken from again.
fn counted_in_every_way(text: &str, flags: &str) -> Workbench {
    let bench = Workbench::new();
    cut(&bench, text, 3);
    for (inputs, table) in [("a.pgn b.pgn", "both"), ("a.pgn", "a"), ("b.pgn", "b"), ("a.pgn", "grown")] {
        bench.ok(&format!("count {inputs} -o {table}.table {flags}"));
    }
    bench.ok("merge b.table a.table -o merged.table");
    bench.ok("add grown.table b.pgn");
    let both = bench.part_bytes("both.table");
    assert!(both == bench.part_bytes("merged.table"));
    assert!(both == bench.part_bytes("grown.table"));
    bench.ok("subtract grown.table b.pgn");
    assert!(bench.part_bytes("a.table") == bench.part_bytes("grown.table"));
    bench.ok("verify grown.table merged.table");
    bench
}

/// Games are added to a table as it was counted: ratings are added and taken out with the games, and never
/// mixed.
#[test]
fn tables_with_ratings_stay_so() {
    let bench = counted_in_every_way(&partly_rated(), "--ratings --by speed");
    bench.ok("count b.pgn -o plain.table --by speed");
    let refused = bench.fails("merge a.table plain.table -o mixed.table", 1);
    assert!(refused.contains("plain.table: ratings is false, but in a.table it is true"), "{refused}");
    bench.assert_fails("merge a.table plain.table -o mixed.table --drop-groups", 1, ["ratings"]);
    bench.ok("count b.pgn -o month.table --by month --ratings");
    bench.assert_fails("merge a.table month.table -o mixed.table", 1, ["--drop-groups sums them first"]);
}

/// The sample cut in two files: the artefacts do not depend on order, threads, chunks, memory or packing.
#[test]
fn artefacts_are_the_same_bytes_however_they_are_made() {
    let bench = Workbench::new();
    cut(&bench, &fs::read_to_string(sample()).unwrap(), 2);
    let make = |name: &str, inputs: &str, how: &str| {
        let outputs = format!("-o {name}.tabia --table {name}.table --polyglot {name}.bin");
        bench.ok(&format!("build {inputs} {outputs} --min-games 2 --max-ply 0 {how}"));
        (
            bench.part_bytes(&format!("{name}.table")),
            bench.read(&format!("{name}.tabia")),
            bench.read(&format!("{name}.bin")),
            bench.read(&format!("{name}.table/_manifest.json")),
        )
    };
    let first = make("one", "a.pgn b.pgn", "--threads 1");
    assert!(first == make("two", "b.pgn a.pgn", "--threads 3 --chunk-kib 3 --memory 40MiB --fan-in 2"));
    assert!(first == make("three", ".", "--threads 2 --memory 1GiB"));
}

/// What is counted at once, in two tables merged, and in one table added to, is the same table; taking games
/// out undoes adding them.
#[test]
fn tables_add_and_subtract_without_loss() {
    let bench = counted_in_every_way(&fs::read_to_string(sample()).unwrap(), "");
    bench.assert_fails("add both.table a.pgn", 1, ["a.pgn", "--force"]);
    bench.assert_fails("subtract a.table b.pgn", 1, [" games (White won/drawn/Black won) that play "]);
    assert!(
        bench.part_bytes("a.table") == bench.part_bytes("grown.table"),
        "a refused subtraction changes nothing"
    );
}

/// A book compacted from a table is the book built at once; its leaves are exactly the positions that kept
/// moves lead to.
#[test]
fn compacted_and_built_books_are_one() {
    let bench = Workbench::new();
    let pgn = sample();
    let filter = "--min-games 3 --min-score white=0.4,black=0.35 --top 3";
    bench.ok(&format!("build {} -o built.tabia {filter}", pgn.display()));
    bench.ok(&format!("count {} -o games.table", pgn.display()));
    bench.ok(&format!("compact games.table -o compacted.tabia {filter}"));
    assert!(bench.read("built.tabia") == bench.read("compacted.tabia"));
    check_leaves(&bench, "games.table", "compacted.tabia");
}

/// Walks the book from the start position along kept moves: everything they lead to is in it, with the
/// table's tally.
fn check_leaves(bench: &Workbench, table: &str, book: &str) {
    let table = Table::open(&bench.path(table)).unwrap();
    let book = book::Book::open(&bench.path(book)).unwrap();
    let mut totals: BTreeMap<Key, Tally> = BTreeMap::new();
    for ((key, _), tally) in edges_of(&table) {
        *totals.entry(key).or_default() += tally;
    }
    let steps: BTreeMap<_, _> = rows(&table).iter().map(|row| ((row.key, row.mv), row.step)).collect();
    let entries: Vec<_> = book.iter().collect::<Result<_, _>>().unwrap();
    let led_to: std::collections::BTreeSet<Key> = entries
        .iter()
        .flat_map(|entry| {
            entry.edges.iter().map(|edge| steps[&(entry.key, edge.mv)].child(entry.key, edge.mv))
        })
        .collect();
    assert!(led_to.iter().all(|key| entries.binary_search_by_key(key, |entry| entry.key).is_ok()));
    for entry in &entries {
        assert_eq!(entry.tally, totals[&entry.key]);
        assert!(!entry.edges.is_empty() || led_to.contains(&entry.key), "a leaf nothing leads to");
    }
}
