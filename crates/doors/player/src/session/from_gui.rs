//! Answers the GUI's lines from the book, or passes them on to the engine.

use std::{io::Write, path::Path};

use shakmaty::{CastlingMode, Position as _};

use super::{Next, Session, guard, search::Search, waits::Answer};
use crate::{
    Result,
    book::BookMove,
    learning::{GuiResult, Learning},
    line::Line,
    options::{DEPTH_MAX, DeclaredDefaults, Ours},
    protocol::{Command, Go, Position},
};

/// The session's `patience` is multiplied by this factor while an engine starts or gets ready, because it
/// reads its files and clears its tables during that time.
const READY_PATIENCE: u32 = 6;

impl<W: Write> Session<'_, W> {
    pub(super) fn take_gui_line(&mut self, line: &[u8]) -> Result<Next> {
        let text = String::from_utf8_lossy(line);
        let command = Command::read(&text);
        if self.must_wait(&command) {
            self.held.push_back(line.to_vec());
            return Ok(Next::GoOn);
        }
        match command {
            Command::Uci => self.uci(line)?,
            Command::IsReady => self.is_ready(line)?,
            Command::UciNewGame => {
                self.end_game(GuiResult::Nothing)?;
                self.fetch_lessons()?;
                (self.line, self.is_played) = (Some(Line::default()), true);
                self.pass(line)?;
            }
            Command::Other => self.pass(line)?,
            Command::Position(position) => {
                self.position(&position)?;
                self.pass(line)?;
            }
            Command::Go(go) => self.go(go, line)?,
            Command::PonderHit => self.ponder_hit(line)?,
            Command::Stop => self.stop(line)?,
            Command::SetOption(name, value) => self.set_option(name, value, line)?,
            Command::Quit => return Ok(Next::Quit),
        }
        Ok(Next::GoOn)
    }

    /// Whether a command from the GUI must wait until the engine has answered the previous search. Some GUIs
    /// start the next search before the `bestmove` of a stopped search has arrived. The next search may be
    /// answered from the book, and the late `bestmove` must not be mistaken for the answer to that search.
    fn must_wait(&self, command: &Command<'_>) -> bool {
        let Some(search) = self.search.as_ref().filter(|search| search.by_engine) else { return false };
        match command {
            Command::Quit | Command::IsReady => false,
            Command::Go(_) => true,
            _ => search.is_stopped,
        }
    }

    /// Handles the GUI's lines that had to wait.
    pub(super) fn take_held(&mut self) -> Result<Next> {
        for line in std::mem::take(&mut self.held) {
            if self.take_gui_line(&line)? == Next::Quit {
                return Ok(Next::Quit);
            }
        }
        Ok(Next::GoOn)
    }

    /// Passes a line on to the engine.
    fn pass(&mut self, line: &[u8]) -> Result<()> {
        self.engine.as_mut().map_or(Ok(()), |engine| Ok(engine.say(line)?))
    }

    fn uci(&mut self, line: &[u8]) -> Result<()> {
        if self.engine.is_some() {
            self.waits.wait(Answer::UciOk, self.options.patience * READY_PATIENCE);
            return self.pass(line);
        }
        self.say(concat!("id name Tabia ", env!("CARGO_PKG_VERSION")))?;
        self.say("id author the Tabia developers")?;
        self.declare_options()?;
        self.say("uciok")
    }

    /// Declares the player's options to the GUI.
    pub(super) fn declare_options(&mut self) -> Result<()> {
        let given = |policy: &str, setting: &str| self.book.given(policy, setting).map(str::to_owned);
        let shown = DeclaredDefaults {
            own_book: self.own_book,
            book_file: self.book.path().display().to_string(),
            depth: self.depth,
            policy: self.book.policy(),
            given: &given,
        };
        let mut lines = Ours::declared(&shown, |name| self.is_taken(name));
        lines.extend(self.learning_options());
        lines.iter().try_for_each(|line| self.say(line))?;
        self.remark()
    }

    /// Sends the GUI the messages about the policy in use.
    fn remark(&mut self) -> Result<()> {
        self.book.remarks().iter().try_for_each(|remark| self.inform(remark))
    }

    fn is_ready(&mut self, line: &[u8]) -> Result<()> {
        if self.engine.is_none() {
            return self.say("readyok");
        }
        self.waits.wait(Answer::ReadyOk, self.options.patience * READY_PATIENCE);
        self.pass(line)
    }

    fn position(&mut self, position: &Position<'_>) -> Result<()> {
        self.line = None;
        if self.asked.variant {
            return Ok(());
        }
        match Line::read(position, self.asked.castling) {
            Ok(line) => (self.line, self.is_played) = (Some(line), true),
            Err(why) => self.inform(&format!("this position was not looked up in the book: {why}"))?,
        }
        Ok(())
    }

    fn go(&mut self, go: Go, line: &[u8]) -> Result<()> {
        self.is_played &= !go.ponder;
        if !go.is_analysis() {
            self.follow()?;
        }
        if !go.ponder && !go.is_analysis() && self.answer_from_book(&go)? {
            return Ok(());
        }
        let by_engine = self.engine.is_some();
        let search = Search::new(go, self.line.as_ref(), by_engine);
        if by_engine {
            if go.has_answer() {
                self.wait_for_best_move(&search);
                self.search = Some(search);
            }
            self.pass_search(go, line)?;
        } else if go.waits_for_gui() {
            self.search = Some(search);
        } else {
            self.no_move()?;
        }
        Ok(())
    }

    /// Passes a search on to the engine. In a game, the command leaves out moves that position learning has
    /// found to be bad.
    fn pass_search(&mut self, go: Go, line: &[u8]) -> Result<()> {
        let is_of_game = !go.ponder && !go.is_analysis() && self.own_book && !self.asked.analyse;
        let known = self.learning.as_ref().map(Learning::rows).filter(|_| is_of_game);
        let unrefuted =
            self.line.as_ref().zip(known).and_then(|(line, rows)| guard::unrefuted(&line.position, rows));
        let Some(moves) = unrefuted else { return self.pass(line) };
        let moves = moves.iter().map(|mv| mv.to_uci(self.asked.castling).to_string());
        let moves = moves.collect::<Vec<_>>().join(" ");
        self.inform("position learning leaves moves out that led to bad positions")?;
        self.pass(&[line.trim_ascii_end(), b" searchmoves ", moves.as_bytes()].concat())
    }

    /// Sets the deadline for the engine's `bestmove`: the time limit of the search plus the session's
    /// `patience`. There is no deadline if the time is unlimited or the engine ponders.
    fn wait_for_best_move(&mut self, search: &Search) {
        self.waits.done(Answer::BestMove);
        if !search.go.ponder
            && let Some(time) = search.go.time(search.side())
        {
            self.waits.wait(Answer::BestMove, time.saturating_add(self.options.patience));
        }
    }

    /// Answers with a book move, and returns whether there was one.
    fn answer_from_book(&mut self, go: &Go) -> Result<bool> {
        let Some(line) = self.line.as_ref().filter(|_| self.own_book && !self.asked.analyse) else {
            return Ok(false);
        };
        if line.position.fullmoves().get() > self.depth {
            return Ok(false);
        }
        let known = self.learning.as_ref().map(Learning::rows);
        let drawn = match self.book.draw(&line.position, known) {
            Ok(drawn) => drawn,
            Err(error) => {
                self.inform(&format!("error: {error}"))?;
                None
            }
        };
        let Some(BookMove { mv, comment }) = drawn else { return Ok(false) };
        self.inform(&comment)?;
        self.say(format!("bestmove {}", mv.to_uci(self.asked.castling)))?;
        if let (Some(learning), Some(line)) = (&mut self.learning, &self.line) {
            learning.moved(line, mv, None, go.is_timed());
        }
        Ok(true)
    }

    /// The answer when there is no engine and the book has no move.
    fn no_move(&mut self) -> Result<()> {
        self.inform("the book has no move here, and there is no engine: name one with --engine")?;
        self.say("bestmove 0000")
    }

    fn ponder_hit(&mut self, line: &[u8]) -> Result<()> {
        let Some(mut search) = self.search.take() else { return Ok(()) };
        search.go.ponder = false;
        self.is_played = true;
        self.follow()?;
        if search.by_engine {
            self.wait_for_best_move(&search);
            self.search = Some(search);
            self.pass(line)?;
        } else if search.go.is_analysis() {
            self.search = Some(search);
        } else if !self.answer_from_book(&search.go)? {
            self.no_move()?;
        }
        Ok(())
    }

    fn stop(&mut self, line: &[u8]) -> Result<()> {
        match &mut self.search {
            Some(search) if search.by_engine => {
                search.is_stopped = true;
                self.waits.wait(Answer::BestMove, self.options.patience);
                self.pass(line)?;
            }
            Some(_) => {
                self.search = None;
                self.no_move()?;
            }
            // The book has answered already, and the engine has no search to stop.
            None => {}
        }
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>, line: &[u8]) -> Result<()> {
        if let Some(learns) = self.learns_option(name) {
            return self.set_learning(learns, value.unwrap_or_default(), line);
        }
        if let Some(ours) = Ours::named(name, |name| self.is_taken(name)) {
            return match self.set_ours(&ours, value.unwrap_or_default()) {
                Err(why) => self.inform(&format!("error: {name}: {why}")),
                Ok(()) if matches!(ours, Ours::Policy | Ours::BookFile) => self.remark(),
                Ok(()) => Ok(()),
            };
        }
        let is_on = value.is_some_and(|value| value.eq_ignore_ascii_case("true"));
        match name.to_ascii_lowercase().as_str() {
            "uci_analysemode" => self.asked.analyse = is_on,
            "uci_chess960" => self.asked.castling = CastlingMode::from_chess960(is_on),
            "uci_variant" => self.asked.variant = value.is_some_and(|value| !is_chess(value)),
            _ if self.engine.is_none() => self.inform(&format!("there is no option {name}"))?,
            _ => {}
        }
        self.pass(line)?;
        Ok(())
    }

    /// Sets an option of the player.
    fn set_ours(&mut self, ours: &Ours, value: &str) -> Result<(), String> {
        let queried = |done: query::Result<()>| done.map_err(|error| error.to_string());
        match ours {
            Ours::OwnBook => {
                self.own_book =
                    value.to_ascii_lowercase().parse().map_err(|_| "expected true or false".to_owned())?;
            }
            Ours::BookFile => queried(self.book.replace(Path::new(value)))?,
            Ours::BookDepth => {
                let depth = value.parse().ok().filter(|depth| *depth <= DEPTH_MAX);
                self.depth = depth.ok_or_else(|| format!("expected a whole number from 0 to {DEPTH_MAX}"))?;
            }
            Ours::Policy => queried(self.book.choose_by(value))?,
            Ours::Setting { policy, setting } => queried(self.book.set(policy, setting.name, value))?,
        }
        Ok(())
    }
}

/// Whether this value of `UCI_Variant` stands for ordinary chess.
fn is_chess(variant: &str) -> bool {
    ["chess", "normal", "standard"].iter().any(|name| variant.eq_ignore_ascii_case(name))
}
