//! Makes a book of counts: finds its positions, encodes them shard by shard on every thread, and writes one
//! stream.
//!
//! # Flow
//!
//! 1. Unless every move is kept, a first pass finds the positions that kept moves lead to. Their keys
//!    follow from the key, move and step of each row, and are sorted.
//! 2. A second pass joins each shard with its part of those keys. A position is in the book if one of its
//!    moves is kept, or if a kept move leads to it (a leaf).
//!
//! # Memory
//!
//! The first pass takes a sorter, and the second takes the encoded segments that wait for their turn: see
//! `memory.rs`.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    thread,
};

use ::book::{BookFilter, BookStats, BookWriter, PositionEntry, Segment, SegmentEncoder};
use count::{Counts, PositionRows, WeighedCounts, give_back_during};
use experience::Union;
use output::{Prepared, grouped};
use position::{ExperienceKind, ExperienceRow};
use run::{Beginning, Context, Error, OnDrop, Result, RunError};
use serde_json::{Value, json};
use stage::{BookFile, ExperiencePath};
use table::{Counting, PositionCounts, SortedRows};

use super::{
    Compact,
    leaves::Leaves,
    positions::BookPositions,
    promoted::PostbookMoves,
    queue::ShardQueue,
    way::{Way, in_words},
};

/// Bytes of a segment before it is handed to the writer.
const SEGMENT_BYTES: usize = 1 << 20;
/// The number of positions from which the total is estimated.
const SAMPLE_POSITIONS: u64 = 1 << 14;

/// A book, and how much it was made from.
pub(crate) struct MadeBook {
    /// The book.
    pub(crate) prepared: Prepared,
    pub(crate) book: BookStats,
    /// The number of rows of the counts.
    pub(crate) rows: u64,
    /// The number of rows of experience.
    pub(crate) experience: u64,
    /// The number of PostBook moves that the book keeps.
    pub(crate) promoted: u64,
    /// The weights of games; `None` if each counts once.
    pub(crate) weights: Option<String>,
    /// Where the book begins; `None` for the start position.
    pub(crate) begins: Option<Beginning>,
}

/// Makes a book of the moves that the settings keep of `counts`, with experience over it.
pub(crate) fn make(
    context: &Context,
    counts: Arc<Counts>,
    settings: &Compact,
    experience: &[Arc<ExperiencePath>],
) -> Result<MadeBook> {
    let Compact { output, keep, promote, from_start } = settings;
    let path = BookFile::output(context, output.as_deref());
    let counts = WeighedCounts::new(context, counts, keep.weigh.weights())?;
    let (filter, keeps) = (&keep.filter(), counts.keeps(&keep.filter()));
    let union = Union::open(experience.iter().map(|file| file.path()))?;
    let promoted = PostbookMoves::find(&union, promote, filter.color)?;
    let proven = promoted.len() as u64;
    let way = if *from_start { Way::find(context, &counts)? } else { Way::default() };
    let leaves = Leaves::find(context, &counts, filter, (&promoted, &way))?;
    let promotions = AtomicU64::new(0);
    let shards =
        BookShards { context, counts: &counts, filter, leaves, promoted, way, promotions: &promotions };
    let mut provenance = counts.counts().provenance();
    if *from_start {
        begin_at_start(&mut provenance, counts.counting());
    }
    provenance["book"] = json!({ "keeps": keeps });
    if promote.promote.is_some() {
        provenance["book"]["promotes"] = json!(promote.describe());
    }
    provenance["created_by"] = json!(table::CREATED_BY);
    let mut writer = BookWriter::create(&path, &provenance, shards.estimate()?, context.existing())?;
    let rows = shards.write(&mut writer)?;
    if writer.moves() == 0 && !context.options.allow_empty {
        return Err(nothing_kept(context, &counts, &keeps)?);
    }
    let experience = write_experience(context, counts.counts(), &keeps, (&union, experience), &mut writer)?;
    drop(shards);
    let promoted = promotions.into_inner();
    if promoted < proven {
        context.summary().warnings.push(format!(
            "{} of {} proven PostBook moves are not in the book: the counts do not hold their positions, or the book keeps these moves already, or none of their colour",
            grouped(proven - promoted),
            grouped(proven)
        ));
    }
    let (weights, begins) = (counts.weights(), if *from_start { None } else { beginning(counts.counting()) });
    let (book, prepared) = give_back_during(counts, || writer.prepare())?;
    Ok(MadeBook { prepared, book, rows, experience, promoted, weights, begins })
}

/// Where a book of these counts begins; `None` for the start position.
fn beginning(counting: &Counting) -> Option<Beginning> {
    let root = counting.root?;
    Some(match &counting.line {
        Some(line) => Beginning::Line(in_words(line)),
        None => Beginning::Position(root.to_string()),
    })
}

/// Records, for a book that begins at the start position, that its games play the line. The line becomes
/// one of its filters.
fn begin_at_start(provenance: &mut Value, counting: &Counting) {
    let line = format!("line {}", counting.line.as_deref().unwrap_or_default());
    let with_line =
        |filter: &String| if filter.is_empty() { line.clone() } else { format!("{line}; {filter}") };
    let filters = counting.filters.iter().map(with_line).collect();
    provenance["counting"] = json!(Counting { root: None, line: None, filters, ..counting.clone() });
}

/// The error for a filter that keeps no move. A pass over the counts finds the most games of a move,
/// so that the message says which filter would keep one.
fn nothing_kept(context: &Context, counts: &WeighedCounts, keeps: &str) -> Result<Error> {
    let most = context.for_each_shard("counting moves", counts.shards(), |shard| {
        let (mut rows, mut position) = (PositionRows::new(counts.shard(shard)?), PositionCounts::default());
        let mut most = 0;
        while rows.next_into(&mut position)? {
            let games = position.edges.iter().map(|edge| edge.tally.games());
            most = games.fold(most, u64::max);
        }
        Ok(most)
    })?;
    let why = match most.into_iter().max().unwrap_or(0) {
        0 if keeps.is_empty() => "the counts hold no move".into(),
        0 => format!("the book is to keep {keeps}, and no move weighs half a game"),
        most => {
            format!("the book is to keep {keeps}, and no move has more than {} games", grouped(most))
        }
    };
    Ok(RunError::NothingKept { why }.into())
}

/// Writes the experience of the files into a book. Returns the number of rows.
fn write_experience(
    context: &Context,
    counts: &Counts,
    keeps: &str,
    (union, files): (&Union, &[Arc<ExperiencePath>]),
    writer: &mut BookWriter,
) -> Result<u64> {
    if files.is_empty() {
        return Ok(0);
    }
    let warnings = union.warnings(counts.digest(), keeps);
    let named = |text| files.iter().fold(text, |text, file| file.name_in(text));
    context.summary().warnings.extend(warnings.into_iter().map(named));
    let is_wanted = |row: &experience::Result<ExperienceRow>| {
        row.as_ref().map_or(true, |row| row.kind != ExperienceKind::Seen)
    };
    let mut wanted = union.rows()?.filter(is_wanted).peekable();
    if wanted.peek().is_none() {
        // A repertoire without marks has no experience, so the book needs no list of sources either.
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

/// The shards of a book, and what its threads share.
struct BookShards<'s> {
    context: &'s Context,
    counts: &'s WeighedCounts,
    filter: &'s BookFilter,
    leaves: Leaves,
    promoted: PostbookMoves,
    way: Way,
    /// The number of moves that shards have promoted.
    promotions: &'s AtomicU64,
}

impl BookShards<'_> {
    fn shard(&self, shard: u32) -> Result<BookPositions<'_>> {
        let (rows, leaves) = (self.counts.shard(shard)?, self.leaves.shard(shard)?);
        let rows = self.way.shard(shard, self.counts.shards(), rows);
        Ok(BookPositions::new(rows, self.filter, leaves, (self.promoted.clone(), &self.way)))
    }

    /// Estimates the number of positions. Keys are spread evenly, so the first few show their density.
    #[expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "an estimate, far below 2^63")]
    fn estimate(&self) -> Result<u64> {
        let (mut positions, mut entry, mut seen) = (self.shard(0)?, PositionEntry::default(), 0);
        while positions.next_into(&mut entry)? {
            seen += 1;
            if seen == SAMPLE_POSITIONS {
                return Ok((seen as f64 / (entry.key.0 as f64 / u64::MAX as f64)) as u64);
            }
        }
        Ok(seen * u64::from(self.counts.shards()))
    }

    /// Encodes all shards and writes them in order. Returns the number of rows read.
    fn write(&self, writer: &mut BookWriter) -> Result<u64> {
        let shards = self.counts.shards();
        self.context.progress().enter("compacting", shards);
        let encoders: Vec<_> = (0..self.context.threads).map(|_| writer.segment_encoder()).collect();
        let waiting = self.context.memory.segments / SEGMENT_BYTES as u64;
        let queue = ShardQueue::new(shards, waiting as usize);
        thread::scope(|scope| {
            let queue = &queue;
            let start = |encoder| {
                thread::Builder::new().spawn_scoped(scope, move || self.encode_shards(queue, encoder))
            };
            let mut started = encoders.into_iter().map(start);
            // If the system starts fewer threads than wanted, those that started do all the work.
            let first = started.next().transpose().map_err(|source| RunError::Threads { source })?;
            let workers: Vec<_> = first.into_iter().chain(started.map_while(Result::ok)).collect();
            let written = append_all(writer, queue);
            let rows = workers
                .into_iter()
                .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            let rows = rows.sum::<Result<u64>>();
            // A stopped worker returns no error. The writer's error is the cause then.
            written.and(rows)
        })
    }

    fn encode_shards(&self, queue: &ShardQueue<Segment>, mut encoder: SegmentEncoder) -> Result<u64> {
        let stop = OnDrop(|| queue.stop());
        let mut rows = 0;
        while let Some(shard) = queue.begin() {
            rows += self.encode_shard(shard, &mut encoder, queue)?;
            queue.end(shard);
            self.context.progress().shard_done();
        }
        std::mem::forget(stop);
        Ok(rows)
    }

    fn encode_shard(
        &self,
        shard: u32,
        encoder: &mut SegmentEncoder,
        queue: &ShardQueue<Segment>,
    ) -> Result<u64> {
        let (mut positions, mut entry) = (self.shard(shard)?, PositionEntry::default());
        while positions.next_into(&mut entry)? {
            self.context.check_interrupt()?;
            encoder.push(&entry)?;
            if encoder.bytes() >= SEGMENT_BYTES && !queue.push(shard, encoder.take()) {
                return Ok(0);
            }
        }
        queue.push(shard, encoder.take());
        self.promotions.fetch_add(positions.promotions(), Relaxed);
        Ok(positions.rows())
    }
}

fn append_all(writer: &mut BookWriter, queue: &ShardQueue<Segment>) -> Result<()> {
    let _stop = OnDrop(|| queue.stop());
    std::iter::from_fn(|| queue.take()).try_for_each(|segment| writer.append(segment).map_err(Error::from))
}
