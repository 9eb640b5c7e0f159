//! The moves of a record.

use std::ops::Range;

use position::{Board, Key, PackedMove, Ply};
use shakmaty::{
    CastlingSide, File, Role, Square,
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
            // A result means nothing in a record, and does no harm.
            Token::Move(_) | Token::Result(_) => {}
            Token::Bad | Token::UnclosedComment => drop(bad.get_or_insert(movetext.span())),
        }
    }
    match bad {
        // Where no book position was met, Crafty writes what happened to be in its memory (`learn.c`, 15.17).
        _ if plies.len() == first => Err((LearnedReason::NoMoves, None, text)),
        Some(span) => Err((LearnedReason::BadToken, None, &text[span])),
        None => Ok(()),
    }
}

/// Plays a move in algebraic notation; else in coordinates (`g1f3`), which are spelt like a pawn's move.
fn play_one(board: &mut Board, san: San) -> Result<Ply, SanError> {
    let played = board.play_san(&san);
    match (&played, san) {
        (
            Err(SanError::IllegalSan),
            San::Normal { role: Role::Pawn, file: Some(file), rank: Some(rank), to, promotion, .. },
        ) => play_coordinates(board, Square::from_coords(file, rank), to, promotion).or(played),
        _ => played,
    }
}

/// Plays from one square to another, whatever piece is there. At most one of the tries can be legal.
fn play_coordinates(
    board: &mut Board,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Result<Ply, SanError> {
    let (file, rank) = (Some(from.file()), Some(from.rank()));
    let roles = Role::ALL.into_iter().filter(|&role| role == Role::Pawn || promotion.is_none());
    for role in roles {
        for capture in [false, true] {
            let san = San::Normal { role, file, rank, capture, to, promotion };
            if let Ok(ply) = board.play_san(&san) {
                return Ok(ply);
            }
        }
    }
    let king = from.file() == File::E && from.rank() == to.rank() && from.rank() == board.turn().backrank();
    match to.file() {
        File::G if king => board.play_san(&San::Castle(CastlingSide::KingSide)),
        File::C if king => board.play_san(&San::Castle(CastlingSide::QueenSide)),
        _ => Err(SanError::IllegalSan),
    }
}

fn reason(error: &SanError) -> LearnedReason {
    match error {
        SanError::IllegalSan => LearnedReason::IllegalMove,
        SanError::AmbiguousSan => LearnedReason::AmbiguousMove,
    }
}
