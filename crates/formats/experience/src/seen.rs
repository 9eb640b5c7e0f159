//! Lists the games and records that an experience file was learned from.

use crate::ExperienceFile;
use itertools::Itertools as _;
use position::ExperienceKind;

use crate::Result;

/// The identities of the games and records that a file was learned from, ascending.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn identities_seen(file: &ExperienceFile) -> Result<Vec<u64>> {
    let seen = file.read()?.filter_ok(|row| row.kind == ExperienceKind::Seen);
    Ok(seen.map_ok(|row| row.key.0).collect::<table::Result<_>>()?)
}
