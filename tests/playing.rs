//! `tabia uci` as a GUI and an engine see it, with the binary.

mod docs;
mod engines;
mod exchange;
mod games;
pub(crate) mod gui;
mod options;
mod paper;

use crate::workbench::{Workbench, game};

/// A book of 1.e4 e5 2.Nf3 and 1.d4 d5, from four games.
pub(crate) fn small_book() -> Workbench {
    let bench = Workbench::new();
    let games = game("1. e4 e5 2. Nf3", "1-0").repeat(3) + &game("1. d4 d5", "1/2-1/2");
    bench.write("games.pgn", games);
    bench.ok("build games.pgn -o b.tabia --table t.table");
    bench
}
