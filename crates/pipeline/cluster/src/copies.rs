//! Finds copies of games before the count. For each bucket, a file next to the parts lists the copies in that
//! bucket.

use std::{fs::File, io::BufWriter, sync::Arc};

use extsort::{BucketRows, Least};
use fault::FileFault;
use games::copies::{CANDIDATE_WORDS, Copies, FoundFile, settle};
use output::{Existing, OutputFile};
use pgn::input::ReadAt;
use run::{Context, Result};
use table::{FingerprintsInfo, FingerprintsWriter};

use super::{Place, parts::Parts, place, shard_entries::lines_error};

const NAME: &str = "copies-";

/// Returns how many buckets already have a file that lists their copies.
pub(super) fn found(parts: &Parts) -> Result<u32> {
    Ok(parts.list()?.iter().filter(|(name, _)| name.starts_with(NAME)).count() as u32)
}

fn name_of(bucket: u32) -> String {
    format!("{NAME}{bucket:05}")
}

/// Compares one bucket's candidates from all chunks, and writes the file that lists the copies among them.
pub(super) fn write(
    context: &Context,
    parts: &Parts,
    (bucket, rows): (u32, BucketRows<CANDIDATE_WORDS, Least>),
    chunks: u32,
) -> Result<()> {
    parts.write(&name_of(bucket), &context.temp_dir, |path| {
        let failed = FileFault::of("write", path);
        let mut file = OutputFile::create(path, Existing::Replace).map_err(&failed)?;
        settle(context, rows, chunks, (BufWriter::new(file.file()), path))?;
        file.prepare().map_err(failed)
    })
}

/// Calls `each` with the file of each bucket, in order.
fn each_file(
    parts: &Parts,
    (buckets, chunks): (u32, u32),
    mut each: impl FnMut(&FoundFile<'_>) -> Result<()>,
) -> Result<()> {
    for bucket in 0..buckets {
        let place = parts.file(&name_of(bucket))?;
        let (stored, bytes): (Arc<dyn ReadAt>, u64) = match &place {
            Place::Folder(path) => {
                let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
                let (bytes, file) = opened.map_err(FileFault::of("read", path))?;
                (Arc::new(file), bytes)
            }
            Place::Store(url) => place::open_stored(url)?,
        };
        let path = place.to_string();
        each(&FoundFile { stored: &*stored, bytes, path: path.as_ref(), sections: chunks })?;
    }
    Ok(())
}

/// Reads the files of all buckets, and returns the copies among the games of a chunk.
pub(super) fn of_chunk(context: &Context, parts: &Parts, chunk: u32, of: (u32, u32)) -> Result<Copies> {
    Copies::of_section(context, chunk, |each| each_file(parts, of, each))
}

/// Writes the fingerprints of all games that are not left out as copies.
pub(super) fn write_fingerprints(
    parts: &Parts,
    of: (u32, u32),
    dedup_games: &str,
    mut out: FingerprintsWriter,
) -> Result<FingerprintsInfo> {
    let there = found(parts)?;
    if there != of.0 {
        let files = of.0;
        return Err(lines_error(format!(
            "only {there} of the {files} files that list copies of games exist"
        )));
    }
    each_file(parts, of, |file| file.stayed(|fingerprint| Ok(out.push(fingerprint)?)))?;
    Ok(out.finish(dedup_games)?)
}
