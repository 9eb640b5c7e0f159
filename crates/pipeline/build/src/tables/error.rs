//! Why a table cannot be changed.

use std::path::PathBuf;

use fault::{Failure, Kind};

use crate::DedupGames;

/// Why games cannot be added to a table, or taken away from it. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub(super) enum ChangeError {
    /// Copies of games are to be left out otherwise than in the table.
    #[error("{table} was counted with copies of games {expected}, not {got}", table = table.display())]
    OtherDedup {
        /// The table.
        table: PathBuf,
        /// Which copies are left out of it.
        expected: DedupGames,
        /// What was asked for.
        got: DedupGames,
    },
    /// Games to be taken away that the table does not count.
    #[error(
        "cannot take away the games {place}: {path} has {} (White won, drawn, Black won) and {} were to go; \
         nothing was changed; were they counted in it?",
        results(*expected), results(*got), path = path.display()
    )]
    TooFewGames {
        /// The table.
        path: PathBuf,
        /// Which games: a move and a position.
        place: String,
        /// The games there by result.
        expected: [u64; 3],
        /// Those to be taken away.
        got: [u64; 3],
    },
    /// Games to be taken away whose players were rated otherwise when they were counted.
    #[error(
        "cannot take away the games {place}: {path} counts them with other ratings of the players; nothing was \
         changed",
        path = path.display()
    )]
    OtherRatings {
        /// The table.
        path: PathBuf,
        /// Which games: a move and a position.
        place: String,
    },
    /// Games that the table counts already were to be added.
    #[error("{table} counts {name} ({identity}) already", table = table.display())]
    AlreadyCounted {
        /// The table.
        table: PathBuf,
        /// The source, as it was named.
        name: String,
        /// What identifies it: its hash, or its name and size.
        identity: String,
    },
}

impl Failure for ChangeError {
    fn kind(&self) -> Kind {
        if let Self::AlreadyCounted { .. } = self { Kind::Repeated } else { Kind::Other }
    }
}

/// Games by result: `1/0/2`.
fn results([white, draws, black]: [u64; 3]) -> String {
    format!("{white}/{draws}/{black}")
}
