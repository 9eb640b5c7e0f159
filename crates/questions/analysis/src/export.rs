//! Writes `moves/`, `positions/`, `openings/`, `lines/` and `examples/`.

mod report;

use std::path::Path;

use openings::Openings;
use output::{Existing, OutputFolder, Prepared};
use position::{Key, PackedMove, Tally};
use table::{Examples, SortedRows};
use walk::{Node, OnProgress, Walk, Walked, Work, for_each_shard};

pub use self::report::ExportReport;
use self::report::{ShardReport, manifest};
use crate::{
    Error, EvaluationsOf, ExportOptions, Folder, LookUp, MARKER, Result,
    cells::Cell,
    column::{Spec, check_without},
    epd::Shown,
    examples,
    lines::{self, root_fen},
    month::MoveFiles,
    moves::{self, MoveRows},
    part::{PartInfo, PartWriter, ShardParts},
    positions::{self, PositionRow, Reached},
    stream::GroupedPosition,
};

/// Data that is exported in addition to the counts.
#[derive(Clone, Copy)]
pub struct Extras<'x> {
    /// The names of positions.
    pub openings: &'x Openings,
    /// Looks up the experience for an edge: the values that were learned or set by hand.
    pub experience: Option<&'x LookUp<'x>>,
    /// Looks up the evaluations of moves and positions. If this field is `None`, files have no columns for
    /// evaluations.
    pub evaluations: Option<&'x EvaluationsOf<'x>>,
    /// The games that the table keeps as examples.
    pub examples: Option<&'x Examples>,
}

/// An export in progress.
struct Export<'x> {
    edges: &'x dyn SortedRows,
    options: &'x ExportOptions,
    extras: Extras<'x>,
    work: Work<'x>,
    output: OutputFolder,
}

/// Writes the folders that the options select, such as `moves` and `positions`, and `export.json`. All of
/// these are written to a temporary folder. When the export is published, that folder is moved to `output`.
/// For the same edges, the files are byte-for-byte identical, regardless of the number of threads and the
/// memory limit.
///
/// # Memory
///
/// An export takes [`ExportOptions::memory_bytes`] bytes for sorting. In addition, each thread needs about 30
/// MB for the row groups of the files that it writes, and memory for the rows of one position.
///
/// # Disk
///
/// Temporary files take up 16 bytes for each edge, plus up to 70 bytes for each position that does not fit
/// into memory.
///
/// # Errors
///
/// Fails if an option is invalid, if `output` exists and may not be replaced, if the input fails or is out of
/// order, if a file cannot be written, or if `on_progress` returns `Break`. An export that fails leaves
/// nothing behind.
pub fn prepare_export(
    edges: &dyn SortedRows,
    extras: Extras<'_>,
    options: &ExportOptions,
    output: &Path,
    on_progress: &OnProgress<'_>,
) -> Result<(ExportReport, Prepared)> {
    check(edges, options)?;
    let output =
        OutputFolder::create(output, MARKER, Existing::replaced_if(options.force)).map_err(Error::refused)?;
    let work = Work {
        threads: options.threads.max(1),
        memory_bytes: options.memory_bytes,
        temp_dir: options.temp_dir.clone(),
        on_progress,
    };
    let export = Export { edges, options, extras, work, output };
    let report = export.run()?;
    let manifest = format!("{:#}\n", manifest(&report, options, edges.shards()));
    Ok((report, export.output.prepare(manifest.as_bytes())?))
}

fn check(edges: &dyn SortedRows, options: &ExportOptions) -> Result<()> {
    let shards = edges.shards();
    if !shards.is_power_of_two() {
        let got = shards.to_string();
        return Err(Error::Option { name: "the number of shards", expected: "a power of two", got }.into());
    }
    if options.month_folders && !edges.counting().groups.month {
        let got = "rows that are not grouped by month".to_owned();
        return Err(Error::Option { name: "folders by month", expected: "rows grouped by month", got }.into());
    }
    let specs = [
        moves::spec(edges.counting().groups, options, true),
        positions::spec(options, true, edges.counting().from_position),
        positions::openings_spec(options),
    ];
    check_with(&options.with)?;
    Ok(check_without(&options.without, &specs.each_ref())?)
}

fn check_with(with: &[String]) -> Result<()> {
    let Some(name) = with.iter().find(|name| *name != positions::ON_REQUEST) else { return Ok(()) };
    let (expected, got) = ("`fen` (all others are there already)", format!("`{name}`"));
    Err(Error::Option { name: "a column to add", expected, got }.into())
}

impl Export<'_> {
    fn run(&self) -> Result<ExportReport> {
        let shards = self.edges.shards();
        let route = self.options.cut.route();
        let walk = self.options.walks.then(|| Walk::run(&self.work, self.edges, &route)).transpose()?;
        let walk = walk.as_ref();
        let written = match &self.options.shard {
            Some(shard) => vec![self.write_shard(shard.number, walk)?],
            None => for_each_shard(&self.work, "writing", shards, |shard| self.write_shard(shard, walk))?,
        };
        let mut report = ExportReport { plies: walk.map_or(0, |walk| walk.plies), ..ExportReport::default() };
        let (mut openings, mut nodes) = (Vec::new(), Vec::new());
        for mut shard in written {
            openings.append(&mut shard.openings);
            nodes.append(&mut shard.nodes);
            report.add(shard.rows);
        }
        if self.options.has(Folder::Openings) {
            report.openings = openings.len() as u64;
            report.files.push(self.write_openings(openings)?);
        }
        if let Some(walk) = walk.filter(|_| self.options.has(Folder::Lines)) {
            let spec = lines::spec(self.options, walk.has_roots());
            let file = PartWriter::create(self.output.dir(), "lines/part-00000.parquet".to_owned(), &spec)?;
            let file = lines::write(nodes, walk, self.options, file)?;
            report.lines = file.rows;
            report.files.push(file);
        }
        if let Some(kept) = self.extras.examples.filter(|_| self.options.has(Folder::Examples)) {
            let spec = examples::spec(self.options);
            let file =
                PartWriter::create(self.output.dir(), "examples/part-00000.parquet".to_owned(), &spec)?;
            let file = examples::write(kept, self.options, file)?;
            report.examples = file.rows;
            report.files.push(file);
        }
        report.files.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(report)
    }

    fn write_shard(&self, shard: u32, walk: Option<&Walk>) -> Result<ShardReport> {
        let (edges, options) = (self.edges, self.options);
        let Extras { experience, evaluations, .. } = self.extras;
        let specs = (
            moves::spec(edges.counting().groups, options, evaluations.is_some()),
            positions::spec(options, evaluations.is_some(), walk.is_some_and(Walk::has_roots)),
        );
        let dir = self.output.dir();
        let mut writer = ShardWriter {
            walk,
            options,
            extras: self.extras,
            rows: MoveRows::new(edges.counting().groups, options, (experience, evaluations)),
            shown: Shown::new(positions::has_fen(options)),
            moves: options.has(Folder::Moves).then(|| MoveFiles::new(dir, &specs.0, edges.shards(), options)),
            positions: options.has(Folder::Positions).then(|| self.parts(&specs.1)),
            report: ShardReport::default(),
        };
        let mut found = walk.map(|walk| walk.shard(shard)).transpose()?;
        let mut positions = walk::open(edges, shard)?;
        let mut position = GroupedPosition::default();
        while positions.next_into(&mut position)? {
            let walked = found.as_mut().map_or(Ok(None), |found| found.find(position.key))?;
            let board = walked.as_ref().and_then(Walked::board);
            let reached =
                walked.as_ref().zip(board.as_ref()).map(|(walked, board)| Reached { walked, board });
            writer.push(&position, reached)?;
        }
        writer.finish(first_key(shard, edges.shards()))
    }

    fn write_openings(&self, mut openings: Vec<(Key, String, String)>) -> Result<PartInfo> {
        let spec = positions::openings_spec(self.options);
        openings.sort_by_key(|(key, ..)| self.options.key_type.order(*key));
        let name = "openings/part-00000.parquet".to_owned();
        let mut file = PartWriter::create(self.output.dir(), name, &spec)?;
        for (key, eco, name) in &openings {
            let cells = [Cell::Key(*key), Cell::Text(eco), Cell::Text(name)];
            file.push(|row| row.extend(cells), Tally::default())?;
        }
        file.finish()
    }

    fn parts<'s>(&'s self, spec: &'s Spec) -> ShardParts<'s> {
        ShardParts::new(self.output.dir(), spec.file.to_owned(), spec, self.edges.shards())
    }
}

/// Writes the rows of one shard.
struct ShardWriter<'s> {
    walk: Option<&'s Walk>,
    options: &'s ExportOptions,
    extras: Extras<'s>,
    rows: MoveRows<'s>,
    shown: Shown,
    moves: Option<MoveFiles<'s>>,
    positions: Option<ShardParts<'s>>,
    report: ShardReport,
}

impl ShardWriter<'_> {
    fn push(&mut self, position: &GroupedPosition, reached: Option<Reached<'_>>) -> Result<()> {
        let (walked, turn) = (reached.map(|reached| reached.walked), position.step.mover());
        let (cut, games) = (&self.options.cut, position.tally.games());
        if cut.keeps_moves_at(walked, turn) {
            self.push_moves(position, reached)?;
        }
        let is_kept = cut.keeps_position(walked, turn, games);
        if is_kept {
            self.push_position(position, reached)?;
        }
        match walked.filter(|_| self.options.has(Folder::Lines) && games >= cut.min_games) {
            Some(walked) => self.push_node(Node::new(walked, games, is_kept)),
            None => Ok(()),
        }
    }

    fn push_node(&mut self, node: Node) -> Result<()> {
        self.report.nodes.push(node);
        lines::check_memory(self.report.nodes.len(), self.options.memory_bytes)
    }

    fn push_moves(&mut self, position: &GroupedPosition, reached: Option<Reached<'_>>) -> Result<()> {
        let Some(files) = &mut self.moves else { return Ok(()) };
        let board = reached.map(|reached| reached.board);
        let mut written = 0;
        self.report.rows.illegal_edges += self.rows.write(position, board, |row| {
            written += 1;
            files.push(row)
        })?;
        self.report.rows.moves += written;
        self.report.rows.unreached_moves +=
            if reached.is_none() && self.walk.is_some() { written } else { 0 };
        Ok(())
    }

    fn push_position(&mut self, rows: &GroupedPosition, reached: Option<Reached<'_>>) -> Result<()> {
        if !self.options.has(Folder::Positions) && !self.options.has(Folder::Openings) {
            return Ok(());
        }
        let opening =
            reached.and_then(|reached| self.extras.openings.name_of(rows.key, || reached.fen_of_key()));
        let named = opening.map(|opening| (rows.key, opening.eco.to_owned(), opening.name.to_owned()));
        self.report.openings.extend(named);
        let Some(files) = &mut self.positions else { return Ok(()) };
        let number = reached.map_or(0, |reached| reached.walked.root);
        let root = self.walk.filter(|_| number != 0).map_or(Ok(None), |walk| walk.root(number))?;
        let root = root.as_ref().map(root_fen);
        let has_roots = self.walk.is_some_and(Walk::has_roots);
        let reached = reached.map(|reached| {
            self.shown.show(reached);
            (reached, &self.shown)
        });
        self.report.rows.positions += 1;
        self.report.rows.unreached_positions += u64::from(reached.is_none());
        let file = files.of_key(rows.key)?;
        let evaluations = self.extras.evaluations.map(|of| of(rows.key, PackedMove::TERMINAL));
        let row = PositionRow { rows, reached, has_roots, root, opening, evaluations };
        file.push(|cells| row.write(cells), rows.tally)
    }

    /// Ends the files. If a folder has no rows, the part that the key `first` would belong to is still
    /// written, as an empty file.
    fn finish(mut self, first: Key) -> Result<ShardReport> {
        let moves = self.moves.map(|files| files.finish(first)).transpose()?;
        let positions = self.positions.map(|files| files.finish(first)).transpose()?;
        self.report.rows.files = moves.into_iter().chain(positions).flatten().collect();
        Ok(self.report)
    }
}

/// The smallest key of a shard.
fn first_key(shard: u32, shards: u32) -> Key {
    Key(u64::from(shard).checked_shl(64 - shards.trailing_zeros()).unwrap_or(0))
}
