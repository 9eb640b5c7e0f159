//! Writes `games/`, with one typed row for each game in the order in which games are pushed, and
//! `observations/`, with one row for each of their moves.

mod columns;
mod observations;
mod parts;
mod row;

use std::path::Path;

use output::{Existing, OutputFolder, Prepared};
use serde_json::json;
use strum::{Display, EnumString, IntoStaticStr};
use table::{CREATED_BY, KEY_SCHEME};

pub use self::row::{GameMove, GameRow, days_since_1970};
use self::{columns::NumberedGame, observations::Observations, parts::Parts};
use crate::{
    Error, FORMAT, FORMAT_VERSION, KeyType, MARKER, PartInfo, Result,
    column::{Column, Spec, check_without},
};

/// The default number of games in a part file: about 300 MB of Lichess games.
pub const DEFAULT_GAMES_A_PART: u64 = 1 << 20;

/// How the moves of a game are written.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq)]
#[strum(parse_err_fn = no_move_list, parse_err_ty = String, serialize_all = "lowercase")]
pub enum MoveList {
    /// A list of strings: `e2e4`, `e1g1`, `e7e8q`.
    #[default]
    Uci,
    /// A list of numbers that encode moves as Polyglot does, like the column `move` of `moves/`.
    Packed,
}

fn no_move_list(text: &str) -> String {
    format!("expected uci or packed, not `{text}`")
}

/// How to write games.
#[derive(Clone, Debug)]
pub struct GameOptions {
    /// How the moves are written.
    pub moves: MoveList,
    /// How keys are written.
    pub key_type: KeyType,
    /// Whether to write `observations/`, with a row for each move.
    pub observations: bool,
    /// Names of columns to leave out of every file.
    pub without: Vec<String>,
    /// The number of games in each part file, except the last one; at least 1.
    pub games_a_part: u64,
    /// Whether to replace an export that already exists at the output path.
    pub force: bool,
    /// Entries to add to every file's key-value metadata.
    pub metadata: Vec<(String, String)>,
}

impl Default for GameOptions {
    /// By default, moves are written in UCI, keys are unsigned, no column is left out, observations are not
    /// written, each part has 1,048,576 games, and an existing export is not replaced.
    fn default() -> Self {
        Self {
            moves: MoveList::default(),
            key_type: KeyType::default(),
            observations: false,
            without: Vec::new(),
            games_a_part: DEFAULT_GAMES_A_PART,
            force: false,
            metadata: Vec::new(),
        }
    }
}

impl GameOptions {
    /// Describes the files of a folder. Their rows are sorted by the first `sorted_by` columns.
    fn spec(&self, file: &'static str, columns: Vec<Column>, sorted_by: u32) -> Spec {
        let Self { key_type, without, metadata, .. } = self.clone();
        Spec { file, columns, sorted_by, key_type, without, metadata }
    }
}

/// A summary of the files that a [`GamesWriter`] wrote.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub struct GamesReport {
    /// The number of games.
    pub games: u64,
    /// The number of moves of these games, if observations are written.
    pub observations: Option<u64>,
    /// The files, in the order of the games: first those of `games/`, then those of `observations/`.
    pub files: Vec<PartInfo>,
}

/// Writes the folder `games`, the folder `observations` if it is requested, and `export.json`. All of these
/// are written to a temporary folder. When the export is published, that folder is moved to its place. The
/// same games in the same order always give the same bytes.
///
/// # Memory
///
/// A writer holds an encoded row group of 131,072 games (about 30 MB for Lichess games) and up to 8,192 games
/// yet to be encoded. If observations are written, the writer also holds an encoded row group of 131,072
/// moves (about 2 MB) and up to 8,192 moves yet to be encoded.
pub struct GamesWriter {
    output: OutputFolder,
    options: GameOptions,
    games: Parts,
    observations: Option<Observations>,
    written: u64,
}

impl GamesWriter {
    /// Begins an export that is moved to `output` when it is published.
    ///
    /// # Errors
    ///
    /// Fails if an option is invalid, if `output` exists and may not be replaced, or if the folder cannot be
    /// written to.
    pub fn create(output: &Path, options: GameOptions) -> Result<Self> {
        let (games, moves) = (columns::spec(&options), observations::spec(&options));
        check_without(&options.without, &[&games, &moves][..=usize::from(options.observations)])?;
        let output = OutputFolder::create(output, MARKER, Existing::replaced_if(options.force))
            .map_err(Error::refused)?;
        let games = Parts::create(output.dir(), games)?;
        let observations = options.observations.then(|| Observations::create(output.dir(), moves));
        let observations = observations.transpose()?;
        Ok(Self { output, options, games, observations, written: 0 })
    }

    /// Adds a game.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written.
    ///
    /// # Panics
    ///
    /// Panics if observations are written but a move of the game has no key.
    pub fn push(&mut self, game: &GameRow) -> Result<()> {
        let ends_part = self.written > 0 && self.written.is_multiple_of(self.options.games_a_part.max(1));
        self.written += 1;
        if ends_part {
            self.games.next(self.output.dir())?;
        }
        let numbered = NumberedGame { number: self.written, game };
        self.games.push(|cells| numbered.write(cells))?;
        let Some(observations) = &mut self.observations else { return Ok(()) };
        if ends_part {
            observations.parts.next(self.output.dir())?;
        }
        observations.push(&numbered)
    }

    /// Ends the last file, and waits until the folder is on disk.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written.
    pub fn prepare(self) -> Result<(GamesReport, Prepared)> {
        let mut files = self.games.finish()?;
        let moves = self.observations.map(|observations| observations.parts.finish()).transpose()?;
        let observations = moves.as_ref().map(|files| files.iter().map(|file| file.rows).sum());
        files.extend(moves.into_iter().flatten());
        let report = GamesReport { games: self.written, observations, files };
        let manifest = format!("{:#}\n", manifest(&report, &self.options));
        Ok((report, self.output.prepare(manifest.as_bytes())?))
    }
}

/// The contents of `export.json`.
fn manifest(report: &GamesReport, options: &GameOptions) -> serde_json::Value {
    let file = |file: &PartInfo| json!({ "path": file.path, "rows": file.rows, "bytes": file.bytes });
    let metadata: serde_json::Map<_, _> =
        options.metadata.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect();
    json!({
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "created_by": CREATED_BY,
        "key_scheme": KEY_SCHEME,
        "key_type": options.key_type.to_string(),
        "moves": options.moves.to_string(),
        "metadata": metadata,
        "games": report.games,
        "observations": report.observations,
        "files": report.files.iter().map(file).collect::<Vec<_>>(),
    })
}
