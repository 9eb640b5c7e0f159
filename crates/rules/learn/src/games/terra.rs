//! Terra's way of learning from its own games: dynamic statistics of book moves, and the first moves after
//! leaving the book.

use position::{Experience, Outcome};
use shakmaty::Color;

/// How many of the engine's own moves after leaving the book are stored in the PostBook (Terra: PostBook).
pub const POST_BOOK_MOVES: usize = 10;

/// Adds the result of a game to a book move that the engine played in it. Returns `false` and adds nothing if
/// a user has set a value for the move (Terra: dynamic values, user-set values).
pub fn add_result(experience: &mut Experience, own: Color, outcome: Outcome) -> bool {
    if experience.user_value.is_some() {
        return false;
    }
    let own_results = &mut experience.own;
    let counter = match outcome {
        Outcome::Draw => &mut own_results.draws,
        Outcome::White if own.is_white() => &mut own_results.wins,
        Outcome::Black if own.is_black() => &mut own_results.wins,
        Outcome::White | Outcome::Black => &mut own_results.losses,
    };
    *counter = counter.saturating_add(1);
    true
}

/// The plies at which the engine played a book move. The caller passes the experience of each of these moves
/// to [`add_result`]. `in_book[i]` says whether ply i, counting from 0 at the start of the game, is a book
/// move.
pub fn book_plies(own: Color, in_book: &[bool]) -> impl Iterator<Item = usize> + '_ {
    own_plies(own, in_book).filter(|&ply| in_book[ply])
}

/// The plies of the engine's first ten moves after leaving the book (Terra: PostBook).
///
/// The game leaves the book at the first ply that is not a book move, whichever side played it. If it
/// transposes back into the book later, the book moves played there are skipped.
pub fn post_book_plies(own: Color, in_book: &[bool]) -> impl Iterator<Item = usize> + '_ {
    own_plies(own, in_book).filter(|&ply| !in_book[ply]).take(POST_BOOK_MOVES)
}

fn own_plies(own: Color, plies: &[bool]) -> impl Iterator<Item = usize> + use<> {
    (own.fold_wb(0, 1)..plies.len()).step_by(2)
}
