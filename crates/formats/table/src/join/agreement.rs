//! Checks that tables can be joined.

use super::fingerprints::check_agreement;
use crate::{Counting, Error, Groups, JoinOptions, Result, Table};

/// Returns the counting options of the table that results from joining `tables`.
///
/// # Errors
///
/// Fails if an option that changes the meaning of counts differs between two tables.
pub(super) fn joined_counting(tables: &[&Table], options: &JoinOptions<'_>) -> Result<Counting> {
    check_agreement(tables)?;
    let [first, others @ ..] = tables else { unreachable!("a join has a table at least") };
    let mut counting = effective(first, options);
    for other in others {
        let theirs = effective(other, options);
        if let Some((option, expected, got)) = counting.disagreement(&theirs) {
            return Err(Error::Disagree {
                path: other.path().to_owned(),
                other: first.path().to_owned(),
                option,
                expected: expected.into(),
                got: got.into(),
            });
        }
        counting.join(theirs);
    }
    Ok(counting)
}

fn effective(table: &Table, options: &JoinOptions<'_>) -> Counting {
    let mut counting = table.counting().clone();
    if options.drop_groups {
        counting.groups = Groups::NONE;
    }
    counting
}

/// Refuses to count a source twice, unless `force` is set.
///
/// # Errors
///
/// Fails if two of the tables have the same source.
pub(super) fn check_sources(tables: &[&Table], options: &JoinOptions<'_>) -> Result<()> {
    if options.force {
        return Ok(());
    }
    for (index, table) in tables.iter().enumerate() {
        let held_before = |source| tables[..index].iter().any(|before| before.manifest().holds(source));
        let manifest = table.manifest();
        let repeated = manifest.sources.iter().find(|source| manifest.holds(source) && held_before(source));
        if let Some(source) = repeated {
            return Err(Error::SourceRepeated {
                path: table.path().to_owned(),
                name: source.name.clone(),
                identity: source.identity(),
            });
        }
    }
    Ok(())
}
