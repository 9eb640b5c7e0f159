//! Recognises from the first bytes of an input how it is compressed, and decompresses it.

mod archive;
mod fault;
mod feed;
mod frames;
mod packing;
mod parallel;
mod unpack;
mod window;

pub(crate) use archive::{Members, dictionary_bytes_7z, open_7z, open_zip, window_bytes_zip};
pub(crate) use fault::{Blame, FaultAt};
pub(crate) use frames::{ends_in_header, run_at};
pub use packing::Packing;
pub(crate) use packing::{MAGIC_BYTES, is_cut_magic, known_other};
pub(crate) use parallel::{FramedFile, RunText, Runs};
pub(crate) use unpack::unpack;
pub(crate) use window::{HEAD_BYTES, WindowLimit, is_large, window_of_head};
