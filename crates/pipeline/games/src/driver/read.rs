//! The result of a reading pass, for the summary and for artefacts.

use std::collections::{HashMap, hash_map::Entry};

use experience::ExperienceSource;
use output::grouped;
use pgn::input::{ReadInput, ReadInputs};
use run::{Context, InputReport, InputStatus, LearningReport, Result, StatusCounts, base_name};

use crate::EmptyCount;

/// The result of a reading pass.
pub struct Read {
    /// The unit that was read: `game` or `record`.
    pub what: &'static str,
    /// The inputs that were read.
    pub inputs: ReadInputs,
    /// For each input, the number of games with each status.
    pub counts: StatusCounts,
}

/// The reason why nothing is learned from a record that contains none of the book's moves.
const NO_BOOK_MOVE: &str = "no-book-move";
/// The reason why nothing is learned from a record if a copy of the record was already used.
const DUPLICATE: &str = "duplicate";

impl Read {
    /// Fails if nothing was counted or learned, unless some records were copies of records that were already
    /// used.
    pub fn check_any(&self, context: &Context) -> Result<()> {
        let sum = self.counts.sum();
        if context.options.allow_empty || !sum.is_nothing() || sum.passed_over.contains_key(DUPLICATE) {
            return Ok(());
        }
        let inputs = self.inputs.list.iter().map(|input| input.name.clone()).collect();
        Err(EmptyCount::of(self.what, inputs, sum).into())
    }

    /// Returns a report on the games of each input, in the order in which the inputs were given.
    pub fn input_reports(&mut self) -> Vec<InputReport> {
        self.each_input(|info, status| InputReport {
            name: info.name.clone(),
            bytes: info.bytes,
            xxh3: info.xxh3.map(|hash| format!("{hash:016x}")),
            blocks: info.blocks.clone(),
            whole_xxh3: info.whole_xxh3.map(|hash| format!("{hash:016x}")),
            games: status.games,
            accepted: status.accepted,
            filtered: status.passed_over.clone(),
            rejected: status.rejected.clone(),
            copies: status.copies,
            lenient: status.lenient.clone(),
        })
    }

    /// Returns the inputs, in the order given, in the form that an experience file stores.
    pub fn experience_sources(&mut self, teacher: &str) -> Vec<ExperienceSource> {
        self.each_input(|info, status| ExperienceSource {
            name: base_name(&info.name),
            teacher: teacher.to_owned(),
            xxh3: info.xxh3.map_or_else(String::new, |hash| format!("{hash:016x}")),
            records: status.games,
            taught: status.accepted,
            idle: status.passed_over.clone(),
            rejected: status.rejected.clone(),
        })
    }

    /// Checks that something was learned, and reports the lessons.
    ///
    /// # Errors
    ///
    /// Fails as [`check_any`](Self::check_any) does.
    pub fn report_learning(&mut self, context: &Context) -> Result<()> {
        self.check_any(context)?;
        self.report_lessons(context);
        Ok(())
    }

    /// Adds to the summary how many records or games have each status. Warns about each input of which no
    /// line is in the book.
    pub fn report_lessons(&mut self, context: &Context) {
        let strangers = self.each_input(|info, status| {
            let idle = |why| status.passed_over.get(why).copied().unwrap_or(0);
            let is_strange = status.accepted == 0 && idle(NO_BOOK_MOVE) > 0 && idle(DUPLICATE) == 0;
            let name = &info.name;
            is_strange.then(|| format!("{name}: none of its lines is in the book"))
        });
        let InputStatus { games, accepted, passed_over, rejected, copies, lenient, .. } = self.counts.sum();
        let mut summary = context.summary();
        summary.warnings.extend(strangers.into_iter().flatten());
        summary.add_copies(copies);
        summary.add_lenient(&lenient);
        summary.learning = Some(LearningReport {
            records: games,
            taught: accepted,
            idle: passed_over,
            rejected,
            ..LearningReport::default()
        });
    }

    fn each_input<T>(&mut self, each: impl Fn(&ReadInput, &InputStatus) -> T) -> Vec<T> {
        let Self { inputs, counts, .. } = self;
        inputs.list.iter().zip(0..).map(|(info, input)| each(info, counts.of(input))).collect()
    }
}

/// Warns about inputs with the same contents and about archive members that are skipped. There is at most one
/// warning of each kind, however many inputs there are.
pub(super) fn warn_of_inputs(context: &Context, read: &ReadInputs) {
    let (mut first, mut same) = (HashMap::new(), Vec::new());
    for source in &read.list {
        let Some(hash) = source.xxh3 else { continue };
        match first.entry(hash) {
            Entry::Occupied(other) => same.push((&source.name, *other.get())),
            Entry::Vacant(place) => drop(place.insert(&source.name)),
        }
    }
    let skipped =
        read.list.iter().flat_map(|source| source.skipped.iter().map(|member| (&source.name, member)));
    let skipped: Vec<_> = skipped.collect();
    let mut summary = context.summary();
    let effect = if summary.copies.is_some() { "are copies" } else { "are counted more than once" };
    summary.warnings.extend(match same.as_slice() {
        [] => None,
        [(name, other)] => Some(format!("{name} has the same contents as {other}, so its games {effect}")),
        [(name, other), more @ ..] => Some(format!(
            "{name} has the same contents as {other}, and {} more inputs have those of an earlier input, so their games {effect}",
            grouped(more.len() as u64)
        )),
    });
    summary.warnings.extend(match skipped.as_slice() {
        [] => None,
        [(name, member)] => Some(format!("{name}: {member} was skipped, because it is not named *.pgn")),
        [(name, member), more @ ..] => Some(format!(
            "{name}: {member} and {} more members were skipped, because they are not named *.pgn",
            grouped(more.len() as u64)
        )),
    });
}
