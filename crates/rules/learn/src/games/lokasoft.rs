//! The conditions under which ChessPartner updates its learning books (ChessPartner: which games count).

use strum::IntoStaticStr;

use super::OwnGame;

/// A win is long if it took more full moves than this.
const LONG_MOVES: u32 = 50;

/// Ratings are close if they differ by less than this.
const CLOSE_ELO: u16 = 200;

/// The condition that makes a game count. If several conditions are met, the first one in this list applies.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Clause {
    /// The engine lost.
    Lost,
    /// The engine won after more than fifty full moves.
    LongWin,
    /// Both ratings are known and less than 200 apart. A draw can count only under this condition.
    CloseRatings,
}

/// Why a game does not count.
#[derive(Clone, Copy, Debug, Eq, IntoStaticStr, PartialEq)]
#[strum(serialize_all = "kebab-case")]
#[non_exhaustive]
pub enum Refusal {
    /// A move was taken back, or the engine was replaced during the game.
    NotSerious,
    /// The game had no time control.
    NotTimed,
    /// The game was neither lost nor a long win, and the ratings were unknown or too far apart.
    #[strum(serialize = "neither-lost-nor-long-nor-close")]
    NoClause,
}

/// Decides whether a game counts, and returns the condition under which it does.
///
/// ChessPartner's text leaves three points open. We ignore the sign of the rating difference, treat ratings
/// as not close if one is unknown, and interpret more than fifty moves as more than a hundred plies.
///
/// # Errors
///
/// Fails with the [`Refusal`] that applies. If several apply, fails with the one that is declared first.
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
