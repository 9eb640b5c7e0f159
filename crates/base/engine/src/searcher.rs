//! An engine that searches one position after another.

use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use crossbeam_channel::RecvTimeoutError;
use position::Score;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, fen::Fen, uci::UciMove};

use crate::{Delivery, Engine, EngineLine, Error, InfoLine, Result, best_move, option_name};

/// How long to pause between checks of the flag that stops a search.
const PAUSE: Duration = Duration::from_millis(100);
/// The time limit for an engine to become ready is [`SearcherOptions::patience`] times this number.
const READY_PATIENCE: u32 = 6;
/// The speed, in nodes a second, below which an engine counts as hung.
const NODES_A_SECOND: u64 = 10_000;
/// The time limit for a search to a given depth is [`SearcherOptions::patience`] times this number.
const DEPTH_PATIENCE: u32 = 60;
/// How long an engine may take to exit after closing its output.
const END_PATIENCE: Duration = Duration::from_secs(2);

/// When a search ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Limit {
    /// The search ends after this number of nodes.
    Nodes(u64),
    /// The search ends at this depth in plies.
    Depth(u16),
}

/// Writes the limit as a person would: `1000000 nodes`, `depth 20`.
impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
            Self::Depth(plies) => write!(f, "depth {plies}"),
        }
    }
}

impl Limit {
    /// The limit as arguments of the `go` command.
    fn of_go(self) -> String {
        match self {
            Self::Nodes(nodes) => format!("nodes {nodes}"),
            Self::Depth(plies) => format!("depth {plies}"),
        }
    }

    /// Returns the time limit of a search, which is derived from `patience`.
    fn patience(self, patience: Duration) -> Duration {
        match self {
            Self::Nodes(nodes) => patience.saturating_add(Duration::from_secs(nodes / NODES_A_SECOND)),
            Self::Depth(_) => patience.saturating_mul(DEPTH_PATIENCE),
        }
    }
}

/// How an engine is started, and how it searches.
#[derive(Clone, Debug)]
pub struct SearcherOptions {
    /// The engine's program and its arguments.
    pub command: String,
    /// Options, by name and value, that are set if the engine has them.
    pub defaults: Vec<(String, String)>,
    /// Options, by name and value, that are set and that the engine must have.
    pub settings: Vec<(String, String)>,
    /// The shortest time that the engine is given for an answer. All time limits for its answers are derived
    /// from this time.
    pub patience: Duration,
    /// A flag that the caller sets to stop a search.
    pub stop: Arc<AtomicBool>,
}

/// The value that a search found for a position or a move, from the side to move's point of view.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Value {
    /// The value.
    pub score: Score,
    /// The depth in plies at which the value was found; 0 if the engine does not report it.
    pub depth: u16,
    /// The nodes searched when the value was found; `None` if the engine does not report them.
    pub nodes: Option<u64>,
}

/// An engine that is ready to search.
///
/// Each search begins with an empty hash table, as in a new game, so the result does not depend on earlier
/// searches.
pub struct Searcher {
    engine: Engine,
    patience: Duration,
    stop: Arc<AtomicBool>,
    /// The number of variations (`MultiPV`) that the engine searches at once.
    lines: usize,
}

impl Searcher {
    /// Starts an engine and sets its options.
    ///
    /// # Errors
    ///
    /// Fails in the same cases as [`Engine::start`], and with [`Error::NoOption`] if the engine lacks a
    /// required option. Also fails if the engine exits or does not answer in time.
    pub fn start(options: &SearcherOptions) -> Result<Self> {
        let engine = Engine::start(&options.command)?;
        let stop = Arc::clone(&options.stop);
        let mut searcher = Self { engine, patience: options.patience, stop, lines: 1 };
        searcher.say("uci")?;
        searcher.wait("uciok", options.patience * READY_PATIENCE, |engine, line| {
            match line {
                EngineLine::Name(name) => engine.name = Some(name.to_owned()),
                EngineLine::Option(option) => {
                    engine.options.extend(option_name(option).map(str::to_ascii_lowercase));
                }
                EngineLine::UciOk => return Some(()),
                _ => {}
            }
            None
        })?;
        for (name, value) in &options.defaults {
            if searcher.has_option(name) {
                searcher.set(name, value)?;
            }
        }
        for (name, value) in &options.settings {
            searcher.need_option(name)?;
            searcher.set(name, value)?;
        }
        searcher.wait_until_ready()?;
        Ok(searcher)
    }

    /// The name by which the engine identifies itself.
    #[must_use]
    pub fn name(&self) -> &str {
        self.engine.name.as_deref().unwrap_or("unnamed engine")
    }

    /// Fails if the engine lacks the option `name`.
    ///
    /// # Errors
    ///
    /// [`Error::NoOption`].
    pub fn need_option(&self, name: &str) -> Result<()> {
        if self.has_option(name) {
            return Ok(());
        }
        Err(Error::NoOption { command: self.engine.command.clone(), option: name.to_owned() })
    }

    fn has_option(&self, name: &str) -> bool {
        self.engine.options.contains(&name.to_ascii_lowercase())
    }

    /// Searches a position and returns the value of its best move. If `moves` is not empty, searches only
    /// these moves, in a single search, and returns their values in the order of `moves`.
    ///
    /// Values that are only bounds are ignored.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NoMove`] if the engine answers with an illegal move or with a move that it was not
    /// asked to search, with [`Error::NoValue`] if it does not report every value, and with
    /// [`Error::Stopped`] if the caller stopped the search. Also fails if the engine exits or does not answer
    /// in time.
    pub fn search(&mut self, position: &Chess, limit: Limit, moves: &[Move]) -> Result<Vec<Value>> {
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        let names: Vec<_> =
            moves.iter().map(|mv| UciMove::from_move(*mv, CastlingMode::Standard).to_string()).collect();
        self.set_lines(moves.len().max(1))?;
        self.say("ucinewgame")?;
        self.wait_until_ready()?;
        self.say(&format!("position fen {fen}"))?;
        let only = if names.is_empty() { String::new() } else { format!(" searchmoves {}", names.join(" ")) };
        self.say(&format!("go {}{only}", limit.of_go()))?;
        let mut found = vec![None; self.lines];
        let answer = self.wait("bestmove", limit.patience(self.patience), |_, line| match line {
            EngineLine::Info(rest) => {
                let info = InfoLine::read(rest)?;
                let place = match names.as_slice() {
                    [] => (info.line == 1).then_some(0),
                    names => names.iter().position(|name| Some(name.as_str()) == info.mv),
                };
                if let (Some(place), Some(value)) = (place, value(&info)) {
                    found[place] = Some(value);
                }
                None
            }
            EngineLine::BestMove(rest) => Some(best_move(rest).unwrap_or_default().to_owned()),
            _ => None,
        })?;
        let command = self.engine.command.clone();
        let legal = answer.parse::<UciMove>().ok().and_then(|mv| mv.to_move(position).ok());
        if legal.is_none_or(|mv| !moves.is_empty() && !moves.contains(&mv)) {
            return Err(Error::NoMove { command, answer, fen });
        }
        found.into_iter().collect::<Option<_>>().ok_or(Error::NoValue { command, fen })
    }

    fn set_lines(&mut self, lines: usize) -> Result<()> {
        if self.lines != lines {
            self.set("MultiPV", &lines.to_string())?;
            self.lines = lines;
        }
        Ok(())
    }

    fn set(&mut self, name: &str, value: &str) -> Result<()> {
        self.say(&format!("setoption name {name} value {value}"))
    }

    fn say(&mut self, line: &str) -> Result<()> {
        self.engine.say(line.as_bytes())
    }

    fn wait_until_ready(&mut self) -> Result<()> {
        self.say("isready")?;
        let patience = self.patience * READY_PATIENCE;
        self.wait("readyok", patience, |_, line| (line == EngineLine::ReadyOk).then_some(()))
    }

    /// Passes each line that the engine prints to `take`, until `take` returns an answer. Waits at most
    /// `patience`; `expected` names the answer in the error message.
    fn wait<T>(
        &mut self,
        expected: &'static str,
        patience: Duration,
        mut take: impl FnMut(&mut Engine, EngineLine<'_>) -> Option<T>,
    ) -> Result<T> {
        let since = Instant::now();
        loop {
            let left = patience.saturating_sub(since.elapsed());
            let command = || self.engine.command.clone();
            if self.stop.load(Relaxed) {
                return Err(Error::Stopped);
            }
            if left.is_zero() {
                return Err(Error::NoAnswer { command: command(), expected, after: patience });
            }
            match self.engine.lines.recv_timeout(left.min(PAUSE)) {
                Ok(Delivery::Line(line)) => {
                    let line = String::from_utf8_lossy(&line);
                    if let Some(answer) = take(&mut self.engine, EngineLine::read(&line)) {
                        return Ok(answer);
                    }
                }
                Ok(Delivery::Failed(source)) => return Err(Error::Read { command: command(), source }),
                Err(RecvTimeoutError::Timeout) => {}
                Ok(Delivery::End) | Err(RecvTimeoutError::Disconnected) => {
                    let (command, status) = (command(), self.engine.end(END_PATIENCE));
                    let status = status.map(|status| status.to_string());
                    return Err(Error::Ended { command, status, during: " before it answered" });
                }
            }
        }
    }
}

/// Returns the value in an `info` line, or `None` if it is out of range.
fn value(info: &InfoLine<'_>) -> Option<Value> {
    let score = match info.found.score {
        crate::PrintedScore::Centipawns(value) => {
            Score::CP_RANGE.contains(&value.into()).then_some(Score::Cp(value))
        }
        crate::PrintedScore::Mate(moves) => {
            let moves = i16::try_from(moves).ok().filter(|moves| *moves != 0 && *moves != i16::MIN);
            moves.map(Score::Mate)
        }
    };
    let (depth, nodes) = (info.found.depth.unwrap_or(0), info.nodes);
    score.map(|score| Value { score, depth, nodes })
}
