//! The input of a policy: the moves of a position, with everything that is known about each.

use position::{Experience, PackedMove, Score, Tally};
use shakmaty::Color;

/// One move that may be chosen. Tallies count White's and Black's wins; a policy converts them to the mover's
/// point of view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: PackedMove,
    /// Whether the move is an edge of the book. If not, only the position after the move is in the book, or
    /// only the PostBook has the move.
    pub in_book: bool,
    /// The games that played this move in this position, by result; empty if the move is not an edge.
    pub tally: Tally,
    /// The games that reached the position after the move, through this move or any other; `None` if no game
    /// did.
    pub target: Option<Tally>,
    /// What was learned or set by hand for the edge.
    pub experience: Experience,
    /// What was learned for the move if it comes after the end of the book (Terra: PostBook); `None` if
    /// nothing was learned.
    pub postbook: Option<Experience>,
    /// An engine's evaluation of the move, from the mover's point of view; `None` if there is none.
    pub evaluation: Option<Score>,
    /// The value that minimax backs up to the move from evaluations of later positions, from the mover's
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
/// Each move is listed once. The order of candidates does not change the result, but a judgement is faster if
/// they ascend by move. Terminal visits (move 0) are not moves, and are left out of every judgement.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The side to move.
    pub turn: Color,
    /// The moves of the position.
    pub candidates: &'a [Candidate],
}
