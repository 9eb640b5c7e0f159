//! The views for Spark SQL. Spark reads a folder of Parquet files by its path, skips names that begin with
//! `_`, and reads an unsigned key as `DECIMAL(20,0)`.

use std::path::Path;

use super::{EXPORT_FOLDERS, ExportLayout};
use crate::{Error, Result};

/// The SQL by which Spark reads the Parquet files of a folder.
pub(super) fn files(folder: &Path) -> Result<String> {
    let name = folder.to_str().filter(|name| !name.contains(char::is_control));
    let Some(name) = name else { return Err(Error::NotText(folder.into())) };
    Ok(format!("parquet.`{}`", name.replace('`', "``")))
}

/// A view for each folder of an export; `is_signed` says whether its keys are signed.
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
