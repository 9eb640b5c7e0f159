//! Recognises other kinds of files by their first bytes or their extension, so that an error can say what a
//! file is and what the user can do with it.

use std::{
    fs::File,
    io::{self, Read as _},
    path::Path,
};

use experience::ExperienceFile;
use fault::FileFault;

use crate::{Error, Result};

/// The kind of a file, as recognised by its content or its extension.
pub(crate) enum FileKind {
    /// A Parquet file, possibly an experience file.
    Parquet,
    /// A Polyglot book, intact or damaged.
    Polyglot,
    /// A file of another kind, with a description and advice for the user.
    Foreign(ForeignFile),
}

/// A file from another program.
pub(crate) struct ForeignFile {
    what: &'static str,
    then: &'static str,
}

/// How many bytes to read from the beginning of a file.
const HEAD_BYTES: usize = 1 << 16;
/// The beginning of a Polyglot book's header: key 0 and a magic number.
const HEADER: &[u8] = b"\0\0\0\0\0\0\0\0@PG@\n";
/// The number of bytes in an entry of a Polyglot book.
const ENTRY_BYTES: usize = 16;

impl FileKind {
    /// Recognises the file at `path`, which is not a `.tabia` book.
    ///
    /// # Errors
    ///
    /// Fails with a [`FileFault`] if the file cannot be read.
    pub(crate) fn of(path: &Path) -> Result<Self> {
        let (head, bytes) = head(path).map_err(FileFault::of("read", path))?;
        if ExperienceFile::is_likely(path) {
            return Ok(Self::Parquet);
        }
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        if bytes == 0 && extension != "bin" {
            return Ok(Self::Foreign(EMPTY));
        }
        let known = by_magic(&head)
            .or_else(|| by_extension(&extension))
            .or_else(|| is_crafty(&head, bytes).then_some(CRAFTY))
            .or_else(|| text(&head));
        Ok(match known {
            Some(foreign) => Self::Foreign(foreign),
            None if is_polyglot(&head) => Self::Polyglot,
            None => Self::Foreign(UNKNOWN),
        })
    }
}

impl ForeignFile {
    /// The error for a file of this kind at `path`.
    pub(crate) fn error(&self, path: &Path) -> Error {
        Error::Foreign { path: path.into(), what: self.what, then: self.then }
    }
}

/// The error for a folder that cannot be opened as a table, but may be an export.
pub(crate) fn folder(path: &Path, error: table::Error) -> Error {
    let is_export = matches!(error, table::Error::NotATable { .. }) && path.join("export.json").is_file();
    if is_export { EXPORT.error(path) } else { error.into() }
}

/// The first bytes of a file, and the file's length.
fn head(path: &Path) -> io::Result<(Vec<u8>, u64)> {
    let (file, mut head) = (File::open(path)?, Vec::new());
    let bytes = file.metadata()?.len();
    file.take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    Ok((head, bytes))
}

const PACKED: &str =
    "if it holds PGN, build a book of it or count it into a table; otherwise decompress it first";
const ARENA: ForeignFile =
    ForeignFile { what: "an Arena book (ABK)", then: "make a book or a table of it: tabia import abk" };
const CHESSBASE: ForeignFile = ForeignFile {
    what: "a part of a ChessBase book (CTG, CTO and CTB)",
    then: "make a book or a table of its .ctg file: tabia import ctg",
};
const CRAFTY: ForeignFile = ForeignFile {
    what: "a binary book of Crafty",
    then: "its keys name no positions; build a book from its games, and learn from Crafty's learned PGN",
};
const BRAINLEARN: ForeignFile = ForeignFile {
    what: "an experience file of BrainLearn or an engine like it (EXP)",
    then: "learn from it: tabia learn exp NAME.exp -o x.experience.parquet",
};
const EMPTY: ForeignFile = ForeignFile { what: "empty", then: "copy it or write it again" };
const EXPORT: ForeignFile = ForeignFile {
    what: "an export for other programs",
    then: "name the table or the book that it was written from",
};
const PGN: ForeignFile =
    ForeignFile { what: "PGN", then: "build a book of it, or count it into a table, first" };
const TEXT: ForeignFile =
    ForeignFile { what: "a text", then: "name a book, a table, an experience file or a Polyglot book" };
const UNKNOWN: ForeignFile = ForeignFile {
    what: "not a file that can be read here",
    then: "it begins neither as a tabia book nor as an experience file, and its entries are not sorted as \
           those of a Polyglot book are",
};

/// Recognises kinds of files that always begin with the same characteristic bytes.
fn by_magic(head: &[u8]) -> Option<ForeignFile> {
    let packed = |what| ForeignFile { what, then: PACKED };
    let magics: [(&[u8], ForeignFile); 10] = [
        (b"\x03AB", ARENA),
        (b"SugaR Experience", BRAINLEARN),
        (b"PK\x03\x04", packed("a ZIP archive")),
        (b"PK\x05\x06", packed("an empty ZIP archive")),
        (b"7z\xbc\xaf\x27\x1c", packed("a 7-Zip archive")),
        (b"\x1f\x8b", packed("compressed with gzip")),
        (b"\x28\xb5\x2f\xfd", packed("compressed with zstd")),
        (b"\xfd7zXZ\x00", packed("compressed with xz")),
        (b"BZh", packed("compressed with bzip2")),
        (b"SQLite format 3\x00", ForeignFile { what: "an SQLite database", then: TEXT.then }),
    ];
    magics.into_iter().find(|(magic, _)| head.starts_with(magic)).map(|(_, foreign)| foreign)
}

/// Recognises books by their file extension, for kinds that have no magic number.
fn by_extension(extension: &str) -> Option<ForeignFile> {
    match extension {
        "abk" => Some(ARENA),
        "ctg" | "cto" | "ctb" => Some(CHESSBASE),
        "exp" => Some(BRAINLEARN),
        _ => None,
    }
}

/// Whether a file is a Crafty book. Such a book begins with 32,768 file offsets of four bytes each, where -1
/// stands for no entry.
fn is_crafty(head: &[u8], bytes: u64) -> bool {
    const INDEX_BYTES: u64 = 4 << 15;
    let mut places =
        head.chunks_exact(4).map(|place| i32::from_le_bytes([place[0], place[1], place[2], place[3]]));
    bytes > INDEX_BYTES
        && places
            .all(|place| u64::try_from(place).map_or(place == -1, |at| (INDEX_BYTES..bytes).contains(&at)))
}

/// Recognises text files. A text file is assumed to be PGN if any line is a tag pair.
fn text(head: &[u8]) -> Option<ForeignFile> {
    let is_control = |&&byte: &&u8| byte < b' ' && !byte.is_ascii_whitespace() && byte != 0x1b;
    if head.is_empty() || head.iter().any(|byte| is_control(&byte)) {
        return None;
    }
    let is_tag = |line: &[u8]| {
        let line = line.trim_ascii_start();
        line.first() == Some(&b'[')
            && line.get(1).is_some_and(u8::is_ascii_alphabetic)
            && line.contains(&b'"')
    };
    Some(if head.split(|&byte| byte == b'\n').any(is_tag) { PGN } else { TEXT })
}

/// Whether the first entries are sorted as in a Polyglot book, apart from a few damaged ones. A Polyglot book
/// has a magic number only in its header, and few books have a header. An empty file with a Polyglot book's
/// extension is a book without moves.
fn is_polyglot(head: &[u8]) -> bool {
    if head.starts_with(HEADER) {
        return true;
    }
    let entries: Vec<&[u8]> = head.chunks_exact(ENTRY_BYTES).collect();
    let pairs = entries.len().saturating_sub(1);
    let is_blank = |entry: &[u8]| entry.iter().all(|&byte| byte == 0);
    let sorted = entries.windows(2).filter(|pair| pair[0][..8] <= pair[1][..8] && !is_blank(pair[1])).count();
    sorted * 8 >= pairs * 7
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn message(name: &str, bytes: &[u8]) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        match FileKind::of(&path).unwrap() {
            FileKind::Foreign(foreign) => foreign.error(Path::new(name)).to_string(),
            FileKind::Parquet => "Parquet".into(),
            FileKind::Polyglot => "Polyglot".into(),
        }
    }

    fn entries(keys: impl Iterator<Item = u64>) -> Vec<u8> {
        keys.flat_map(|key| [&key.to_be_bytes()[..], b"\x03\x1c\x00\x01\0\0\0\0"].concat()).collect()
    }

    #[test]
    fn files_of_other_programs_are_named() {
        let mut crafty = vec![0xff; 4 << 15];
        crafty[400..404].copy_from_slice(&(4u32 << 15).to_le_bytes());
        crafty.extend([7; 16]);
        let ctg: Vec<u8> = entries((0..64).map(|n: u64| n.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        for (name, bytes, says) in [
            ("a.abk", &b"\x03ABK\0\0more"[..], "a.abk is an Arena book (ABK)"),
            ("b", b"\x03AB2pb\0\0\x1c", "b is an Arena book (ABK)"),
            ("e.exp", &ctg, "e.exp is an experience file of BrainLearn"),
            ("f", b"SugaR Experience version 2", "f is an experience file of BrainLearn"),
            ("c.CTG", &ctg, "c.CTG is a part of a ChessBase book"),
            ("book.bin", &crafty, "book.bin is a binary book of Crafty"),
            ("d.zip", b"PK\x03\x04more", "d.zip is a ZIP archive; if it holds PGN"),
            ("e.pgn", b"; a comment\n[Event \"x\"]\n\n1. e4 *\n", "e.pgn is PGN; build a book"),
            ("f.pgn.gz", b"\x1f\x8b\x08\0", "f.pgn.gz is compressed with gzip"),
            ("README", "Sixteen bytes é\n".repeat(8).as_bytes(), "README is a text; name a book"),
            ("f.bin", &[0; 4096], "f.bin is not a file that can be read here"),
            ("g.bin", &ctg, "g.bin is not a file that can be read here"),
        ] {
            let message = message(name, bytes);
            assert!(message.starts_with(says), "{message}");
        }
    }

    #[test]
    fn polyglot_books_are_recognized_by_their_order_even_if_damaged() {
        let mut book = entries((0..64).map(|n| n << 57));
        assert_eq!(message("a.bin", &book), "Polyglot");
        book[16 * 20] ^= 0x80;
        assert_eq!(message("a", &book), "Polyglot", "one entry is out of order");
        assert_eq!(message("a.bin", &book[..1000]), "Polyglot", "the last entry is incomplete");
        assert_eq!(message("a.bin", &book[..16]), "Polyglot", "one entry");
        assert_eq!(message("a.bin", b""), "Polyglot", "no entry");
        let header = [b"\0\0\0\0\0\0\0\0@PG@\n1.0", &[0; 16][..], &entries(0..2)].concat();
        assert_eq!(message("a.bin", &header), "Polyglot", "a header with a record of zeros");
    }
}
