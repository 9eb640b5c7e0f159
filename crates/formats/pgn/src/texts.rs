//! Splits a [`Piece`] of a chunk into its games.

mod loose;

use crate::input::{GameBounds, Piece, PieceKind};

/// The maximum number of games that are read from one record with [`Form::Loose`]. A record ends wherever
/// tags follow any other text, so in files written by people nearly every record is one game.
const LOOSE_GAMES_MAX: usize = 1 << 14;

/// The requirements for the games in a file: whether they need a result, and how closely they must follow
/// PGN.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Form {
    /// Games with a result, as counting requires.
    #[default]
    Finished,
    /// Finished games, and games whose result is unknown.
    Unfinished,
    /// Games in annotation files that are not quite PGN: see "Loose files" in [`crate::annotated`].
    Loose,
}

/// Calls `each` once for every game in `piece`, with a [`Piece`] that holds only that game. Only with
/// [`Form::Loose`] can `piece`, which is then a record, have more than one game. If the record has more than
/// `LOOSE_GAMES_MAX` games, the rest of the record is passed on as one oversized piece.
///
/// # Errors
///
/// Fails with the first error that `each` returns.
pub(crate) fn texts<E>(
    piece: Piece<'_>,
    form: Form,
    bounds: GameBounds,
    mut each: impl FnMut(Piece<'_>) -> Result<(), E>,
) -> Result<(), E> {
    if piece.kind != PieceKind::Game || form != Form::Loose {
        return each(piece);
    }
    for (number, (start, game)) in loose::games(piece.text).enumerate() {
        let offset = piece.offset + start;
        if number == LOOSE_GAMES_MAX {
            return each(Piece { kind: PieceKind::Oversized, offset, text: &piece.text[start..] });
        }
        let kind = if bounds.exceeded_within(&game) { PieceKind::Oversized } else { PieceKind::Game };
        each(Piece { kind, offset, text: &game })?;
    }
    Ok(())
}
