//! Which games and records taught an experience file.

use crate::ExperienceFile;
use position::ExperienceKind;

use crate::Result;

/// Identities of the games and records that taught a file, ascending.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub fn identities_seen(file: &ExperienceFile) -> Result<Vec<u64>> {
    let seen = file.read()?.filter_map(|row| match row {
        Ok(row) if row.kind != ExperienceKind::Seen => None,
        row => Some(row.map(|row| row.key.0)),
    });
    Ok(seen.collect::<table::Result<_>>()?)
}
