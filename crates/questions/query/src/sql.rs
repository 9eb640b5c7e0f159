//! SQL for DuckDB and Spark: functions for keys, moves and scores, and views over an export or a table.

use std::{
    fs, io,
    path::{Path, PathBuf, absolute},
};

use fault::FileFault;
use serde_json::Value;
use table::{Table, is_table};

use crate::{Error, Result};

/// The program that will run the SQL.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SqlDialect {
    /// DuckDB 1.4 and later.
    #[default]
    DuckDb,
    /// Spark 4.0 and later.
    Spark,
}

impl SqlDialect {
    /// Functions that work without any file, such as `uci`, `key_hex` and `score`. In DuckDB they are macros.
    #[must_use]
    pub fn functions(self) -> &'static str {
        match self {
            Self::DuckDb => include_str!("sql/duckdb.sql"),
            Self::Spark => include_str!("sql/spark.sql"),
        }
    }

    /// The kind of view that a `CREATE OR REPLACE` statement creates.
    fn view(self) -> &'static str {
        match self {
            Self::DuckDb => "VIEW",
            Self::Spark => "TEMPORARY VIEW",
        }
    }

    /// The text after `CREATE OR REPLACE` in the statement that makes `key_of` return signed keys.
    fn sign_keys(self) -> &'static str {
        match self {
            Self::DuckDb => "MACRO key_of(digits) AS signed_key_of(digits)",
            Self::Spark => {
                "TEMPORARY FUNCTION key_of(digits STRING) RETURNS BIGINT RETURN signed_key_of(digits)"
            }
        }
    }

    /// The SQL expression that reads the Parquet files in a folder.
    fn files(self, folder: &Path, layout: ExportLayout) -> Result<String> {
        Ok(match (self, layout) {
            (Self::DuckDb, ExportLayout::Files) => {
                format!("read_parquet({})", literal(folder, "*.parquet")?)
            }
            (Self::DuckDb, ExportLayout::Months) => {
                let files = literal(folder, "*/*.parquet")?;
                let options = "hive_partitioning = true, hive_types_autocast = false";
                format!("read_parquet({files}, {options})")
            }
            // Spark reads a folder by its path, and skips names that begin with `_`.
            (Self::Spark, _) => format!("parquet.`{}`", text(folder)?.replace('`', "``")),
        })
    }
}

/// The file that describes an export.
const EXPORT_NAME: &str = "export.json";
/// The folders of an export, each of which becomes a view.
const EXPORT_FOLDERS: [&str; 7] =
    ["moves", "positions", "openings", "lines", "examples", "games", "observations"];

/// Returns SQL that defines the functions, and views over the export or table at `path`. An export gets a
/// view for each of its folders, such as `moves`. A table gets `counts` (every row, unchanged), `moves` and
/// `positions`. The views refer to files by absolute paths, and to a table in a store by its URL.
///
/// # Errors
///
/// Fails with [`Error::NothingForSql`] if `path` is neither an export nor a table. Also fails if it is
/// missing or cannot be read, or if the table is damaged.
pub fn sql(path: &Path, dialect: SqlDialect) -> Result<String> {
    let is_stored = store::url_of(path).map_err(table::Error::from)?.is_some();
    let folder =
        if is_stored { path.to_owned() } else { absolute(path).map_err(FileFault::of("read", path))? };
    let views = if folder.join(EXPORT_NAME).is_file() {
        views_of_export(&folder, dialect)?
    } else if is_stored || is_table(&folder) {
        Table::open(&folder)?;
        views_of_table(&folder, dialect)?
    } else if path.exists() {
        return Err(Error::NothingForSql(path.into()));
    } else {
        return Err(Error::Missing(path.into()));
    };
    Ok(format!("{}\n{views}", dialect.functions()))
}

fn views_of_export(folder: &Path, dialect: SqlDialect) -> Result<String> {
    let description = folder.join(EXPORT_NAME);
    let text = fs::read_to_string(&description).map_err(FileFault::of("read", &description))?;
    let described: Value = serde_json::from_str(&text).unwrap_or_default();
    if described["format"] != "tabia-export" {
        return Err(Error::NothingForSql(folder.into()));
    }
    let mut sql = vec!["-- The export: a view each folder.\n".to_owned()];
    if described["key_type"] == "i64" {
        sql.push(format!("CREATE OR REPLACE {};\n", dialect.sign_keys()));
    }
    for name in EXPORT_FOLDERS {
        let path = folder.join(name);
        let Some(layout) = ExportLayout::of(&path)? else { continue };
        if (dialect, layout) == (SqlDialect::Spark, ExportLayout::Months) {
            sql.push("SET spark.sql.sources.partitionColumnTypeInference.enabled = false;\n".to_owned());
        }
        // An export has the column `fen` only if the user requested it, but DuckDB's view always has it.
        let columns = match (dialect, name) {
            (SqlDialect::DuckDb, "positions") => "COLUMNS(lambda c: c <> 'fen'), fen(epd, ply) AS fen",
            _ => "*",
        };
        let (view, files) = (dialect.view(), dialect.files(&path, layout)?);
        sql.push(format!("CREATE OR REPLACE {view} {name} AS SELECT {columns} FROM {files};\n"));
    }
    Ok(sql.concat())
}

fn views_of_table(folder: &Path, dialect: SqlDialect) -> Result<String> {
    let (what, whole) = match dialect {
        SqlDialect::DuckDb => {
            ("its rows as they are; its moves, by group if it has groups; its positions", "::BIGINT")
        }
        SqlDialect::Spark => {
            ("its rows as they are, its moves (by group if it has groups), its positions", "")
        }
    };
    let (view, files) = (dialect.view(), dialect.files(folder, ExportLayout::Files)?);
    Ok(format!(
        "-- The table: {what}.
CREATE OR REPLACE {view} counts AS SELECT * FROM {files};
CREATE OR REPLACE {view} moves AS
  SELECT *, uci(move, step) AS uci, turn_of(step) AS turn, white + draws + black AS games,
    score(white, draws, black, turn) AS score, wilson_low(score, games) AS score_low,
    wilson_high(score, games) AS score_high
  FROM counts WHERE move <> 0;
CREATE OR REPLACE {view} positions AS
  SELECT key, turn_of(any_value(step)) AS turn, sum(white + draws + black){whole} AS games,
    sum(white){whole} AS white, sum(draws){whole} AS draws, sum(black){whole} AS black
  FROM counts GROUP BY key;
"
    ))
}

/// Where the Parquet files are within a folder of an export.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum ExportLayout {
    /// In the folder itself.
    Files,
    /// In subfolders, one for each month.
    Months,
}

impl ExportLayout {
    /// The layout of a folder; `None` if it has no Parquet files.
    fn of(folder: &Path) -> Result<Option<Self>> {
        let is_parquet = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "parquet");
        let found = entries(folder)?;
        if found.iter().any(is_parquet) {
            return Ok(Some(Self::Files));
        }
        for month in found.iter().filter(|path| path.is_dir()) {
            if entries(month)?.iter().any(is_parquet) {
                return Ok(Some(Self::Months));
            }
        }
        Ok(None)
    }
}

/// The paths in a folder; empty if the folder does not exist.
fn entries(folder: &Path) -> Result<Vec<PathBuf>> {
    match fs::read_dir(folder) {
        Ok(entries) => {
            entries.map(|entry| Ok(entry.map_err(FileFault::of("read", folder))?.path())).collect()
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(FileFault::of("read", folder)(error).into()),
    }
}

/// A folder's path as a string. Fails if the path cannot be used in SQL, because it has a control character
/// or is not UTF-8.
fn text(folder: &Path) -> Result<&str> {
    let name = folder.to_str().filter(|name| !name.contains(char::is_control));
    name.ok_or_else(|| Error::NotText(folder.into()))
}

/// A pattern for files in a folder, as an SQL literal. Special characters in the folder's name are escaped.
fn literal(folder: &Path, pattern: &str) -> Result<String> {
    let mut name = String::new();
    for c in text(folder)?.chars() {
        match c {
            '*' | '?' | '[' => name.extend(['[', c, ']']),
            '\'' => name.push_str("''"),
            c => name.push(c),
        }
    }
    Ok(format!("'{name}/{pattern}'"))
}

#[cfg(test)]
mod tests {
    use fault::Failure as _;

    use table::{Counting, TableWriter};

    use super::*;

    #[test]
    fn names_are_quoted_and_stand_for_themselves() {
        let quoted = literal(Path::new("/a[1]/it's*"), "*.parquet").unwrap();
        assert_eq!(quoted, "'/a[[]1]/it''s[*]/*.parquet'");
        let error = literal(Path::new("/a\nb"), "*.parquet").unwrap_err();
        assert!(matches!(error, Error::NotText { .. }) && error.kind().is_usage());
    }

    #[test]
    fn an_export_has_a_view_for_each_folder_it_has() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("export.json", r#"{"format": "tabia-export", "key_type": "i64"}"#);
        write("moves/month=2024-07/part-00000.parquet", "");
        write("openings/part-00000.parquet", "");
        write("positions/notes.txt", "");
        let sql = sql(folder.path(), SqlDialect::DuckDb).unwrap();
        let views: Vec<_> = sql.lines().filter(|line| line.contains("VIEW")).collect();
        assert_eq!(views.len(), 2, "{views:?}");
        assert!(views[0].contains("VIEW moves") && views[0].contains("/moves/*/*.parquet', hive"));
        assert!(views[1].contains("VIEW openings") && views[1].contains("/openings/*.parquet')"));
        assert!(sql.contains("MACRO key_of(digits) AS signed_key_of(digits)"));
        let sql = super::sql(folder.path(), SqlDialect::Spark).unwrap();
        assert!(sql.contains("VIEW moves AS SELECT * FROM parquet.`/") && sql.contains("/moves`;"), "{sql}");
        assert!(sql.contains("\nSET spark.sql.sources.partitionColumnTypeInference.enabled = false;"));
        assert!(sql.contains("key_of(digits STRING) RETURNS BIGINT") && !sql.contains("VIEW positions"));
    }

    #[test]
    fn a_table_has_views_and_other_folders_have_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.table");
        let writer = TableWriter::create(&path, Counting::default(), 1, false).unwrap();
        let shards = vec![writer.shard(0).unwrap().finish().unwrap()];
        writer.finish(shards, Vec::new()).unwrap();
        let sql = |path: &Path| sql(path, SqlDialect::DuckDb);
        for text in [sql(&path).unwrap(), super::sql(&path, SqlDialect::Spark).unwrap()] {
            for view in ["counts", "moves", "positions"] {
                assert!(text.contains(&format!("VIEW {view} AS")), "{view}");
            }
        }
        let error = sql(folder.path()).unwrap_err();
        assert!(matches!(error, Error::NothingForSql { .. }) && error.kind().is_usage(), "{error}");
        let error = sql(&folder.path().join("nothing")).unwrap_err();
        assert!(matches!(error, Error::Missing { .. }), "{error}");
    }
}
