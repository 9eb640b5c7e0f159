//! The moves of a record.

use std::ops::Range;

use position::{Board, Key, PackedMove, Ply};
use shakmaty::{
    Role, Square,
    san::{San, SanError},
};

use super::{LearnedReason, reason::Refusal};
use pgn::movetext::{Movetext, Token};

/// Plays the moves in a range of the text.
pub(super) fn play<'t>(
    mut board: Board,
    text: &'t [u8],
    moves: Range<usize>,
    plies: &mut Vec<(Key, PackedMove)>,
) -> Result<(), Refusal<'t>> {
    let first = plies.len();
    let mut movetext = Movetext::new(&text[..moves.end], moves.start);
    let mut bad = None;
    while let Some(token) = movetext.next() {
        match token {
            Token::Move(san) if bad.is_none() => {
                let key = board.key();
                let ply = (plies.len() - first + 1) as u32;
                let played = play_one(&mut board, san)
                    .map_err(|error| (reason(&error), Some(ply), &text[movetext.span()]))?;
                plies.push((key, played.mv));
            }
            // A result in a record has no meaning, and is ignored.
            Token::Move(_) | Token::Result(_) => {}
            Token::Bad | Token::UnclosedComment => drop(bad.get_or_insert(movetext.span())),
        }
    }
    match bad {
        // For a game without a book position, Crafty writes whatever is in its memory in place of the moves
        // (`learn.c`, 15.17).
        _ if plies.len() == first => Err((LearnedReason::NoMoves, None, text)),
        Some(span) => Err((LearnedReason::BadToken, None, &text[span])),
        None => Ok(()),
    }
}

/// Plays a move in algebraic notation or in coordinates. The parser reads coordinates such as `g1f3` as a
/// pawn move; if that move is illegal, the piece on the first square is moved to the second. In these
/// records, a king that moves onto its own rook does not castle.
fn play_one(board: &mut Board, san: San) -> Result<Ply, SanError> {
    let played = board.play_san(&san);
    match (&played, san) {
        (
            Err(SanError::IllegalSan),
            San::Normal { role: Role::Pawn, file: Some(file), rank: Some(rank), to, promotion, .. },
        ) => match board.play_squares(Square::from_coords(file, rank), to, false, promotion) {
            Ok(ply) if ply.mv.to() == to && ply.step.is_castling() => Err(SanError::IllegalSan),
            by_squares => by_squares,
        },
        _ => played,
    }
}

fn reason(error: &SanError) -> LearnedReason {
    match error {
        SanError::IllegalSan => LearnedReason::IllegalMove,
        SanError::AmbiguousSan => LearnedReason::AmbiguousMove,
    }
}
