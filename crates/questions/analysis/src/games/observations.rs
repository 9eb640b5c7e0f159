//! `observations/`: one row for each move of a game, in the order of the games.

use std::path::Path;

use super::{columns::NumberedGame, parts::Parts};
use crate::{
    GameOptions, Result,
    cells::Cell,
    column::{
        Column,
        ColumnKind::{I32, I64, Key as KeyKind, Text, U16},
        Layout, Spec,
    },
};

/// The files of observations.
pub(super) fn spec(options: &GameOptions) -> Spec {
    options.spec("observations", COLUMNS.to_vec(), 2)
}

const COLUMNS: [Column; 6] = [
    Column::new("game", I64, "number", "the game's number in the export: `games.game`")
        .laid_out(Layout::Deltas),
    Column::new("ply", I32, "plies", "moves of the game before this one"),
    Column::new("key", KeyKind, "hash", "the position before the move: Polyglot's hash")
        .laid_out(Layout::Bare),
    Column::new("move", U16, "bits", "the move in Polyglot's bits; castling is king takes own rook")
        .laid_out(Layout::BareDictionary),
    Column::new("uci", Text, "text", "the move as UCI has it; castling is the king's two steps")
        .laid_out(Layout::Scattered),
    Column::new("result", Text, "text", "the game's: `1-0`, `1/2-1/2`, `0-1` or `*`").null("not known"),
];

/// Writes the moves of games.
///
/// # Memory
///
/// Takes as much memory as one [`PartWriter`](crate::part::PartWriter).
pub(super) struct Observations {
    pub(super) parts: Parts,
}

impl Observations {
    pub(super) fn create(dir: &Path, spec: Spec) -> Result<Self> {
        Ok(Self { parts: Parts::create(dir, spec)? })
    }

    /// Adds the moves of a game.
    ///
    /// # Panics
    ///
    /// Panics unless the game has a key for each move.
    pub(super) fn push(&mut self, numbered: &NumberedGame<'_>) -> Result<()> {
        let NumberedGame { number: game, game: row } = *numbered;
        assert_eq!(row.moves.len(), row.keys.len(), "a key for every move");
        let result = row.result.as_deref();
        for (ply, (played, &key)) in row.moves.iter().zip(&row.keys).enumerate() {
            self.parts.push(|cells| {
                cells.push(Cell::count(game));
                cells.push(Cell::count(ply as u64));
                cells.push(Cell::Key(key));
                cells.push(Cell::Integer(played.packed.0.into()));
                cells.push(Cell::Uci(*played));
                cells.push(Cell::text(result));
            })?;
        }
        Ok(())
    }
}
