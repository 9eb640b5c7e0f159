//! Exports books and tables as Arena books.

mod export;
mod priority;
mod unfold;
mod waiting;

pub use self::export::{UnfoldOptions, export_abk};
pub(crate) use self::priority::value_of;
