//! A policy and its settings, looked up by name.

use std::{fmt, sync::Arc};

use book::{Book, Child, PositionEntry};
use policy::{CATALOGUE, Evidence, Judgement, Policy, PolicySpec, Situation};
use position::{Key, PackedMove};
use serde::{Serialize, Serializer};
use shakmaty::{Chess, Position as _};
use table::{GameWeights, Weighing};

use super::candidates::{Candidates, candidates, candidates_of_entry, candidates_with_children};
use crate::{Artefact, Error, Result, View};

/// A policy from the catalogue that can choose moves, with validated settings.
#[derive(Clone, Debug)]
pub struct Chooser {
    policy: Arc<Policy>,
    given: Vec<(String, String)>,
    /// The weights of the table's games; `None` if every game counts once.
    weighing: Option<Arc<Weighing>>,
}

/// Finds the policy `name` in the catalogue.
///
/// # Errors
///
/// Fails with [`Error::Policy`] if there is no such policy.
pub fn policy(name: &str) -> Result<&'static PolicySpec> {
    Ok(policy::spec(name)?)
}

/// One setting of a chooser.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: String,
    /// Whether the user set it. If not, the value is the default, or another setting implies it.
    pub given: bool,
}

/// Prints a setting as `book-limit = 40`.
impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.value)
    }
}

impl Chooser {
    /// Creates the policy `name` with `settings`, which are (name, text) pairs; all other settings take their
    /// default values.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Policy`] if the policy or a setting does not exist, or if a setting is repeated or
    /// outside its range.
    pub fn new(name: &str, settings: &[(String, String)]) -> Result<Self> {
        let policy = policy::by_name(name, settings)?.into();
        Ok(Self { policy, given: settings.to_vec(), weighing: None })
    }

    /// Makes the policy choose as if the artefact's games had these weights. Reported counts remain
    /// unweighted.
    ///
    /// # Errors
    ///
    /// Fails as [`Artefact::weighing`] does.
    pub fn weigh(self, weights: GameWeights, artefact: &Artefact) -> Result<Self> {
        Ok(self.weighted(artefact.weighing(weights)?))
    }

    /// Makes the policy choose as if a table's games had the weights in `weighing`; with `None`, every game
    /// counts once.
    #[must_use]
    pub fn weighted(self, weighing: Option<Arc<Weighing>>) -> Self {
        Self { weighing, ..self }
    }

    /// A warning if the month from which the ages of games are measured looks like a mistake, for example
    /// because it is later than `today` (year and month). `None` if there is nothing to warn about.
    #[must_use]
    pub fn doubt(&self, today: Option<(u16, u8)>) -> Option<String> {
        self.weighing.as_ref()?.doubt(today)
    }

    /// The weights of games as text, such as `half-life=3y as-of=2015-06`; `None` if every game counts once.
    #[must_use]
    pub fn describe_weights(&self) -> Option<String> {
        self.weighing.as_ref().map(|weighing| weighing.weights().describe())
    }

    /// The policy's entry in the catalogue.
    #[must_use]
    pub fn spec(&self) -> &PolicySpec {
        self.policy.spec()
    }

    /// The policy's name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.policy.name()
    }

    /// All settings of the policy.
    #[must_use]
    pub fn settings(&self) -> Vec<Setting> {
        let given = |name| self.given.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone());
        let setting = |parameter: &policy::Parameter| {
            let (name, given) = (parameter.name, given(parameter.name));
            let is_given = given.is_some();
            let value = given.or_else(|| parameter.default.map(str::to_owned));
            let value = value.or_else(|| self.policy.decided(name)).unwrap_or_default();
            Setting { name, value, given: is_given }
        };
        self.spec().all_parameters().map(setting).collect()
    }

    /// The policy's name and the settings that the user gave, such as `terra, book-limit = 40`.
    #[must_use]
    pub fn describe(&self) -> String {
        let given = self.settings().into_iter().filter(|setting| setting.given);
        let parts: Vec<_> = [self.name().to_owned()]
            .into_iter()
            .chain(given.map(|setting| setting.to_string()))
            .chain(self.describe_weights())
            .collect();
        parts.join(", ")
    }

    /// Reads the candidates of `position` and judges them.
    ///
    /// # Errors
    ///
    /// Fails as [`candidates`](super::candidates()) does.
    pub fn judge(&self, view: &View<'_>, position: &Chess) -> Result<(Candidates, Judgement)> {
        let view = View { weighing: self.weighing.as_deref(), ..*view };
        let found = candidates(&view, position, self.policy.needs_targets())?;
        let judgement = self.policy.judge(&Situation { turn: position.turn(), candidates: &found.moves });
        Ok((found, judgement))
    }

    /// Whether the policy looks at the positions after the moves. Such a policy cannot choose without a
    /// board.
    #[must_use]
    pub fn looks_ahead(&self) -> bool {
        self.policy.needs_targets()
    }

    /// Whether the policy needs a board to choose from this book. The policy needs a board if it looks at the
    /// positions after the moves, or if it reads searches and the book has experience.
    #[must_use]
    pub fn needs_board(&self, book: &Book) -> bool {
        self.policy.needs_targets() || (self.policy.reads_searches() && book.has_experience())
    }

    /// Checks that `artefact` has some of the evidence on which the policy bases its choice. `has_experience`
    /// is `true` if there is any experience.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NothingToGoBy`] if there is no such evidence in the artefact. For example, a
    /// policy that needs games cannot choose from a Polyglot book, which has none.
    pub fn check(&self, artefact: &Artefact, has_experience: bool) -> Result<()> {
        let has = |evidence: &Evidence| match evidence {
            Evidence::Games => !matches!(artefact, Artefact::Polyglot(_)),
            Evidence::Weights => matches!(artefact, Artefact::Polyglot(_)),
            Evidence::Experience | Evidence::Evaluations => has_experience,
        };
        let finds = |spec: &PolicySpec| spec.evidence.iter().any(has);
        if finds(self.spec()) {
            return Ok(());
        }
        let others = CATALOGUE.iter().filter(|spec| finds(spec)).map(|spec| spec.name).collect();
        Err(Error::NothingToGoBy { policy: self.name(), others })
    }

    /// Remarks for the user: that the artefact lacks the evidence that the policy needs, or that the policy
    /// ignores experience.
    #[must_use]
    pub fn remarks(&self, artefact: &Artefact, has_experience: bool) -> Vec<String> {
        let lacking = self.check(artefact, has_experience).err().map(|error| error.to_string());
        lacking.into_iter().chain(self.ignored(has_experience)).collect()
    }

    /// A remark that the policy ignores experience; `None` if the policy uses experience, or if there is no
    /// experience.
    #[must_use]
    pub fn ignored(&self, has_experience: bool) -> Option<String> {
        let reads = [Evidence::Experience, Evidence::Evaluations];
        let ignores = has_experience && !reads.iter().any(|read| self.spec().evidence.contains(read));
        let honours = self.settings().iter().any(|one| one.name == "honour-bans" && one.value == "true");
        let but = if honours { ", but never plays a move that is banned" } else { "" };
        let policy = self.name();
        ignores.then(|| format!("{policy} ignores what was learned or set by hand{but}"))
    }

    /// The moves that may be chosen in a position of a book, each with its probability, sorted by move. No
    /// board is needed. The probabilities are the same as in [`judge`](Self::judge), unless the policy [needs
    /// a board](Self::needs_board).
    ///
    /// # Errors
    ///
    /// Fails if the book is damaged.
    pub fn chances(&self, book: &Book, entry: &PositionEntry) -> Result<Vec<(PackedMove, f64)>> {
        let found = candidates_of_entry(book, entry)?;
        let situation = Situation { turn: entry.turn, candidates: &found.moves };
        Ok(self.policy.judge(&situation).chances().collect())
    }

    /// Like [`judge`](Self::judge), but uses an entry and children that the caller has already read.
    pub(crate) fn judge_with_children(
        &self,
        book: &Book,
        position: &Chess,
        entry: Option<&PositionEntry>,
        children: &[Child],
    ) -> Result<Judgement> {
        let found = candidates_with_children(book, position, Key::of(position), entry, children)?;
        Ok(self.policy.judge(&Situation { turn: position.turn(), candidates: &found.moves }))
    }
}

/// Serializes the policy's name and its settings; the settings become an object of strings.
impl Serialize for Chooser {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shown<'a> {
            policy: &'static str,
            source: &'static str,
            #[serde(serialize_with = "as_object")]
            settings: &'a [Setting],
            #[serde(skip_serializing_if = "Option::is_none")]
            weights: Option<String>,
        }
        let (policy, source) = (self.name(), self.spec().source);
        Shown { policy, source, settings: &self.settings(), weights: self.describe_weights() }
            .serialize(serializer)
    }
}

fn as_object<S: Serializer>(settings: &[Setting], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(settings.iter().map(|setting| (setting.name, &setting.value)))
}
