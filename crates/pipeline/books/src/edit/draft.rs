//! The operations that an editor needs on a book, in either of the two formats.

use std::path::Path;

use position::{Key, PackedMove};
use query::PositionIndex;
use run::{Error, Result, Run, RunOptions};
use shakmaty::{Chess, Color};

use super::{grammar::Setting, way::Ply};

/// The number of positions between checks for an interrupt.
const POSITIONS_A_LOOK: usize = 1 << 16;

/// The reason why an edit was not made.
pub(super) enum EditFault {
    /// The edit cannot be made in this book.
    Edit(String),
    /// The edit would change nothing.
    Done(String),
    /// A book of this kind cannot store the value that the edit sets.
    NotAnEdit(String),
    /// The book cannot be read, or the user interrupted the command.
    Run(Error),
}

impl<E: Into<Error>> From<E> for EditFault {
    fn from(error: E) -> Self {
        Self::Run(error.into())
    }
}

/// The result of an edit, or of part of one.
pub(super) type EditResult<T> = Result<T, EditFault>;

/// A book that is being edited.
pub(super) trait Draft {
    /// The moves of a position; `None` if the book does not have the position.
    fn moves(&self, key: Key) -> Result<Option<Vec<PackedMove>>>;

    /// Rewrites the moves of a position in the form that lines use, with castling as king takes rook.
    fn normalize(&mut self, _: &Ply) -> Result<()> {
        Ok(())
    }

    /// Adds a move that the book does not have.
    fn add(&mut self, ply: &Ply) -> Result<()>;

    /// Removes a move and everything known about it.
    fn remove(&mut self, key: Key, mv: PackedMove) -> Result<()>;

    /// Removes a position and everything known about it.
    fn forget(&mut self, key: Key) -> Result<()>;

    /// Sets the weight, value or mark of a move in the book. Returns whether that changed anything.
    fn set(&mut self, key: Key, mv: PackedMove, setting: Setting) -> EditResult<bool>;

    /// The positions where lines begin.
    fn starts(&self) -> Result<Vec<Chess>> {
        Ok(vec![Chess::default()])
    }

    /// Whether a move is forbidden.
    fn is_forbidden(&self, key: Key, mv: PackedMove) -> Result<bool>;

    /// All positions and their moves, in ascending order.
    fn positions(&self) -> impl Iterator<Item = Result<(Key, Vec<PackedMove>)>>;

    /// All positions and their moves, as an index in memory.
    fn index(&self, run: &RunOptions) -> Result<PositionIndex> {
        let check_stop = |(number, position): (usize, _)| {
            if number.is_multiple_of(POSITIONS_A_LOOK) {
                run.check_interrupt()?;
            }
            position
        };
        PositionIndex::read(self.positions().enumerate().map(check_stop))
    }

    /// The side that has moves, if the other has none.
    fn only_side(&self) -> Result<Option<Color>>;

    /// Whether no moves are left.
    fn is_empty(&self) -> Result<bool> {
        for position in self.positions() {
            if !position?.1.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Names the book. Returns whether that changed anything.
    fn rename(&mut self, name: &str) -> bool;

    /// Writes the new book, which records these edits in its provenance.
    fn write(self, edits: &[String], output: &Path, options: &RunOptions, run: &mut Run) -> Result<()>;
}
