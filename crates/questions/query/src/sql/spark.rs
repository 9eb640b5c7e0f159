//! The views for Spark SQL. It reads a folder of Parquet by its path, passes over names that begin with `_`,
//! and has a key as `DECIMAL(20,0)`.

use std::path::Path;

use super::{EXPORT_FOLDERS, ExportLayout};
use crate::{Error, Result};

/// How Spark names the Parquet files of a folder.
pub(super) fn files(folder: &Path) -> Result<String> {
    let name = folder.to_str().filter(|name| !name.contains(char::is_control));
    let Some(name) = name else { return Err(Error::NotText(folder.into())) };
    Ok(format!("parquet.`{}`", name.replace('`', "``")))
}

/// A view of each folder that an export has; `is_signed` are its keys.
pub(super) fn views_of_export(folder: &Path, is_signed: bool) -> Result<String> {
    let mut sql = vec!["-- The export: a view each folder.\n".to_owned()];
    if is_signed {
        let function = "CREATE OR REPLACE TEMPORARY FUNCTION key_of(digits STRING) RETURNS BIGINT";
        sql.push(format!("{function} RETURN signed_key_of(digits);\n"));
    }
    for name in EXPORT_FOLDERS {
        let path = folder.join(name);
        let Some(layout) = ExportLayout::of(&path)? else { continue };
        if layout == ExportLayout::Months {
            sql.push("SET spark.sql.sources.partitionColumnTypeInference.enabled = false;\n".to_owned());
        }
        let files = files(&path)?;
        sql.push(format!("CREATE OR REPLACE TEMPORARY VIEW {name} AS SELECT * FROM {files};\n"));
    }
    Ok(sql.concat())
}
