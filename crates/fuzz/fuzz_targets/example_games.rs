//! Any bytes as the entries of `_examples` in a table whose checksums are right: opened, verified, asked for
//! the games of a position, or refused. The first two bytes say where the games begin.

#![no_main]

use std::{fs, path::Path, sync::LazyLock};

use libfuzzer_sys::fuzz_target;
use position::{Key, PackedMove, Tally};
use query::{Artefact, GamesFilter};
use shakmaty::Chess;
use table::{
    Counting, ExampleGame, ExampleRule, GameId, MANIFEST_NAME, MoveExamples, RankedGame, Row, TableWriter,
};
use tempfile::TempDir;
use xxhash_rust::xxh3::xxh3_64;

const FILES: [&str; 2] = ["moves", "games"];

/// A table of one row with one example.
static MADE: LazyLock<TempDir> = LazyLock::new(|| {
    let folder = TempDir::new().expect("a temporary folder");
    let mut writer =
        TableWriter::create(&folder.path().join("made"), Counting::default(), 1, false).expect("a table");
    let e4 = PackedMove(796);
    let mut part = writer.shard(0).expect("a part");
    let tally = Tally { white: 1, ..Tally::default() };
    part.push(&Row { key: Key::START, mv: e4, tally, ..Row::default() }).expect("one row");
    let shards = vec![part.finish().expect("a part")];
    let mut examples = writer.examples(ExampleRule { per_row: 1, min_games: 1 }).expect("a folder");
    let ranked = RankedGame { elos: 4000, date: 20_130_501, id: GameId(7) };
    let row = MoveExamples::new((e4, position::Group::NONE), true, vec![ranked], 1);
    examples.push(Key::START, row).expect("one example");
    let game = ExampleGame::new(table::HEADERS, position::Outcome::White, &[e4]);
    let info =
        examples.finish::<table::Error>(1, |ids, games| ids.iter().try_for_each(|&id| games.push(id, &game)));
    writer = writer.with_examples(Some(info.expect("two files")));
    writer.finish(shards, Vec::new()).expect("a table");
    folder
});

fuzz_target!(init: fuzz::pass_panics_of_parquet(), |data: &[u8]| {
    let Some((&[low, high], data)) = data.split_first_chunk() else { return };
    let middle = usize::from(u16::from_le_bytes([low, high])).min(data.len());
    let Ok(folder) = TempDir::new() else { return };
    if written(folder.path(), data.split_at(middle)).is_none() {
        return;
    }
    let Ok(artefact) = Artefact::open(folder.path()) else { return };
    let _ = query::verify(&artefact, 1, &std::sync::atomic::AtomicBool::new(false));
    let asked = query::example_games(&artefact, &Chess::default(), &GamesFilter::default(), (8, 8));
    let Ok(Some(games)) = asked else { return };
    for game in games.top.iter().chain(&games.recent) {
        let _ = query::example_pgn(&artefact, &game.id);
    }
});

/// Writes the table anew with these entries in the files of its examples.
fn written(folder: &Path, (moves, games): (&[u8], &[u8])) -> Option<()> {
    let made = MADE.path().join("made");
    fs::create_dir(folder.join("_examples")).ok()?;
    fs::copy(made.join("part-00000.parquet"), folder.join("part-00000.parquet")).ok()?;
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(made.join(MANIFEST_NAME)).ok()?).ok()?;
    for (name, entries) in FILES.into_iter().zip([moves, games]) {
        let (bytes, info) = file_of(entries)?;
        fs::write(folder.join("_examples").join(name), bytes).ok()?;
        manifest["examples"][name] = info;
    }
    manifest.as_object_mut()?.remove("xxh3");
    let body = serde_json::to_string_pretty(&manifest).ok()?;
    let body = format!("{},\n  \"xxh3\": \"", body.strip_suffix("\n}")?);
    let checksum = xxh3_64(format!("{body}0000000000000000\"\n}}\n").as_bytes());
    fs::write(folder.join(MANIFEST_NAME), format!("{body}{checksum:016x}\"\n}}\n")).ok()
}

/// A file of one block with these entries, and what the manifest says of it.
fn file_of(entries: &[u8]) -> Option<(Vec<u8>, serde_json::Value)> {
    let block = zstd::bulk::compress(entries, 1).ok()?;
    let first = entries.first_chunk().map_or(0, |first| u64::from_le_bytes(*first));
    let index = postcard::to_extend(&[(first, block.len() as u32, xxh3_64(&block))][..], Vec::new()).ok()?;
    let index = zstd::bulk::compress(&index, 1).ok()?;
    let info = serde_json::json!({
        "entries": 1,
        "bytes": block.len() + index.len(),
        "index_at": block.len(),
        "xxh3": format!("{:016x}", xxh3_64(&index)),
    });
    Some(([block, index].concat(), info))
}
