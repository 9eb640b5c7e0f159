//! The state of a count, pieced together from all of its records.

use std::{collections::BTreeMap, ffi::OsStr, path::Path};

use pgn::input::InputDone;
use run::StatusCounts;

use super::{
    Job,
    record::{CountedChunks, GroupInput, List, Merge, Record, RecordedRun},
};

/// The upper bound of numbers in records, exclusive. No real count comes near it, and sums of such numbers
/// fit in 64 bits.
const NUMBER_END: u64 = 1 << 44;

/// The work recorded so far, up to the last complete record.
#[derive(Clone, Debug, Default)]
pub(super) struct State {
    /// The job; `None` if nothing was recorded.
    pub(super) job: Option<Job>,
    /// The recorded runs by name, except the runs that were merged into others.
    pub(super) runs: BTreeMap<String, RecordedRun>,
    /// The number of the next run: one above the highest recorded number.
    pub(super) run_numbers: u64,
    /// The number of observations in the runs.
    pub(super) items: u64,
    /// The number of chunks in the runs.
    pub(super) chunks: u64,
    /// The numbers of games in the chunks, by status.
    pub(super) counts: StatusCounts,
    /// For each input, the recorded ranges and block hashes.
    pub(super) done: Vec<InputDone>,
    /// The recorded part of the list of rejected games.
    pub(super) list: Option<List>,
}

impl State {
    /// Computes the state from the records.
    ///
    /// # Errors
    ///
    /// Fails at the first contradiction in the records, which the error describes.
    pub(super) fn replay(records: Vec<Record>) -> Result<Self, String> {
        let mut state = Self::default();
        for record in records {
            match record {
                Record::Job(job) if state.job.is_none() => state.job = Some(job),
                Record::Group(group) if state.job.is_some() => state.add_group(group)?,
                Record::Merge(merge) if state.job.is_some() => state.add_merge(merge)?,
                Record::List(list) if state.job.is_some() => {
                    check_name(&list.name)?;
                    state.list = Some(list);
                }
                _ => return Err("its ledger does not begin with the job".to_owned()),
            }
        }
        Ok(state)
    }

    fn add_run(&mut self, run: RecordedRun) -> Result<(), String> {
        check_name(&run.name)?;
        let number = run.name.split('.').next().and_then(|digits| digits.parse::<u64>().ok());
        if let Some(number) = number {
            check_number(number)?;
            self.run_numbers = self.run_numbers.max(number + 1);
        }
        self.runs.insert(run.name.clone(), run);
        Ok(())
    }

    fn add_group(&mut self, group: CountedChunks) -> Result<(), String> {
        for run in group.runs {
            self.add_run(run)?;
        }
        check_number(group.items)?;
        self.items += group.items;
        // One thread may sync the list before another thread does, but record its group after the other
        // thread. The later record then contains a smaller list length than the earlier record. The smaller
        // length is ignored: a list cut at that length would lack lines of chunks that the earlier record
        // calls done.
        let is_longer = |list: &List| match &self.list {
            Some(known) => known.name != list.name || known.bytes < list.bytes,
            None => true,
        };
        if let Some(list) = group.list.filter(is_longer) {
            check_name(&list.name)?;
            self.list = Some(list);
        }
        for of_input in group.inputs {
            self.check_input(&of_input)?;
            self.chunks += of_input.chunks;
            self.counts.of(of_input.input).add(&of_input.counts);
            let input = of_input.input as usize;
            if self.done.len() <= input {
                self.done.resize(input + 1, InputDone::default());
            }
            let done = &mut self.done[input];
            done.blocks.extend(of_input.blocks);
            for (part, spans) in of_input.spans {
                let known = done.parts.entry(part).or_default();
                for (start, end) in spans {
                    known.insert(start..end);
                }
            }
        }
        Ok(())
    }

    /// Refuses an input that the job does not have, ranges that end before they start, and numbers too large
    /// to be counts.
    fn check_input(&self, of_input: &GroupInput) -> Result<(), String> {
        let GroupInput { input, chunks, spans, counts, .. } = of_input;
        let inputs = self.job.as_ref().map_or(0, Job::inputs);
        if *input as usize >= inputs {
            return Err(format!(
                "its ledger counts games of input {input} (numbered from 0), but has only {inputs} inputs"
            ));
        }
        if spans.values().flatten().any(|(start, end)| start >= end) {
            return Err("its ledger counts games of a text that ends before it starts".into());
        }
        check_number(*chunks)?;
        counts.numbers().try_for_each(check_number)
    }

    fn add_merge(&mut self, merge: Merge) -> Result<(), String> {
        for part in &merge.parts {
            if self.runs.remove(part).is_none() {
                return Err(format!(
                    "its ledger records a merge of {part}, but contains no unmerged run of that name"
                ));
            }
        }
        self.add_run(merge.run)
    }
}

/// Refuses a name that would point outside the folder.
fn check_name(name: &str) -> Result<(), String> {
    if Path::new(name).file_name() == Some(OsStr::new(name)) {
        return Ok(());
    }
    Err(format!("its ledger contains {name:?}, which is not a file name"))
}

/// Refuses a number too large to be a count, so that adding up all records cannot overflow.
fn check_number(number: u64) -> Result<(), String> {
    if number < NUMBER_END {
        return Ok(());
    }
    Err(format!("its ledger contains the number {number}, which is too high for a count"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::resume::job::JobInput;
    use run::{InputStatus, Status};

    /// The record of a job with this many inputs.
    fn job(inputs: usize) -> Record {
        Record::Job(Job::new(BTreeMap::new(), vec![JobInput::default(); inputs]))
    }

    fn run(number: u64) -> RecordedRun {
        RecordedRun { name: format!("{number:06}.run"), rows: 1, bytes: 1, xxh3: number }
    }

    fn group(number: u64, spans: &[(u64, u64)], blocks: &[u64]) -> Record {
        let mut counts = InputStatus::default();
        counts.count(Status::Filtered("elo"));
        let of_input = GroupInput {
            input: 1,
            chunks: spans.len() as u64,
            spans: BTreeMap::from([(0, spans.to_vec())]),
            counts,
            blocks: blocks.to_vec(),
        };
        Record::Group(CountedChunks { runs: vec![run(number)], items: 5, inputs: vec![of_input], list: None })
    }

    fn merge(number: u64, parts: &[u64]) -> Record {
        Record::Merge(Merge { run: run(number), parts: parts.iter().map(|part| run(*part).name).collect() })
    }

    #[test]
    fn records_add_up() {
        let records =
            vec![job(2), group(0, &[(0, 5), (9, 12)], &[7]), group(3, &[(5, 9)], &[8, 9]), merge(4, &[0, 3])];
        let mut state = State::replay(records).unwrap();
        assert_eq!(state.runs.keys().collect::<Vec<_>>(), ["000004.run"]);
        assert_eq!((state.run_numbers, state.items, state.chunks), (5, 10, 3));
        assert_eq!(state.counts.of(1).passed_over["elo"], 2);
        assert_eq!(state.done[1].blocks, [7, 8, 9]);
        assert!(state.done[1].parts[&0].iter().eq(std::iter::once(0..12)));
        assert_eq!(state.done[0], InputDone::default());
    }

    #[test]
    fn the_longest_part_of_the_last_list_counts() {
        let list = |name: &str, bytes| List { name: name.into(), bytes, xxh3: bytes };
        let of = |list| Record::Group(CountedChunks { list: Some(list), ..CountedChunks::default() });
        let mut records = vec![job(0), of(list("a", 9)), of(list("a", 5))];
        assert_eq!(State::replay(records.clone()).unwrap().list, Some(list("a", 9)));
        records.push(Record::List(list("b", 4)));
        assert_eq!(State::replay(records.clone()).unwrap().list, Some(list("b", 4)));
        records.push(of(list("b", 6)));
        assert_eq!(State::replay(records).unwrap().list, Some(list("b", 6)));
    }

    #[test]
    fn records_that_make_no_sense_are_refused() {
        assert!(State::replay(vec![group(0, &[], &[])]).is_err());
        let why = |record| State::replay(vec![job(1), record]).unwrap_err();
        assert_eq!(
            why(merge(4, &[0])),
            "its ledger records a merge of 000000.run, but contains no unmerged run of that name"
        );
        assert_eq!(
            why(group(0, &[(0, 5)], &[])),
            "its ledger counts games of input 1 (numbered from 0), but has only 1 inputs"
        );
        let with = |input: GroupInput| {
            Record::Group(CountedChunks { inputs: vec![input], ..CountedChunks::default() })
        };
        let reversed = BTreeMap::from([(0, vec![(5, 0)])]);
        let ends = why(with(GroupInput { spans: reversed, ..GroupInput::default() }));
        assert_eq!(ends, "its ledger counts games of a text that ends before it starts");
        let counts = InputStatus { games: u64::MAX, ..InputStatus::default() };
        for record in [
            with(GroupInput { chunks: u64::MAX, ..GroupInput::default() }),
            with(GroupInput { counts, ..GroupInput::default() }),
            Record::Group(CountedChunks { items: u64::MAX, ..CountedChunks::default() }),
            Record::Group(CountedChunks { runs: vec![run(u64::MAX)], ..CountedChunks::default() }),
        ] {
            assert_eq!(
                why(record),
                "its ledger contains the number 18446744073709551615, which is too high for a count"
            );
        }
    }

    #[test]
    fn names_that_lead_out_of_the_folder_are_refused() {
        for name in ["../a.run", "/a.run", "a/", "..", ""] {
            let run = RecordedRun { name: name.into(), ..run(0) };
            let list = List { name: name.into(), bytes: 0, xxh3: 0 };
            for record in [
                Record::Group(CountedChunks { runs: vec![run.clone()], ..CountedChunks::default() }),
                Record::Group(CountedChunks { list: Some(list.clone()), ..CountedChunks::default() }),
                Record::Merge(Merge { run, parts: Vec::new() }),
                Record::List(list),
            ] {
                let why = State::replay(vec![job(0), record]).unwrap_err();
                assert_eq!(why, format!("its ledger contains {name:?}, which is not a file name"));
            }
        }
    }
}
