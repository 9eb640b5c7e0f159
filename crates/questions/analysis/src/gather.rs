//! Joins the exports of single shards into one.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use fault::FileFault;
use output::{Existing, OutputFolder, Prepared};
use serde_json::Value;

use crate::{Error, MANIFEST_NAME, MARKER, Result};

/// The name of an entry in the `export.json` of a single shard. The entry contains the shard's number, the
/// number of shards, an identifier of the shard's table, and some of the export's settings.
pub(crate) const SHARD: &str = "shard";

/// The entries in `export.json` that are summed over all shards, such as row counts.
const SUMS: [&str; 7] =
    ["moves", "positions", "unreached_positions", "unreached_moves", "illegal_edges", "openings", "lines"];

/// Joins the exports of all shards of a table. Each export is a folder in `parts`, written with
/// [`ExportOptions::shard`](crate::ExportOptions::shard). The result is byte-for-byte identical to a single
/// export of all shards. It is prepared, but not yet moved to `output`. Its files are hard links, or copies
/// where linking is impossible; `parts` is left alone.
///
/// Also returns the number of rows in `moves/`.
///
/// # Errors
///
/// Fails with [`Error::Shards`] unless `parts` contains each shard of a single export exactly once. Also
/// fails if `output` exists and may not be replaced, or if a file cannot be read or written.
pub fn prepare_gathered(parts: &Path, output: &Path, force: bool) -> Result<(u64, Prepared)> {
    let shards = shards_in(parts)?;
    let output =
        OutputFolder::create(output, MARKER, Existing::replaced_if(force)).map_err(Error::refused)?;
    let mut whole = shards[0].manifest.clone();
    for shard in &shards[1..] {
        for sum in SUMS {
            let add = |value: &Value| value[sum].as_u64().unwrap_or(0);
            whole[sum] = (add(&whole) + add(&shard.manifest)).into();
        }
    }
    let mut files = Vec::new();
    for Shard { folder, manifest, .. } in &shards {
        for file in list(&manifest["files"]) {
            let name = file["path"].as_str().filter(|name| is_below(name));
            let name = name.ok_or_else(|| wrong("a file has no path below its export"))?;
            take(&folder.join(name), &output.dir().join(name))?;
            files.push(file.clone());
        }
    }
    files.sort_by(|a, b| a["path"].as_str().cmp(&b["path"].as_str()));
    whole["files"] = files.into();
    forget(&mut whole, SHARD);
    let moves = whole["moves"].as_u64().unwrap_or(0);
    Ok((moves, output.prepare(format!("{whole:#}\n").as_bytes())?))
}

/// The export of one shard.
struct Shard {
    number: u64,
    folder: PathBuf,
    manifest: Value,
}

/// All shards of an export, sorted by number.
fn shards_in(parts: &Path) -> Result<Vec<Shard>> {
    let entries = parts.read_dir().map_err(FileFault::of("read", parts))?;
    let mut shards = Vec::new();
    for entry in entries {
        let folder = entry.map_err(FileFault::of("read", parts))?.path();
        // A folder without `export.json` was left behind by an unfinished task.
        if folder.join(MANIFEST_NAME).is_file() {
            shards.push(Shard::read(folder)?);
        }
    }
    shards.sort_by_key(|shard| shard.number);
    let first = shards.first().ok_or_else(|| wrong("no shard was found"))?;
    let of = first.manifest[SHARD]["of"].as_u64();
    if let Some(other) = shards.iter().find(|shard| shard.settings() != first.settings()) {
        let number = other.number;
        return Err(wrong(&format!("shard {number} was exported from another table or with other settings")));
    }
    let numbers = shards.iter().map(|shard| shard.number);
    if !numbers.eq(0..of.unwrap_or(0)) {
        let (found, of) = (shards.len(), of.unwrap_or(0));
        return Err(wrong(&format!("found only {found} of {of} shards")));
    }
    Ok(shards)
}

impl Shard {
    fn read(folder: PathBuf) -> Result<Self> {
        let path = folder.join(MANIFEST_NAME);
        let text = fs::read(&path).map_err(FileFault::of("read", &path))?;
        let unknown = |_| wrong(&format!("{} cannot be read", path.display()));
        let manifest: Value = serde_json::from_slice(&text).map_err(unknown)?;
        match manifest[SHARD]["number"].as_u64() {
            Some(number) => Ok(Self { number, folder, manifest }),
            None => Err(wrong(&format!("{} is not the export of one shard", folder.display()))),
        }
    }

    /// The entries of `export.json` that must be the same in all shards of an export.
    fn settings(&self) -> Value {
        let mut settings = self.manifest.clone();
        settings[SHARD]["number"] = Value::Null;
        for name in SUMS.iter().chain(&["files"]) {
            forget(&mut settings, name);
        }
        settings
    }
}

fn wrong(what: &str) -> fault::Error {
    Error::Shards(what.to_owned()).into()
}

/// Whether a path is relative and cannot lead out of its folder.
fn is_below(path: &str) -> bool {
    Path::new(path).components().all(|part| matches!(part, Component::Normal(_)))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn forget(manifest: &mut Value, name: &str) {
    if let Some(entries) = manifest.as_object_mut() {
        entries.shift_remove(name);
    }
}

/// Creates a hard link to a file or, if that is not possible, a copy.
fn take(from: &Path, to: &Path) -> Result<()> {
    let take = || {
        to.parent().map_or(Ok(()), fs::create_dir_all)?;
        if fs::hard_link(from, to).is_ok() {
            return Ok(());
        }
        let mut copy = fs::File::create_new(to)?;
        io::copy(&mut fs::File::open(from)?, &mut copy)?;
        copy.sync_all()
    };
    take().map_err(FileFault::of("write", to))
}
