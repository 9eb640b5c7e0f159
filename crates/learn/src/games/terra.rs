//! Terra's own games: dynamic statistics of book moves, and the first moves after the book.

use position::{Experience, Outcome};
use shakmaty::Color;

/// How many own moves after leaving the book the `PostBook` keeps ("about 10": seed Terra, C9).
pub const POST_BOOK_MOVES: usize = 10;

/// Adds the result of a game to an own book move; false, and nothing added, where a user set a value (seed Terra, C2 and C3).
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

/// The plies where the engine played a book move, for [`add_result`]. `in_book[i]` tells whether ply i, counted from the
/// start of the game, played a book move.
pub fn book_plies(own: Color, in_book: &[bool]) -> impl Iterator<Item = usize> + '_ {
    own_plies(own, in_book).filter(|&ply| in_book[ply])
}

/// The plies of the first ten own moves after leaving the book (seed Terra, C9).
///
/// The book is left at its first ply that is no book move, whoever played it. A game that transposes back plays book moves
/// there, which are the book's and are not counted.
pub fn post_book_plies(own: Color, in_book: &[bool]) -> impl Iterator<Item = usize> + '_ {
    own_plies(own, in_book).filter(|&ply| !in_book[ply]).take(POST_BOOK_MOVES)
}

fn own_plies(own: Color, plies: &[bool]) -> impl Iterator<Item = usize> + use<> {
    (own.fold_wb(0, 1)..plies.len()).step_by(2)
}
