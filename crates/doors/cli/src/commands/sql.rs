//! `tabia sql`: macros and views for DuckDB.

use std::{io::Write as _, path::PathBuf};

use clap::Args;

use crate::{help::examples, terminal};

#[derive(Args)]
#[command(after_help = examples("\
tabia sql games.table > games.sql   then: duckdb -init games.sql
tabia sql jan > jan.sql             the same for an export
tabia sql                           the macros alone

docs/sql.md has the macros and views."))]
pub(crate) struct SqlArgs {
    /// The folder of an export or a table; without it, the macros alone
    #[arg(value_name = "EXPORT|TABLE")]
    folder: Option<PathBuf>,
}

/// `tabia sql`.
pub(crate) fn sql(args: &SqlArgs) -> anyhow::Result<()> {
    let text = args.folder.as_deref().map_or_else(|| Ok(query::SQL_MACROS.into()), query::sql)?;
    Ok(write!(terminal::stdout(), "{text}")?)
}
