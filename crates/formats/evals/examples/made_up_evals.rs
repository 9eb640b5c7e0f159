//! Writes made-up lines as Lichess's database of evaluated positions has them, of about 700 bytes: two
//! searches of five lines of moves each. Positions are those of random games, so those early in a game come
//! again; only the first move of a line is legal.
//!
//!     cargo run --release -p tabia-evals --example made_up_evals -- SEED LINES > made-up.jsonl

use std::{
    env,
    fmt::Write as _,
    io::{self, BufWriter, Write as _},
};

use position::{PackedMove, push_epd};
use shakmaty::{Chess, Position as _};

/// The plies of a game.
const PLIES: u64 = 80;
/// The lines of moves of a search.
const PVS: u64 = 5;
/// The moves of a line.
const PV_MOVES: u64 = 7;

/// Numbers that look random (`SplitMix64`).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % end
    }
}

fn main() -> io::Result<()> {
    let arguments: Vec<u64> = env::args().skip(1).map_while(|text| text.parse().ok()).collect();
    let [seed, lines] = arguments[..] else {
        return Err(io::Error::other("usage: made_up_evals SEED LINES"));
    };
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let mut numbers = Numbers(seed);
    let (mut position, mut line) = (Chess::default(), String::new());
    for number in 0..lines {
        let legal = position.legal_moves();
        if number % PLIES == 0 || legal.is_empty() {
            position = Chess::default();
        }
        let moves: Vec<_> = position.legal_moves().into_iter().map(PackedMove::pack).collect();
        line.clear();
        write_line(&position, &moves, &mut numbers, &mut line).map_err(io::Error::other)?;
        out.write_all(line.as_bytes())?;
        let played = moves[numbers.below(moves.len() as u64) as usize].unpack(&position);
        position.play_unchecked(played.ok_or_else(|| io::Error::other("a packed legal move is legal"))?);
    }
    out.flush()
}

fn write_line(
    position: &Chess,
    moves: &[PackedMove],
    numbers: &mut Numbers,
    line: &mut String,
) -> std::fmt::Result {
    line.push_str("{\"fen\":\"");
    push_epd(position, line);
    line.push_str("\",\"evals\":[");
    for search in 0..2 {
        line.push_str(if search == 0 { "{\"pvs\":[" } else { ",{\"pvs\":[" });
        for pv in 0..PVS {
            let comma = if pv == 0 { "" } else { "," };
            match numbers.below(20) {
                0 => write!(line, "{comma}{{\"mate\":{},\"line\":\"", 1 + numbers.below(30))?,
                _ => write!(line, "{comma}{{\"cp\":{},\"line\":\"", numbers.below(1200).cast_signed() - 600)?,
            }
            write!(line, "{}", moves[numbers.below(moves.len() as u64) as usize])?;
            for _ in 1..PV_MOVES {
                let square = |number: u64| (char::from(b'a' + (number & 7) as u8), 1 + (number >> 3 & 7));
                let ((file, rank), (to_file, to_rank)) =
                    (square(numbers.below(64)), square(numbers.below(64)));
                write!(line, " {file}{rank}{to_file}{to_rank}")?;
            }
            line.push_str("\"}");
        }
        write!(line, "],\"knodes\":{},\"depth\":{}}}", numbers.below(1_000_000), 15 + numbers.below(30))?;
    }
    line.push_str("]}\n");
    Ok(())
}
