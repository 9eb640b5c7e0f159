//! A Polyglot book that is being edited.

use std::{collections::BTreeMap, path::Path};

use book::polyglot::{Header, PolyglotEntry, Reader, Target, prepare_sorted};
use position::{Key, PackedMove};
use query::only_side_on_lines;
use run::{Result, Run, RunOptions};
use shakmaty::Color;

use super::{
    draft::{Draft, EditFault, EditResult},
    grammar::Setting,
    overlay::laid_over,
    way::Ply,
};

/// The number of positions written at a time.
const POSITIONS_A_BATCH: usize = 1 << 12;
/// The prefix of the header line that names the book.
const NAME: &str = "name: ";
/// The prefix of a header line that records an edit.
const EDIT: &str = "edited: ";
/// The weight of an added move if its edit does not set one.
const ADDED_WEIGHT: u16 = 1;

type Entries = Vec<PolyglotEntry>;

/// A Polyglot book and the changes made to it.
pub(super) struct PolyglotDraft<'r> {
    reader: &'r Reader,
    /// The variants and the comment lines from the file's header.
    header: Header,
    /// The changed positions; `None` stands for a removed position.
    changed: BTreeMap<Key, Option<Entries>>,
}

impl<'r> PolyglotDraft<'r> {
    pub(super) fn of(reader: &'r Reader) -> Result<Self> {
        // Look-ups by key require sorted entries; in an unsorted file, they would miss some.
        reader.verify()?;
        let header = reader.header().cloned();
        let header = header.unwrap_or_else(|| Header::new(&format!("Created by {}", table::CREATED_BY)));
        Ok(Self { reader, header, changed: BTreeMap::new() })
    }

    fn entries(&self, key: Key) -> Result<Option<Entries>> {
        match self.changed.get(&key) {
            Some(entries) => Ok(entries.clone()),
            None => Ok(Some(self.reader.probe(key)?).filter(|entries| !entries.is_empty())),
        }
    }

    fn put(&mut self, key: Key, mut entries: Entries) {
        entries.sort_by_key(|entry| (std::cmp::Reverse(entry.weight), entry.mv));
        self.changed.insert(key, (!entries.is_empty()).then_some(entries));
    }

    /// All positions, including the changes made so far.
    fn all(&self) -> impl Iterator<Item = Result<Entries>> {
        let mut positions = self.reader.by_position();
        let old = std::iter::from_fn(move || {
            let mut entries = Vec::new();
            match positions.next_into(&mut entries) {
                Ok(None) => None,
                Ok(Some(_)) => Some(Ok(entries)),
                Err(error) => Some(Err(error.into())),
            }
        });
        laid_over(old, key_of, self.changed.iter().map(|(&key, entries)| (key, entries.clone())))
    }

    /// Returns the comment for the new header: the old lines, followed by the edits.
    fn comment(&self, edits: &[String]) -> String {
        let edits = edits.iter().map(|edit| format!("{EDIT}{edit}"));
        let old = self.header.unsealed().lines().map(str::to_owned);
        old.chain(edits).collect::<Vec<_>>().join("\n")
    }
}

fn key_of(entries: &Entries) -> Key {
    entries.first().map_or(Key(0), |entry| entry.key)
}

fn moves_of(entries: &Entries) -> Vec<PackedMove> {
    entries.iter().map(|entry| entry.mv).collect()
}

impl Draft for PolyglotDraft<'_> {
    fn moves(&self, key: Key) -> Result<Option<Vec<PackedMove>>> {
        Ok(self.entries(key)?.as_ref().map(moves_of))
    }

    /// Rewrites castling as king takes rook if it is stored as a two-square king move.
    fn normalize(&mut self, ply: &Ply) -> Result<()> {
        let Some(mut entries) = self.entries(ply.key)? else { return Ok(()) };
        let before = moves_of(&entries);
        for entry in &mut entries {
            entry.mv = entry.mv.normalized(&ply.before);
        }
        if moves_of(&entries) != before {
            self.put(ply.key, entries);
        }
        Ok(())
    }

    fn add(&mut self, ply: &Ply) -> Result<()> {
        let mut entries = self.entries(ply.key)?.unwrap_or_default();
        entries.push(PolyglotEntry { key: ply.key, mv: ply.mv, weight: ADDED_WEIGHT, learn: 0 });
        self.put(ply.key, entries);
        Ok(())
    }

    fn remove(&mut self, key: Key, mv: PackedMove) -> Result<()> {
        let mut entries = self.entries(key)?.unwrap_or_default();
        entries.retain(|entry| entry.mv != mv);
        self.put(key, entries);
        Ok(())
    }

    fn forget(&mut self, key: Key) -> Result<()> {
        self.changed.insert(key, None);
        Ok(())
    }

    fn set(&mut self, key: Key, mv: PackedMove, setting: Setting) -> EditResult<bool> {
        let weight = match setting {
            Setting::Weight(weight) => weight,
            Setting::Forbidden => 0,
            Setting::Mark(_) | Setting::Priority(_) => {
                let why = "a Polyglot book has no marks: use `weigh LINE: NUMBER`, or `forbid LINE`, which weighs \
                           0; a .tabia can be marked and exported with a policy";
                return Err(EditFault::Edit(why.into()));
            }
        };
        let mut entries = self.entries(key)?.unwrap_or_default();
        let of_move = entries.iter().filter(|entry| entry.mv == mv);
        if of_move.clone().all(|entry| entry.weight == weight) {
            return Ok(false);
        }
        let learn = of_move.map(|entry| entry.learn).next().unwrap_or(0);
        // If the position has several entries for the move, a single entry replaces them.
        entries.retain(|entry| entry.mv != mv);
        entries.push(PolyglotEntry { key, mv, weight, learn });
        self.put(key, entries);
        Ok(true)
    }

    fn is_forbidden(&self, key: Key, mv: PackedMove) -> Result<bool> {
        let entries = self.entries(key)?.unwrap_or_default();
        Ok(entries.iter().filter(|entry| entry.mv == mv).all(|entry| entry.weight == 0))
    }

    fn positions(&self) -> impl Iterator<Item = Result<(Key, Vec<PackedMove>)>> {
        self.all().map(|entries| entries.map(|entries| (key_of(&entries), moves_of(&entries))))
    }

    /// Entries do not record the side to move, so it is determined by following lines from the start
    /// position.
    fn only_side(&self) -> Result<Option<Color>> {
        only_side_on_lines(|key| Ok(self.moves(key)?.unwrap_or_default()))
    }

    fn rename(&mut self, name: &str) -> bool {
        let line = format!("{NAME}{name}");
        let is_new = !self.header.comment.lines().any(|known| known == line);
        let others = self.header.comment.lines().filter(|known| !known.starts_with(NAME));
        self.header.comment = [line.as_str()].into_iter().chain(others).collect::<Vec<_>>().join("\n");
        is_new
    }

    fn write(self, edits: &[String], output: &Path, options: &RunOptions, run: &mut Run) -> Result<()> {
        let comment = self.comment(edits);
        let header = Header { variants: self.header.variants.clone(), ..Header::sealed(&comment) };
        if header.unsealed().len() < comment.len() {
            let warning = "the header has no room for all edits: the last ones are not named there";
            run.summary.warnings.push(warning.into());
        }
        let (mut moves, mut positions) = (0, 0);
        let mut all = self.all();
        let batches = std::iter::from_fn(|| {
            let mut batch = Vec::new();
            for entries in all.by_ref().take(POSITIONS_A_BATCH) {
                match entries {
                    Ok(entries) => batch.extend(entries),
                    Err(error) => return Some(Err(error)),
                }
                positions += 1;
            }
            moves += batch.len() as u64;
            if let Err(interrupted) = options.check_interrupt() {
                return Some(Err(interrupted));
            }
            (!batch.is_empty()).then_some(Ok(batch))
        });
        let target = Target { path: output, existing: options.existing(), header: Some(&header) };
        run.outputs.push(prepare_sorted(target, batches)?);
        run.summary.exported = [("moves".into(), moves), ("positions".into(), positions)].into();
        Ok(())
    }
}
