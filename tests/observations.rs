//! `export games --observations`: the moves of games as rows, against a replay and against counts.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    path::PathBuf,
};

use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::RowAccessor,
};
use pgn::{
    input::{LineEnds, PieceKind, games},
    replay::{CountingOptions, Replay},
    verdict::Verdict,
};
use position::{Key, Outcome, PackedMove, Tally};
use shakmaty::{CastlingMode, Chess, Position as _};

use crate::workbench::{Workbench, sample};

/// A row: game, ply, key, move, UCI, result.
type Observation = (i64, i32, Key, PackedMove, String, String);

/// The files of a folder of the export `games`, in order.
fn parts(bench: &Workbench, folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(bench.path("games").join(folder)).unwrap();
    let mut parts: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    parts.sort();
    parts
}

fn observations(bench: &Workbench) -> Vec<Observation> {
    let rows = |path| {
        let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
        let rows = reader.get_row_iter(None).unwrap().map(Result::unwrap);
        rows.map(|row| {
            let text = |column| row.get_string(column).unwrap().clone();
            let (key, mv) = (Key(row.get_ulong(2).unwrap()), PackedMove(row.get_ushort(3).unwrap()));
            (row.get_long(0).unwrap(), row.get_int(1).unwrap(), key, mv, text(4), text(5))
        })
        .collect::<Vec<_>>()
    };
    parts(bench, "observations").into_iter().flat_map(rows).collect()
}

/// The moves of a text's games, in the simplest way.
fn replayed(text: &[u8]) -> Vec<Observation> {
    let options = CountingOptions { max_ply: 0, ..CountingOptions::default() };
    let (mut replay, mut rows, mut game) = (Replay::new(&options.into()), Vec::new(), 0);
    for piece in games(text, LineEnds::of(text)).filter(|piece| piece.kind == PieceKind::Game) {
        let Verdict::Accepted { .. } = replay.game(piece.text) else { continue };
        game += 1;
        let mut board = Chess::default();
        let played = replay.observations().filter(|seen| !seen.mv().is_terminal());
        for (ply, seen) in (0..).zip(played) {
            let mv = seen.mv().unpack(&board).unwrap();
            let uci = mv.to_uci(CastlingMode::Standard).to_string();
            board.play_unchecked(mv);
            let outcome = Outcome::ALL[seen.outcome_index()].to_string();
            rows.push((game, ply, seen.key(), seen.mv(), uci, outcome));
        }
    }
    rows
}

#[test]
fn observations_are_the_moves_of_a_replay_and_the_same_bytes_for_any_threads() {
    let bench = Workbench::with_sample();
    let mut first: Option<[Vec<Vec<u8>>; 2]> = None;
    for how in ["-j 1", "-j 3 --chunk-kib 7", "-j 2 --memory 32MiB"] {
        bench
            .ok(&format!("export games sample.pgn -o games --observations --games-a-part 500 --force {how}"));
        let paths = ["games", "observations"].map(|folder| parts(&bench, folder));
        assert!(paths[0].len() > 1 && paths[0].len() == paths[1].len());
        let written = paths.map(|paths| paths.into_iter().map(|path| fs::read(path).unwrap()).collect());
        assert!(written == *first.get_or_insert_with(|| written.clone()), "{how}");
    }
    let expected = replayed(&fs::read(sample()).unwrap());
    let found = observations(&bench);
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
}

#[test]
fn observations_add_up_to_the_rows_of_a_count() {
    let bench = Workbench::with_sample();
    let summary = bench.json("export games sample.pgn -o games --observations");
    let rows = observations(&bench);
    assert_eq!(summary["exported"]["observations"], rows.len());
    let mut sums: BTreeMap<(Key, PackedMove), Tally> = BTreeMap::new();
    for (_, _, key, mv, _, result) in rows {
        let outcome = Outcome::ALL.into_iter().find(|outcome| outcome.to_string() == result).unwrap();
        *sums.entry((key, mv)).or_default() += Tally::one(outcome);
    }
    bench.ok("count sample.pgn -o whole.table --max-ply 0");
    let table = table::Table::open(&bench.path("whole.table")).unwrap();
    let mut counted = crate::oracle::edges_of(&table);
    counted.retain(|(_, mv), _| !mv.is_terminal());
    assert!(sums == counted, "{} edges, {} counted", sums.len(), counted.len());
}

#[test]
fn a_failed_export_leaves_no_observations() {
    let bench = Workbench::with("games.pgn", "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n");
    bench.fails("export games games.pgn missing.pgn -o games --observations", 1);
    bench.fails("export games games.pgn -o games --observations --without key,nothing", 2);
    assert_eq!(bench.names(), ["games.pgn"]);
}
