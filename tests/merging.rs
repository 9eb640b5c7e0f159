//! Finished books merged, as users merge them.

mod books;
mod polyglot;
