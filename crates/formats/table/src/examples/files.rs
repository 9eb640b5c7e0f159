//! Writes and reads the folder.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use position::Key;

use super::{
    EXAMPLES_NAME, ExampleGame, ExampleRule, ExamplesInfo, GameId, MoveExamples,
    blocks::{Blocks, BlocksWriter, LEVEL, Packing},
    games::{GAMES_NAME, GamesWriter},
};
use crate::{Error, Result, file_bytes::FileBytes};

const MOVES_NAME: &str = "moves";
/// How blocks of positions are made, of which a request reads one.
const MOVES: Packing<'_> = Packing { block_bytes: 1 << 14, level: LEVEL, dictionary: &[] };

/// Writes a table's examples: first which games are the examples of each row, then these games.
pub struct ExamplesWriter {
    folder: PathBuf,
    rule: ExampleRule,
    incomplete: u64,
    moves: BlocksWriter<Vec<MoveExamples>>,
    /// The examples of the position that is being written.
    key: Key,
    rows: Vec<MoveExamples>,
}

impl ExamplesWriter {
    pub(crate) fn create(table: &Path, rule: ExampleRule) -> Result<Self> {
        let folder = table.join(EXAMPLES_NAME);
        fs::create_dir(&folder).map_err(Error::io(&folder))?;
        let moves = BlocksWriter::create(folder.join(MOVES_NAME), &MOVES)?;
        Ok(Self { folder, rule, incomplete: 0, moves, key: Key(0), rows: Vec::new() })
    }

    /// Adds the examples of a row; rows must ascend by key, then by move and group.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be written.
    ///
    /// # Panics
    ///
    /// Panics if keys do not ascend.
    pub fn push(&mut self, key: Key, row: MoveExamples) -> Result<()> {
        if key != self.key {
            self.end_position()?;
            self.key = key;
        }
        self.incomplete += u64::from(!row.is_complete);
        self.rows.push(row);
        Ok(())
    }

    fn end_position(&mut self) -> Result<()> {
        if !self.rows.is_empty() {
            self.moves.push(self.key.0, &self.rows)?;
            self.rows.clear();
        }
        Ok(())
    }

    /// Ends the examples of rows, adds their games, and waits until everything is on disk. `write_games` is
    /// called with at most `count` ids of games at a time, in ascending order, and adds these games in that
    /// order. Returns the manifest's entry.
    ///
    /// # Errors
    ///
    /// Fails if something cannot be written or read back, and with the error of `write_games`.
    ///
    /// # Memory
    ///
    /// 16 bytes for each of `count` ids.
    pub fn finish<E: From<Error>>(
        mut self,
        count: usize,
        mut write_games: impl FnMut(&[GameId], &mut GamesWriter) -> Result<(), E>,
    ) -> Result<ExamplesInfo, E> {
        self.end_position()?;
        let Self { folder, rule, incomplete, moves, .. } = self;
        let (info, path) = (moves.finish()?, folder.join(MOVES_NAME));
        let moves = Blocks::open(&path, FileBytes::at(&path)?, &info)?;
        let mut games = GamesWriter::create(folder)?;
        let mut first = Some(0);
        while let Some(from) = first {
            let ids = next_ids(&moves, from, count)?;
            write_games(&ids, &mut games)?;
            first = ids.last().filter(|_| ids.len() == count).and_then(|last| last.0.checked_add(1));
        }
        Ok(ExamplesInfo { rule, incomplete, moves: info, games: games.finish()? })
    }
}

/// Of the ids of games that are examples, the `count` smallest whose number is at least `first`, ascending.
fn next_ids(moves: &Blocks<Vec<MoveExamples>>, first: u64, count: usize) -> Result<Vec<GameId>> {
    let mut ids = Vec::new();
    let settle = |ids: &mut Vec<GameId>| {
        ids.sort_unstable();
        ids.dedup();
        ids.truncate(count);
    };
    for entry in moves.all() {
        let games = entry?.1;
        let games = games.iter().flat_map(MoveExamples::games).map(|game| game.id);
        ids.extend(games.filter(|id| id.0 >= first));
        if ids.len() >= 2 * count {
            settle(&mut ids);
        }
    }
    settle(&mut ids);
    Ok(ids)
}

/// The examples of a table.
#[derive(Debug)]
pub struct Examples {
    rule: ExampleRule,
    moves: Blocks<Vec<MoveExamples>>,
    games: Blocks<ExampleGame>,
}

impl Examples {
    /// Opens the examples of the table at `path`; `open` opens a file of the table's folder by its name
    /// there.
    pub(crate) fn open(
        path: &Path,
        info: &ExamplesInfo,
        open: impl Fn(&str) -> Result<Arc<FileBytes>>,
    ) -> Result<Self> {
        let open = |name| {
            let name = format!("{EXAMPLES_NAME}/{name}");
            open(&name).map(|file| (path.join(name), file))
        };
        let ((moves_path, moves), (games_path, games)) = (open(MOVES_NAME)?, open(GAMES_NAME)?);
        let moves = Blocks::open(&moves_path, moves, &info.moves)?;
        Ok(Self { rule: info.rule, moves, games: Blocks::open(&games_path, games, &info.games)? })
    }

    /// Which rows have examples, and how many.
    #[must_use]
    pub fn rule(&self) -> ExampleRule {
        self.rule
    }

    /// The examples of a position, ascending by move and group.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is damaged.
    pub fn of(&self, key: Key) -> Result<Vec<MoveExamples>> {
        Ok(self.moves.get(key.0)?.unwrap_or_default())
    }

    /// The game with this id, if it is an example.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or is damaged.
    pub fn game(&self, id: GameId) -> Result<Option<ExampleGame>> {
        self.games.get(id.0)
    }

    /// The examples of all positions, ascending by key.
    pub fn positions(&self) -> impl Iterator<Item = Result<(Key, Vec<MoveExamples>)>> + '_ {
        self.moves.all().map(|entry| entry.map(|(key, examples)| (Key(key), examples)))
    }

    /// All games, ascending by id.
    pub fn games(&self) -> impl Iterator<Item = Result<(GameId, ExampleGame)>> + '_ {
        self.games.all().map(|entry| entry.map(|(id, game)| (GameId(id), game)))
    }

    /// Checks both files as a whole: every byte, the order of entries, and that the game of every example is
    /// there.
    pub(crate) fn check(&self) -> Result<()> {
        let mut ids = Vec::new();
        self.games.check(|id, _| {
            ids.push(id);
            Ok(())
        })?;
        self.moves.check(|_, rows| {
            let mut games = rows.iter().flat_map(MoveExamples::games);
            let is_there = games.all(|game| ids.binary_search(&game.id.0).is_ok());
            if is_there { Ok(()) } else { Err(self.moves.bad("an example is not among the games")) }
        })
    }
}
