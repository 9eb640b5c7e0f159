//! The texts of games in a piece of a chunk.

mod loose;

use crate::input::{GameBounds, Piece, PieceKind};

/// The most games that are read from one record of a loose file. A record ends where tags follow any other
/// text, so in files that people write nearly every record is one game.
const LOOSE_GAMES_MAX: usize = 1 << 14;

/// The form of the games of a file.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Form {
    /// Games with a result, as counting accepts them.
    #[default]
    Finished,
    /// Finished games, and games whose result is unknown.
    Unfinished,
    /// Games in the form of annotation files: see [`crate::annotated`], Loose files.
    Loose,
}

/// The text of a game, or a text in its place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum GameText<'t> {
    Game(&'t [u8]),
    /// A game that lost its tags.
    Fragment(&'t [u8]),
    /// The beginning of a game beyond the [`GameBounds`].
    TooLarge(&'t [u8]),
}

/// Calls `each` with the games of a piece, and the offset of each in the chunk. A piece is one game unless it
/// is a `loose` record. If a record holds more games than are read, the rest counts as one game.
///
/// # Errors
///
/// Fails if `each` fails, with its error.
pub(crate) fn texts<E>(
    piece: Piece<'_>,
    form: Form,
    bounds: GameBounds,
    mut each: impl FnMut(usize, GameText<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let Piece { kind, offset, text } = piece;
    match kind {
        PieceKind::Game if form == Form::Loose => {}
        PieceKind::Game => return each(offset, GameText::Game(text)),
        PieceKind::Fragment => return each(offset, GameText::Fragment(text)),
        PieceKind::Oversized => return each(offset, GameText::TooLarge(text)),
    }
    for (number, (start, game)) in loose::games(text).enumerate() {
        if number == LOOSE_GAMES_MAX {
            return each(offset + start, GameText::TooLarge(&text[start..]));
        }
        let too_large = bounds.exceeded_within(&game);
        let game = if too_large { GameText::TooLarge(&game) } else { GameText::Game(&game) };
        each(offset + start, game)?;
    }
    Ok(())
}
