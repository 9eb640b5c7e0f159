//! How fast learning files are read. `cargo test --release -p tabia-pgn --test learned -- --ignored
//! --nocapture speed` prints records a second for one, two and four threads; `RECORDS` sets how many there
//! are.

use std::{env, fmt::Write as _, time::Instant};

use pgn::{
    input::{ChunkOptions, Input},
    learned::LearnedReader,
};
use position::Board;
use shakmaty::{Position as _, san::SanPlus};

/// Plies of a generated record.
const PLIES: usize = 20;

/// Lines whose moves are drawn by a small generator (numbers of Knuth's MMIX), again and again.
fn file(records: usize) -> String {
    let mut state = 1_u64;
    let lines: Vec<String> = (0..2000).map(|_| line(&mut state)).collect();
    let mut text = String::new();
    for n in 0..records {
        let line = &lines[n % lines.len()];
        writeln!(
            text,
            "[White \"player {n}\"]\n[Black \"Crafty 15.17\"]\n[Date \"1998.09.01\"]\n{line} {{{n} 5 0}}"
        )
        .unwrap();
    }
    text
}

fn line(state: &mut u64) -> String {
    let (mut position, mut text) = (Board::start().position(), String::new());
    for _ in 0..PLIES {
        let moves = position.legal_moves();
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let Some(&mv) = moves.get((*state >> 33) as usize % moves.len().max(1)) else { break };
        write!(text, " {}", SanPlus::from_move_and_play_unchecked(&mut position, mv)).unwrap();
    }
    text
}

#[test]
#[ignore = "a measurement"]
fn speed() {
    let records = env::var("RECORDS").map_or(1_000_000, |records| records.parse().unwrap());
    let text = file(records).into_bytes();
    for threads in [1, 2, 4] {
        let input = Input::stream("generated", std::io::Cursor::new(text.clone()));
        let start = Instant::now();
        let reader =
            LearnedReader::open(vec![input], &ChunkOptions { threads, ..ChunkOptions::default() }).unwrap();
        let items: usize = reader.map(|batch| batch.unwrap().items().count()).sum();
        let seconds = start.elapsed().as_secs_f64();
        assert_eq!(items, records);
        eprintln!(
            "{threads} threads: {items} records of {PLIES} plies ({} MB) in {seconds:.2} s",
            text.len() / 1_000_000
        );
    }
}
