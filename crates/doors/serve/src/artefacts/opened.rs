//! An open artefact, with values that many answers need.

use std::{
    fs::File,
    io,
    path::Path,
    sync::{Arc, OnceLock},
};

use fault::{Failure as _, FileFault};
use query::{Artefact, Info};
use serde::Serialize;
use shakmaty::Color;
use table::{GameWeights, Weighing};
use xxhash_rust::xxh3::Xxh3;

use super::{GroupValues, NamedPath, Stamp};
use crate::{Error, Result};

/// What an artefact is.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ArtefactKind {
    Book,
    Table,
    Polyglot,
}

/// An open artefact.
pub(crate) struct OpenArtefact {
    pub(crate) name: String,
    pub(crate) artefact: Artefact,
    pub(crate) kind: ArtefactKind,
    /// Identifies the version of the file that was opened, so that a replaced file is noticed.
    pub(super) stamp: Option<Stamp>,
    /// A digest of the content.
    pub(crate) digest: String,
    pub(crate) counted: GroupValues,
    /// The number of games that were counted, if it is known.
    pub(crate) games: Option<u64>,
    pub(crate) info: Info,
    /// The weights that policies give the artefact's games; `None` if each game counts once.
    pub(crate) weighing: Option<Arc<Weighing>>,
    /// Why the artefact's games cannot be weighted as requested; `None` if they can, or if no weights were
    /// requested.
    pub(super) unweighted: Option<query::Error>,
    /// The only side that has moves in the artefact; computed when it is first needed.
    only_side: OnceLock<Option<Color>>,
}

impl OpenArtefact {
    /// Opens an artefact. If the artefact's games cannot be weighted by `weights`, each game counts once.
    pub(super) fn open(named: &NamedPath, weights: GameWeights) -> Result<Self> {
        // The stamp is read before the file is opened. If the file is replaced in between, the next check
        // notices the change.
        let stamp = Stamp::of(&named.path);
        let artefact = Artefact::open_cached(&named.path)?;
        let (kind, digest) = match &artefact {
            Artefact::Book(book) => (ArtefactKind::Book, book.digest()),
            Artefact::Table(table) => (ArtefactKind::Table, table.digest().to_owned()),
            Artefact::Polyglot(reader) => (ArtefactKind::Polyglot, digest_of(reader.path())?),
            Artefact::Experience(file) => {
                return Err(Error::NoBook(file.path().display().to_string()));
            }
        };
        let info = query::info(&artefact)?;
        let games = info.facts.iter().find(|fact| fact.name == "games counted");
        let games = games.and_then(|fact| fact.value.parse().ok());
        let counted = GroupValues::of(&artefact)?;
        let (weighing, unweighted) = match artefact.weighing(weights) {
            Err(error) if error.kind().is_usage() => (None, Some(error)),
            weighing => (weighing?, None),
        };
        let name = named.name.clone();
        let only_side = OnceLock::new();
        Ok(Self {
            name,
            artefact,
            kind,
            stamp,
            digest,
            counted,
            games,
            info,
            weighing,
            unweighted,
            only_side,
        })
    }

    /// The number of positions if this is a book, else `None`.
    pub(crate) fn positions(&self) -> Option<u64> {
        self.artefact.book().ok().map(|book| book.stats().positions)
    }

    /// The side that has no moves, if this is a book for one side; otherwise `None`. That side may reply with
    /// any move that leads back into the book.
    pub(crate) fn replies_of(&self) -> query::Result<Option<Color>> {
        let side = match self.only_side.get() {
            Some(side) => *side,
            None => query::only_side(&self.artefact)?,
        };
        Ok(self.only_side.get_or_init(|| side).map(|side| !side))
    }

    /// Describes the weights of the artefact's games, if they have any.
    pub(crate) fn describe_weights(&self) -> Option<String> {
        self.weighing.as_ref().map(|weighing| weighing.weights().describe())
    }

    /// A warning if the artefact's games cannot be weighted as requested, or if the weights may not be the
    /// intended ones.
    pub(super) fn unweighted(&self) -> Option<String> {
        let doubt = || self.weighing.as_ref()?.doubt(None);
        let once = self.unweighted.as_ref().map(|why| format!("each game counts once: {why}"));
        once.or_else(doubt).map(|text| format!("{}: {text}", self.name))
    }

    /// Whether look-ups are unlikely to wait for a disk. Books and Polyglot books are read from the system's
    /// page cache, so a look-up takes microseconds.
    pub(crate) fn is_quick(&self) -> bool {
        self.kind != ArtefactKind::Table
    }

    /// An error's message, with each artefact's path replaced by its name, because clients must not see
    /// paths.
    pub(crate) fn in_their_words(asked: &[&Self], error: &query::Error) -> String {
        let named = |text: String, opened: &&Self| {
            text.replace(&opened.artefact.path().display().to_string(), &opened.name)
        };
        asked.iter().fold(error.to_string(), named)
    }
}

/// A hash of a file's bytes.
fn digest_of(path: &Path) -> Result<String> {
    let mut hash = Xxh3::new();
    let hashed = File::open(path).and_then(|mut file| io::copy(&mut file, &mut hash));
    hashed.map_err(FileFault::of("read", path))?;
    Ok(format!("{:016x}", hash.digest()))
}
