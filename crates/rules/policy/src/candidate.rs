//! The input of a policy, which consists of a position's moves and everything that is known about each move.

use position::{Experience, PackedMove, Score, Tally};
use shakmaty::Color;

/// One move that may be chosen. Tallies count White's and Black's wins; a policy converts them to the mover's
/// point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: PackedMove,
    /// Whether the move is an edge of the book. If it is not, it is a candidate because the position after
    /// the move is in the book, or because the move is in the PostBook.
    pub in_book: bool,
    /// The games in which this move was played here, by result; empty if the move is not an edge.
    pub tally: Tally,
    /// The games that reached the position after the move, by this move or any other; `None` if there are
    /// none.
    pub target: Option<Tally>,
    /// The values that were learned or set by hand for the edge.
    pub experience: Experience,
    /// The experience from games in which the engine played the move after leaving the book (Terra:
    /// PostBook); `None` if there is none.
    pub postbook: Option<Experience>,
    /// An engine's evaluation of the move, from the mover's point of view; `None` if there is none.
    pub evaluation: Option<Score>,
    /// The value that minimax has backed up to the move from evaluations of later positions, from the mover's
    /// point of view; `None` if there is none.
    pub minimax: Option<Score>,
    /// The move's weight in a Polyglot book; `None` in other books.
    pub weight: Option<u16>,
}

impl Candidate {
    /// How often the move was played: its number of games or, in a Polyglot book, its weight.
    #[must_use]
    pub fn played(&self) -> u128 {
        let Tally { white, draws, black } = self.tally;
        let games = [white, draws, black].into_iter().map(u128::from).sum();
        self.weight.map_or(games, u128::from)
    }
}

/// A position as a policy sees it.
///
/// No move is listed twice. The order of candidates does not affect the result, but judging is faster if they
/// are sorted by move. Terminal visits (move 0) are not moves, so judgements do not contain them.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The side to move.
    pub turn: Color,
    /// The moves of the position.
    pub candidates: &'a [Candidate],
}
