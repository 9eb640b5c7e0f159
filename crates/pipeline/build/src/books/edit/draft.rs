//! What an editor needs of a book of either format.

use std::path::Path;

use output::Prepared;
use position::{Key, PackedMove};
use query::PositionIndex;
use shakmaty::Color;

use super::{grammar::Setting, way::Ply};
use crate::{Error, Result, RunOptions, Summary};

/// Positions between two looks at whether the user interrupts.
const POSITIONS_A_LOOK: usize = 1 << 16;

/// Why an edit was not done.
pub(super) enum Fault {
    /// It cannot be done in this book.
    Edit(String),
    /// Its value is none that a book of this kind can have.
    NotAnEdit(String),
    /// The book cannot be read, or the user interrupts.
    Run(Error),
}

impl<E: Into<Error>> From<E> for Fault {
    fn from(error: E) -> Self {
        Self::Run(error.into())
    }
}

/// What becomes of an edit, or of a part of it.
pub(super) type Done<T> = Result<T, Fault>;

/// A book that is being edited.
pub(super) trait Draft {
    /// The moves of a position; `None` if the book does not have it.
    fn moves(&self, key: Key) -> Result<Option<Vec<PackedMove>>>;

    /// Lets a position on the line of an edit have its moves as lines name them.
    fn normalize(&mut self, _: &Ply) -> Result<()> {
        Ok(())
    }

    /// Adds a move that the book does not have.
    fn add(&mut self, ply: &Ply) -> Result<()>;

    /// Takes a move away, with all that is known of it.
    fn remove(&mut self, key: Key, mv: PackedMove) -> Result<()>;

    /// Takes a position away, with all that is known of it.
    fn forget(&mut self, key: Key) -> Result<()>;

    /// Gives a move of the book a weight, a value or a mark; whether that changed anything.
    fn set(&mut self, key: Key, mv: PackedMove, setting: Setting) -> Done<bool>;

    /// Whether a move is not to be played.
    fn is_forbidden(&self, key: Key, mv: PackedMove) -> Result<bool>;

    /// All positions and their moves, ascending.
    fn positions(&self) -> impl Iterator<Item = Result<(Key, Vec<PackedMove>)>>;

    /// All positions and their moves, in memory.
    fn index(&self, run: &RunOptions) -> Result<PositionIndex> {
        let check_stop = |(number, position): (usize, _)| {
            if number.is_multiple_of(POSITIONS_A_LOOK) {
                run.check_interrupt()?;
            }
            position
        };
        PositionIndex::read(self.positions().enumerate().map(check_stop))
    }

    /// The side that has moves, if the other one has none.
    fn only_side(&self) -> Result<Option<Color>>;

    /// Whether no move is left.
    fn is_empty(&self) -> Result<bool> {
        for position in self.positions() {
            if !position?.1.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Names the book; whether that changed anything.
    fn rename(&mut self, name: &str) -> bool;

    /// Writes the new book, which says that these edits made it.
    fn write(
        self,
        edits: &[String],
        output: &Path,
        run: &RunOptions,
        summary: &mut Summary,
    ) -> Result<Prepared>;
}
