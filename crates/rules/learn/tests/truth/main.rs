//! Comparison with files written by real Craftys, bit for bit. The files are not part of the repository;
//! without them every test here prints a note and passes.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod book;
mod edge_cases;
mod export;
mod files;
mod function;
mod import;
mod in_game;
mod lrn;
mod position;
mod shared_1998;
