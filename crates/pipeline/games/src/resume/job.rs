//! The settings and inputs of a count. A run can resume another only if both have the same settings and
//! inputs.

use std::collections::BTreeMap;

use pgn::input::{Input, Stamp};
use run::{Result, RunError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the records. Incremented whenever a change would make another version misread the record.
const VERSION: u32 = 3;

/// The settings and inputs of a count.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct Job {
    /// Version of the records.
    version: u32,
    /// The name and version of the program: another version may count differently.
    created_by: String,
    /// Settings that change counts or records, by their names in recipes.
    settings: BTreeMap<String, Value>,
    /// The inputs, in order.
    inputs: Vec<JobInput>,
}

/// An input.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct JobInput {
    name: String,
    bytes: u64,
    /// The modification time, as seconds since 1970 and nanoseconds.
    modified: (i64, i64),
}

impl JobInput {
    /// Reads the name, length and modification time of an input.
    ///
    /// # Errors
    ///
    /// Fails if the input is not a file, because only files can be read twice.
    pub(super) fn of(input: &Input) -> Result<Self> {
        let Some(Stamp { bytes, modified }) = input.stamp()? else {
            let why = format!("{name} is not a file, so it can be read only once", name = input.name());
            return Err(RunError::NotResumable(why).into());
        };
        Ok(Self { name: input.name().to_owned(), bytes, modified })
    }

    fn check(&self, now: &Self) -> Result<(), String> {
        let (name, before) = (&self.name, self.bytes);
        let Self { name: name_now, bytes, modified } = now;
        if name != name_now {
            return Err(format!("it was started with {name}, but now {name_now} is given instead"));
        }
        if before != *bytes {
            return Err(format!("{name} had {before} bytes, but now has {bytes}"));
        }
        if self.modified != *modified {
            return Err(format!("{name} was changed after the run was started"));
        }
        Ok(())
    }
}

impl Job {
    /// Makes a job with these settings and inputs.
    #[must_use]
    pub fn new(settings: BTreeMap<String, Value>, inputs: Vec<JobInput>) -> Self {
        Self { version: VERSION, created_by: table::CREATED_BY.to_owned(), settings, inputs }
    }

    /// How many inputs there are.
    pub(super) fn inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Checks that a run of the job `other` can resume a run of this job.
    ///
    /// # Errors
    ///
    /// The error describes the first difference.
    pub(super) fn check(&self, other: &Self) -> Result<(), String> {
        if self.created_by != other.created_by {
            let (before, now) = (&self.created_by, &other.created_by);
            return Err(format!("it was started by {before}, but this is {now}"));
        }
        if self.version != other.version {
            let [before, now] = [self.version, other.version];
            return Err(format!(
                "its records have version {before}, but this version of tabia reads only version {now}"
            ));
        }
        for name in self.settings.keys().chain(other.settings.keys()) {
            let values = [self, other].map(|job| job.settings.get(name).unwrap_or(&Value::Null));
            if values[0] != values[1] {
                let [before, now] = values;
                return Err(format!("it was started with `{name}` = {before}, but now it is {now}"));
            }
        }
        let numbers = [self, other].map(|job| job.inputs.len());
        if numbers[0] != numbers[1] {
            let [before, now] = numbers;
            return Err(format!("it was started with {before} inputs, but now there are {now}"));
        }
        self.inputs.iter().zip(&other.inputs).try_for_each(|(before, now)| before.check(now))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(plies: u64, inputs: &[(&str, u64, i64)]) -> Job {
        let input = |(name, bytes, modified): &(&str, u64, i64)| JobInput {
            name: (*name).into(),
            bytes: *bytes,
            modified: (*modified, 0),
        };
        Job::new(BTreeMap::from([("max_ply".into(), plies.into())]), inputs.iter().map(input).collect())
    }

    #[test]
    fn what_differs_is_named() {
        let before = job(40, &[("a.pgn", 5, 1)]);
        assert_eq!(before.check(&before.clone()), Ok(()));
        let why = |other: &Job| before.check(other).unwrap_err();
        assert_eq!(why(&job(60, &[("a.pgn", 5, 1)])), "it was started with `max_ply` = 40, but now it is 60");
        assert_eq!(why(&job(40, &[])), "it was started with 1 inputs, but now there are 0");
        assert_eq!(
            why(&job(40, &[("b.pgn", 5, 1)])),
            "it was started with a.pgn, but now b.pgn is given instead"
        );
        assert_eq!(why(&job(40, &[("a.pgn", 6, 1)])), "a.pgn had 5 bytes, but now has 6");
        assert_eq!(why(&job(40, &[("a.pgn", 5, 2)])), "a.pgn was changed after the run was started");
        let newer = Job { created_by: "tabia 99.0.0".into(), ..before.clone() };
        assert!(why(&newer).contains("tabia 99.0.0"));
        let older = Job { version: VERSION - 1, ..before.clone() };
        let expected = format!(
            "records have version {VERSION}, but this version of tabia reads only version {}",
            VERSION - 1
        );
        assert_eq!(why(&older), format!("its {expected}"));
    }
}
