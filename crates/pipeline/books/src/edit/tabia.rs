//! A `.tabia` that is being edited.
//!
//! Counts never change: an added move has no games. A value set by hand is stored as experience, just like a
//! value set with `learn set`.

mod experience_draft;

use std::{collections::BTreeMap, path::Path};

use book::{Book, BookEdge, BookWriter, PositionEntry};
use position::{Key, PackedMove, Tally};
use query::{BookRoots, only_side_among};
use run::{Error, Result, Run, RunOptions};
use serde_json::{Value, json};
use shakmaty::{Chess, Color, Position as _};

use self::experience_draft::ExperienceDraft;
use super::{
    draft::{Draft, EditResult},
    grammar::Setting,
    overlay::laid_over,
    way::Ply,
};
use crate::{origin, report_book};

/// The number of positions between checks for an interrupt.
const POSITIONS_A_LOOK: usize = 1 << 14;

/// A book and the changes to it.
pub(super) struct BookDraft<'b> {
    book: &'b Book,
    provenance: Value,
    /// The changed positions; `None` stands for a removed position.
    changed: BTreeMap<Key, Option<PositionEntry>>,
    knowledge: ExperienceDraft<'b>,
}

impl<'b> BookDraft<'b> {
    pub(super) fn of(book: &'b Book) -> Result<Self> {
        let provenance = book.provenance()?;
        let knowledge = ExperienceDraft::of(book)?;
        Ok(Self { book, provenance, changed: BTreeMap::new(), knowledge })
    }

    fn entry(&self, key: Key) -> Result<Option<PositionEntry>> {
        match self.changed.get(&key) {
            Some(entry) => Ok(entry.clone()),
            None => Ok(self.book.probe(key)?),
        }
    }

    /// The position as it is in the draft, or a new one without games.
    fn entry_or_new(&self, key: Key, turn: Color) -> Result<PositionEntry> {
        let new = || PositionEntry { key, turn, tally: Tally::default(), edges: Vec::new() };
        Ok(self.entry(key)?.unwrap_or_else(new))
    }

    /// All positions, including the changes made so far.
    fn entries(&self) -> impl Iterator<Item = Result<PositionEntry>> {
        let old = self.book.iter().map(|entry| entry.map_err(Error::from));
        let changed = self.changed.iter().map(|(&key, entry)| (key, entry.clone()));
        laid_over(old, |entry| entry.key, changed)
    }

    fn write_positions(&self, writer: &mut BookWriter, run: &RunOptions) -> Result<()> {
        for (number, entry) in self.entries().enumerate() {
            if number.is_multiple_of(POSITIONS_A_LOOK) {
                run.check_interrupt()?;
            }
            writer.push(&entry?)?;
        }
        Ok(())
    }
}

fn moves_of(entry: &PositionEntry) -> Vec<PackedMove> {
    entry.edges.iter().map(|edge| edge.mv).collect()
}

impl Draft for BookDraft<'_> {
    fn moves(&self, key: Key) -> Result<Option<Vec<PackedMove>>> {
        Ok(self.entry(key)?.as_ref().map(moves_of))
    }

    fn starts(&self) -> Result<Vec<Chess>> {
        Ok(BookRoots::of(self.book)?.positions())
    }

    fn add(&mut self, ply: &Ply) -> Result<()> {
        let mut entry = self.entry_or_new(ply.key, ply.turn())?;
        let place = entry.edges.partition_point(|edge| edge.mv < ply.mv);
        entry.edges.insert(place, BookEdge { mv: ply.mv, tally: Tally::default() });
        self.changed.insert(ply.key, Some(entry));
        // The position after the move is added as well, because a book contains every position that its moves
        // lead to.
        let target = Key::of(&ply.after);
        let leaf = self.entry_or_new(target, ply.after.turn())?;
        self.changed.insert(target, Some(leaf));
        Ok(())
    }

    fn remove(&mut self, key: Key, mv: PackedMove) -> Result<()> {
        if let Some(mut entry) = self.entry(key)? {
            entry.edges.retain(|edge| edge.mv != mv);
            self.changed.insert(key, Some(entry));
        }
        self.knowledge.forget(key, |row| row.mv == mv)
    }

    fn forget(&mut self, key: Key) -> Result<()> {
        self.changed.insert(key, None);
        self.knowledge.forget(key, |_| true)
    }

    fn set(&mut self, key: Key, mv: PackedMove, setting: Setting) -> EditResult<bool> {
        self.knowledge.set(key, mv, setting)
    }

    fn is_forbidden(&self, key: Key, mv: PackedMove) -> Result<bool> {
        self.knowledge.is_forbidden(key, mv)
    }

    fn positions(&self) -> impl Iterator<Item = Result<(Key, Vec<PackedMove>)>> {
        self.entries().map(|entry| entry.map(|entry| (entry.key, moves_of(&entry))))
    }

    fn only_side(&self) -> Result<Option<Color>> {
        only_side_among(self.entries())
    }

    fn rename(&mut self, name: &str) -> bool {
        let is_new = self.provenance["name"] != name;
        self.provenance["name"] = json!(name);
        is_new
    }

    fn write(self, edits: &[String], output: &Path, options: &RunOptions, run: &mut Run) -> Result<()> {
        let (mut provenance, positions) = (self.provenance.clone(), self.book.stats().positions);
        origin::add_edits(&mut provenance, edits);
        let mut writer = BookWriter::create(output, &provenance, positions, options.existing())?;
        self.write_positions(&mut writer, options)?;
        let rows = self.knowledge.write(&mut writer)?;
        writer.set_roots(self.book.roots()?);
        report_book(run, writer, rows, output)
    }
}
