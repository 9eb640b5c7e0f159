//! Finds the example games that a table keeps, either all those for one position or a single one as PGN.

use std::cmp::Reverse;

use position::{Key, Outcome, PackedMove};
use serde::{Serialize, Serializer};
use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};
use table::{ExampleGame, Examples, GameId, MoveExamples, RankedGame};

use crate::{Artefact, Error, GamesFilter, Result};

/// The example games kept for all moves of a position.
#[derive(Clone, Debug, Default, Serialize)]
pub struct ExampleGames {
    /// The games with the highest ratings, best first.
    pub top: Vec<PlayedGame>,
    /// The newest games, newest first.
    pub recent: Vec<PlayedGame>,
}

/// A game that went through a position.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct PlayedGame {
    /// The move that was played in this position, in UCI notation; castling is written as the king taking its
    /// rook.
    pub uci: String,
    /// The move as SAN.
    pub san: String,
    /// The id of the game, for [`example_pgn`].
    pub id: String,
    /// The result, written to JSON as the winner: `white`, `black`, or null for a draw.
    #[serde(rename = "winner", serialize_with = "winner")]
    pub outcome: Outcome,
    /// The player with White.
    pub white: GamePlayer,
    /// The player with Black.
    pub black: GamePlayer,
    /// The year; `None` if it is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub year: Option<u32>,
    /// Year and month, such as `2013-05`; `None` unless both are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub month: Option<String>,
    /// The speed of the game; `None` if it is unknown or if the table is not grouped by speed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<&'static str>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn winner<S: Serializer>(outcome: &Outcome, serializer: S) -> Result<S::Ok, S::Error> {
    let winner = match outcome {
        Outcome::White => Some("white"),
        Outcome::Draw => None,
        Outcome::Black => Some("black"),
    };
    winner.serialize(serializer)
}

/// A player of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GamePlayer {
    /// The player's name, as written in the game.
    pub name: String,
    /// The Elo rating; 0 if it is not known.
    pub rating: u16,
}

/// The example games for a position's moves that pass the filter: at most `top` with the highest ratings, and
/// at most `recent` of the newest. `None` if the artefact keeps no examples.
///
/// # Errors
///
/// Fails if the table cannot be read or is damaged.
pub fn example_games(
    artefact: &Artefact,
    position: &Chess,
    games: &GamesFilter,
    (top, recent): (usize, usize),
) -> Result<Option<ExampleGames>> {
    let Some(found) = PositionExamples::of(artefact, position, games)? else { return Ok(None) };
    let [top, recent] = [found.best_rated(top), found.newest(recent, &[])]
        .map(|listed| found.shown(listed.into_iter()).collect::<Result<_>>());
    Ok(Some(ExampleGames { top: top?, recent: recent? }))
}

/// The examples of a position's moves. A game is read only when it is to be shown.
pub struct PositionExamples<'a> {
    examples: &'a Examples,
    position: &'a Chess,
    /// For each of the position's rows, the examples that pass the filter.
    rows: Vec<MoveExamples>,
}

/// An example of a move.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The move.
    pub mv: PackedMove,
    game: RankedGame,
    speed: Option<&'static str>,
}

/// Two examples are equal if they come from the same game, which may have reached the position twice.
impl PartialEq for Example {
    fn eq(&self, other: &Self) -> bool {
        self.game.id == other.game.id
    }
}

impl<'a> PositionExamples<'a> {
    /// Finds the examples for a position that pass the filter. `None` if the artefact keeps no examples.
    ///
    /// # Errors
    ///
    /// Fails if the table cannot be read or is damaged.
    pub fn of(artefact: &'a Artefact, position: &'a Chess, games: &GamesFilter) -> Result<Option<Self>> {
        let Some(examples) = examples_of(artefact)? else { return Ok(None) };
        let mut rows = examples.of(Key::of(position))?;
        rows.retain(|row| games.admits(row.group()));
        Ok(Some(Self { examples, position, rows }))
    }

    /// The best-rated examples: at most `count`, the best first.
    #[must_use]
    pub fn best_rated(&self, count: usize) -> Vec<Example> {
        self.first(count, RankedGame::by_rating, |_| true)
    }

    /// The newest examples that are not among `others`: at most `count`, the newest first.
    #[must_use]
    pub fn newest(&self, count: usize, others: &[Example]) -> Vec<Example> {
        self.first(count, RankedGame::by_date, |found| !others.contains(found))
    }

    fn first(
        &self,
        count: usize,
        order: fn(RankedGame) -> u128,
        is_wanted: impl Fn(&Example) -> bool,
    ) -> Vec<Example> {
        let place = |found: &Example| (Reverse(order(found.game)), found.mv);
        let mut first: Vec<Example> = Vec::new();
        let mut last = 0;
        for found in self.rows.iter().flat_map(examples_of_row) {
            if order(found.game) < last || !is_wanted(&found) {
                continue;
            }
            let at = first.partition_point(|better| place(better) < place(&found));
            if at < count {
                first.insert(at, found);
                first.truncate(count);
                last = first.get(count - 1).map_or(0, |found| order(found.game));
            }
        }
        first
    }

    /// The examples of a move, in no particular order.
    pub fn of_move(&self, mv: PackedMove) -> impl Iterator<Item = Example> + '_ {
        self.rows.iter().filter(move |row| row.mv() == mv).flat_map(examples_of_row)
    }

    /// Reads the games that these examples come from. Games whose move is illegal in the position are left
    /// out.
    ///
    /// # Errors
    ///
    /// Fails if the table cannot be read or is damaged.
    pub fn shown(&self, found: impl Iterator<Item = Example>) -> impl Iterator<Item = Result<PlayedGame>> {
        found.filter_map(|found| self.read(found).transpose())
    }

    fn read(&self, found: Example) -> Result<Option<PlayedGame>> {
        let Some((m, san)) = found.mv.unpack_with_san(self.position) else { return Ok(None) };
        let Some(game) = self.examples.game(found.game.id)? else { return Ok(None) };
        let (year, month) = (found.game.date / 10_000, found.game.date / 100 % 100);
        let player = |name, rating| GamePlayer {
            name: game.header(name).to_owned(),
            rating: game.header(rating).parse().unwrap_or(0),
        };
        Ok(Some(PlayedGame {
            uci: m.to_uci(CastlingMode::Chess960).to_string(),
            san: san.to_string(),
            id: found.game.id.to_string(),
            outcome: game.outcome,
            white: player("White", "WhiteElo"),
            black: player("Black", "BlackElo"),
            year: (year > 0).then_some(year),
            month: (year > 0 && month > 0).then(|| format!("{year:04}-{month:02}")),
            speed: found.speed,
        }))
    }
}

fn examples_of_row(row: &MoveExamples) -> impl Iterator<Item = Example> + '_ {
    let speed = row.group().speed().map(Into::into);
    row.games().iter().map(move |&game| Example { mv: row.mv(), game, speed })
}

/// The PGN of the example game with this id; `None` if the table has no such game.
///
/// # Errors
///
/// Fails if the table cannot be read or is damaged.
pub fn example_pgn(artefact: &Artefact, id: &str) -> Result<Option<String>> {
    let (Some(examples), Ok(id)) = (examples_of(artefact)?, id.parse::<GameId>()) else { return Ok(None) };
    Ok(examples.game(id)?.as_ref().map(pgn_of))
}

fn examples_of(artefact: &Artefact) -> Result<Option<&Examples>> {
    match artefact {
        Artefact::Table(table) => table.examples().map_err(Error::from),
        _ => Ok(None),
    }
}

/// The maximum number of characters in a line of movetext (PGN standard 8.2.1).
const LINE: usize = 79;

/// Writes a game: the seven mandatory tags, its other tags, and its moves.
fn pgn_of(game: &ExampleGame) -> String {
    let result: &str = game.outcome.into();
    let start = game.header("FEN").parse::<Fen>().ok();
    let start: Option<Chess> = start.and_then(|fen| fen.into_position(CastlingMode::Standard).ok());
    let known = |name| Some(game.header(name)).filter(|value| !value.is_empty());
    let roster = ["Event", "Site", "Date", "Round", "White", "Black"].map(|name| {
        let unknown = if name == "Date" { "????.??.??" } else { "?" };
        (name, known(name).unwrap_or(unknown))
    });
    let others = ["WhiteElo", "BlackElo", "TimeControl", "UTCTime"];
    let others = others.into_iter().filter_map(|name| Some((name, known(name)?)));
    let from = start.as_ref().map(|_| [("SetUp", "1"), ("FEN", game.header("FEN"))]);
    let tags = roster.into_iter().chain([("Result", result)]).chain(others).chain(from.into_iter().flatten());
    let escaped = |value: &str| value.replace('\\', "\\\\").replace('"', "\\\"");
    let mut text = String::new();
    for (name, value) in tags {
        text.extend(["[", name, " \"", &escaped(value), "\"]\n"]);
    }
    let mut column = LINE;
    for word in words(game, start.unwrap_or_default()).chain([result.to_owned()]) {
        let is_new_line = column + 1 + word.len() > LINE;
        text.push(if is_new_line { '\n' } else { ' ' });
        text.push_str(&word);
        column = if is_new_line { word.len() } else { column + 1 + word.len() };
    }
    text + "\n"
}

/// The move numbers and moves of a game, each as a separate word.
fn words(game: &ExampleGame, mut position: Chess) -> impl Iterator<Item = String> + '_ {
    let mut is_first = true;
    game.moves().map_while(move |mv| {
        let (number, turn) = (position.fullmoves(), position.turn());
        let san = mv.play_with_san(&mut position)?;
        let needs_number = std::mem::take(&mut is_first) || turn.is_white();
        let dots = if turn.is_white() { "." } else { "..." };
        Some(if needs_number { format!("{number}{dots} {san}") } else { san.to_string() })
    })
}
