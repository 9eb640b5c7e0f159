//! Where the moves of positions are looked up: in the artefact, and once many were, in all of a table in
//! memory.

use std::ops::ControlFlow;

use position::Key;
use query::{Artefact, KeyProbe, TableInMemory, probe_key};

use crate::Result;

/// Rows that are read through in the time of one look-up, about: half of those that
/// [`query::probe_keys`] takes, since all that is read is kept.
const LOOK_UP_ROWS: u64 = 2500;

/// The moves of an artefact's positions.
pub(super) struct Moves<'a> {
    artefact: &'a Artefact,
    go_on: &'a dyn Fn() -> ControlFlow<()>,
    /// Look-ups until a table is read into memory.
    left: Option<u64>,
    in_memory: Option<TableInMemory>,
}

impl<'a> Moves<'a> {
    pub(super) fn of(artefact: &'a Artefact, go_on: &'a dyn Fn() -> ControlFlow<()>) -> Self {
        let left = match artefact {
            Artefact::Table(table) => Some(table.manifest().rows / LOOK_UP_ROWS),
            _ => None,
        };
        Self { artefact, go_on, left, in_memory: None }
    }

    /// The artefact.
    pub(super) fn artefact(&self) -> &'a Artefact {
        self.artefact
    }

    /// What is known of a position.
    pub(super) fn at(&mut self, key: Key) -> Result<Option<KeyProbe>> {
        if let Some(table) = &self.in_memory {
            return Ok(table.probe(key));
        }
        if let (Artefact::Table(table), Some(left)) = (self.artefact, self.left) {
            self.left = left.checked_sub(1);
            if self.left.is_none() {
                self.in_memory = TableInMemory::read(table, self.go_on)?;
                return self.at(key);
            }
        }
        Ok(probe_key(self.artefact, key)?)
    }
}
