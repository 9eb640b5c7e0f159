//! Games made up by a fixed sequence of numbers, their edges, and exports read back.

use std::{
    collections::BTreeMap,
    error, fmt,
    fs::{self, File},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::LazyLock,
};

use analysis::{ExportOptions, ExportReport, Extras};
use openings::Openings;
use parquet::{
    file::reader::{FileReader, SerializedFileReader},
    record::Field,
};
use position::{Board, Group, Key, Outcome, PackedMove, RatingBand, RatingSums, Speed, Step, Tally};
use shakmaty::{Position as _, san::San};
use table::{BoxedRows, Counting, Groups, Row, RowBatches, SortedRows};

/// The error of rows that are not read in a test.
#[derive(Debug)]
pub(crate) struct Refused;

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the disk is gone")
    }
}

impl error::Error for Refused {}

impl fault::Failure for Refused {}

/// Numbers that look random and are the same every time (`SplitMix64`).
pub(crate) struct Numbers(u64);

impl Numbers {
    /// The next number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % end as u64) as usize
    }
}

/// Edges in memory.
#[derive(Clone, Default)]
pub(crate) struct MemoryEdges {
    pub(crate) shards: u32,
    pub(crate) counting: Counting,
    pub(crate) rows: Vec<Row>,
}

/// How rows are summed.
type Sums = BTreeMap<(Key, PackedMove, Group), (Step, Tally)>;

impl MemoryEdges {
    /// The edges of `games` made-up games of at most 60 plies, from the start position.
    pub(crate) fn of_games(games: usize, grouped: bool) -> Self {
        let (mut numbers, mut sums) = (Numbers(games as u64), Sums::new());
        for _ in 0..games {
            play(Board::start(), &mut numbers, grouped, &mut sums);
        }
        Self::of_sums(sums, grouped)
    }

    /// The same, and games from a position that no game from the start reaches.
    pub(crate) fn with_games_from_elsewhere(games: usize) -> Self {
        let (mut numbers, mut sums) = (Numbers(games as u64), Sums::new());
        for _ in 0..games {
            play(Board::start(), &mut numbers, false, &mut sums);
            let elsewhere = Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").unwrap();
            play(elsewhere, &mut numbers, false, &mut sums);
        }
        Self::of_sums(sums, false)
    }

    fn of_sums(sums: Sums, grouped: bool) -> Self {
        let row = |((key, mv, group), (step, tally)): (_, (Step, Tally))| {
            let games = tally.games();
            let ratings =
                RatingSums { mover_elo: 1500 * games, opponent_elo: 1600 * games, rated_games: games };
            Row { key, mv, group, step, tally, ratings: if grouped { ratings } else { RatingSums::NONE } }
        };
        let groups = Groups { speed: grouped, rating_band: grouped, month: grouped, player_color: false };
        let counting = Counting { groups, ratings: grouped, ..Counting::default() };
        Self { shards: 4, counting, rows: sums.into_iter().map(row).collect() }
    }

    pub(crate) fn in_shards(&self, shards: u32) -> Self {
        Self { shards, ..self.clone() }
    }
}

impl SortedRows for MemoryEdges {
    fn shards(&self) -> u32 {
        self.shards
    }

    fn counting(&self) -> &Counting {
        &self.counting
    }

    fn shard(&self, shard: u32) -> fault::Result<BoxedRows<'_>> {
        let of = |row: &Row| row.key.0.checked_shr(64 - self.shards.trailing_zeros()).unwrap_or(0);
        let first = self.rows.partition_point(|row| of(row) < u64::from(shard));
        let end = self.rows.partition_point(|row| of(row) <= u64::from(shard));
        Ok(Box::new(MemoryShard(Vec::from(&self.rows[first..end]).into_iter())))
    }
}

/// Gives seven rows at a time, so that positions cross batches.
struct MemoryShard(std::vec::IntoIter<Row>);

impl RowBatches for MemoryShard {
    fn next_batch(&mut self, rows: &mut Vec<Row>) -> fault::Result<bool> {
        rows.clear();
        rows.extend(self.0.by_ref().take(7));
        Ok(!rows.is_empty())
    }
}

fn play(mut board: Board, numbers: &mut Numbers, grouped: bool, sums: &mut Sums) {
    let plies = 5 + numbers.below(56);
    let outcome = Outcome::ALL[numbers.below(3)];
    let group = if grouped { group(numbers) } else { Group::NONE };
    let mut count = |key, mv, step| {
        let sum = sums.entry((key, mv, group)).or_insert((step, Tally::default()));
        sum.1 += Tally::one(outcome);
    };
    for _ in 0..plies {
        let position = board.position();
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        // The move is often one of the first few, so that games transpose and repeat positions.
        let choices = if numbers.below(3) > 0 { moves.len().min(3) } else { moves.len() };
        let key = board.key();
        let ply = board.play_san(&San::from_move(&position, moves[numbers.below(choices)])).unwrap();
        count(key, ply.mv, ply.step);
    }
    count(board.key(), PackedMove::TERMINAL, Step::terminal(board.turn()));
}

fn group(numbers: &mut Numbers) -> Group {
    let month = match numbers.below(4) {
        0 => None,
        month => Some((2013, month as u8)),
    };
    Group::NONE
        .with_speed([None, Some(Speed::Blitz), Some(Speed::Bullet)][numbers.below(3)])
        .with_rating_band(Some(RatingBand::of_mean([900, 2100][numbers.below(2)])))
        .with_month(month)
}

/// A row as it is in a file.
pub(crate) type Record = BTreeMap<String, Field>;

/// An export in a folder that vanishes.
pub(crate) struct Exported {
    pub(crate) dir: tempfile::TempDir,
    pub(crate) report: ExportReport,
}

/// Options with the column that is written only on request.
pub(crate) fn with_fen() -> ExportOptions {
    ExportOptions { with: vec!["fen".to_owned()], ..ExportOptions::default() }
}

/// Extras with the bundled names, and without experience.
pub(crate) fn plain() -> Extras<'static> {
    static OPENINGS: LazyLock<Openings> = LazyLock::new(Openings::bundled);
    Extras { openings: &OPENINGS, experience: None, evaluations: None, examples: None }
}

/// Exports with the bundled names.
pub(crate) fn export(edges: &MemoryEdges, options: &ExportOptions) -> Exported {
    export_with(edges, plain(), options).unwrap()
}

/// Exports to `out` in a new folder.
pub(crate) fn export_with(
    edges: &MemoryEdges,
    extras: Extras<'_>,
    options: &ExportOptions,
) -> analysis::Result<Exported> {
    let dir = tempfile::tempdir().unwrap();
    let (report, prepared) =
        analysis::prepare_export(edges, extras, options, &dir.path().join("out"), &|_| {
            ControlFlow::Continue(())
        })?;
    prepared.publish()?;
    Ok(Exported { dir, report })
}

impl Exported {
    pub(crate) fn path(&self) -> PathBuf {
        self.dir.path().join("out")
    }

    /// All rows of a folder, in the order of its files' names.
    pub(crate) fn read(&self, folder: &str) -> Vec<Record> {
        files(&self.path().join(folder)).iter().flat_map(|path| read(path)).collect()
    }

    /// Every file's path and bytes.
    pub(crate) fn bytes(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let root = self.path();
        let relative =
            |path: PathBuf| (path.strip_prefix(&root).unwrap().to_owned(), fs::read(&path).unwrap());
        files(&root).into_iter().map(relative).collect()
    }
}

/// The files below a folder, by path.
pub(crate) fn files(dir: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { found.extend(files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// The rows of a file.
pub(crate) fn read(path: &Path) -> Vec<Record> {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().into_columns().into_iter().collect()).collect()
}

pub(crate) fn number(field: &Field) -> Option<i64> {
    match *field {
        Field::Null => None,
        Field::ULong(value) => Some(value.cast_signed()),
        Field::Long(value) => Some(value),
        Field::Int(value) => Some(value.into()),
        Field::Short(value) => Some(value.into()),
        Field::UShort(value) => Some(value.into()),
        ref other => panic!("{other:?} is no integer"),
    }
}

pub(crate) fn key(field: &Field) -> Option<Key> {
    number(field).map(|key| Key(key.cast_unsigned()))
}

pub(crate) fn text(field: &Field) -> Option<&str> {
    match field {
        Field::Null => None,
        Field::Str(text) => Some(text),
        other => panic!("{other:?} is no text"),
    }
}

pub(crate) fn real(field: &Field) -> Option<f64> {
    match *field {
        Field::Null => None,
        Field::Float(value) => Some(value.into()),
        Field::Double(value) => Some(value),
        ref other => panic!("{other:?} is not a number"),
    }
}
