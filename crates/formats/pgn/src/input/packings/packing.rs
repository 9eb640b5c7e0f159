//! Recognises from the first bytes of an input how it is compressed; the name of the input does not matter.

use strum::{Display, EnumString, IntoStaticStr};

/// How an input is compressed. Each packing is named after the file extension that goes with it.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(ascii_case_insensitive, serialize_all = "lowercase")]
pub enum Packing {
    /// The input is not compressed.
    #[default]
    Plain,
    /// Zstandard frames (RFC 8878).
    #[strum(serialize = "zst")]
    Zstd,
    /// gzip members (RFC 1952).
    #[strum(serialize = "gz")]
    Gzip,
    /// bzip2 streams.
    #[strum(serialize = "bz2")]
    Bzip2,
    /// xz streams.
    Xz,
    /// A zip archive.
    Zip,
    /// A 7z archive.
    #[strum(serialize = "7z")]
    SevenZ,
}

/// The number of bytes that suffice to recognise any kind of compression.
pub(crate) const MAGIC_BYTES: usize = 6;

/// The first bytes of the kinds of compressed data that can be read.
const MAGICS: [(&[u8], Packing); 8] = [
    (b"\x28\xB5\x2F\xFD", Packing::Zstd),
    (b"\x1F\x8B", Packing::Gzip),
    (b"BZh", Packing::Bzip2),
    (b"\xFD7zXZ\0", Packing::Xz),
    (b"PK\x03\x04", Packing::Zip),
    (b"PK\x05\x06", Packing::Zip),
    (b"PK\x07\x08", Packing::Zip),
    (b"7z\xBC\xAF\x27\x1C", Packing::SevenZ),
];

/// The first bytes of formats that are recognised but cannot be read.
const OTHERS: [(&[u8], &str); 9] = [
    (b"Rar!\x1A\x07", "a RAR archive: extract it first"),
    (b"\x04\x22\x4D\x18", "an LZ4 file: decompress it first"),
    (b"\x1F\x9D", "a compress (.Z) file: decompress it first"),
    (b"LZIP", "an lzip file: decompress it first"),
    (b"SQLite format 3\0", "a SQLite database"),
    (b"PAR1", "a Parquet file"),
    (b"%PDF-", "a PDF document"),
    (b"Scid.si", "a Scid database: export it as PGN first"),
    (b"\x7FELF", "a program"),
];

impl Packing {
    /// Detects from `head` how an input is compressed; `head` contains the input's first [`MAGIC_BYTES`]
    /// bytes, or all of a shorter input.
    pub(crate) fn of(head: &[u8]) -> Self {
        if is_skippable_frame(head) {
            return Self::Zstd;
        }
        let known = MAGICS.iter().find(|(magic, _)| head.starts_with(magic));
        known.map_or(Self::Plain, |&(_, packing)| packing)
    }

    /// The kind of compression that a file extension stands for.
    pub(crate) fn of_extension(extension: &str) -> Option<Self> {
        extension.parse().ok().filter(|packing| *packing != Self::Plain)
    }

    /// Whether an input with this packing is an archive of files, which cannot be read without seeking.
    pub(crate) fn is_archive(self) -> bool {
        matches!(self, Self::Zip | Self::SevenZ)
    }
}

/// If the first bytes are those of a known format that cannot be read, returns a description of the format.
pub(crate) fn known_other(head: &[u8]) -> Option<&'static str> {
    OTHERS.iter().find(|(magic, _)| head.starts_with(magic)).map(|&(_, name)| name)
}

/// Whether the whole input is an incomplete signature (magic bytes) of compressed data. Returns false for an
/// input that could be text, such as `BZ`.
pub(crate) fn is_cut_magic(input: &[u8]) -> bool {
    let cut = |magic: &[u8]| magic.len() > input.len() && magic.starts_with(input);
    !input.is_ascii() && MAGICS.iter().any(|(magic, _)| cut(magic)) || input == b"\x1F"
}

/// Whether a Zstandard skippable frame begins here (RFC 8878, 3.1.2), as in the files of pzstd.
pub(crate) fn is_skippable_frame(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// Whether a Zstandard frame of either kind begins here.
pub(crate) fn is_zstd_frame(head: &[u8]) -> bool {
    Packing::of(head) == Packing::Zstd
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_bytes_tell_the_packing() {
        assert_eq!(Packing::of(b"[Event \"a\"]"), Packing::Plain);
        assert_eq!(Packing::of(b""), Packing::Plain);
        assert_eq!(Packing::of(b"\x50\x2A\x4D\x18\x04\0"), Packing::Zstd);
        for (magic, packing) in MAGICS {
            assert_eq!(Packing::of(magic), packing);
            assert!(magic.len() <= MAGIC_BYTES);
        }
        assert_eq!(known_other(b"SQLite format 3\0more"), Some("a SQLite database"));
    }

    #[test]
    fn a_cut_magic_is_told_from_short_text() {
        assert!(is_cut_magic(b"\x28\xB5") && is_cut_magic(b"\xFD7zX") && is_cut_magic(b"\x1F"));
        assert!(
            !is_cut_magic(b"") && !is_cut_magic(b"(") && !is_cut_magic(b"B") && !is_cut_magic(b"\x1F\x8B")
        );
    }
}
