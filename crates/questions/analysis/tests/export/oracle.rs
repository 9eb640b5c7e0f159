//! An export equals what maps in memory and shakmaty make of the same edges, for all settings.

use std::collections::{BTreeMap, HashMap};

use analysis::{ExportOptions, KeyType};
use position::{Key, PackedMove, Step, Tally};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, fen::Epd, san::SanPlus};

use crate::fixture::{Exported, MemoryEdges, Record, export, key, number, real, text, with_fen};

/// The ply of a position and the way there.
struct Known {
    position: Chess,
    ply: i64,
}

/// Walks the maps breadth first.
fn walk(edges: &MemoryEdges) -> HashMap<Key, Known> {
    let mut moves = BTreeMap::<Key, Vec<PackedMove>>::new();
    for row in &edges.rows {
        moves.entry(row.key).or_default().push(row.mv);
    }
    let mut known = HashMap::new();
    let mut frontier = vec![Chess::default()];
    for ply in 0.. {
        let mut next = Vec::new();
        for position in std::mem::take(&mut frontier) {
            let at = Key::of(&position);
            let Some(moves) = moves.get(&at).filter(|_| !known.contains_key(&at)) else { continue };
            let legal = moves.iter().filter_map(|mv| mv.unpack(&position));
            next.extend(legal.map(|m| position.clone().play(m).unwrap()));
            known.insert(at, Known { position, ply });
        }
        if next.is_empty() {
            break;
        }
        frontier = next;
    }
    known
}

/// The most played edge that leads to each position from one a ply nearer to the start.
fn parents(edges: &MemoryEdges, known: &HashMap<Key, Known>) -> HashMap<Key, (Key, PackedMove)> {
    let mut games = BTreeMap::<(Key, PackedMove), u64>::new();
    for row in edges.rows.iter().filter(|row| !row.mv.is_terminal()) {
        *games.entry((row.key, row.mv)).or_default() += row.tally.games();
    }
    let mut best = HashMap::<Key, (u64, Key, PackedMove)>::new();
    for ((from, mv), games) in games {
        let Some(Known { position, ply }) = known.get(&from) else { continue };
        let child = Key::of(&position.clone().play(mv.unpack(position).unwrap()).unwrap());
        if known.get(&child).is_none_or(|known| known.ply != ply + 1) {
            continue;
        }
        let first = best.entry(child).or_insert((games, from, mv));
        if games > first.0 {
            *first = (games, from, mv);
        }
    }
    best.into_iter().map(|(child, (_, from, mv))| (child, (from, mv))).collect()
}

fn check_positions(edges: &MemoryEdges, known: &HashMap<Key, Known>, rows: &[Record]) {
    let mut tallies = BTreeMap::<Key, Tally>::new();
    for row in &edges.rows {
        *tallies.entry(row.key).or_default() += row.tally;
    }
    assert_eq!(rows.len(), tallies.len());
    let parents = parents(edges, known);
    for row in rows {
        let at = key(&row["key"]).unwrap();
        let tally = tallies[&at];
        let counts =
            ["games", "white", "draws", "black"].map(|name| number(&row[name]).unwrap().cast_unsigned());
        assert_eq!(counts, [tally.games(), tally.white, tally.draws, tally.black]);
        let Some(Known { position, ply }) = known.get(&at) else {
            let nulls = ["fen", "epd", "ply", "eco", "opening", "parent_key", "parent_move"];
            assert!(nulls.iter().all(|name| row[*name] == parquet::record::Field::Null), "{row:?}");
            continue;
        };
        let epd = Epd::from_position(position, EnPassantMode::Legal).to_string();
        assert_eq!(text(&row["epd"]), Some(epd.as_str()));
        assert_eq!(text(&row["fen"]), Some(format!("{epd} 0 {}", ply / 2 + 1).as_str()));
        assert_eq!(number(&row["ply"]), Some(*ply));
        assert_eq!(text(&row["turn"]), Some(position.turn().fold_wb("white", "black")));
        let parent = parents.get(&at);
        assert_eq!(key(&row["parent_key"]), parent.map(|(from, _)| *from), "parent of {at}");
        assert_eq!(number(&row["parent_move"]), parent.map(|(_, mv)| i64::from(mv.0)));
    }
}

fn check_moves(edges: &MemoryEdges, known: &HashMap<Key, Known>, rows: &[Record]) {
    let mut written = BTreeMap::new();
    for row in rows {
        let id = (key(&row["key"]).unwrap(), number(&row["move"]).unwrap());
        assert!(written.insert(id, row).is_none(), "{id:?} comes twice");
    }
    let wanted: Vec<_> = edges.rows.iter().filter(|row| !row.mv.is_terminal()).collect();
    assert_eq!(written.len(), wanted.len());
    for wanted in wanted {
        let row = written[&(wanted.key, i64::from(wanted.mv.0))];
        let tally = wanted.tally;
        let counts =
            ["games", "white", "draws", "black"].map(|name| number(&row[name]).unwrap().cast_unsigned());
        assert_eq!(counts, [tally.games(), tally.white, tally.draws, tally.black]);
        assert_eq!(real(&row["score"]), tally.score(wanted.step.mover()));
        assert_eq!(key(&row["child_key"]), Some(wanted.step.child(wanted.key, wanted.mv)));
        let Some(Known { position, .. }) = known.get(&wanted.key) else {
            assert_eq!(text(&row["san"]), None);
            assert_eq!(text(&row["uci"]), Some(wanted.mv.to_string().as_str()));
            continue;
        };
        let m = wanted.mv.unpack(position).unwrap();
        assert_eq!(text(&row["san"]), Some(SanPlus::from_move(position.clone(), m).to_string().as_str()));
        assert_eq!(text(&row["uci"]), Some(m.to_uci(CastlingMode::Standard).to_string().as_str()));
    }
}

fn check(edges: &MemoryEdges, exported: &Exported) {
    let known = walk(edges);
    check_positions(edges, &known, &exported.read("positions"));
    check_moves(edges, &known, &exported.read("moves"));
    let report = &exported.report;
    let unreached = edges.rows.iter().filter(|row| !known.contains_key(&row.key));
    assert_eq!(report.unreached_moves, unreached.filter(|row| !row.mv.is_terminal()).count() as u64);
    assert_eq!(report.unreached_positions, report.positions - known.len() as u64);
    assert_eq!(i64::from(report.plies), known.values().map(|known| known.ply).max().unwrap());
    assert_eq!(report.illegal_edges, 0);
}

#[test]
fn an_export_is_the_oracles() {
    let edges = MemoryEdges::of_games(300, false);
    for shards in [1, 2, 16, 256] {
        check(&edges.in_shards(shards), &export(&edges.in_shards(shards), &with_fen()));
    }
}

#[test]
fn edges_without_steps_give_the_same() {
    let edges = MemoryEdges::of_games(200, false);
    let mut without = edges.clone();
    for row in &mut without.rows {
        row.step = Step::terminal(row.step.mover());
    }
    let options = ExportOptions::default();
    assert!(export(&without, &options).bytes() == export(&edges, &options).bytes());
}

#[test]
fn positions_that_no_walk_reaches_keep_their_counts() {
    let edges = MemoryEdges::with_games_from_elsewhere(60);
    let exported = export(&edges, &with_fen());
    assert!(exported.report.unreached_positions > 100);
    check(&edges, &exported);
}

#[test]
fn signed_keys_are_the_same_bits() {
    let edges = MemoryEdges::of_games(50, false);
    for shards in [1, 4] {
        let options = ExportOptions { key_type: KeyType::I64, ..with_fen() };
        check(&edges.in_shards(shards), &export(&edges.in_shards(shards), &options));
    }
}

#[test]
fn bytes_do_not_depend_on_threads_or_memory() {
    let edges = MemoryEdges::of_games(400, true);
    let one = export(&edges, &ExportOptions::default()).bytes();
    for (threads, memory_bytes) in [(1, 0), (3, 0), (4, 1 << 20)] {
        let options = ExportOptions { threads, memory_bytes, ..ExportOptions::default() };
        assert!(export(&edges, &options).bytes() == one, "{threads} threads, {memory_bytes} bytes");
    }
}

#[test]
fn no_edges_are_an_export_too() {
    let exported = export(&MemoryEdges { shards: 2, ..MemoryEdges::default() }, &ExportOptions::default());
    for folder in ["moves", "positions", "openings"] {
        assert_eq!(exported.read(folder), []);
        assert!(exported.path().join(folder).join("part-00000.parquet").is_file());
    }
}

#[test]
fn openings_are_the_named_positions() {
    let edges = MemoryEdges::of_games(400, false);
    let exported = export(&edges, &ExportOptions::default());
    let (openings, positions) = (exported.read("openings"), exported.read("positions"));
    let named: Vec<_> = positions.iter().filter(|row| text(&row["eco"]).is_some()).collect();
    assert!(named.len() > 20, "{}", named.len());
    assert_eq!(openings.len() as u64, exported.report.openings);
    assert_eq!(openings.len(), named.len());
    for (opening, position) in openings.iter().zip(named) {
        assert_eq!(opening["key"], position["key"]);
        assert_eq!(opening["eco"], position["eco"]);
        assert_eq!(opening["name"], position["opening"]);
    }
    let e4 = Key(0x823c_9b50_fd11_4196);
    let name = openings.iter().find(|row| key(&row["key"]) == Some(e4)).map(|row| text(&row["name"]));
    assert_eq!(name, Some(Some("King's Pawn Game")));
}
