//! Learns from games while playing: stores each game in a journal, and learns from it immediately. The
//! lessons are written to the experience file when a player starts or exits.
//!
//! Several players may share one file. Each player appends its games to the same journal, which is next to
//! the file. Before each game, a player learns from the games that the others have appended. The experience
//! file says which games were learned from, so no game in the journal is learned from twice. Even if a
//! player is killed after it has written the file but before it has cleared the journal, no game is lost or
//! counted twice.

mod files;
mod record;
mod sharing;

use std::{
    hash::{BuildHasher as _, RandomState},
    mem,
    path::PathBuf,
    time::Duration,
};

use engine::SearchValue;
use experience::LoadedRows;
use lessons::{GameRules, NoLesson, Teacher};
use position::Outcome;
use query::Artefact;
use shakmaty::Color;

pub use self::sharing::ExchangeOptions;
use self::{files::Files, record::Ending, sharing::Sharing};
use crate::{
    Error, Result,
    game::{Follows, Game},
    line::Line,
};

/// How a player learns, and where the result is stored.
#[derive(Clone, Debug)]
pub struct LearnOptions {
    /// The experience file; it is created if it does not exist.
    pub file: PathBuf,
    /// The rules by which the player learns from games.
    pub rules: GameRules,
    /// The player's name; `None` means the engine's name.
    pub name: Option<String>,
    /// The player's rating, Elo.
    pub own_elo: Option<u32>,
    /// The opponent's rating (Elo), if the GUI does not report it.
    pub opponent_elo: Option<u32>,
    /// A game without a known result counts as lost if the player's last search returned at most this many
    /// centipawns or found a forced mate against the player. If this is `None`, only a forced mate counts.
    pub lost_centipawns: Option<i32>,
    /// The exchange through which lessons are shared; `None` if they are not shared.
    pub exchange: Option<ExchangeOptions>,
}

/// The opponent's name and rating, as the GUI reports them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Opponent {
    pub(crate) name: Option<String>,
    pub(crate) elo: Option<u32>,
}

/// The longest time to wait before a game for the exchange to send the experience of all players.
const FETCH_PATIENCE: Duration = Duration::from_secs(2);

/// A message to the user, such as what was learned from a game.
pub(crate) type Message = String;

/// A player that learns.
pub(crate) struct Learning {
    options: LearnOptions,
    files: Files,
    teacher: Teacher,
    sharing: Option<Sharing>,
    game: Option<Game>,
    pub(crate) opponent: Opponent,
    /// A random number that distinguishes this player's games from those that other players began in the same
    /// second.
    session: u32,
    /// How many games have begun.
    games: u32,
}

/// The result as the GUI reports it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum GuiResult {
    Result(Outcome),
    /// The GUI reports that the game has no result.
    Unknown,
    /// The GUI reports nothing.
    Nothing,
}

impl Learning {
    /// Reads the experience file, and learns from the games that are still in the journal.
    pub(crate) fn open(options: &LearnOptions, book: &Artefact) -> Result<Self> {
        let mut files = Files::open(&options.file, options.rules.clone())?;
        let teacher = files.fold(book)?;
        let open = |exchange| Sharing::open(&options.file, exchange, options.rules.clone(), book);
        let sharing = options.exchange.as_ref().map(open).transpose()?;
        let (options, opponent) = (options.clone(), Opponent::default());
        let session = RandomState::new().hash_one(std::process::id()) as u32;
        Ok(Self { options, files, teacher, sharing, game: None, opponent, session, games: 0 })
    }

    /// The experience used to choose moves: the exchange's shared experience if there is one, else the
    /// player's own.
    pub(crate) fn rows(&self) -> &LoadedRows {
        let shared = self.sharing.as_ref().and_then(|sharing| sharing.teacher.as_ref());
        shared.unwrap_or(&self.teacher).rows()
    }

    /// Before a game, fetches the experience of all players from the exchange, if there is one.
    pub(crate) fn fetch(&mut self, book: &Artefact) -> Result<()> {
        self.sharing.as_mut().map_or(Ok(()), |sharing| sharing.refresh(FETCH_PATIENCE, book))
    }

    /// Returns the messages about the exchange that the user has not seen yet.
    pub(crate) fn take_notes(&mut self) -> Vec<Message> {
        self.sharing.as_mut().map(|sharing| mem::take(&mut sharing.notes)).unwrap_or_default()
    }

    /// Sets the rating of the player or of the opponent.
    pub(crate) fn rate(&mut self, is_own: bool, elo: Option<u32>) {
        *(if is_own { &mut self.options.own_elo } else { &mut self.options.opponent_elo }) = elo;
    }

    /// Returns the ratings that were set for the player and the opponent.
    pub(crate) fn ratings(&self) -> [Option<u32>; 2] {
        [self.options.own_elo, self.options.opponent_elo]
    }

    /// Brings the game up to date with `line`. If the line belongs to another game, the current game ends,
    /// and a new game begins with the line.
    pub(crate) fn follow(&mut self, line: &Line, engine: &str, book: &Artefact) -> Result<Option<Message>> {
        let said = match self.game.as_mut().map(|game| game.follows(line)) {
            None => None,
            Some(Follows::Yes | Follows::TakenBack) => {
                if let Some(game) = &mut self.game {
                    game.go_on(line);
                }
                return Ok(None);
            }
            Some(Follows::No) => self.end_game(GuiResult::Nothing, engine, book)?,
        };
        self.files.catch_up(&mut self.teacher, book)?;
        if let Some(sharing) = &mut self.sharing {
            sharing.catch_up(book)?;
        }
        self.games += 1;
        self.game = Some(Game::new(line, format!("{}.{}", self.session, self.games)));
        Ok(said)
    }

    /// Whether `line` begins with all moves of the game being played.
    pub(crate) fn is_continued_by(&self, line: &Line) -> bool {
        self.game.as_ref().is_some_and(|game| game.follows(line) == Follows::Yes)
    }

    /// Notes the player's move and the result of the search for it.
    pub(crate) fn moved(
        &mut self,
        line: &Line,
        mv: shakmaty::Move,
        found: Option<SearchValue>,
        is_timed: bool,
    ) {
        if let Some(game) = &mut self.game {
            game.moved(line, mv, found);
            game.is_timed |= is_timed;
        }
    }

    /// Ends the game: stores it, learns from it, and returns a message about it. Returns `None` if the player
    /// made no move.
    pub(crate) fn end_game(
        &mut self,
        reported: GuiResult,
        engine: &str,
        book: &Artefact,
    ) -> Result<Option<Message>> {
        let Some(game) = self.game.take().filter(|game| game.own != [false; 2]) else { return Ok(None) };
        let ending = self.ending(&game, reported);
        let name = self.options.name.clone().unwrap_or_else(|| engine.to_owned());
        let name = fitting(&name);
        let text = self.record(&game, ending, &name);
        let number = self.files.append(&name, &text)?;
        let taught = self.files.catch_up(&mut self.teacher, book)?;
        if let Some(sharing) = &mut self.sharing {
            sharing.send(&name, &text, book)?;
        }
        let what = match taught.into_iter().find(|(of, _)| *of == number) {
            Some((_, Ok(rows))) => format!("learned, {rows} values changed"),
            Some((_, Err(idle))) => format!("kept, nothing learned: {}", idle.name()),
            None => format!("kept, nothing learned: {}", NoLesson::NoBookMove.name()),
        };
        let result = ending.outcome.map_or("unknown result", Into::into);
        let judged = if ending.is_adjudicated { " by the engine's last score" } else { "" };
        Ok(Some(format!("game {number}, {result}{judged}: {what}")))
    }

    /// Determines the result: the one that the GUI reports, or else the one by the rules of chess. If neither
    /// gives a result, the score of the player's last search decides. The score does not decide if the GUI
    /// reports that the game has no result, or if a move was taken back.
    fn ending(&self, game: &Game, reported: GuiResult) -> Ending {
        let known = match reported {
            GuiResult::Result(outcome) => Some(outcome),
            GuiResult::Unknown | GuiResult::Nothing => game.outcome_by_rule(),
        };
        let is_judged = known.is_none() && reported == GuiResult::Nothing && !game.is_taken_back;
        let judged = if is_judged { game.outcome_by_score(self.options.lost_centipawns) } else { None };
        Ending { outcome: known.or(judged), is_adjudicated: judged.is_some() }
    }

    /// Writes everything that was learned into the experience file.
    pub(crate) fn close(&mut self, book: &Artefact) -> Result<()> {
        self.files.fold(book)?;
        let Some(sharing) = &mut self.sharing else { return Ok(()) };
        sharing.close(book)?;
        sharing.refused.take().map_or(Ok(()), |why| Err(Error::Refused(why)))
    }

    fn record(&self, game: &Game, ending: Ending, name: &str) -> String {
        let opponent = self.opponent.name.as_deref();
        let elo = self.opponent.elo.or(self.options.opponent_elo);
        let opponent = match opponent.unwrap_or("?") {
            same if same == name => format!("{same} (opponent)"),
            other => other.to_owned(),
        };
        let of = |side: Color| {
            let is_own = game.own[side.fold_wb(0, 1)];
            if is_own { (name, self.options.own_elo) } else { (opponent.as_str(), elo) }
        };
        let [(white, white_elo), (black, black_elo)] = [Color::White, Color::Black].map(of);
        record::pgn(game, &record::Tags { white, black, elos: [white_elo, black_elo], ending })
    }
}

/// Makes a name fit for the journal: replaces control characters, and shortens the name if it is too long.
fn fitting(name: &str) -> String {
    let name = name.replace(char::is_control, " ");
    let fits = name.trim();
    match &fits[..fits.floor_char_boundary(journal::SOURCE_BYTES_MAX)] {
        "" => "?".into(),
        fits => fits.trim().into(),
    }
}
