//! Crafty's learned PGN over the moves a book will have.

use std::path::{Path, PathBuf};

use book::BookFilter;
use learn::{
    crafty::{
        Effect, LearnedEdge, Learner, LearningBook, Nothing, Options, Origin, Record, Version, identity,
    },
    position_learning::{self, Entry},
};
use pgn::{
    input::{Place, Sources},
    learned::{Item, LearnedPosition, LearnedReader, LearnedRecord},
};
use position::{Kind, Lesson, PackedMove, Taught};
use table::ExperienceFile;

use super::{
    fetch::{TouchedKeys, book_moves},
    lay::{Ground, lay},
    lessons::{Change, What, merged},
    reading::{Teaching, chunk_options, show_progress},
    refused::RefusedRecords,
    tallies::Tallies,
};
use crate::{
    Context, Counts, Result,
    rejects::Fate,
    spool::{Decoder, Spool},
};

/// What to learn, and how.
pub(crate) struct CraftyLearning {
    /// Files, folders, globs of learned PGN; `-` is standard input.
    pub(crate) paths: Vec<String>,
    /// How records are understood.
    pub(crate) options: Options,
    /// The book the learning happens in.
    pub(crate) filter: BookFilter,
    /// Experience to go on from.
    pub(crate) old: Option<PathBuf>,
    /// Where rejected records are listed.
    pub(crate) rejects: Option<PathBuf>,
}

/// The tags of what waits in the spool: a record to learn from, and one that is rejected.
const RECORD: u64 = 0;
const REJECTION: u64 = 1;

/// Replays records over the book that the filter leaves of `counts`, and writes what they taught to `output`.
pub(crate) fn learn_crafty(
    context: &Context,
    counts: &Counts,
    learning: &CraftyLearning,
    output: &Path,
) -> Result<()> {
    let old = learning.old.as_deref().map(ExperienceFile::open).transpose()?;
    let mut met = Met::read(context, &learning.paths)?;
    let keys = std::mem::take(&mut met.keys).finish();
    let book = book_moves(context, counts, &learning.filter, &keys, old.as_ref())?;
    drop(keys);
    let refused = RefusedRecords::create(context, learning.rejects.as_deref())?;
    let taught = teach(context, met, book, &learning.options, old.as_ref(), refused)?;
    let ground = Ground {
        old: old.as_ref(),
        table: counts.digest().map(ToOwned::to_owned),
        book: Some(learning.filter.describe()),
        sources: taught.sources,
    };
    let edges = taught.learner.book().edges().filter(LearnedEdge::is_taught).map(|edge| learned(&edge));
    let rest = merged(taught.positions.into_iter(), taught.seen.into_iter().map(Seen::change));
    let stats = lay(context, &ground, merged(edges, rest), output)?;
    context.report().experience_rows = stats.rows;
    Ok(())
}

/// Everything read, waiting for the book.
struct Met {
    spool: Spool,
    keys: TouchedKeys,
    /// What position learning teaches, in input order.
    positions: Vec<Change>,
    tallies: Tallies,
    sources: Sources,
}

impl Met {
    fn read(context: &Context, paths: &[String]) -> Result<Self> {
        let inputs = context.inputs(pgn::learned::expand(paths)?);
        context.progress.enter("reading", 0);
        let mut reader = LearnedReader::open(inputs, &chunk_options(context, None))?;
        let mut met = Self {
            spool: Spool::new(&context.temp_dir),
            keys: TouchedKeys::default(),
            positions: Vec::new(),
            tallies: Tallies::default(),
            sources: Sources::default(),
        };
        while let Some(batch) = reader.next() {
            let batch = batch?;
            context.check_cancelled()?;
            let items = batch.items().map(|item| met.take(&item)).sum::<Result<u64>>()?;
            show_progress(context, reader.progress(), items);
        }
        met.sources = reader.finish();
        Ok(met)
    }

    /// Lets an item wait; 1, to be counted.
    fn take(&mut self, item: &Item<'_>) -> Result<u64> {
        match item {
            Item::Record(record) => self.record(record)?,
            Item::Position(position) => self.position(position)?,
            Item::Rejection(rejection) => {
                let place = (rejection.at.place, rejection.at.number);
                self.reject(place, rejection.ply, rejection.reason.name(), rejection.text)?;
            }
        }
        Ok(1)
    }

    fn record(&mut self, record: &LearnedRecord<'_>) -> Result<()> {
        self.keys.extend(record.plies.iter().map(|&(key, _)| key));
        self.spool.push(|entry| {
            entry.number(RECORD);
            entry.place(record.at.place, record.at.number);
            entry.number(u64::from(record.date.unwrap_or(0)));
            entry.text(&record.players.white());
            entry.text(&record.players.black());
            for number in [record.value, record.depth, record.rating_difference] {
                entry.signed(number);
            }
            entry.plies(record.plies.iter().copied());
        })
    }

    fn position(&mut self, found: &LearnedPosition<'_>) -> Result<()> {
        let place = found.at.place;
        let players = [found.players.white(), found.players.black()];
        let version = players.iter().find_map(|player| Version::of_player(player));
        let mv = u32::try_from(found.crafty_move).ok();
        let entry = mv.map(|mv| Entry { value: found.value, mv, depth: found.depth });
        let known = entry.and_then(|entry| position_learning::learned(&entry, version, found.position).ok());
        let Some((mv, experience)) = known else {
            let text = found.crafty_move.to_string();
            return self.reject((place, found.at.number), None, "illegal-move", &text);
        };
        self.tallies.taught(place.input);
        let taught =
            Taught { source: place.input, lesson: Lesson::Search, count: 1, last: found.date.unwrap_or(0) };
        let (key, kind, what) = (found.key, Kind::Position, What::Search(experience));
        self.positions.push(Change { key, mv, kind, what, taught: vec![taught] });
        Ok(())
    }

    fn reject(
        &mut self,
        (place, number): (Place, u64),
        ply: Option<u32>,
        reason: &'static str,
        text: &str,
    ) -> Result<()> {
        self.tallies.rejected(place.input, reason);
        self.spool.push(|entry| {
            entry.number(REJECTION);
            entry.place(place, number);
            Fate::Rejected { ply, reason, text }.write(entry);
        })
    }
}

/// All lessons, before they are written.
struct Lessons {
    learner: Learner,
    positions: Vec<Change>,
    seen: Vec<Seen>,
    sources: Vec<table::ExperienceSource>,
}

/// A record that met book moves, or a game that taught.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Seen {
    pub(super) identity: u64,
    pub(super) source: u32,
    pub(super) date: u32,
}

impl Seen {
    pub(super) fn change(self) -> Change {
        let taught = Taught { source: self.source, lesson: Lesson::Learn, count: 1, last: self.date };
        Change {
            key: position::Key(self.identity),
            mv: PackedMove::TERMINAL,
            kind: Kind::Seen,
            what: What::Seen,
            taught: vec![taught],
        }
    }
}

/// Lets the records teach, in their order.
fn teach(
    context: &Context,
    met: Met,
    book: LearningBook,
    options: &Options,
    old: Option<&ExperienceFile>,
    mut refused: RefusedRecords,
) -> Result<Lessons> {
    let Met { spool, mut positions, mut tallies, sources, .. } = met;
    let mut learner = Learner::new(book, options.clone());
    learner.already_seen(seen_before(old)?);
    let (mut seen, mut plies) = (Vec::new(), Vec::new());
    let mut teaching = Teaching::begin(context, spool.entries());
    spool.for_each(|mut entry| {
        teaching.step()?;
        if entry.number() == REJECTION {
            let at = entry.place();
            return refused.push(&sources, at, Fate::read(&mut entry));
        }
        let record = SpooledRecord::read(&mut entry, &mut plies);
        record.teach(&mut learner, &mut tallies, &mut seen, &mut |place, reason| {
            let Record { white, black, .. } = record.record;
            let text = &format!("{white} - {black}");
            refused.push(&sources, place, Fate::Rejected { ply: None, reason, text })
        })
    })?;
    refused.finish(context)?;
    warn_of_doubt(context, &learner);
    seen.sort_unstable();
    seen.dedup_by_key(|seen| seen.identity);
    // Stable: of two lessons about one position the earlier comes first.
    positions.sort_by_key(Change::id);
    tallies.report(context, &sources);
    Ok(Lessons { learner, positions, seen, sources: tallies.sources(&sources, "crafty") })
}

/// A record that waited.
struct SpooledRecord<'s> {
    place: (Place, u64),
    date: u32,
    record: Record<'s>,
}

impl<'s> SpooledRecord<'s> {
    fn read<'e: 's>(entry: &mut Decoder<'e>, plies: &'s mut Vec<(position::Key, PackedMove)>) -> Self {
        let (place, date) = (entry.place(), entry.number() as u32);
        let (white, black) = (entry.text(), entry.text());
        let (value, depth, rating_difference) = (entry.signed(), entry.signed(), entry.signed());
        entry.plies(plies);
        Self { place, date, record: Record { white, black, plies, value, depth, rating_difference } }
    }

    fn teach(
        &self,
        learner: &mut Learner,
        tallies: &mut Tallies,
        seen: &mut Vec<Seen>,
        reject: &mut dyn FnMut((Place, u64), &'static str) -> Result<()>,
    ) -> Result<()> {
        let (source, date) = (self.place.0.input, self.date);
        let met = Seen { identity: identity(&self.record), source, date };
        match learner.learn(&self.record, Origin { source, date }) {
            Effect::Learned(_) => {
                seen.push(met);
                tallies.taught(source);
            }
            Effect::Nothing(why) => {
                // It found no choice now and might find one later, but a copy is a copy, in this run or the next.
                if why != Nothing::Duplicate && self.is_in(learner.book()) {
                    seen.push(met);
                }
                tallies.idle(source, why.name());
            }
            Effect::Rejected(reason) => {
                tallies.rejected(source, reason.name());
                reject(self.place, reason.name())?;
            }
        }
        Ok(())
    }

    /// Whether any of its moves is a book move.
    fn is_in(&self, book: &LearningBook) -> bool {
        self.record.plies.iter().any(|&(key, mv)| book.edge(key, mv).is_some())
    }
}

/// Identities of the records that the old experience has met.
pub(super) fn seen_before(old: Option<&ExperienceFile>) -> Result<Vec<u64>> {
    let Some(old) = old else { return Ok(Vec::new()) };
    let seen = old.read()?.filter_map(|row| match row {
        Ok(row) if row.kind != Kind::Seen => None,
        row => Some(row.map(|row| row.key.0)),
    });
    Ok(seen.collect::<table::Result<_>>()?)
}

fn warn_of_doubt(context: &Context, learner: &Learner) {
    let doubtful = learner.counters().doubtful;
    if doubtful > 0 {
        context.report().warnings.push(format!(
            "{doubtful} records are of Crafty 18.2, which exported most values with the wrong sign: they cannot be trusted"
        ));
    }
}

/// What an edge learned, as a change.
pub(super) fn learned(edge: &LearnedEdge<'_>) -> Change {
    let taught = edge.taught().into_iter().map(|taught| Taught {
        source: taught.source,
        lesson: Lesson::Learn,
        count: taught.count,
        last: taught.last_date,
    });
    let what = What::Learned { value: edge.learn, count: edge.count };
    Change { key: edge.key, mv: edge.mv, kind: Kind::Book, what, taught: taught.collect() }
}
