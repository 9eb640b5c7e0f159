//! What became of the records or games of each input.

use std::collections::BTreeMap;

use pgn::input::{SourceInfo, Sources};
use table::ExperienceSource;

use crate::{Context, count::base_name, report::LearningReport};

/// What became of the records or games of one input.
#[derive(Clone, Debug, Default)]
struct Tally {
    records: u64,
    taught: u64,
    idle: BTreeMap<&'static str, u64>,
    rejected: BTreeMap<&'static str, u64>,
}

/// Counts by input.
#[derive(Debug, Default)]
pub(crate) struct Tallies(Vec<Tally>);

impl Tallies {
    fn of(&mut self, input: u32) -> &mut Tally {
        let input = input as usize;
        if self.0.len() <= input {
            self.0.resize(input + 1, Tally::default());
        }
        &mut self.0[input]
    }

    pub(crate) fn taught(&mut self, input: u32) {
        let tally = self.of(input);
        tally.records += 1;
        tally.taught += 1;
    }

    /// It was in order, but taught nothing.
    pub(crate) fn idle(&mut self, input: u32, why: &'static str) {
        let tally = self.of(input);
        tally.records += 1;
        *tally.idle.entry(why).or_default() += 1;
    }

    pub(crate) fn rejected(&mut self, input: u32, reason: &'static str) {
        let tally = self.of(input);
        tally.records += 1;
        *tally.rejected.entry(reason).or_default() += 1;
    }

    /// The inputs as an experience file names them, in their order.
    pub(crate) fn sources(&mut self, read: &Sources, teacher: &str) -> Vec<ExperienceSource> {
        let source = |(at, info): (usize, &SourceInfo)| {
            let Tally { records, taught, idle, rejected } = self.of(at as u32).clone();
            let named = |counts: BTreeMap<&'static str, u64>| {
                counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
            };
            ExperienceSource {
                name: base_name(&info.name),
                teacher: teacher.to_owned(),
                xxh3: info.xxh3.map_or_else(String::new, |hash| format!("{hash:016x}")),
                records,
                taught,
                idle: named(idle),
                rejected: named(rejected),
            }
        };
        read.list.iter().enumerate().map(source).collect()
    }

    /// Adds what was met to the report, and warns of inputs that have nothing to do with the book.
    pub(crate) fn report(&mut self, context: &Context, read: &Sources) {
        let mut report = context.report();
        for (at, info) in read.list.iter().enumerate() {
            let tally = self.of(at as u32);
            let strangers = tally.idle.get(NO_BOOK_MOVE).copied().unwrap_or(0);
            let copies = tally.idle.get(DUPLICATE).copied().unwrap_or(0);
            if tally.taught == 0 && strangers > 0 && copies == 0 {
                report.warnings.push(format!("{}: none of its lines is in the book", info.name));
            }
        }
        report.learning = Some(self.sum());
    }

    /// All inputs together.
    pub(crate) fn sum(&self) -> LearningReport {
        let mut sum = LearningReport::default();
        for tally in &self.0 {
            sum.records += tally.records;
            sum.taught += tally.taught;
            add(&mut sum.idle, &tally.idle);
            add(&mut sum.rejected, &tally.rejected);
        }
        sum
    }
}

/// Why records are idle that play no move of the book.
const NO_BOOK_MOVE: &str = "no-book-move";
/// Why copies of what taught before are idle.
const DUPLICATE: &str = "duplicate";

fn add(sum: &mut BTreeMap<String, u64>, more: &BTreeMap<&'static str, u64>) {
    for (&name, count) in more {
        *sum.entry(name.to_owned()).or_default() += count;
    }
}
