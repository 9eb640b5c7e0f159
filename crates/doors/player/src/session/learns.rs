//! Follows the game being played, and learns from it.

use std::io::Write;

use position::Outcome;
use strum::EnumString;

use super::{Session, search::Search};
use crate::{
    Error, Result,
    learning::{GuiResult, Learning, Message},
};

/// An option of a player that learns.
#[derive(Clone, Copy, Debug, EnumString, Eq, PartialEq)]
#[strum(ascii_case_insensitive)]
pub(super) enum LearnsOption {
    /// The result of the game, for which UCI has no command.
    Result,
    #[strum(serialize = "Own Rating")]
    OwnRating,
    #[strum(serialize = "Opponent Rating")]
    OpponentRating,
    /// UCI's own option for the opponent's title, rating, kind and name.
    #[strum(serialize = "UCI_Opponent")]
    UciOpponent,
}

/// The highest rating that can be set.
const ELO_MAX: u32 = 5000;

impl<W: Write> Session<'_, W> {
    /// The option with this name; `None` if there is none, or if the player does not learn.
    pub(super) fn learns_option(&self, name: &str) -> Option<LearnsOption> {
        self.learning.as_ref()?;
        name.parse().ok()
    }

    /// The lines that declare the options of a player that learns.
    pub(super) fn learning_options(&self) -> Vec<String> {
        let Some(learning) = &self.learning else { return Vec::new() };
        let [own, opponent] = learning.ratings().map(Option::unwrap_or_default);
        let mut lines = vec![
            "option name Result type combo default * var * var 1-0 var 0-1 var 1/2-1/2".to_owned(),
            format!("option name Own Rating type spin default {own} min 0 max {ELO_MAX}"),
            format!("option name Opponent Rating type spin default {opponent} min 0 max {ELO_MAX}"),
        ];
        if !self.is_taken("UCI_Opponent") {
            lines.push("option name UCI_Opponent type string default <empty>".into());
        }
        lines
    }

    /// Sets an option of a player that learns.
    pub(super) fn set_learning(&mut self, option: LearnsOption, value: &str, line: &[u8]) -> Result<()> {
        match option {
            LearnsOption::Result if value == "*" => self.end_game(GuiResult::Unknown)?,
            LearnsOption::Result => match outcome(value) {
                None => {
                    self.inform(&format!("error: Result: expected 1-0, 0-1, 1/2-1/2 or *, not {value}"))?;
                }
                Some(known) => self.end_game(GuiResult::Result(known))?,
            },
            LearnsOption::OwnRating | LearnsOption::OpponentRating => {
                match (value.parse().ok().filter(|elo| *elo <= ELO_MAX), &mut self.learning) {
                    (Some(elo), Some(learning)) => {
                        learning.rate(option == LearnsOption::OwnRating, (elo > 0).then_some(elo));
                    }
                    _ => {
                        self.inform(&format!("error: a rating must be a whole number from 0 to {ELO_MAX}"))?;
                    }
                }
            }
            LearnsOption::UciOpponent => {
                if let Some(learning) = &mut self.learning {
                    learning.opponent = opponent(value);
                }
                if self.is_taken("UCI_Opponent")
                    && let Some(engine) = &mut self.engine
                {
                    engine.say(line)?;
                }
            }
        }
        Ok(())
    }

    /// Brings the game up to date with the GUI's last position.
    pub(super) fn follow(&mut self) -> Result<()> {
        let Some(line) = self.line.clone().filter(|_| self.is_played) else { return Ok(()) };
        self.learn(|learning, engine, book| learning.follow(&line, engine, book))
    }

    /// Records the engine's move if it belongs to a game.
    pub(super) fn note_move(&mut self, search: &Search, answer: &str) {
        let is_of_game = !search.go.is_analysis() && !search.go.ponder && !self.asked.analyse;
        let Some(line) = search.line.as_ref().filter(|_| is_of_game) else { return };
        if let (Some(learning), Some(mv)) = (&mut self.learning, line.legal(answer)) {
            learning.moved(line, mv, search.found, search.go.is_timed());
        }
    }

    /// Ends the game, if there is one, and learns from it. The GUI may have sent the last moves of the game
    /// without asking for another move.
    pub(super) fn end_game(&mut self, reported: GuiResult) -> Result<()> {
        self.follow_to_end()?;
        self.learn(|learning, engine, book| learning.end_game(reported, engine, book))
    }

    /// If the GUI's last position continues the game, adds the new moves to the game. Otherwise, does
    /// nothing, because the position may be the first one of another game.
    fn follow_to_end(&mut self) -> Result<()> {
        let goes_on = self.line.as_ref().zip(self.learning.as_ref());
        if goes_on.is_some_and(|(line, learning)| learning.is_continued_by(line)) {
            self.follow()
        } else {
            Ok(())
        }
    }

    /// Before a game, fetches the experience of all players from the exchange, if there is one.
    pub(super) fn fetch_lessons(&mut self) -> Result<()> {
        self.learn(|learning, _, book| learning.fetch(book).map(|()| None))
    }

    /// Writes what was learned into the experience file.
    pub(super) fn close_learning(&mut self) {
        // If the GUI is gone, errors cannot be reported.
        let _ = self.learn(|learning, _, book| learning.close(book).map(|()| None));
    }

    /// Calls `learn` if the player learns. An error is reported to the GUI, and the game continues.
    fn learn(
        &mut self,
        learn: impl FnOnce(&mut Learning, &str, &query::Artefact) -> Result<Option<Message>>,
    ) -> Result<()> {
        let Some(learning) = &mut self.learning else { return Ok(()) };
        let engine = self.engine.as_ref().and_then(|engine| engine.name.as_deref()).unwrap_or("Tabia");
        let learned = learn(learning, engine, &self.book.artefact);
        let notes = learning.take_notes();
        let said = match learned {
            Ok(said) => said.map_or(Ok(()), |said| self.inform(&said)),
            Err(error) => self.say_not_learned(error),
        };
        notes.iter().try_for_each(|note| self.inform(note)).and(said)
    }

    fn say_not_learned(&mut self, error: Error) -> Result<()> {
        let said = self.inform(&format!("error: cannot learn: {error}"));
        self.not_learned.get_or_insert(error);
        said
    }
}

/// `1-0`, `0-1` or `1/2-1/2`.
fn outcome(text: &str) -> Option<Outcome> {
    Outcome::ALL.into_iter().find(|&outcome| text == <&str>::from(outcome))
}

/// Parses a value such as `GM 2800 human Gary Kasparov`: a title or `none`, a rating or `none`, `human` or
/// `computer`, and a name.
fn opponent(value: &str) -> crate::learning::Opponent {
    let mut words = value.split_ascii_whitespace();
    let elo = words.nth(1).and_then(|elo| elo.parse().ok());
    let name = words.skip(1).collect::<Vec<_>>().join(" ");
    crate::learning::Opponent { name: Some(name).filter(|name| !name.is_empty()), elo }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_and_results() {
        let known = opponent("GM 2800 human Gary Kasparov");
        assert_eq!((known.name.as_deref(), known.elo), (Some("Gary Kasparov"), Some(2800)));
        let unrated = opponent("none none computer Shredder");
        assert_eq!((unrated.name.as_deref(), unrated.elo), (Some("Shredder"), None));
        assert_eq!(opponent("").name, None);
        assert_eq!((outcome("0-1"), outcome("*"), outcome("1-1")), (Some(Outcome::Black), None, None));
    }
}
