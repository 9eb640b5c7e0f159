//! A player's game as PGN, with a comment where it left the book.

use position::{Outcome, PackedMove};
use shakmaty::{Chess, Position as _};

use super::{Departure, Exit};
use crate::pgn::{Movetext, Wrap};

/// Adds a game to `text`: its tags as they were read, then its moves from `start`. The first move that is
/// not in the book gets a comment.
pub fn push_annotated(
    (tags, start): (&str, &Chess),
    moves: impl IntoIterator<Item = PackedMove>,
    outcome: Option<Outcome>,
    exit: &Exit,
    text: &mut String,
) {
    text.push_str(tags.trim_end());
    text.push_str("\n\n");
    let mut tokens = String::new();
    // Writing to a string cannot fail.
    push_moves(&mut Movetext::of(&mut tokens), start, moves, exit).ok();
    let result = outcome.map_or("*", Into::into);
    Wrap::default().finish(&format!("{tokens} {result}"), text);
    text.push('\n');
}

fn push_moves(
    movetext: &mut Movetext<'_>,
    start: &Chess,
    moves: impl IntoIterator<Item = PackedMove>,
    exit: &Exit,
) -> std::fmt::Result {
    let mut position = start.clone();
    let first_ply = 2 * (start.fullmoves().get() - 1) + u32::from(start.turn().is_black());
    for ((mv, ply), place) in moves.into_iter().zip(first_ply..).zip(0..) {
        let Some(san) = mv.play_with_san(&mut position) else { break };
        movetext.push_move(ply, san)?;
        if place == exit.line.len() {
            movetext.push(format_args!("{{{}}}", comment(exit)))?;
        }
    }
    Ok(())
}

fn comment(exit: &Exit) -> String {
    let book = exit.book.join(", ");
    match exit.departure {
        Departure::PlayerLeft => format!("the book plays {book}"),
        Departure::OpponentLeft if book.is_empty() => "the book has no answer".into(),
        Departure::OpponentLeft => format!("the book has {book}"),
        Departure::BookEnded => "the book ends here".into(),
        Departure::OtherOpening if book.is_empty() => "another opening than the book's".into(),
        Departure::OtherOpening => format!("another opening: the book plays {book}"),
        Departure::OtherSide => "not followed: the book is of the other side".into(),
        Departure::Completed => String::new(),
    }
}
