//! Choosing moves, as a user meets it.
