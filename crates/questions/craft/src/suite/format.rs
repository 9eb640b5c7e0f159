//! The file formats of suites: EPD, FEN and PGN.

use std::{
    fmt::{self, Write as _},
    io::{self, Write},
    mem,
    path::Path,
};

use position::no_name_of;
use shakmaty::Position as _;
use strum::{Display, EnumString, IntoStaticStr, VariantNames};

use super::Opening;
use crate::{
    epd::{Position, push_position},
    pgn::{Movetext, Wrap, push_game_tags},
};

/// The file format of a suite.
#[derive(Clone, Copy, Debug, Display, EnumString, Eq, IntoStaticStr, PartialEq, VariantNames)]
#[strum(parse_err_fn = no_name_of::<SuiteFormat>, parse_err_ty = String, serialize_all = "lowercase")]
pub enum SuiteFormat {
    /// EPD, with one position per line. The four fields are followed by `hmvc` and `fmvn` (which cutechess
    /// and fastchess read), `id` (ECO code and name), `ce` (centipawns from the point of view of the side to
    /// move, if known), `c0` (games, score and draws), `c1` (the moves) and `c2` (the FEN of the position
    /// from which the moves begin, if it is not the start position).
    Epd,
    /// FEN, with one position per line. A line has six fields and nothing else, so every program can read it.
    Fen,
    /// PGN, with one game per position. The game consists of the moves that lead to the position, and its
    /// result is unknown.
    Pgn,
}

impl SuiteFormat {
    /// Returns the format for a file's extension, or `None` if no format has this extension.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        path.extension()?.to_str()?.to_lowercase().parse().ok()
    }

    /// Writes a suite.
    ///
    /// # Errors
    ///
    /// Fails if `out` cannot be written.
    pub fn write(self, openings: &[Opening], out: &mut impl Write) -> io::Result<()> {
        let mut text = String::new();
        for (opening, number) in openings.iter().zip(1..) {
            let pushed = match self {
                Self::Epd => push_epd(opening, &mut text),
                Self::Fen => writeln!(text, "{}", opening.fen()),
                Self::Pgn => push_game(opening, number, &mut text),
            };
            pushed.map_err(io::Error::other)?;
            out.write_all(mem::take(&mut text).as_bytes())?;
        }
        Ok(())
    }
}

/// Adds an opening as a line of EPD.
fn push_epd(opening: &Opening, text: &mut String) -> fmt::Result {
    let Opening { board, root, line, name, frequency, eval, .. } = opening;
    let name = name.as_ref().map(|(eco, name)| (eco.as_str(), name.as_str()));
    let (eval, frequency, root) = (*eval, Some(*frequency), root.as_ref());
    push_position(&Position { board, name, eval, frequency, line, root }, text)
}

fn push_game(opening: &Opening, number: u64, text: &mut String) -> fmt::Result {
    let name = opening.name.as_ref().map(|(eco, name)| (eco.as_str(), name.as_str()));
    push_game_tags(number, name, opening.root.as_ref(), text);
    let mut tokens = String::new();
    let mut moves = Movetext::of(&mut tokens);
    let first = opening.root.as_ref().map_or(0, |root| root.turn().fold_wb(0, 1));
    let sans = opening.line.split_whitespace();
    (first..).zip(sans).try_for_each(|(ply, san)| moves.push_move(ply, san))?;
    tokens.push_str(" {");
    opening.frequency.push(&mut tokens)?;
    tokens.push_str("} *");
    Wrap::default().finish(&tokens, text);
    text.push('\n');
    Ok(())
}
