//! Replay against outside judges: tricky files with reviewed outcomes, pgn-reader, and games made at random.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod against_reader;
mod handmade;
mod made;
mod misspelt;
mod spellings;
