//! When a game counts: the conditions under which Lokasoft's program updates its learning books (seed Lokasoft, A4).

use super::OwnGame;

/// A win is worth learning from only beyond this many full moves.
const LONG_MOVES: u32 = 50;

/// Ratings less than this apart make any game worth learning from.
const CLOSE_ELO: u16 = 200;

/// Which condition a game meets; the first of them counts.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Clause {
    /// The engine lost.
    Lost,
    /// It won after more than fifty full moves.
    LongWin,
    /// Both ratings are known and less than 200 apart. The only way for a draw to count.
    CloseRatings,
}

/// Why a game does not count.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// A move was taken back or the engine swapped.
    NotSerious,
    /// It was not limited in time.
    NotTimed,
    /// It was neither lost, nor a long win, nor between players known to be close.
    NoClause,
}

impl Refusal {
    /// The name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Refusal::NotSerious => "not-serious",
            Refusal::NotTimed => "not-timed",
            Refusal::NoClause => "neither-lost-nor-long-nor-close",
        }
    }
}

/// Whether a game counts, and by which condition.
///
/// The seed leaves open what is decided here: the rating difference is absolute and an unknown one meets nothing; more than
/// fifty moves are more than a hundred plies.
///
/// # Errors
///
/// A [`Refusal`], the first in its order.
pub fn applies(game: &OwnGame) -> Result<Clause, Refusal> {
    if !game.serious {
        Err(Refusal::NotSerious)
    } else if !game.timed {
        Err(Refusal::NotTimed)
    } else if game.is_lost() {
        Ok(Clause::Lost)
    } else if game.is_won() && game.plies > 2 * LONG_MOVES {
        Ok(Clause::LongWin)
    } else if are_close(game) {
        Ok(Clause::CloseRatings)
    } else {
        Err(Refusal::NoClause)
    }
}

fn are_close(game: &OwnGame) -> bool {
    game.own_elo.zip(game.opponent_elo).is_some_and(|(own, opponent)| own.abs_diff(opponent) < CLOSE_ELO)
}
