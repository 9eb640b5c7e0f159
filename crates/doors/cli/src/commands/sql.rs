//! `tabia sql`: prints functions and views for DuckDB or Spark.

use std::{io::Write as _, path::PathBuf};

use clap::{Args, ValueEnum};
use query::SqlDialect;

use crate::{help::examples, terminal};

#[derive(Args)]
#[command(after_help = examples("\
tabia sql games.table > games.sql   then: duckdb -init games.sql
tabia sql jan > jan.sql   the same for an export
tabia sql games.table --for spark > games.sql   then: spark-sql -i games.sql
tabia sql   only the macros

docs/sql.md describes the macros and views."))]
pub(crate) struct SqlArgs {
    /// The folder of an export or a table; without it, only the macros are printed
    #[arg(value_name = "EXPORT|TABLE")]
    folder: Option<PathBuf>,
    /// The program that will run the SQL: DuckDB 1.4 or later, or Spark 4.0 or later
    #[arg(long = "for", value_name = "ENGINE", default_value = "duckdb")]
    engine: SqlEngine,
}

#[derive(Clone, Copy, ValueEnum)]
enum SqlEngine {
    Duckdb,
    Spark,
}

/// `tabia sql`.
pub(crate) fn sql(args: &SqlArgs) -> anyhow::Result<()> {
    let dialect = match args.engine {
        SqlEngine::Duckdb => SqlDialect::DuckDb,
        SqlEngine::Spark => SqlDialect::Spark,
    };
    let functions = || Ok(dialect.functions().to_owned());
    let text = args.folder.as_deref().map_or_else(functions, |folder| query::sql(folder, dialect))?;
    Ok(write!(terminal::stdout(), "{text}")?)
}
