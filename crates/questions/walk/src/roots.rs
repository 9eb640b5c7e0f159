//! The positions where a walk begins.

use std::{fs::File, io::Write as _, os::unix::fs::FileExt as _, path::PathBuf};

use fault::{FileFault, Result};
use position::Root;
use shakmaty::{Chess, Color};
use table::SortedRows;

use crate::{Origin, Work};

/// The positions where the lines of a walk begin. Number 0 is the origin. The roots of the rows follow, in
/// ascending order of key: these are positions, other than the start position, from which games started.
///
/// # Memory
///
/// Only the origin is in memory. The roots of the rows are in an unnamed temporary file.
pub(crate) struct WalkRoots {
    origin: Chess,
    /// Whether any lines begin at the origin.
    pub(crate) has_origin: bool,
    /// The number of roots of the rows. `has_black` is set if Black is to move at any of these roots.
    pub(crate) count: u64,
    pub(crate) has_black: bool,
    file: Option<File>,
    folder: PathBuf,
}

impl WalkRoots {
    /// Reads the roots of `rows`, if the walk is to begin at them. The walk also begins at the origin, unless
    /// all games started elsewhere.
    pub(crate) fn read(work: &Work<'_>, rows: &dyn SortedRows, origin: &Origin) -> Result<Self> {
        let folder = work.temp_dir.clone();
        let (origin, with_roots) = (origin.position.clone(), origin.with_roots);
        let mut roots = Self { origin, has_origin: true, count: 0, has_black: false, file: None, folder };
        let (mut games, mut bytes) = (0, Vec::new());
        for shard in (0..rows.shards()).filter(|_| with_roots) {
            rows.roots(shard, &mut |row| {
                games += row.tally.games();
                bytes.extend(row.root.to_bytes());
                roots.count += 1;
                roots.has_black |= row.root.turn == Color::Black;
                if bytes.len() >= 1 << 16 { roots.write(&mut bytes) } else { Ok(()) }
            })?;
        }
        if roots.count > 0 {
            roots.write(&mut bytes)?;
            roots.has_origin = !rows.all_start_elsewhere(games);
        }
        Ok(roots)
    }

    fn write(&mut self, bytes: &mut Vec<u8>) -> Result<()> {
        let file = match self.file.take() {
            Some(file) => file,
            None => tempfile::tempfile_in(&self.folder).map_err(FileFault::at(&self.folder))?,
        };
        self.file.insert(file).write_all(bytes).map_err(FileFault::at(&self.folder))?;
        bytes.clear();
        Ok(())
    }

    /// Calls `each` with the number and the position of every root at which this side is to move. The origin
    /// is not among these roots.
    pub(crate) fn of_side(&self, turn: Color, mut each: impl FnMut(u64, Root) -> Result<()>) -> Result<()> {
        for number in 1..=self.count {
            match self.get(number)? {
                Some(root) if root.turn == turn => each(number, root)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The position of a root; `None` if it is illegal, which can happen in a damaged file.
    pub(crate) fn position(&self, number: u64) -> Result<Option<Chess>> {
        if number == 0 {
            Ok(Some(self.origin.clone()))
        } else {
            Ok(self.get(number)?.and_then(|root| root.position()))
        }
    }

    fn get(&self, number: u64) -> Result<Option<Root>> {
        let (Some(at), Some(file)) = (number.checked_sub(1), &self.file) else { return Ok(None) };
        let mut bytes = [0; Root::BYTES];
        file.read_exact_at(&mut bytes, at * Root::BYTES as u64).map_err(FileFault::at(&self.folder))?;
        Ok(Some(Root::of_bytes(&bytes)))
    }
}
