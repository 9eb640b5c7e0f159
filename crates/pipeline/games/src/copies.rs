//! Finds copies of games in a separate pass, so that the main pass can leave them out.
//!
//! # Flow
//!
//! 1. The first pass ([`find`]) reads and replays all inputs and, within the run's memory limit, sorts the
//!    fingerprints of the games that count (`candidate`). Standard input is kept in a temporary file so that
//!    it can be read twice (`reread`).
//! 2. Among copies of the same game, the pass keeps the copy whose players and date are known best
//!    (`settle`). In case of a tie, it keeps the copy with the most known tags; if there is still a tie, it
//!    keeps the copy whose text has the smallest hash. The result therefore does not depend on the order of
//!    the games. If the games with the same moves do not all fit in memory, they are compared with the help
//!    of temporary files (`crowd`). When games are added to a table, the games that the table already counts
//!    are compared as well ([`Dedup::held_by`]).
//! 3. With [`DedupGames::Truncated`], the kept games are also compared with other games of the same players
//!    and date, to find truncated copies: games that are only the beginning of another game (`beginnings`).
//! 4. The places of the copies are sorted (`list`), so that the second pass can skip the games at these
//!    places.
//! 5. The fingerprints of the kept games are stored in the table (`stayed`).
//!
//! Machines that share a count make the same passes, each reading only a section of the inputs (`shared`).
//!
//! Because of the second pass, games are read and replayed twice. With a single pass, a count could still
//! subtract the copies once they are found, but nothing that was learned from copies could be undone. With
//! two passes, counting and learning can follow the same rule.

mod beginnings;
mod candidate;
mod crowd;
mod finder;
mod group_reader;
mod list;
mod moves;
mod pass;
mod reread;
mod settle;
mod shared;
mod stayed;
#[cfg(test)]
mod testing;

use std::path::PathBuf;

use clap::Args;
use run::values::as_text;
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString};

pub(crate) use self::pass::candidates;
pub use self::{
    candidate::WORDS as CANDIDATE_WORDS,
    list::Copies,
    pass::{Candidates, find},
    shared::{CANDIDATE_PAYLOAD_BITS, FoundFile, SECTIONS_MAX, Section, settle},
};

/// Which copies of games are left out.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, PartialEq)]
#[strum(parse_err_fn = no_dedup, parse_err_ty = String, serialize_all = "lowercase")]
pub enum DedupGames {
    /// None: every game counts.
    #[default]
    Off,
    /// Games with the same moves and result as another game, and the same players and date, as far as these
    /// are known.
    Exact,
    /// The copies that `Exact` leaves out, and also truncated copies: games that are only the beginning of
    /// another game with the same players and date.
    Truncated,
}

/// Whether copies of games count.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Dedup {
    /// Count each game once, however many copies there are: exact finds whole copies, truncated also finds
    /// copies that were cut short
    #[arg(long, value_name = "off|exact|truncated", default_value_t, help_heading = "Which games count")]
    #[serde(with = "as_text", skip_serializing_if = "DedupGames::is_off")]
    pub dedup_games: DedupGames,
    /// A table to which the games are added. Copies of games that this table already counts are left out.
    #[arg(skip)]
    #[serde(skip)]
    pub held_by: Option<PathBuf>,
}

impl DedupGames {
    /// Whether every game counts.
    #[must_use]
    pub fn is_off(&self) -> bool {
        *self == Self::Off
    }
}

fn no_dedup(text: &str) -> String {
    format!("expected off, exact or truncated, not `{text}`")
}
