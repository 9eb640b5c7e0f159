//! The entries section: positions in buckets, sorted by key.

pub(crate) mod bits;
pub(crate) mod body;
pub(crate) mod bucket;
pub(crate) mod cursor;
pub(crate) mod tally_code;
