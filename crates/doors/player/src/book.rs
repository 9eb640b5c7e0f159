//! Chooses a move from the book, and writes a comment about the move for the GUI.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use experience::LoadedRows;
use policy::Rng;
use query::{Artefact, Chooser, Draw, Error, Result, View};
use shakmaty::{Chess, Move, Position as _, san::SanPlus};
use table::GameWeights;

/// How the book plays.
#[derive(Clone, Debug)]
pub struct BookOptions {
    /// The book, table or Polyglot book.
    pub book: PathBuf,
    /// The policy that chooses; `None` means `polyglot` for a Polyglot book without experience, and `crafty`
    /// otherwise.
    pub policy: Option<String>,
    /// The policy's settings.
    pub settings: Vec<(String, String)>,
    /// The weights of a table's games.
    pub weights: GameWeights,
    /// The current year and month, with which the player detects that a table's newest month is in the
    /// future.
    pub today: Option<(u16, u8)>,
    /// The seed of all random choices.
    pub seed: u64,
}

/// An open book, with the policy that chooses its moves.
pub(crate) struct Book {
    pub(crate) artefact: Artefact,
    /// The player's options, updated whenever the book or the policy is replaced.
    options: BookOptions,
    /// The policy in use.
    chooser: Chooser,
    /// Whether an experience file takes the place of the book's own experience.
    is_taught: bool,
    /// The settings made so far, including those of policies that are not in use. Each item consists of the
    /// policy's name, the setting's name and the value.
    given: Vec<(&'static str, String, String)>,
    rng: Rng,
}

/// A book move.
pub(crate) struct BookMove {
    pub(crate) mv: Move,
    /// The comment about the move, for the GUI.
    pub(crate) comment: String,
}

impl Book {
    /// Opens the book. `is_taught` is true if an experience file takes the place of the book's own
    /// experience.
    pub(crate) fn open(options: &BookOptions, is_taught: bool) -> Result<Self> {
        let artefact = open(&options.book)?;
        let policy = options.policy.as_deref().unwrap_or(default_policy(&artefact, is_taught));
        let chooser = Chooser::new(policy, &options.settings)?.weigh(options.weights, &artefact)?;
        chooser.check(&artefact, is_taught)?;
        let policy = chooser.name();
        let given =
            options.settings.iter().map(|(name, value)| (policy, name.clone(), value.clone())).collect();
        let rng = Rng::new(options.seed);
        Ok(Self { artefact, options: options.clone(), chooser, is_taught, given, rng })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.options.book
    }

    pub(crate) fn policy(&self) -> &'static str {
        self.chooser.name()
    }

    /// Returns the value that was set for a policy's setting.
    pub(crate) fn given(&self, policy: &str, setting: &str) -> Option<&str> {
        let given = self.given.iter().find(|(of, name, _)| *of == policy && name == setting)?;
        Some(&given.2)
    }

    /// Replaces the book.
    pub(crate) fn replace(&mut self, path: &Path) -> Result<()> {
        let artefact = open(path)?;
        let default = default_policy(&artefact, self.is_taught);
        let policy = if self.options.policy.is_some() { self.policy() } else { default };
        self.chooser = self.chooser_of(policy, &self.given, &artefact)?;
        self.artefact = artefact;
        path.clone_into(&mut self.options.book);
        Ok(())
    }

    /// Replaces the policy.
    pub(crate) fn choose_by(&mut self, policy: &str) -> Result<()> {
        self.chooser = self.chooser_of(policy, &self.given, &self.artefact)?;
        self.options.policy = Some(self.policy().to_owned());
        Ok(())
    }

    /// Sets a setting of a policy; an empty value restores the default.
    pub(crate) fn set(&mut self, policy: &'static str, setting: &str, value: &str) -> Result<()> {
        let mut given = self.given.clone();
        given.retain(|(of, name, _)| (*of, name.as_str()) != (policy, setting));
        if !value.is_empty() && value != "<empty>" {
            given.push((policy, setting.into(), value.into()));
        }
        let chooser = self.chooser_of(policy, &given, &self.artefact)?;
        if policy == self.policy() {
            self.chooser = chooser;
        }
        self.given = given;
        Ok(())
    }

    /// Lets the policy choose a move; `experience` replaces the book's own experience. If the table was
    /// replaced while it was open, it is reopened.
    pub(crate) fn draw(
        &mut self,
        position: &Chess,
        experience: Option<&LoadedRows>,
    ) -> Result<Option<BookMove>> {
        let drawn = match self.drawn(position, experience) {
            Err(error) if error.is_replaced() => {
                self.replace(&self.options.book.clone())?;
                self.drawn(position, experience)
            }
            drawn => drawn,
        }?;
        Ok(drawn.and_then(|draw| {
            let mv = draw.judged.mv.unpack(position)?;
            Some(BookMove { mv, comment: self.comment(position, mv, &draw) })
        }))
    }

    fn drawn(&mut self, position: &Chess, experience: Option<&LoadedRows>) -> Result<Option<Draw>> {
        let view = View::of(&self.artefact);
        let view = experience.map_or(view, |rows| view.with_experience(rows, &[]));
        query::draw(&view, position, &self.chooser, &mut self.rng)
    }

    /// Creates the chooser for `policy` with the settings made for that policy, and checks that the policy
    /// suits the book.
    fn chooser_of(
        &self,
        policy: &str,
        given: &[(&'static str, String, String)],
        artefact: &Artefact,
    ) -> Result<Chooser> {
        let of_policy = given.iter().filter(|(of, ..)| *of == policy);
        let settings: Vec<_> = of_policy.map(|(_, name, value)| (name.clone(), value.clone())).collect();
        let chooser = Chooser::new(policy, &settings)?.weigh(self.options.weights, artefact)?;
        chooser.check(artefact, self.is_taught)?;
        Ok(chooser)
    }

    /// Messages to the user about the policy.
    pub(crate) fn remarks(&self) -> Vec<String> {
        let is_taught = self.is_taught || self.artefact.has_experience();
        let mut remarks = self.chooser.remarks(&self.artefact, is_taught);
        remarks.extend(self.chooser.doubt(self.options.today));
        remarks
    }

    /// Writes the comment about a move, such as
    /// `book e4: 120 games, score 54.2 %, learned -0.12, chance 46.6 % by crafty`.
    fn comment(&self, position: &Chess, mv: Move, draw: &Draw) -> String {
        let Draw { candidate, judged, .. } = draw;
        let mut text = format!("book {}:", SanPlus::from_move(position.clone(), mv));
        let mut add = |part: String| {
            // Writing to a string cannot fail.
            let _ = write!(text, " {part},");
        };
        if candidate.tally.games() > 0 {
            add(format!("{} games", candidate.tally.games()));
        }
        if let Some(score) = candidate.tally.score(position.turn()) {
            add(format!("score {:.1} %", 100.0 * score));
        }
        if let Some(weight) = candidate.weight {
            add(format!("weight {weight}"));
        }
        let known = &candidate.experience;
        if known.learn_count > 0 || known.learn != 0.0 {
            add(format!("learned {:+.2}", known.learn));
        }
        if let Some(value) = known.user_value {
            add(format!("set to {value}"));
        }
        let own = candidate.postbook.map_or(known.own, |postbook| postbook.own);
        if own.games() > 0 {
            add(format!("own {}-{}-{}", own.wins, own.draws, own.losses));
        }
        let chance = 100.0 * judged.probability;
        let policy = self.policy();
        format!("{text} chance {chance:.1} % by {policy}")
    }
}

/// The default policy for a book.
fn default_policy(book: &Artefact, is_taught: bool) -> &'static str {
    if matches!(book, Artefact::Polyglot(_)) && !is_taught { "polyglot" } else { "crafty" }
}

fn open(path: &Path) -> Result<Artefact> {
    let artefact = Artefact::open_cached(path)?;
    match artefact {
        Artefact::Experience(_) => Err(Error::NoBookToChooseFrom(path.into())),
        artefact => Ok(artefact),
    }
}
