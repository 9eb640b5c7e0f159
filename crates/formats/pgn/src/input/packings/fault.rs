//! Finds out why reading an input failed: because of the system, the data, or a request to stop.

use std::{
    io,
    path::PathBuf,
    sync::{Arc, atomic::Ordering},
};

use super::{
    packing::Packing,
    unpack::{is_refused, too_long_window},
    window::{TooLongWindow, WindowLimit},
};
use crate::{Error, input::stored::Meter};

/// The information needed to build an error about an input.
#[derive(Clone, Debug)]
pub(crate) struct Blame {
    pub(crate) name: Arc<str>,
    pub(crate) packing: Packing,
    pub(crate) meter: Arc<Meter>,
    /// The limit on the size of windows.
    pub(crate) window: WindowLimit,
}

/// The place in the data of an input at which a fault was found.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FaultAt<'m> {
    pub(crate) member: Option<&'m str>,
    /// The offset in the stored file; if it is not known, the number of bytes read so far is reported
    /// instead.
    pub(crate) stored: Option<u64>,
    pub(crate) text: Option<u64>,
}

impl Blame {
    /// The name of the input or of one of its members.
    pub(crate) fn name_of(&self, member: Option<&str>) -> String {
        member.map_or_else(|| self.name.to_string(), |member| format!("{}!{member}", self.name))
    }

    /// Builds the error to report for `source`, an error that a reader of this input returned.
    pub(crate) fn explain(&self, source: io::Error, at: FaultAt<'_>) -> Error {
        let offset = at.stored.unwrap_or_else(|| self.meter.bytes.load(Ordering::Relaxed));
        if self.meter.is_stopped() {
            return Error::Stopped;
        }
        if self.meter.was_refused() || self.packing == Packing::Plain || is_refused(&source) {
            return Error::Read { path: PathBuf::from(&*self.name), offset, source };
        }
        let (name, packing) = (self.name_of(at.member), self.packing.into());
        if let Some(TooLongWindow { window_bytes }) = too_long_window(&source) {
            let WindowLimit { bytes_max: allowed_bytes, by_length } = self.window;
            let window_bytes = *window_bytes;
            return Error::LongWindow { name, packing, window_bytes, allowed_bytes, by_length };
        }
        Error::Damaged { name, packing, offset, text_offset: at.text, source }
    }

    /// Like [`explain`](Self::explain), but for a fault whose place is not known: the number of bytes read so
    /// far is reported instead.
    pub(crate) fn fault(&self, source: io::Error) -> Error {
        self.explain(source, FaultAt::default())
    }

    /// The error for an input that is not PGN.
    pub(crate) fn not_pgn(&self, member: Option<&str>, why: String) -> Error {
        Error::NotPgn { name: self.name_of(member), why }
    }
}
