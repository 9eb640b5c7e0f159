//! `tabia sql`: macros and views for DuckDB.

use std::io::Write as _;

use crate::{args::SqlArgs, terminal};

/// `tabia sql`.
pub(crate) fn sql(args: &SqlArgs) -> anyhow::Result<()> {
    let text = args.folder.as_deref().map_or_else(|| Ok(query::SQL_MACROS.into()), query::sql)?;
    Ok(write!(terminal::stdout(), "{text}")?)
}
