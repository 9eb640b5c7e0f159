//! Replays the games of a PGN file in a function of its own, so that Callgrind can count the instructions
//! that this takes.
//!
//! ```text
//! replay_instructions MAX_PLY games.pgn
//! ```
//!
//! It runs on one thread; 0 plies mean whole games. It prints how many observations were made: instructions
//! are given per observation, tags and tokens included. `benches/instructions` runs it.
#![expect(clippy::print_stdout, reason = "an example speaks on stdout")]

use std::{env, error::Error, fs, hint::black_box};

use pgn::{
    input::{LineEnds, games},
    replay::{CountingOptions, Replay},
};

/// The only function that is counted.
#[inline(never)]
fn measured(replay: &mut Replay, text: &[u8]) -> usize {
    let observations = |game: &[u8]| {
        black_box(replay.game(game));
        black_box(replay.observations()).len()
    };
    games(text, LineEnds::of(text)).map(|game| game.text).map(observations).sum()
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [max_ply, file] = &arguments[..] else { return Err("MAX_PLY games.pgn".into()) };
    let text = fs::read(file)?;
    let mut replay =
        Replay::new(&CountingOptions { max_ply: max_ply.parse()?, ..CountingOptions::default() }.into());
    println!("{}", measured(&mut replay, &text));
    Ok(())
}
