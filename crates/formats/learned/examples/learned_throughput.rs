//! How fast learning files are read.
//!
//! ```sh
//! cargo run --release -p tabia-learned --example learned_throughput [RECORDS]
//! ```
//!
//! Makes records up and prints how long one, two and four threads take to read them.

use std::{
    env,
    error::Error,
    fmt::{self, Write as _},
    io::{self, Write as _},
    time::Instant,
};

use pgn::input::{ChunkOptions, Input};
use position::Board;
use shakmaty::{Position as _, san::SanPlus};

/// Plies of a generated record.
const PLIES: usize = 20;

/// Lines whose moves are drawn by a small generator (numbers of Knuth's MMIX), again and again.
fn file(records: usize) -> Result<String, fmt::Error> {
    let mut state = 1_u64;
    let lines: Vec<String> = (0..2000).map(|_| line(&mut state)).collect::<Result<_, _>>()?;
    let mut text = String::new();
    for n in 0..records {
        let line = &lines[n % lines.len()];
        writeln!(
            text,
            "[White \"player {n}\"]\n[Black \"Crafty 15.17\"]\n[Date \"1998.09.01\"]\n{line} {{{n} 5 0}}"
        )?;
    }
    Ok(text)
}

fn line(state: &mut u64) -> Result<String, fmt::Error> {
    let (mut position, mut text) = (Board::start().position(), String::new());
    for _ in 0..PLIES {
        let moves = position.legal_moves();
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let Some(&mv) = moves.get((*state >> 33) as usize % moves.len().max(1)) else { break };
        write!(text, " {}", SanPlus::from_move_and_play_unchecked(&mut position, mv))?;
    }
    Ok(text)
}

fn main() -> Result<(), Box<dyn Error>> {
    let records = env::args().nth(1).map_or(Ok(1_000_000), |records| records.parse())?;
    let text = file(records)?.into_bytes();
    let mut out = io::stdout().lock();
    for threads in [1, 2, 4] {
        let input = Input::stream("generated", io::Cursor::new(text.clone()));
        let start = Instant::now();
        let options = ChunkOptions { threads, ..ChunkOptions::default() };
        let mut items = 0;
        for batch in learned::open(vec![input], &options)? {
            items += batch?.items().count();
        }
        let (seconds, megabytes) = (start.elapsed().as_secs_f64(), text.len() / 1_000_000);
        assert_eq!(items, records, "every record is read");
        writeln!(
            out,
            "{threads} threads: {items} records of {PLIES} plies ({megabytes} MB) in {seconds:.2} s"
        )?;
    }
    Ok(())
}
