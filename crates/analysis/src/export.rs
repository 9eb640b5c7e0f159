//! Writes `moves/`, `positions/` and `openings/`.

mod report;

use std::path::Path;

use openings::Openings;
use output::{Existing, OutputFolder, Prepared};
use position::Key;
use shakmaty::Chess;
use table::SortedRows;

pub use self::report::Report;
use self::report::{ShardReport, manifest};
use crate::{
    Error, ExportOptions, LookUp, MARKER, Result,
    batch::Cell,
    column::{Spec, check_without},
    epd::Shown,
    month::MoveFiles,
    moves::{self, MoveRows},
    part::{PartInfo, PartWriter, ShardParts},
    positions::{self, Parent, PositionRow, Reached},
    shards::{OnProgress, Work, for_each_shard},
    stream::{self, GroupedPosition, child},
    walk::{Lookup, RecordWriter, SortedRecords, Walk, sorter},
};

/// What to export with the counts.
#[derive(Clone, Copy)]
pub struct Extras<'x> {
    /// The names of positions.
    pub openings: &'x Openings,
    /// What was learned or set for an edge.
    pub experience: Option<&'x LookUp<'x>>,
}

/// One export under way.
struct Export<'x, E> {
    edges: &'x E,
    options: &'x ExportOptions,
    extras: Extras<'x>,
    work: Work<'x>,
    output: OutputFolder,
}

/// Writes the folders `moves`, `positions` and `openings` and `export.json` into a folder that appears at
/// `output` when it is whole. The same edges give the same bytes, whatever the threads and the memory.
///
/// # Memory
///
/// [`ExportOptions::memory_bytes`] for sorting; on top, for each thread, a row group of each file being
/// written (about 20 MB) and the rows of one position; one bit a position.
///
/// # Disk
///
/// In the temporary directory 12 bytes an edge, and what does not fit the memory: up to 40 bytes
/// an edge and 40 a position.
///
/// # Errors
///
/// If an option is wrong, something is at the output's place and may not be replaced, the input fails or is
/// out of order, a file cannot be written, or `on_progress` breaks. Nothing is left behind then.
pub fn export(
    edges: &impl SortedRows,
    extras: Extras<'_>,
    options: &ExportOptions,
    output: &Path,
    on_progress: &OnProgress<'_>,
) -> Result<Report> {
    let (report, prepared) = prepare_export(edges, extras, options, output, on_progress)?;
    prepared.publish().map_err(|error| error.source)?;
    Ok(report)
}

/// As [`export`], but the folder has no name yet.
///
/// # Errors
///
/// As [`export`].
pub fn prepare_export(
    edges: &impl SortedRows,
    extras: Extras<'_>,
    options: &ExportOptions,
    output: &Path,
    on_progress: &OnProgress<'_>,
) -> Result<(Report, Prepared)> {
    check(edges, options)?;
    let output = OutputFolder::create(output, MARKER, Existing::replaced_if(options.force))?;
    let work = Work {
        threads: options.threads.max(1),
        memory_bytes: options.memory_bytes,
        temp_dir: options.temp_dir.clone(),
        on_progress,
    };
    let export = Export { edges, options, extras, work, output };
    let report = export.run()?;
    let manifest = format!("{:#}\n", manifest(&report, options));
    Ok((report, export.output.prepare(manifest.as_bytes())?))
}

fn check(edges: &impl SortedRows, options: &ExportOptions) -> Result<()> {
    let shards = edges.shards();
    if !shards.is_power_of_two() {
        let got = shards.to_string();
        return Err(Error::Option { name: "the number of shards", expected: "a power of two", got });
    }
    if options.month_folders && !edges.counting().groups.month {
        let got = "asked for, but the rows are not grouped by month".to_owned();
        return Err(Error::Option { name: "a folder a month", expected: "rows grouped by month", got });
    }
    let specs = [
        moves::spec(edges.counting().groups, options),
        positions::spec(options),
        positions::openings_spec(options),
    ];
    check_without(&options.without, &specs.each_ref())
}

impl<E: SortedRows> Export<'_, E> {
    fn run(&self) -> Result<Report> {
        let shards = self.edges.shards();
        let walk = Walk::run(&self.work, self.edges)?;
        let parents = sorter(&self.work, self.work.memory_bytes / 2, shards)?;
        let moves = for_each_shard(&self.work, "writing moves", shards, |shard| {
            self.write_moves(shard, &walk, parents.writer()?)
        })?;
        let parents = parents.finish()?;
        let positions = for_each_shard(&self.work, "writing positions", shards, |shard| {
            self.write_positions(shard, &walk, &parents)
        })?;
        let mut report = Report { plies: walk.plies, ..Report::default() };
        let mut openings = Vec::new();
        for mut shard in moves.into_iter().chain(positions) {
            openings.append(&mut shard.openings);
            report.add(shard);
        }
        report.openings = openings.len() as u64;
        report.files.push(self.write_openings(openings)?);
        report.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(report)
    }

    fn write_moves(&self, shard: u32, walk: &Walk, mut parents: RecordWriter<'_>) -> Result<ShardReport> {
        let spec = moves::spec(self.edges.counting().groups, self.options);
        let mut files = MoveFiles::new(self.output.dir(), &spec, self.edges.shards(), self.options);
        let mut rows = MoveRows::new(self.edges.counting().groups, self.options, self.extras.experience);
        let mut report = ShardReport::default();
        self.for_each_position(shard, walk, |position, reached| {
            let board = reached.map(|reached| &reached.board);
            let mut written = 0;
            report.illegal_edges += rows.write(position, board, |row, cells| {
                written += 1;
                files.push(row, cells)
            })?;
            report.moves += written;
            report.unreached_moves += if reached.is_none() { written } else { 0 };
            board.map_or(Ok(()), |board| push_parents(position, board, &mut parents))
        })?;
        parents.close()?;
        report.files = files.finish(first_key(shard, self.edges.shards()))?;
        Ok(report)
    }

    fn write_positions(&self, shard: u32, walk: &Walk, parents: &SortedRecords) -> Result<ShardReport> {
        let spec = positions::spec(self.options);
        let mut files = self.parts(&spec);
        let mut parents = Lookup::open(parents, shard)?;
        let (mut report, mut shown) = (ShardReport::default(), Shown::default());
        self.for_each_position(shard, walk, |rows, reached| {
            let known = reached.filter(|_| rows.key != Key::START);
            let parent = match known {
                Some(_) => parents.find(rows.key)?.map(|row| Parent::of_payload(row.sums)),
                None => None,
            };
            let opening =
                reached.and_then(|reached| self.extras.openings.name_of(rows.key, || reached.fen_of_key()));
            let reached = reached.map(|reached| {
                shown.show(reached);
                (reached, &shown)
            });
            let named = opening.map(|opening| (rows.key, opening.eco.to_owned(), opening.name.to_owned()));
            report.openings.extend(named);
            report.positions += 1;
            report.unreached_positions += u64::from(reached.is_none());
            let file = files.of_key(rows.key)?;
            let row = PositionRow { rows, reached, opening, parent };
            row.write(|cells| file.push(cells, rows.tally))
        })?;
        report.files = files.finish(first_key(shard, self.edges.shards()))?;
        Ok(report)
    }

    fn write_openings(&self, mut openings: Vec<(Key, String, String)>) -> Result<PartInfo> {
        let spec = positions::openings_spec(self.options);
        openings.sort_by_key(|(key, ..)| self.options.key_type.order(*key));
        let name = "openings/part-00000.parquet".to_owned();
        let mut file = PartWriter::create(self.output.dir(), name, &spec)?;
        for (key, eco, name) in &openings {
            file.push(&[Cell::Key(*key), Cell::Text(eco), Cell::Text(name)], position::Tally::default())?;
        }
        file.finish()
    }

    /// Joins a shard's positions with where the walk found them.
    fn for_each_position(
        &self,
        shard: u32,
        walk: &Walk,
        mut each: impl FnMut(&GroupedPosition, Option<&Reached>) -> Result<()>,
    ) -> Result<()> {
        let mut found = walk.shard(shard)?;
        let mut positions = stream::open(self.edges, shard)?;
        let mut position = GroupedPosition::default();
        while positions.next_into(&mut position)? {
            let reached = found.find(position.key)?.and_then(|found| Reached::of(found, position.key));
            each(&position, reached.as_ref())?;
        }
        Ok(())
    }

    fn parts<'s>(&'s self, spec: &'s Spec) -> ShardParts<'s> {
        ShardParts::new(self.output.dir(), spec.file.to_owned(), spec, self.edges.shards())
    }
}

/// Sends every move on to the position it leads to.
fn push_parents(position: &GroupedPosition, board: &Chess, parents: &mut RecordWriter<'_>) -> Result<()> {
    for rows in position.moves() {
        let (key, mv) = (position.key, rows[0].mv);
        let games = rows.iter().map(|row| row.tally.games()).sum();
        if let Some(child) = child(&rows[0], Some(board)) {
            parents.push(Parent { key, mv }.record(child, games))?;
        }
    }
    Ok(())
}

/// The smallest key of a shard.
fn first_key(shard: u32, shards: u32) -> Key {
    Key(u64::from(shard).checked_shl(64 - shards.trailing_zeros()).unwrap_or(0))
}
