//! Lists the games and records from which an experience file's values were learned.

use crate::ExperienceFile;
use itertools::Itertools as _;
use position::ExperienceKind;

use crate::Result;

/// Returns the identities of the games and records from which a file's values were learned, in ascending
/// order.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn identities_seen(file: &ExperienceFile) -> Result<Vec<u64>> {
    let seen = file.read()?.filter_ok(|row| row.kind == ExperienceKind::Seen);
    Ok(seen.map_ok(|row| row.key.0).collect::<table::Result<_>>()?)
}
