//! The artefacts that are served, by name. Each artefact is opened once, and again when its file is replaced.

mod groups;
mod opened;
mod stamp;

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

pub(crate) use self::{
    groups::GroupValues,
    opened::{ArtefactKind, OpenArtefact},
    stamp::Stamp,
};
use table::GameWeights;

use crate::{Error, Result};

/// A file or folder to serve, and its name in requests.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NamedPath {
    /// The name.
    pub name: String,
    /// The path.
    pub path: PathBuf,
}

impl NamedPath {
    /// Names each file by its file name without the extension, or with the extension if the shorter name is
    /// taken.
    #[must_use]
    pub fn all(paths: &[PathBuf]) -> Vec<Self> {
        let mut all = Vec::<Self>::new();
        for path in paths {
            all.push(Self::after(path, &all));
        }
        all
    }

    /// Names a file by its stem, or by its whole file name if one of the files `before` it already has that
    /// name.
    pub(crate) fn after(path: &Path, before: &[Self]) -> Self {
        let text = |part: Option<&OsStr>| part.unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        let stem = text(path.file_stem());
        let is_taken = before.iter().any(|named| named.name == stem);
        let name = if is_taken { text(path.file_name()) } else { stem };
        Self { name, path: path.to_owned() }
    }
}

/// The artefacts that are served; the first one is the default.
pub struct Artefacts(Vec<Slot>);

/// A name, and the artefact that is currently served under it.
struct Slot {
    named: NamedPath,
    weights: GameWeights,
    /// Whether to refuse the artefact if its games cannot be weighted by `weights`.
    must_weigh: bool,
    opened: RwLock<Arc<OpenArtefact>>,
    /// The stamp of a newer file that could not be opened.
    failed: RwLock<Option<Stamp>>,
}

impl Artefacts {
    /// Opens the artefacts `named`. Policies always weight the default artefact's games by `weights`. They
    /// weight the games of another artefact only if these games were counted separately for the groups on
    /// which `weights` depend.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::SameName`], [`Error::Name`] or [`Error::NoBook`]. Also fails if an artefact cannot
    /// be opened, or if the default artefact's games cannot be weighted.
    pub fn open(named: Vec<NamedPath>, weights: GameWeights) -> Result<Self> {
        for (at, NamedPath { name, .. }) in named.iter().enumerate() {
            if name.is_empty() || name.contains('/') {
                return Err(Error::Name(name.clone()));
            }
            if named[..at].iter().any(|before| before.name == *name) {
                return Err(Error::SameName(name.clone()));
            }
        }
        let open = |(at, named)| Slot::open(named, weights, at == 0);
        named.into_iter().enumerate().map(open).collect::<Result<_>>().map(Self)
    }

    /// A warning for each artefact whose games cannot be weighted as requested, or whose weights may not be
    /// the intended ones.
    pub(crate) fn unweighted(&self) -> impl Iterator<Item = String> {
        self.all().filter_map(|opened| opened.unweighted())
    }

    /// The artefact with this name, or the default one if `name` is `None`.
    pub(crate) fn get(&self, name: Option<&str>) -> Option<Arc<OpenArtefact>> {
        let slot = match name {
            None => self.0.first(),
            Some(name) => self.0.iter().find(|slot| slot.named.name == name),
        };
        slot.map(Slot::get)
    }

    /// All artefacts, the default one first.
    pub(crate) fn all(&self) -> impl Iterator<Item = Arc<OpenArtefact>> {
        self.0.iter().map(Slot::get)
    }

    /// Reopens artefacts whose files were replaced. If an artefact cannot be reopened, the error is reported
    /// once. Returns whether any artefact changed.
    pub(crate) fn refresh(&self, report: impl Fn(&str)) -> bool {
        let refreshed = |slot: &Slot| match slot.refresh() {
            Ok(None) => false,
            Ok(Some(opened)) => {
                if let Some(text) = opened.unweighted() {
                    report(&text);
                }
                true
            }
            Err(error) => {
                report(&format!(
                    "{}: {error}; the server keeps answering from the file that it read before",
                    slot.named.name
                ));
                false
            }
        };
        // This uses `|` rather than `||` because every slot must be refreshed, even if an earlier one has
        // changed.
        self.0.iter().fold(false, |changed, slot| refreshed(slot) | changed)
    }
}

impl Slot {
    fn open(named: NamedPath, weights: GameWeights, must_weigh: bool) -> Result<Self> {
        let opened = RwLock::new(opened(&named, weights, must_weigh)?);
        Ok(Self { named, weights, must_weigh, opened, failed: RwLock::default() })
    }

    fn get(&self) -> Arc<OpenArtefact> {
        Arc::clone(&self.opened.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Opens the artefact again if its file was replaced.
    fn refresh(&self) -> Result<Option<Arc<OpenArtefact>>> {
        let stamp = Stamp::of(&self.named.path);
        let has_failed = *self.failed.read().unwrap_or_else(PoisonError::into_inner) == stamp;
        // If the file is missing, another program may be about to put a new one in its place.
        if stamp.is_none() || stamp == self.get().stamp || has_failed {
            return Ok(None);
        }
        let opened = opened(&self.named, self.weights, self.must_weigh);
        if opened.is_err() {
            *self.failed.write().unwrap_or_else(PoisonError::into_inner) = stamp;
        }
        let opened = opened?;
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&opened);
        Ok(Some(opened))
    }
}

fn opened(named: &NamedPath, weights: GameWeights, must_weigh: bool) -> Result<Arc<OpenArtefact>> {
    let mut opened = OpenArtefact::open(named, weights)?;
    match opened.unweighted.take_if(|_| must_weigh) {
        Some(error) => Err(error.into()),
        None => Ok(Arc::new(opened)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_one_name_keep_their_endings() {
        let all = NamedPath::all(&["a/book.tabia", "book.bin", "games.table/"].map(PathBuf::from));
        let names: Vec<_> = all.iter().map(|named| named.name.as_str()).collect();
        assert_eq!(names, ["book", "book.bin", "games"]);
    }

    #[test]
    fn names_are_parts_of_paths_and_each_is_there_once() {
        let named = |name: &&str| NamedPath { name: (*name).into(), path: "none".into() };
        let open =
            |names: &[&str]| Artefacts::open(names.iter().map(named).collect(), GameWeights::default());
        assert!(matches!(open(&["a/b"]), Err(Error::Name { .. })));
        assert!(matches!(open(&[""]), Err(Error::Name { .. })));
        assert!(matches!(open(&["a", "a"]), Err(Error::SameName { .. })));
        assert!(matches!(open(&["a"]), Err(Error::Query(_))));
    }
}
