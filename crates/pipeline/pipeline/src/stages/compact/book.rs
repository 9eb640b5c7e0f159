//! Makes a book from counts.
//!
//! # Passes
//!
//! 1. Reads the experience, if the settings promote moves that the engine played after leaving the book.
//!    Moves with good enough results and values become [`PostbookMoves`].
//! 2. Reads the counts, if they begin at the end of a line but the book should begin at the start position.
//!    The moves of that line become [`LineFromStart`].
//! 3. Reads the counts, if the book filter may drop moves or if games may start from different positions.
//!    [`Leaves`] collects the positions that kept moves lead to. The keys of these positions are computed
//!    from the key, the move and the step of each row, and are sorted.
//! 4. Reads the counts on all threads. [`BookShards`] combines each shard with the results of the earlier
//!    passes and encodes it. A position is in the book if one of its moves is kept, or if a kept move leads
//!    to it (a leaf). One thread writes the encoded shards in order.
//! 5. Reads the experience and writes its rows at the end of the book.
//!
//! # Memory
//!
//! The third pass needs memory for a sorter, and the fourth for encoded segments waiting for their turn:
//! see [`run::Memory`].
//!
//! [`PostbookMoves`]: super::promoted::PostbookMoves
//! [`LineFromStart`]: super::way::LineFromStart
//! [`Leaves`]: super::leaves::Leaves

use std::sync::Arc;

use book::{BookStats, BookWriter};
use count::{Counts, WeightedCounts, give_back_during};
use experience::Union;
use output::{Prepared, grouped};
use position::ExperienceRow;
use run::{BookReport, Context, Error, Result, RunError};
use serde_json::json;
use stage::FlowFile;
use table::{PositionCounts, PositionRows, SortedRows as _};

use super::{
    Compact,
    provenance::{beginning, provenance},
    shards::BookShards,
};

/// A complete book that still has a temporary name.
pub(crate) struct MadeBook {
    pub(crate) prepared: Prepared,
    /// The number of rows in the counts.
    pub(crate) rows: u64,
    /// The contents of the book; the caller fills in its path.
    pub(crate) report: BookReport,
}

/// Makes a book from the moves of `counts` that the settings keep, and adds experience.
pub(crate) fn make(
    context: &Context,
    counts: Arc<Counts>,
    settings: &Compact,
    experience: &[Arc<FlowFile>],
) -> Result<MadeBook> {
    let path = FlowFile::output(context, settings.output.as_deref(), "book");
    let counts = WeightedCounts::new(context, counts, settings.keep.weigh.weights())?;
    let filter = settings.keep.filter();
    let keeps = counts.keeps(&filter);
    let union = Union::open(experience.iter().map(|file| &*file.path))?;

    let shards = BookShards::find(context, &counts, settings, &filter, &union)?;
    let provenance = provenance(counts.counts(), settings, &keeps);
    let mut writer = BookWriter::create(&path, &provenance, shards.estimate()?, context.existing())?;
    let rows = shards.write(&mut writer)?;
    if writer.moves() == 0 && !context.options.allow_empty {
        return Err(nothing_kept(context, &counts, &keeps)?);
    }
    let knowledge = Knowledge { union: &union, files: experience, evaluations: settings.evaluations };
    let experience = knowledge.write(context, counts.counts(), &keeps, &mut writer)?;
    writer.set_roots(shards.roots());
    let promoted = shards.end();

    let weights = counts.describe_weights();
    let begins = if settings.from_start { None } else { beginning(counts.counting()) };
    let (book, prepared) = give_back_during(counts, || writer.prepare())?;
    let BookStats { positions, edges: moves, .. } = book;
    let report =
        BookReport { positions, moves, experience, promoted, weights, begins, ..BookReport::default() };
    Ok(MadeBook { prepared, rows, report })
}

/// The error for a filter that keeps no move. Reads all counts to find the most played move, because the
/// message reports its number of games.
fn nothing_kept(context: &Context, counts: &WeightedCounts, keeps: &str) -> Result<Error> {
    let most = context.for_each_shard("counting moves", counts.shards(), |shard| {
        let mut rows = PositionRows::new(counts.shard(shard)?);
        let mut position = PositionCounts::default();
        let mut most = 0;
        while rows.next_into(&mut position)? {
            let games = position.edges.iter().map(|edge| edge.tally.games());
            most = games.fold(most, u64::max);
        }
        Ok(most)
    })?;
    let why = match most.into_iter().max().unwrap_or(0) {
        0 if keeps.is_empty() => "the counts hold no move".into(),
        0 => format!("every move has a total weight of less than half a game; the book filter is {keeps}"),
        most => {
            let most = grouped(most);
            format!("the book filter is {keeps}, but no move has more than {most} games")
        }
    };
    Ok(RunError::NothingKept(why).into())
}

/// Experience that is written into a book.
struct Knowledge<'a> {
    union: &'a Union,
    files: &'a [Arc<FlowFile>],
    /// Whether evaluations are written into the book too.
    evaluations: bool,
}

impl Knowledge<'_> {
    /// Writes the rows that belong in the book, and returns how many there are.
    fn write(&self, context: &Context, counts: &Counts, keeps: &str, writer: &mut BookWriter) -> Result<u64> {
        let Self { union, files, evaluations } = *self;
        if files.is_empty() {
            return Ok(0);
        }
        let warnings = union.warnings(counts.digest(), keeps);
        let named = |text| files.iter().fold(text, |text, file| file.name_in(text));
        context.summary().warnings.extend(warnings.into_iter().map(named));
        let is_for_book =
            |row: &ExperienceRow| row.kind.is_for_books() && (evaluations || !row.kind.is_evaluation());
        let is_wanted = |row: &experience::Result<ExperienceRow>| row.as_ref().map_or(true, is_for_book);
        let mut wanted = union.rows()?.filter(is_wanted).peekable();
        if wanted.peek().is_none() {
            // There is no experience, as in a repertoire without marks. Then the book needs no list of
            // sources.
            return Ok(0);
        }
        writer.begin_experience(json!(union.header().sources));
        let mut rows = 0;
        for row in wanted {
            writer.push_experience(&row?)?;
            rows += 1;
        }
        Ok(rows)
    }
}
