//! What is served: artefacts by name, each opened once and anew when it is replaced.

mod groups;
mod opened;
mod stamp;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, PoisonError, RwLock},
};

pub(crate) use self::{
    groups::Counted,
    opened::{Kind, Opened},
    stamp::Stamp,
};
use crate::{Error, Result};

/// A file or folder to serve, and its name in requests.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

impl Named {
    /// By the file's name without its ending.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        Self { name: stem.to_string_lossy().into_owned(), path: path.to_owned() }
    }
}

/// What is served; the first one is the default.
pub struct Artefacts(Vec<Slot>);

/// A name, and what is open under it now.
struct Slot {
    named: Named,
    opened: RwLock<Arc<Opened>>,
    /// What could not be opened in its place.
    failed: RwLock<Option<Stamp>>,
}

impl Artefacts {
    /// Opens each of them.
    ///
    /// # Errors
    ///
    /// [`Error::SameName`], [`Error::Name`], [`Error::NoBook`]; if one cannot be opened.
    pub fn open(named: Vec<Named>) -> Result<Self> {
        for (at, Named { name, .. }) in named.iter().enumerate() {
            if name.is_empty() || name.contains('/') {
                return Err(Error::Name { name: name.clone() });
            }
            if named[..at].iter().any(|before| before.name == *name) {
                return Err(Error::SameName { name: name.clone() });
            }
        }
        named.into_iter().map(Slot::open).collect::<Result<_>>().map(Self)
    }

    /// The artefact of that name, or the default one.
    pub(crate) fn get(&self, name: Option<&str>) -> Option<Arc<Opened>> {
        let slot = match name {
            None => self.0.first(),
            Some(name) => self.0.iter().find(|slot| slot.named.name == name),
        };
        slot.map(Slot::get)
    }

    /// All of them, the default one first.
    pub(crate) fn all(&self) -> impl Iterator<Item = Arc<Opened>> {
        self.0.iter().map(Slot::get)
    }

    /// Opens anew what was replaced, and reports what cannot be opened, once; whether anything changed.
    pub(crate) fn refresh(&self, report: impl Fn(&str)) -> bool {
        let refreshed = |slot: &Slot| match slot.refresh() {
            Ok(changed) => changed,
            Err(error) => {
                report(&format!("{}: {error}; the one before is served on", slot.named.name));
                false
            }
        };
        // Each of them: no short cut at the first that changed.
        self.0.iter().fold(false, |changed, slot| refreshed(slot) | changed)
    }
}

impl Slot {
    fn open(named: Named) -> Result<Self> {
        let opened = Opened::open(&named)?;
        Ok(Self { named, opened: RwLock::new(Arc::new(opened)), failed: RwLock::default() })
    }

    fn get(&self) -> Arc<Opened> {
        Arc::clone(&self.opened.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn refresh(&self) -> Result<bool> {
        let stamp = Stamp::of(&self.named.path);
        let has_failed = *self.failed.read().unwrap_or_else(PoisonError::into_inner) == stamp;
        // What is gone for a moment may be about to be replaced.
        if stamp.is_none() || stamp == self.get().stamp || has_failed {
            return Ok(false);
        }
        let opened = Opened::open(&self.named);
        if opened.is_err() {
            *self.failed.write().unwrap_or_else(PoisonError::into_inner) = stamp;
        }
        *self.opened.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(opened?);
        Ok(true)
    }
}
