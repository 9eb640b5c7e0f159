//! Selects the folders, rows and columns of an export.

use analysis::{Beginning, Cut, Folder};
use clap::Args;
use count::Side;
use position::{NamedPositionError, played_line};
use run::{SettingError, values::each_as_text};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color};

/// The selection of data to export.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[command(next_help_heading = "What is exported")]
#[serde(default)]
pub struct Selection {
    /// Folders to write: moves, positions, openings, lines, examples [default: moves,positions,openings, and
    /// examples if the table has any]
    #[arg(long, value_name = "FOLDERS", value_delimiter = ',')]
    #[serde(with = "each_as_text")]
    pub only: Vec<Folder>,
    /// Also write the folder `lines`: for each position, the moves in SAN that lead to it from the start,
    /// along the most played edges
    #[arg(long)]
    pub lines: bool,
    /// Only positions up to N plies from the start; positions at exactly N plies are written without their
    /// moves
    #[arg(long, value_name = "N")]
    pub max_ply: Option<u16>,
    /// Only moves played, and positions reached, in at least N games
    #[arg(long, value_name = "N", default_value_t)]
    pub min_games: u64,
    /// Only the position after these moves, and positions that can be reached from it; the moves are in SAN
    /// or UCI: "e4 c5" or "1. e4 c5"
    #[arg(long)]
    pub line: Option<String>,
    /// Only this side's moves, and the positions where it is to move
    #[arg(long, value_name = "white|black")]
    pub color: Option<Side>,
    /// Columns to add; only fen can be added
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub with: Vec<String>,
    /// Columns to leave out
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub without: Vec<String>,
}

impl Selection {
    /// The folders to write.
    pub(super) fn folders(&self) -> Vec<Folder> {
        let all = vec![Folder::Moves, Folder::Positions, Folder::Openings, Folder::Examples];
        let mut folders = if self.only.is_empty() { all } else { self.only.clone() };
        folders.extend(self.lines.then_some(Folder::Lines));
        folders
    }

    /// The rows to write.
    ///
    /// # Errors
    ///
    /// Fails if a move of the line cannot be played.
    pub(super) fn cut(&self) -> Result<Cut, SettingError> {
        Ok(Cut {
            origin: self.line.as_deref().map(beginning).transpose()?,
            max_ply: self.max_ply,
            min_games: self.min_games,
            color: self.color.map(|side| Color::from_white(side == Side::White)),
        })
    }
}

fn beginning(line: &str) -> Result<Beginning, NamedPositionError> {
    let (position, sans) = played_line(Chess::default(), line)?;
    let names: Vec<_> = sans.iter().map(ToString::to_string).collect();
    Ok(Beginning { position, ply: sans.len() as u16, line: names.join(" ") })
}
