//! `tabia import …`.

use std::ffi::OsString;

use books::{
    import::{import_abk, import_ctg},
    json::import_json,
};

use super::pipelines::run_and_report;
use crate::{
    args::{Import, ImportArgs},
    exit::Usage,
};

/// `tabia import …`.
pub(crate) fn import(args: &ImportArgs) -> anyhow::Result<()> {
    match &args.what {
        Import::Abk(args) => {
            run_and_report(&args.run, |options| import_abk(&args.file, &args.output, &options))
        }
        Import::Ctg(args) => {
            run_and_report(&args.run, |options| import_ctg(&args.file, &args.output, &options))
        }
        Import::Json(args) => {
            run_and_report(&args.run, |options| import_json(&args.text, &args.output, &options))
        }
        Import::Other(words) => Err(Usage(other(words)).into()),
    }
}

/// Why a format cannot be imported, or need not be.
fn other(words: &[OsString]) -> String {
    let format = words.first().map(|word| word.to_string_lossy()).unwrap_or_default();
    let what = match format.to_lowercase().as_str() {
        "exp" => {
            "an experience file of BrainLearn or an engine like it (EXP) cannot be imported: its keys are hashes \
             of that engine, which name no position that another program knows"
        }
        "bin" | "polyglot" => {
            "a Polyglot book (BIN) needs no import: name it where a book is read (probe, merge, dump, export, uci, \
             serve)"
        }
        _ => "is no format that can be imported: abk, ctg, json (`tabia import --help`)",
    };
    if what.starts_with("is") { format!("`{format}` {what}") } else { what.into() }
}
