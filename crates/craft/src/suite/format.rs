//! Suites as files: EPD, FEN, PGN.

use std::{
    fmt,
    io::{self, Write},
    path::Path,
    str::FromStr,
};

use super::Opening;
use crate::{
    epd::{Position, counted, write_position},
    pgn::{Movetext, write_tags},
};

/// How a suite is written.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SuiteFormat {
    /// A position a line: four fields, then `hmvc` and `fmvn` (which cutechess and fastchess read), `id` (ECO
    /// code and name), `ce` (centipawns of the side to move, where known), `c0` (games, score and draws) and
    /// `c1` (the moves).
    Epd,
    /// A position a line: six fields and no more, which every program reads.
    Fen,
    /// A game a position: its moves and no result.
    Pgn,
}

impl SuiteFormat {
    const ALL: [Self; 3] = [Self::Epd, Self::Fen, Self::Pgn];

    /// The name on the command line, and the extension of files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Epd => "epd",
            Self::Fen => "fen",
            Self::Pgn => "pgn",
        }
    }

    /// The format that a file's extension names.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        path.extension()?.to_str()?.to_lowercase().parse().ok()
    }

    /// Writes a suite.
    ///
    /// # Errors
    ///
    /// Those of `out`.
    pub fn write(self, openings: &[Opening], out: &mut impl Write) -> io::Result<()> {
        for (opening, number) in openings.iter().zip(1..) {
            match self {
                Self::Epd => write_epd(opening, out)?,
                Self::Fen => writeln!(out, "{}", opening.fen())?,
                Self::Pgn => write_game(opening, number, out)?,
            }
        }
        Ok(())
    }
}

/// By [`SuiteFormat::name`].
impl fmt::Display for SuiteFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for SuiteFormat {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|format| format.name() == text);
        found.ok_or_else(|| format!("`{text}` is none of epd, fen, pgn"))
    }
}

fn write_epd(opening: &Opening, out: &mut impl Write) -> io::Result<()> {
    let Opening { board, line, name, tally, eval, .. } = opening;
    write_position(&Position { board, name: name.as_ref(), eval: *eval, tally: Some(*tally), line }, out)
}

fn write_game(opening: &Opening, number: usize, out: &mut impl Write) -> io::Result<()> {
    let (round, none) = (number.to_string(), "?");
    let mut tags = vec![
        ("Event", none),
        ("Site", none),
        ("Date", "????.??.??"),
        ("Round", round.as_str()),
        ("White", none),
        ("Black", none),
        ("Result", "*"),
    ];
    if let Some((eco, name)) = &opening.name {
        tags.extend([("ECO", eco.as_str()), ("Opening", name)]);
    }
    write_tags(&tags, out)?;
    let mut text = Movetext::default();
    (0..).zip(opening.line.split(' ')).for_each(|(ply, san)| text.push_move(ply, san));
    text.push_comment(&counted(opening.tally));
    text.finish("*", out)
}
