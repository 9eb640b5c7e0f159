//! The options of a simulation, such as the number of walks, their seed and their maximum length.

use crate::{Error, Result};

/// The longest walk that may be requested, in plies. A round of walks of that length takes 25 MB.
pub const PLIES_MAX: u32 = 1000;

/// How to walk through an artefact.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct WalkOptions {
    /// The number of walks, at least 1.
    pub games: u64,
    /// The seed; walk `i` takes its random numbers from stream `i` of this seed.
    pub seed: u64,
    /// The number of plies after which a walk ends, 1 to 1000. A repeated position does not end a walk.
    pub max_ply: u32,
    /// The maximum number of lines that are listed.
    pub lines: usize,
    /// The number of threads, which has no influence on the result.
    pub threads: usize,
}

impl WalkOptions {
    /// Checks that these options are valid.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NoWalks`] for zero walks, and with [`Error::PlyLimit`] if `max_ply` is not between
    /// 1 and [`PLIES_MAX`].
    pub fn check(&self) -> Result<()> {
        if self.games == 0 {
            return Err(Error::NoWalks);
        }
        if !(1..=PLIES_MAX).contains(&self.max_ply) {
            return Err(Error::PlyLimit { got: self.max_ply, most: PLIES_MAX });
        }
        Ok(())
    }
}

impl Default for WalkOptions {
    fn default() -> Self {
        Self { games: 1000, seed: 0, max_ply: 80, lines: 20, threads: 1 }
    }
}
