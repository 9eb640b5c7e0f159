//! Arena's books into tables and books, and those into Arena's books.

mod export;
mod import;
mod priority;
mod tree;
mod unfold;

pub use self::{
    export::{UnfoldOptions, export_abk},
    import::import_abk,
};
