//! Errors from changing a table.

use std::path::PathBuf;

use games::DedupGames;

/// The reason why games cannot be added to a table or subtracted from it. The table has not been changed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ChangeError {
    /// The rule for leaving out copies of games differs from the table's.
    #[error("{table} was counted with --dedup-games {expected}, not {got}")]
    OtherDedup {
        /// The table.
        table: PathBuf,
        /// Which copies were left out of the table.
        expected: DedupGames,
        /// Which copies would be left out now.
        got: DedupGames,
    },
    /// The table has fewer games with a move than are to be subtracted.
    #[error(
        "cannot subtract {got} games (White won/drawn/Black won) {place}, because {path} has only {expected}; were \
         they counted in it? Nothing was changed", got = results(*got), expected = results(*expected)
    )]
    TooFewGames {
        /// The table.
        path: PathBuf,
        /// A description of the games: the move, and the position in which it was played.
        place: String,
        /// How many games with this move the table has, by result.
        expected: [u64; 3],
        /// How many games with this move are to be subtracted, by result.
        got: [u64; 3],
    },
    /// The games to be subtracted were counted with different player ratings.
    #[error(
        "cannot subtract the games {place}, because {path} counted them with other ratings of the players; \
         nothing was changed"
    )]
    OtherRatings {
        /// The table.
        path: PathBuf,
        /// A description of the games: the move, and the position in which it was played.
        place: String,
    },
    /// The table already counts games that are to be added.
    #[error("{table} already contains the games of {name} ({identity})")]
    AlreadyCounted {
        /// The table.
        table: PathBuf,
        /// The name of the source.
        name: String,
        /// The hash that identifies the source, or the name and size of the source.
        identity: String,
    },
}

fault::kinds!(ChangeError { Repeated: AlreadyCounted });

/// Formats the numbers of games by result, for example as `1/0/2`.
fn results([white, draws, black]: [u64; 3]) -> String {
    format!("{white}/{draws}/{black}")
}
