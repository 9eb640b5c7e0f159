//! Arena's books into tables and books, and those into Arena's books.

mod import;
mod priority;
mod tree;

pub use self::import::import_abk;
