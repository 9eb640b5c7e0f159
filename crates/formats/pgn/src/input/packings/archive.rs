//! Reads archives: finds the members of a zip or 7z file that are PGN, and returns their text.

use std::{
    io::{self, Read},
    sync::{Arc, Mutex},
};

use sevenz_rust2::{Archive, ArchiveReader, Coder, EncoderMethod, Password};
use zip::{CompressionMethod, ZipArchive, result::ZipError};

use super::{
    fault::Blame,
    feed::{Feed, Feeder, MemberText},
    window::{HEAD_BYTES, lzma2_dictionary_bytes, window_of_head},
};
use crate::{
    Error, Result,
    input::{
        cutting::Unit,
        lock::lock,
        stored::{RangeReader, ReadAt},
    },
};

/// The members of an archive that are PGN, one after another.
pub(crate) enum Members {
    /// Each member has its own decoder, so several can be read at the same time.
    Zip { archive: ZipArchive<RangeReader>, pgn: std::vec::IntoIter<(usize, String)> },
    /// One decoder decompresses all members, one after another.
    SevenZ { feed: Arc<Mutex<Feed>> },
}

/// A member's name and its text.
pub(crate) type Member = (String, Box<dyn Read + Send>);

impl Members {
    /// The next member. In a 7z file, the previous member must have been read to its end.
    pub(crate) fn next(&mut self) -> io::Result<Option<Member>> {
        let feed = match self {
            Self::Zip { archive, pgn } => match pgn.next() {
                Some((index, name)) => Arc::new(Mutex::new(unzip(archive.clone(), index, name)?)),
                None => return Ok(None),
            },
            Self::SevenZ { feed } => Arc::clone(feed),
        };
        let name = lock(&feed).next_member()?;
        Ok(name.map(|name| (name, Box::new(MemberText::new(&feed)) as Box<dyn Read + Send>)))
    }

    /// Whether a member can be read only after the previous member.
    pub(crate) fn in_turn(&self) -> bool {
        matches!(self, Self::SevenZ { .. })
    }
}

/// Whether a member with this name is read, which depends on its extension (see [`named`]). Hidden members,
/// such as `__MACOSX/._games.pgn`, which macOS adds, are not read.
fn is_wanted(name: &str, unit: Unit) -> bool {
    let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let (stem, extension) = file.rsplit_once('.').unwrap_or((file, ""));
    !stem.is_empty() && !stem.starts_with('.') && named(extension, unit)
}

/// Whether archive members with this extension are read.
pub(crate) fn named(extension: &str, unit: Unit) -> bool {
    let is = |name| extension.eq_ignore_ascii_case(name);
    match unit {
        Unit::Games => is("pgn"),
        Unit::Records => is("pgn") || is("lrn"),
        Unit::Lines => ["jsonl", "json", "epd", "csv"].iter().any(|name| is(name)),
    }
}

/// Opens a zip archive; also returns the names of members that are not read.
///
/// # Errors
/// Fails if the archive is damaged, or a member that would be read is encrypted.
pub(crate) fn open_zip(
    file: &Arc<dyn ReadAt>,
    bytes: u64,
    blame: &Blame,
    unit: Unit,
) -> Result<(Members, Vec<String>)> {
    let damaged = |error| blame.fault(zip_error(error));
    let stored = RangeReader::new(file, 0, bytes, &blame.meter).counted();
    let mut archive = ZipArchive::new(stored).map_err(damaged)?;
    let window = blame.window.check(Some(members_window_bytes(&mut archive)));
    window.map_err(|error| blame.fault(error))?;
    if archive.has_duplicate_names() {
        return Err(damaged(ZipError::UnsupportedArchive("two members have the same name")));
    }
    let (mut pgn, mut skipped) = (Vec::new(), Vec::new());
    for index in 0..archive.len() {
        let member = archive.by_index_data(index).map_err(damaged)?;
        let name = String::from_utf8_lossy(member.name_raw()).into_owned();
        match is_wanted(&name, unit) {
            _ if member.is_dir() => {}
            false => skipped.push(name),
            true if member.encrypted() => return Err(Error::Encrypted(blame.name_of(Some(&name)))),
            true => pgn.push((index, name)),
        }
    }
    Ok((Members::Zip { archive, pgn: pgn.into_iter() }, skipped))
}

/// The largest window that any member of a zip archive needs; `None` if the archive cannot be read.
pub(crate) fn window_bytes_zip(stored: RangeReader) -> Option<u64> {
    ZipArchive::new(stored).ok().as_mut().map(members_window_bytes)
}

/// The largest window that any member needs. Only members compressed as Zstandard or xz are examined: the
/// first bytes of such a member state the size of its window.
fn members_window_bytes(archive: &mut ZipArchive<RangeReader>) -> u64 {
    let packed = |index: &usize| {
        let method = archive.by_index_data(*index).map(|member| member.compression());
        matches!(method, Ok(CompressionMethod::Zstd | CompressionMethod::Xz))
    };
    let members: Vec<usize> = (0..archive.len()).filter(packed).collect();
    let windows = members.into_iter().filter_map(|index| {
        let mut head = Vec::new();
        archive.by_index_raw(index).ok()?.take(HEAD_BYTES as u64).read_to_end(&mut head).ok()?;
        window_of_head(&head)
    });
    windows.max().unwrap_or(0)
}

fn unzip(mut archive: ZipArchive<RangeReader>, index: usize, name: String) -> io::Result<Feed> {
    Feed::start(move |feeder| {
        let mut member = archive.by_index(index).map_err(zip_error)?;
        feeder.member(&name, &mut member)
    })
}

fn zip_error(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(error) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, other),
    }
}

/// Opens a 7z archive; also returns the names of members that are not read.
///
/// # Errors
/// Fails if the archive is damaged or encrypted.
pub(crate) fn open_7z(
    file: &Arc<dyn ReadAt>,
    bytes: u64,
    blame: &Blame,
    unit: Unit,
) -> Result<(Members, Vec<String>)> {
    let mut stored = RangeReader::new(file, 0, bytes, &blame.meter);
    let archive = Archive::read(&mut stored, &Password::empty()).map_err(|error| match error {
        sevenz_rust2::Error::PasswordRequired => Error::Encrypted(blame.name.to_string()),
        other => blame.fault(sevenz_error(other)),
    })?;
    if is_encrypted(&archive) {
        return Err(Error::Encrypted(blame.name.to_string()));
    }
    blame.window.check(Some(dictionaries_bytes(&archive))).map_err(|error| blame.fault(error))?;
    let files = archive.files.iter().filter(|file| !file.is_directory() && !is_wanted(file.name(), unit));
    let skipped = files.map(|file| file.name().to_owned()).collect();
    let stored = stored.counted();
    let feed = Feed::start(move |feeder| feed_7z(archive, stored, feeder, unit));
    let feed = feed.map_err(|error| blame.fault(error))?;
    Ok((Members::SevenZ { feed: Arc::new(Mutex::new(feed)) }, skipped))
}

fn feed_7z(archive: Archive, stored: RangeReader, feeder: &Feeder, unit: Unit) -> io::Result<()> {
    let mut reader = ArchiveReader::from_archive(archive, stored, Password::empty());
    reader.set_thread_count(1);
    let each = reader.for_each_entries(|entry, text| {
        if entry.is_directory() || !is_wanted(entry.name(), unit) {
            return Ok(true);
        }
        feeder.member(entry.name(), text)?;
        Ok(true)
    });
    each.map_err(sevenz_error)
}

/// The memory that a 7z archive's dictionaries need; `None` if the archive cannot be read.
pub(crate) fn dictionary_bytes_7z(mut stored: RangeReader) -> Option<u64> {
    Archive::read(&mut stored, &Password::empty()).ok().as_ref().map(dictionaries_bytes)
}

/// The memory that decoders need for the most demanding block. The decoders of one block work at the same
/// time, but blocks are decompressed one after another.
fn dictionaries_bytes(archive: &Archive) -> u64 {
    let of_block = |coders: &mut dyn Iterator<Item = &Coder>| coders.map(dictionary_bytes).sum();
    let blocks = archive.blocks.iter();
    blocks.map(|block| of_block(&mut block.ordered_coder_iter().map(|(_, coder)| coder))).max().unwrap_or(0)
}

/// The size of a decoder's dictionary or window, according to its properties (7z's `DOC/Methods.txt`).
fn dictionary_bytes(coder: &Coder) -> u64 {
    let properties = coder.properties();
    let number = |properties: &[u8]| properties.get(1..5)?.first_chunk().copied().map(u32::from_le_bytes);
    let known = match coder.encoder_method_id() {
        EncoderMethod::ID_LZMA | EncoderMethod::ID_PPMD => number(properties).map(u64::from),
        EncoderMethod::ID_LZMA2 => lzma2_dictionary_bytes(properties),
        // The properties only contain the level; levels up to 19 make windows of at most 8 MiB.
        EncoderMethod::ID_ZSTD => {
            properties.get(2).map(|level| if *level > ZSTD_LEVEL_USUAL_MAX { 128 << 20 } else { 8 << 20 })
        }
        _ => None,
    };
    known.unwrap_or(0)
}

/// The highest level of Zstandard that needs no more memory than usual to decompress.
const ZSTD_LEVEL_USUAL_MAX: u8 = 19;

fn is_encrypted(archive: &Archive) -> bool {
    let mut coders = archive.blocks.iter().flat_map(|block| block.ordered_coder_iter());
    coders.any(|(_, coder)| coder.encoder_method_id() == EncoderMethod::ID_AES256_SHA256)
}

fn sevenz_error(error: sevenz_rust2::Error) -> io::Error {
    match error {
        sevenz_rust2::Error::Io(error, _) => error,
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_chosen_by_name() {
        let is_pgn = |name| is_wanted(name, Unit::Games);
        assert!(is_pgn("a.pgn") && is_pgn("dir/B.b.PgN"));
        assert!(!is_pgn("book.lrn") && is_wanted("book.LRN", Unit::Records));
        assert!(!is_pgn("pgn") && !is_pgn("a.pgn.zst") && !is_pgn("a.txt") && !is_pgn("") && !is_pgn("ü½€"));
        assert!(!is_pgn(".pgn") && !is_pgn("__MACOSX/._a.pgn"));
    }
}
