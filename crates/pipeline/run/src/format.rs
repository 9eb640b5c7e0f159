//! The formats of outputs, and the file extensions that belong to them.
//!
//! If the name of an output has another format's extension, the output is refused before anything is read,
//! because programs treat `book.bin` as a Polyglot book whatever it contains.

use std::{
    fmt,
    path::{Path, PathBuf},
};

/// The format of an output.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FileFormat {
    /// A book in the `.tabia` format.
    Book,
    /// A table of counts, which is a folder of Parquet files.
    Table,
    /// A Polyglot book.
    Polyglot,
    /// An Arena book.
    Arena,
    /// An experience file.
    Experience,
    /// Rows for other programs, as a Parquet file or a folder of them.
    Parquet,
    /// Games.
    Pgn,
    /// Learned PGN of Crafty.
    Learned,
    /// Files (`.exp`) in which current engines store what they learn.
    Exp,
    /// Positions, one a line.
    Epd,
    /// Positions as plain FEN, without the operations that EPD adds.
    Fen,
    /// Rows for a spreadsheet.
    Csv,
    /// JSON, one object per line.
    Json,
    /// An HTML page.
    Html,
    /// A picture in SVG.
    Svg,
}

/// The format that an extension belongs to.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OtherFormat {
    /// The ending.
    pub ending: String,
    /// The format that has this extension.
    pub what: &'static str,
    /// Text that tells the user which commands write this format. The output's name is filled in.
    pub writer: String,
}

/// The path and the format of an output.
#[derive(Clone, Debug)]
pub struct Output {
    /// The path of the output.
    pub path: PathBuf,
    /// The format of the output.
    pub format: FileFormat,
}

/// The known extensions, the formats that they belong to, and the texts that tell the user which commands
/// write these formats. In these texts, `NAME` stands for the output's name.
const ENDINGS: [(&[&str], &str, &str); 13] = [
    (&["tabia"], "a book of Tabia", "`tabia build` and `tabia compact` write one with -o NAME"),
    (
        &["table"],
        "a table",
        "`tabia count -o NAME` writes one, and `tabia build --table NAME` one beside a book",
    ),
    (
        &["bin"],
        "a Polyglot book",
        "`tabia build --polyglot NAME` writes one beside a book, and `tabia export polyglot BOOK -o NAME` one of a \
         book or a table",
    ),
    (&["abk"], "an Arena book", "`tabia export abk BOOK -o NAME` writes one of a book or a table"),
    (&["ctg", "cto", "ctb"], "a part of a ChessBase book", "these are only read (`tabia import ctg`)"),
    (
        &["parquet"],
        "a file or a folder of Parquet",
        "`tabia export parquet BOOK -o NAME` writes a folder of a book or a table, `tabia build --parquet NAME` one \
         beside a book, and `tabia learn` experience",
    ),
    (
        &["pgn"],
        "PGN",
        "`tabia export pgn BOOK -o NAME` writes the lines of a book, and `tabia filter -o NAME` games",
    ),
    (&["lrn"], "learned PGN of Crafty", "`tabia learn export crafty EXPERIENCE -o NAME` writes it"),
    (&["exp"], "what an engine learned", "`tabia learn export exp EXPERIENCE -o NAME` writes it"),
    (
        &["epd", "fen"],
        "positions",
        "`tabia export epd BOOK -o NAME` writes those of a book, and `tabia suite BOOK -o NAME` openings",
    ),
    (&["csv"], "rows of a spreadsheet", "`tabia export csv BOOK -o NAME` writes the moves of a book"),
    (&["json", "jsonl"], "JSON", "`tabia export json BOOK -o NAME` writes a book as JSON lines"),
    (
        &["html", "svg"],
        "a page or a picture",
        "`tabia report BOOK -o NAME` writes a page, and `tabia simulate BOOK --svg NAME` a picture",
    ),
];

/// The extensions of compressed files, which come after the extension that names the contents.
const PACKED: [&str; 4] = ["zst", "gz", "bz2", "xz"];

impl FileFormat {
    /// Returns the format that the extension of `path` belongs to; `None` if the extension is unknown or
    /// belongs to the format `self`.
    #[must_use]
    pub fn other_by_ending(self, path: &Path) -> Option<OtherFormat> {
        let ending = ending(path);
        let (_, what, writer) = ENDINGS.iter().find(|(endings, ..)| endings.contains(&ending.as_str()))?;
        let writer = writer.replace("NAME", &path.display().to_string());
        let (_, endings) = self.name_and_endings();
        (!endings.contains(&ending.as_str())).then_some(OtherFormat { ending, what, writer })
    }

    /// Returns an [`Output`] with this format for each of `paths`.
    pub fn at<'p>(self, paths: impl IntoIterator<Item = &'p PathBuf>) -> Vec<Output> {
        paths.into_iter().map(|path| Output { path: path.clone(), format: self }).collect()
    }

    /// The name of the format and its extensions, the usual one first.
    fn name_and_endings(self) -> (&'static str, &'static [&'static str]) {
        match self {
            FileFormat::Book => ("a book of Tabia", &["tabia"]),
            FileFormat::Table => ("a table", &["table", "parquet"]),
            FileFormat::Polyglot => ("a Polyglot book", &["bin"]),
            FileFormat::Arena => ("an Arena book", &["abk"]),
            FileFormat::Experience => ("experience", &["parquet"]),
            FileFormat::Parquet => ("Parquet", &["parquet"]),
            FileFormat::Pgn => ("PGN", &["pgn"]),
            FileFormat::Learned => ("learned PGN", &["lrn", "pgn"]),
            FileFormat::Exp => ("what an engine learned", &["exp"]),
            FileFormat::Epd => ("EPD", &["epd", "fen"]),
            FileFormat::Fen => ("FENs", &["fen", "epd"]),
            FileFormat::Csv => ("rows of a spreadsheet", &["csv"]),
            FileFormat::Json => ("JSON lines", &["json", "jsonl"]),
            FileFormat::Html => ("a page", &["html"]),
            FileFormat::Svg => ("a picture", &["svg"]),
        }
    }
}

impl fmt::Display for FileFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, endings) = self.name_and_endings();
        write!(f, "{name} (NAME.{})", endings[0])
    }
}

/// Returns the extension of `path` in lower case; for `x.pgn.zst`, this is `pgn`.
fn ending(path: &Path) -> String {
    let of = |path: &Path| path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let last = of(path);
    let inner = path.file_stem().map(|stem| of(Path::new(stem))).filter(|inner| !inner.is_empty());
    inner.filter(|_| PACKED.contains(&last.as_str())).unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [FileFormat; 15] = [
        FileFormat::Book,
        FileFormat::Table,
        FileFormat::Polyglot,
        FileFormat::Arena,
        FileFormat::Experience,
        FileFormat::Parquet,
        FileFormat::Pgn,
        FileFormat::Learned,
        FileFormat::Exp,
        FileFormat::Epd,
        FileFormat::Fen,
        FileFormat::Csv,
        FileFormat::Json,
        FileFormat::Html,
        FileFormat::Svg,
    ];

    #[test]
    fn every_format_has_known_endings_and_refuses_those_of_others() {
        for format in ALL {
            for (endings, what, _) in ENDINGS {
                for ending in endings {
                    let is_own = format.name_and_endings().1.contains(ending);
                    let path = format!("a b/x.{}", ending.to_ascii_uppercase());
                    let other = format.other_by_ending(Path::new(&path)).map(|other| other.what);
                    assert_eq!(other, (!is_own).then_some(what), "{format:?} {ending}");
                }
            }
            let known = |ending: &&str| ENDINGS.iter().any(|(endings, ..)| endings.contains(ending));
            assert!(format.name_and_endings().1.iter().all(known), "{format:?}");
        }
    }

    #[test]
    fn other_names_say_nothing_and_packings_are_looked_through() {
        for name in ["-", "book", "book.2026", ".tabia", "a.pgn/book", "x.zst", "/dev/stdout", "x.table."] {
            assert_eq!(FileFormat::Html.other_by_ending(Path::new(name)), None, "{name}");
        }
        assert_eq!(FileFormat::Pgn.other_by_ending(Path::new("x.pgn.zst")), None);
        let other = FileFormat::Book.other_by_ending(Path::new("x.pgn.zst")).unwrap();
        assert_eq!((other.ending.as_str(), other.what), ("pgn", "PGN"));
        assert!(other.writer.ends_with("and `tabia filter -o x.pgn.zst` games"), "{}", other.writer);
    }
}
