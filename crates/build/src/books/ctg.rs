//! ChessBase's books into tables and books.

mod import;
mod walk;

pub use self::import::import_ctg;
