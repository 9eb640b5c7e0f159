//! How a map task makes sure that an input has not changed since the count was planned.

use std::{
    io::{self, ErrorKind},
    ops::Range,
    sync::Arc,
};

use clap::ValueEnum;
use fault::FileFault;
use pgn::input::ReadAt;
use run::Result;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3Default;

/// How many bytes at each end of a chunk are hashed.
const END_BYTES: u64 = 64 << 10;
const BUFFER_BYTES: usize = 256 << 10;

/// How map tasks check that inputs have not changed since the count was planned.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
pub enum CheckInputs {
    /// Compare lengths and modification times, or lengths and tags for objects in a store; if only the time
    /// differs, compare hashes of both ends of the chunk instead
    #[default]
    Ends,
    /// Compare hashes of whole chunks; each map task then reads its chunk twice
    Full,
}

/// The version of a file and the hash of a chunk at the time of planning.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Trace {
    /// When the file was last changed, in seconds, or the object's entity tag.
    pub version: String,
    /// XXH3-64 of the chunk's first and last 64 KiB, or of the whole chunk. `None` if the input is an object
    /// of which only the tag is compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub xxh3: Option<String>,
    /// Whether the whole chunk was hashed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub full: bool,
}

/// An input as it is now.
pub(super) struct PresentInput {
    pub(super) bytes: u64,
    pub(super) version: String,
    /// Whether `version` identifies the content rather than a time. Some network file systems report
    /// different times on different machines.
    pub(super) is_tagged: bool,
    pub(super) stored: Arc<dyn ReadAt>,
}

impl Trace {
    /// Records the version of an input. Also records the hash of the chunk at `range`, unless the input is an
    /// object of which only the tag will be compared.
    pub(super) fn of(seen: &PresentInput, file: &str, range: Range<u64>, check: CheckInputs) -> Result<Self> {
        let full = check == CheckInputs::Full;
        let is_hashed = full || !seen.is_tagged;
        let xxh3 = is_hashed.then(|| hash(&*seen.stored, range, full)).transpose();
        let xxh3 = xxh3.map_err(FileFault::of("read", file.as_ref()))?;
        Ok(Self { version: seen.version.clone(), xxh3, full })
    }

    /// Compares the input with the plan. If they differ, returns the expected tag or checksum, along with the
    /// one that was found. If the versions are equal, the chunk is not hashed again, with one exception: if
    /// the plan hashed the whole chunk, the chunk is hashed again after the map task has read it (`is_read`).
    pub(super) fn difference(
        &self,
        seen: &PresentInput,
        file: &str,
        range: Range<u64>,
        is_read: bool,
    ) -> Result<Option<(String, String)>> {
        if seen.version == self.version && !(self.full && is_read) {
            return Ok(None);
        }
        let Some(expected) = &self.xxh3 else {
            return Ok(Some((format!("the tag {}", self.version), seen.version.clone())));
        };
        let got = hash(&*seen.stored, range, self.full).map_err(FileFault::of("read", file.as_ref()))?;
        Ok((got != *expected).then(|| (format!("the checksum {expected}"), got)))
    }
}

/// Computes the XXH3-64 of both ends of a range, or of all of it if it is short or `full` is set.
fn hash(stored: &dyn ReadAt, range: Range<u64>, full: bool) -> io::Result<String> {
    let mut hash = Xxh3Default::new();
    if full || range.end - range.start <= 2 * END_BYTES {
        hash_range(stored, range, &mut hash)?;
    } else {
        hash_range(stored, range.start..range.start + END_BYTES, &mut hash)?;
        hash_range(stored, range.end - END_BYTES..range.end, &mut hash)?;
    }
    Ok(format!("{:016x}", hash.digest()))
}

fn hash_range(stored: &dyn ReadAt, mut range: Range<u64>, hash: &mut Xxh3Default) -> io::Result<()> {
    let mut buffer = vec![0; BUFFER_BYTES];
    while !range.is_empty() {
        let wanted = (range.end - range.start).min(BUFFER_BYTES as u64) as usize;
        match stored.read_at(&mut buffer[..wanted], range.start) {
            Ok(0) => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(read) => {
                hash.update(&buffer[..read]);
                range.start += read as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
