//! Books and tables as books of Arena.

mod export;
mod priority;
mod unfold;
mod waiting;

pub use self::export::{UnfoldOptions, export_abk};
pub(crate) use self::priority::value_of;
