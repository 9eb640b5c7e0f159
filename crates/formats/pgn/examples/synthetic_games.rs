//! Makes up any number of games, whose openings repeat as those of real games do.
//!
//! ```sh
//! cargo run --release -p tabia-pgn --example synthetic_games -- SEED FIRST COUNT >games.pgn
//! ```
//!
//! Writes the games FIRST to FIRST + COUNT - 1 of the endless list that SEED names. A game depends on the
//! seed and its number alone, so a list can be written in pieces. In every position the legal moves are in an
//! order that is the same in all games, and the first of them are chosen more often: much more often in the
//! opening, and less so with every few plies. So openings repeat as they do among masters. Distinct edges per
//! game, in 322,545 games:
//!
//! | first plies | 10 | 16 | 20 | 30 | 40 |
//! |---|---:|---:|---:|---:|---:|
//! | made up, seed 1 | 0.4 | 1.9 | 4.0 | 12.4 | 22.4 |
//! | `KingBase` 2015 | 0.3 | 1.9 | 4.1 | 12.1 | 21.2 |
//!
//! A game has 40 to 80 plies unless it ends on the board; other results are drawn by lot.

use std::{
    env,
    error::Error,
    io::{self, BufWriter, Write},
};

use shakmaty::{Chess, Color, EnPassantMode, Move, MoveList, Position, san::SanPlus, zobrist::Zobrist64};

/// How strongly the first moves are preferred, by the ply: the power that a number in 0..1 is raised to.
const SKEWS: [u32; 7] = [40, 32, 20, 16, 12, 6, 4];

/// The number of plies for which each of the powers holds; the last one holds to the end of the game.
const SKEW_PLIES: usize = 6;

const LINE_BYTES_MAX: usize = 79;

fn main() -> Result<(), Box<dyn Error>> {
    let numbers = env::args().skip(1).map(|argument| argument.parse()).collect::<Result<Vec<u64>, _>>()?;
    let [seed, first, count] = numbers[..] else { return Err("SEED FIRST COUNT".into()) };
    let mut out = BufWriter::with_capacity(1 << 18, io::stdout().lock());
    let mut movetext = Movetext::default();
    for number in first..first + count {
        let mut numbers = Numbers(mixed(seed) ^ mixed(!number));
        movetext.text.clear();
        let end = play(&mut numbers, &mut movetext);
        let result = end.unwrap_or_else(|| drawn_result(&mut numbers));
        movetext.push(result.as_bytes());
        write_tags(&mut out, number, result)?;
        out.write_all(&movetext.text)?;
        out.write_all(b"\n\n")?;
    }
    Ok(out.flush()?)
}

/// The seven tags.
fn write_tags(out: &mut impl Write, number: u64, result: &str) -> io::Result<()> {
    let (year, month, day) = (2000 + number % 24, 1 + number / 24 % 12, 1 + number / 288 % 28);
    let (white, black) = (mixed(number) % 20_000, mixed(!number) % 20_000);
    writeln!(out, "[Event \"Synthetic games\"]\n[Site \"?\"]\n[Date \"{year}.{month:02}.{day:02}\"]")?;
    writeln!(out, "[Round \"{number}\"]\n[White \"Player {white}\"]\n[Black \"Player {black}\"]")?;
    writeln!(out, "[Result \"{result}\"]\n")
}

/// Plays a game of 40 to 80 plies; returns its result if it ended on the board.
fn play(numbers: &mut Numbers, movetext: &mut Movetext) -> Option<&'static str> {
    let mut position = Chess::default();
    for ply in 0..40 + numbers.below(41) {
        let mut moves = position.legal_moves();
        if moves.is_empty() {
            return Some(result_on_the_board(&position));
        }
        let chosen = choose(&position, &mut moves, ply, numbers);
        if ply.is_multiple_of(2) {
            movetext.push_number(ply / 2 + 1);
        }
        movetext.push_move(SanPlus::from_move_and_play_unchecked(&mut position, chosen));
    }
    None
}

/// Draws one of the legal moves; those that come first in the order of this position are drawn more often.
fn choose(position: &Chess, moves: &mut MoveList, ply: usize, numbers: &mut Numbers) -> Move {
    let Zobrist64(key) = position.zobrist_hash(EnPassantMode::PseudoLegal);
    let skew = SKEWS[(ply / SKEW_PLIES).min(SKEWS.len() - 1)];
    let rank = numbers.skewed_below(moves.len(), skew);
    *moves.select_nth_unstable_by_key(rank, |&m| mixed(key ^ code(m))).1
}

/// A number for a move; the legal moves of a position all have different numbers.
fn code(m: Move) -> u64 {
    let from = m.from().map_or(64, usize::from);
    (from << 16 | usize::from(m.to()) << 8 | m.promotion().map_or(0, |role| role as usize)) as u64
}

fn result_on_the_board(position: &Chess) -> &'static str {
    match position.outcome().winner() {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    }
}

/// White wins a little more often.
fn drawn_result(numbers: &mut Numbers) -> &'static str {
    match numbers.below(100) {
        0..38 => "1-0",
        38..72 => "1/2-1/2",
        _ => "0-1",
    }
}

/// The movetext of a game, broken into lines.
#[derive(Default)]
struct Movetext {
    text: Vec<u8>,
    line_at: usize,
}

impl Movetext {
    fn push_number(&mut self, number: usize) {
        self.push(format!("{number}.").as_bytes());
    }

    fn push_move(&mut self, san: SanPlus) {
        let mut text = Vec::with_capacity(8);
        san.append_ascii_to(&mut text);
        self.push(&text);
    }

    /// Adds a word after a space, or after a line break where the line would be too long.
    fn push(&mut self, word: &[u8]) {
        if self.text.is_empty() {
            self.line_at = 0;
        } else if self.text.len() + 1 + word.len() - self.line_at > LINE_BYTES_MAX {
            self.text.push(b'\n');
            self.line_at = self.text.len();
        } else {
            self.text.push(b' ');
        }
        self.text.extend_from_slice(word);
    }
}

/// Numbers that look random and are the same every time (`SplitMix64`).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mixed(self.0)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }

    /// A number below `end`; small ones come more often, because a number in 0..1 is raised to the power
    /// `skew`, in integers.
    fn skewed_below(&mut self, end: usize, skew: u32) -> usize {
        let unit = self.next() >> 32;
        let power = (1..skew).fold(unit, |power, _| (power * unit) >> 32);
        ((power * end as u64) >> 32) as usize
    }
}

fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
