//! What all requests share.

use std::{
    collections::BTreeSet,
    hash::{Hash as _, Hasher as _},
    sync::{Arc, Mutex, PoisonError, RwLock, atomic::AtomicBool},
    thread,
};

use axum::http::HeaderValue;
use http::{Allowance, Bodies, Tokens};
use tokio::sync::Semaphore;
use xxhash_rust::xxh3::Xxh3;

use crate::{
    Artefacts, Database, Endpoints, Result, Settings,
    artefacts::OpenArtefact,
    filters::Filters,
    settings::limits,
    taught::{Edits, LoadedExperience},
};

/// The maximum number of requests that may be answered at the same time.
const REQUESTS_MAX: usize = 512;
/// The maximum number of requests, per core, that may be computing or waiting for a disk at the same time.
const JOBS_A_CORE: usize = 2;

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) artefacts: Artefacts,
    pub(crate) edits: Option<Edits>,
    pub(crate) tokens: Tokens,
    pub(crate) allowance: Allowance,
    pub(crate) bodies: Bodies,
    /// Limits how many requests are answered at the same time.
    pub(crate) places: Arc<Semaphore>,
    /// Limits how many requests are computing or waiting for a disk at the same time.
    pub(crate) jobs: Arc<Semaphore>,
    pub(crate) strict_filters: bool,
    pub(crate) endpoints: Endpoints,
    /// The ignored filters that have already been reported, with the name of the artefact for which each was
    /// reported.
    warned: Mutex<BTreeSet<(String, &'static str)>>,
    report: fn(&str),
    tag: RwLock<HeaderValue>,
}

impl Shared {
    pub(crate) fn new(artefacts: Artefacts, settings: Settings, stop: &Arc<AtomicBool>) -> Result<Self> {
        let Settings { experience, tokens, endpoints, strict_filters, requests_a_minute, report, .. } =
            settings;
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let shared = Self {
            artefacts,
            edits: experience.map(|path| Edits::open(path, Arc::clone(stop))).transpose()?,
            tokens,
            allowance: Allowance::new(requests_a_minute),
            bodies: Bodies::new(&limits()),
            places: Arc::new(Semaphore::new(REQUESTS_MAX)),
            jobs: Arc::new(Semaphore::new(JOBS_A_CORE * cores)),
            strict_filters,
            endpoints,
            warned: Mutex::default(),
            report,
            tag: RwLock::new(HeaderValue::from_static("")),
        };
        shared.retag();
        shared.artefacts.unweighted().for_each(|text| report(&text));
        Ok(shared)
    }

    /// Reports filters that are ignored because an artefact cannot apply them. Each filter is reported once
    /// per artefact.
    pub(crate) fn warn_of(&self, opened: &OpenArtefact, filters: &Filters) {
        if filters.unanswered.is_empty() {
            return;
        }
        let mut warned = self.warned.lock().unwrap_or_else(PoisonError::into_inner);
        for filter in &filters.unanswered {
            if warned.insert((opened.name.clone(), filter)) {
                let name = &opened.name;
                (self.report)(&format!(
                    "{name}: the filter `{filter}` of requests is ignored, because the games were not counted in such \
                     groups (--strict-filters refuses such requests)"
                ));
            }
        }
    }

    /// Reopens artefacts that were replaced, and rereads the experience file if that was replaced.
    pub(crate) fn refresh(&self) {
        let artefacts = self.artefacts.refresh(self.report);
        let experience = self.edits.as_ref().is_some_and(|edits| edits.refresh(self.report));
        if artefacts || experience {
            self.retag();
        }
    }

    /// Computes a new tag (`ETag`) from the current data. The tag is added to all answers until the data
    /// changes again.
    pub(crate) fn retag(&self) {
        let mut hash = Xxh3::new();
        env!("CARGO_PKG_VERSION").hash(&mut hash);
        self.strict_filters.hash(&mut hash);
        Database::ALL.map(|database| self.endpoints.of(database)).hash(&mut hash);
        for opened in self.artefacts.all() {
            (&opened.name, &opened.digest, opened.describe_weights()).hash(&mut hash);
        }
        if let Some(edits) = &self.edits {
            edits.taught().stamp.hash(&mut hash);
        }
        let tag = format!("W/\"{:016x}\"", hash.finish());
        if let Ok(tag) = HeaderValue::from_str(&tag) {
            *self.tag.write().unwrap_or_else(PoisonError::into_inner) = tag;
        }
    }

    pub(crate) fn tag(&self) -> HeaderValue {
        self.tag.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The experience that replaces the artefact's own, if this is the default artefact and the server has an
    /// experience file.
    pub(crate) fn taught(&self, opened: &OpenArtefact) -> Option<Arc<LoadedExperience>> {
        let is_default = self.artefacts.get(None).is_some_and(|first| first.name == opened.name);
        self.edits.as_ref().filter(|_| is_default).map(Edits::taught)
    }
}
