//! Learns from records, one after another.

use std::path::Path;

use experience::{Change, ExperienceFile, identities_seen};
use games::{
    driver::Read,
    rejects::{Number, RejectEntry, RejectList},
};
use learn::crafty::{Effect, Learner, LearningBook, Nothing, Options, Origin, Record, identity};
use pgn::input::{Place, ReadInputs};
use run::{Context, Result, Status};

use super::waiting::{CollectedRecords, SpooledRecord, WaitingItem};

/// All lessons before they are written.
pub(super) struct RecordLessons {
    pub(super) learner: Learner,
    /// The lessons of position learning, in ascending order.
    pub(super) positions: Vec<Change>,
    /// Records with book moves. Nothing will be learned from later copies of these records.
    pub(super) seen: Vec<Change>,
}

/// Learns from the records in order, and lists rejected ones in the file `rejects`.
pub(super) fn teach(
    context: &Context,
    (waiting, read): (CollectedRecords, &mut Read),
    book: LearningBook,
    options: Options,
    old: Option<&ExperienceFile>,
    rejects: Option<&Path>,
) -> Result<RecordLessons> {
    let mut rejects = rejects.map(|path| RejectList::create(path, context.existing())).transpose()?;
    let mut learner = Learner::new(book, options);
    if let Some(old) = old {
        learner.already_seen(identities_seen(old)?);
    }
    let (mut spool, positions) = waiting.into_parts();
    let mut seen = Vec::new();
    let mut teaching = Teaching::begin(context, spool.entries);
    spool.for_each(|entry| {
        teaching.step()?;
        match entry.read() {
            WaitingItem::Rejection(place, status) => reject(&mut rejects, &read.inputs, place, status),
            WaitingItem::Record(record) => {
                seen.extend(record.teach(&mut learner, read, &mut rejects)?);
                Ok(())
            }
        }
    })?;
    if let Some(list) = rejects {
        context.prepared_list(list.finish()?);
    }
    warn_of_doubt(context, &learner);
    // Without `dedup`, values may have been learned from several copies of a record. Only the source of the
    // first copy is kept.
    seen.sort_by_key(|seen: &Change| (seen.id(), seen.taught[0].source, seen.taught[0].last));
    seen.dedup_by_key(|seen| seen.id());
    Ok(RecordLessons { learner, positions, seen })
}

impl SpooledRecord<'_> {
    /// Learns from the record, and returns the row by which later runs will recognise copies of it.
    fn teach(
        &self,
        learner: &mut Learner,
        read: &mut Read,
        rejects: &mut Option<RejectList>,
    ) -> Result<Option<Change>> {
        let (source, date) = (self.place.0.input, self.date);
        let record = self.record();
        let seen = Change::seen(identity(&record), source, date);
        let counts = read.counts.of(source);
        match learner.learn(&record, Origin { source, date }) {
            Effect::Learned(_) => {
                counts.accepted += 1;
                Ok(Some(seen))
            }
            Effect::Nothing(why) => {
                counts.idle(why.into());
                // Nothing was learned from this record, but something might be learned from it with another
                // book. Copies of the record still count as copies, in this run and in later runs.
                let may_teach = !matches!(why, Nothing::Duplicate | Nothing::ResultRecord);
                Ok((may_teach && is_in(&record, learner.book())).then_some(seen))
            }
            Effect::Rejected(reason) => {
                counts.reject(reason.into());
                let Record { white, black, .. } = record;
                let text = &format!("{white} - {black}");
                let status = Status::Rejected { ply: None, reason: reason.into(), text };
                reject(rejects, &read.inputs, self.place, status)?;
                Ok(None)
            }
        }
    }
}

/// Whether any move of the record is a book move.
fn is_in(record: &Record<'_>, book: &LearningBook) -> bool {
    record.plies.iter().any(|&(key, mv)| book.edge(key, mv).is_some())
}

fn warn_of_doubt(context: &Context, learner: &Learner) {
    let doubtful = learner.doubtful();
    if doubtful > 0 {
        context.summary().warnings.push(format!(
            "{doubtful} records were written by Crafty 18.2, which exported most values with the wrong sign: they cannot be trusted"
        ));
    }
}

/// Lists a rejected record, if there is a list.
fn reject(
    list: &mut Option<RejectList>,
    inputs: &ReadInputs,
    (place, number): (Place, u64),
    status: Status<'_>,
) -> Result<()> {
    let Some(list) = list else { return Ok(()) };
    let start = inputs.locate(place);
    let (input, number) = (&start.name, Number::Record(number));
    list.push(&RejectEntry { input, offset: start.offset, number, status, copy_of: None })
}

/// After this many records, the progress is updated and interrupts are checked for.
const RECORDS_A_STEP: u64 = 1024;

/// Reports the progress of learning, which runs on a single thread.
pub(crate) struct Teaching<'c> {
    context: &'c Context,
    done: u64,
}

impl<'c> Teaching<'c> {
    /// Starts the progress report for this number of records or games.
    pub(crate) fn begin(context: &'c Context, records: u64) -> Self {
        context.progress().enter_steps("learning", records, "records");
        Self { context, done: 0 }
    }

    /// Counts one more record.
    pub(crate) fn step(&mut self) -> Result<()> {
        self.done += 1;
        if self.done.is_multiple_of(RECORDS_A_STEP) {
            self.context.progress().steps_done(RECORDS_A_STEP);
            self.context.check_interrupt()?;
        }
        Ok(())
    }
}
