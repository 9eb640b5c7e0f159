//! Small tables to test with.

use std::{collections::BTreeMap, path::Path};

use position::{Group, Key, PackedMove, RatingBand, Speed, Step, Tally};
use proptest::prelude::*;
use shakmaty::Color;

use crate::{CountedInput, Counting, Groups, RatingSums, Result, Row, Table, TableWriter};

pub(super) const ALL_GROUPS: Groups =
    Groups { speed: true, rating_band: true, month: true, player_color: true };

/// A row of a position, a move and three counts.
pub(super) fn row(key: u64, mv: u16, [white, draws, black]: [u64; 3]) -> Row {
    Row {
        key: Key(key),
        mv: PackedMove(mv),
        step: Step(mv ^ 0x8000),
        tally: Tally { white, draws, black },
        ..Row::default()
    }
}

/// Rows from all over the key range, in order.
pub(super) fn spread_rows(count: u64) -> Vec<Row> {
    (0..count).map(|n| row(n * (u64::MAX / count.max(1)), (n % 7) as u16, [n % 3, n % 2, 1])).collect()
}

pub(super) fn source(name: &str, hash: u64) -> CountedInput {
    CountedInput {
        name: name.to_owned(),
        xxh3: crate::hex::digits(hash),
        accepted: 10,
        games: 10,
        ..CountedInput::default()
    }
}

/// Writes ascending rows as a table of `shards` shards, pushed in batches of `batch`.
pub(super) fn write(
    path: &Path,
    counting: Counting,
    shards: u32,
    batch: usize,
    rows: &[Row],
) -> Result<Table> {
    let writer = TableWriter::create(path, counting, shards, false)?;
    let mut infos = Vec::new();
    // The last shard first: their order is free.
    for shard in (0..shards).rev() {
        let (first, last) = writer.key_range(shard);
        let mut shard_writer = writer.shard(shard)?;
        let ours = rows.partition_point(|row| row.key < first)..rows.partition_point(|row| row.key <= last);
        for rows in rows[ours].chunks(batch) {
            shard_writer.push_batch(rows)?;
        }
        infos.push(shard_writer.finish()?);
    }
    let name = path.file_name().unwrap().to_str().unwrap();
    writer.finish(infos, vec![source(name, xxhash_rust::xxh3::xxh3_64(name.as_bytes()))])
}

/// All rows of a table, in order.
pub(super) fn read(table: &Table) -> Vec<Row> {
    let (mut all, mut batch) = (Vec::new(), Vec::new());
    for shard in 0..table.shards().len() as u32 {
        let mut rows = table.shard_rows(shard).unwrap();
        while rows.next_batch(&mut batch).unwrap() {
            all.extend_from_slice(&batch);
        }
    }
    all
}

/// The bytes of all part files.
pub(super) fn part_bytes(table: &Table) -> Vec<Vec<u8>> {
    table.shards().iter().map(|shard| std::fs::read(table.path().join(&shard.part)).unwrap()).collect()
}

/// Any group of the dimensions in `groups`.
pub(super) fn any_group(groups: Groups) -> impl Strategy<Value = Group> {
    let speed = prop::option::of(prop::sample::select(Speed::ALL));
    let band = prop::option::of((0_u16..4000).prop_map(RatingBand::of_mean));
    let month = prop::option::of((0_u16..4096, 1_u8..=12));
    let color = prop::option::of(prop::sample::select(&Color::ALL[..]));
    (speed, band, month, color).prop_map(move |(speed, band, month, color)| {
        Group::NONE
            .with_speed(speed.filter(|_| groups.speed))
            .with_rating_band(band.filter(|_| groups.rating_band))
            .with_month(month.filter(|_| groups.month))
            .with_player_color(color.filter(|_| groups.player_color))
    })
}

/// Ascending rows, some of them with a key in common.
pub(super) fn any_rows(groups: Groups) -> impl Strategy<Value = Vec<Row>> {
    let key = prop_oneof![any::<u64>(), (0_u64..8).prop_map(|n| n << 61), Just(u64::MAX)];
    let count = prop_oneof![4 => 0_u64..3, 1 => 0..100_000_u64, 1 => Just(1 << 40)];
    let counts = prop::array::uniform3(count);
    let any_row = (key, 0_u16..40, any_group(groups), counts);
    prop::collection::vec(any_row, 0..80).prop_map(|rows| {
        let rows = rows.into_iter().map(|(key, mv, group, counts)| Row { group, ..row(key, mv, counts) });
        let by_id: BTreeMap<u128, Row> = rows.map(|row| (row.id(), row)).collect();
        by_id.into_values().collect()
    })
}

/// Options that count with ratings.
pub(super) fn rated() -> Counting {
    Counting { ratings: true, ..Counting::default() }
}

/// The rows with ratings: of none of their games, of some or of all, as `seed` decides.
pub(super) fn with_ratings(rows: Vec<Row>, seed: u64) -> Vec<Row> {
    let rated = |mut row: Row| {
        let number = xxhash_rust::xxh3::xxh3_64_with_seed(&row.id().to_le_bytes(), seed);
        let rated_games = row.tally.games() * (number % 3) / 2;
        let elo = |bits: u32| rated_games * (1 + (number >> bits) % 9999);
        row.ratings = RatingSums { mover_elo: elo(8), opponent_elo: elo(32), rated_games };
        row
    };
    rows.into_iter().map(rated).collect()
}

/// Does what [`any_rows`] does, with ratings.
pub(super) fn any_rated_rows(groups: Groups) -> impl Strategy<Value = Vec<Row>> {
    (any_rows(groups), any::<u64>()).prop_map(|(rows, seed)| with_ratings(rows, seed))
}
