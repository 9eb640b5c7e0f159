//! Why a table cannot be changed.

use std::path::PathBuf;

use games::DedupGames;

/// Why games cannot be added to a table or subtracted from it. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ChangeError {
    /// Copies of games would be left out by a different rule than in the table.
    #[error("{table} was counted with --dedup-games {expected}, not {got}")]
    OtherDedup {
        /// The table.
        table: PathBuf,
        /// Which copies were left out of the table.
        expected: DedupGames,
        /// Which copies would be left out now.
        got: DedupGames,
    },
    /// The table does not count games that are to be subtracted.
    #[error(
        "cannot subtract {got} games (White won/drawn/Black won) {place}, because {path} has only {expected}; were \
         they counted in it? Nothing was changed", got = results(*got), expected = results(*expected)
    )]
    TooFewGames {
        /// The table.
        path: PathBuf,
        /// The move and the position of the games.
        place: String,
        /// The games of this move in the table, by result.
        expected: [u64; 3],
        /// The games of this move to be subtracted, by result.
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
        /// The move and the position of the games.
        place: String,
    },
    /// The table already counts games that are to be added.
    #[error("{table} already contains the games of {name} ({identity})")]
    AlreadyCounted {
        /// The table.
        table: PathBuf,
        /// The name of the source as given.
        name: String,
        /// The hash that identifies it, or its name and size.
        identity: String,
    },
}

fault::kinds!(ChangeError { Repeated: AlreadyCounted });

/// The games by result, as text such as `1/0/2`.
fn results([white, draws, black]: [u64; 3]) -> String {
    format!("{white}/{draws}/{black}")
}
