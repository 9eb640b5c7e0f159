//! The input of a policy: a position's moves with all that is known about each.

use position::{Experience, PackedMove, Score, Tally};
use shakmaty::Color;

/// One move that may be chosen. All counts are absolute; a policy converts them to the mover's view.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: PackedMove,
    /// Whether the move is an edge of the book; if false, only the position it leads to is in the book, or
    /// only the PostBook knows it.
    pub in_book: bool,
    /// Games with this move from this position; empty for a move that is not an edge.
    pub tally: Tally,
    /// Games of the position it leads to, by any path; `None` if it was never seen.
    pub target: Option<Tally>,
    /// What was learned about the edge or set for it by hand.
    pub experience: Experience,
    /// What was learned after leaving the book (Terra: PostBook); `None` if nothing was.
    pub postbook: Option<Experience>,
    /// What an engine said of the move, from the mover's view; `None` if it was not asked.
    pub evaluation: Option<Score>,
    /// What evaluations of later positions are worth for the move, from the mover's view; `None` if that was
    /// not computed.
    pub minimax: Option<Score>,
    /// The weight a Polyglot book gives the move; `None` in other books.
    pub weight: Option<u16>,
}

impl Candidate {
    /// How often the move was played: its games, or its weight where a Polyglot book counts none.
    #[must_use]
    pub fn played(&self) -> u128 {
        let Tally { white, draws, black } = self.tally;
        let games = [white, draws, black].into_iter().map(u128::from).sum();
        self.weight.map_or(games, u128::from)
    }
}

/// A position as a policy sees it.
///
/// Each move occurs once. The order of the candidates does not change the result, but a judgement is
/// faster if they ascend by move. Terminal visits (move 0) are not moves and are left out of every
/// judgement.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// Whose move it is.
    pub turn: Color,
    /// Its moves.
    pub candidates: &'a [Candidate],
}
