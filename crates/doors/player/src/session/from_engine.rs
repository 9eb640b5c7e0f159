//! Passes the engine's lines on to the GUI, and keeps track of its answers.

use std::io::Write;

use engine::{EngineLine, Error, best_move, info, option_name};
use shakmaty::{EnPassantMode, fen::Fen};

use super::{Next, Session, waits::Answer};
use crate::Result;

impl<W: Write> Session<'_, W> {
    pub(super) fn take_engine_line(&mut self, line: &[u8]) -> Result<Next> {
        let text = String::from_utf8_lossy(line);
        match EngineLine::read(&text) {
            EngineLine::Name(name) => self.note_name(name),
            EngineLine::Option(option) => self.note_option(option),
            EngineLine::UciOk => self.uci_ok()?,
            EngineLine::ReadyOk => self.waits.done(Answer::ReadyOk),
            EngineLine::Info(rest) => self.note_info(rest),
            EngineLine::BestMove(rest) => self.note_best_move(rest)?,
            EngineLine::Other => {}
        }
        self.say(line)?;
        if self.search.is_none() { self.take_held() } else { Ok(Next::GoOn) }
    }

    fn note_name(&mut self, name: &str) {
        if let Some(engine) = &mut self.engine {
            engine.name = Some(name.to_owned());
        }
    }

    fn note_option(&mut self, option: &str) {
        if let (Some(engine), Some(name)) = (&mut self.engine, option_name(option)) {
            engine.options.insert(name.to_ascii_lowercase());
        }
    }

    /// Declares the player's options after those of the engine, and turns off the engine's own book.
    fn uci_ok(&mut self) -> Result<()> {
        self.waits.done(Answer::UciOk);
        self.declare_options()?;
        if self.is_taken("OwnBook")
            && let Some(engine) = &mut self.engine
        {
            engine.say(b"setoption name OwnBook value false")?;
        }
        Ok(())
    }

    fn note_info(&mut self, rest: &str) {
        if let Some(search) = &mut self.search {
            search.found = info(rest).or(search.found);
        }
    }

    fn note_best_move(&mut self, rest: &str) -> Result<()> {
        self.waits.done(Answer::BestMove);
        let Some(search) = self.search.take() else { return Ok(()) };
        let answer = best_move(rest).unwrap_or_default();
        if search.accepts(answer) {
            self.note_move(&search, answer);
            return Ok(());
        }
        let fen =
            |line: &crate::line::Line| Fen::from_position(&line.position, EnPassantMode::Legal).to_string();
        Err(Error::NoMove {
            command: self.engine_command(),
            answer: answer.into(),
            fen: search.line.as_ref().map_or_else(String::new, fen),
        }
        .into())
    }
}
