//! Checks every move of the PGN files named and does nothing else: the least that reading games can cost with
//! pgn-reader and shakmaty. It does what the crate's own `examples/validate.rs` does, on plain files.

use std::{env, fs::File, io, ops::ControlFlow};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

/// Plays each game on a board; a game's output is whether all of it was legal.
struct Validator;

impl Visitor for Validator {
    type Tags = Chess;
    type Movetext = Chess;
    type Output = bool;

    fn begin_tags(&mut self) -> ControlFlow<bool, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<bool> {
        if name != b"FEN" {
            return ControlFlow::Continue(());
        }
        let fen = Fen::from_ascii(value.as_bytes()).ok();
        match fen.and_then(|fen| fen.into_position(CastlingMode::Chess960).ok()) {
            Some(board) => *start = board,
            None => return ControlFlow::Break(false),
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<bool, Chess> {
        ControlFlow::Continue(start)
    }

    fn san(&mut self, board: &mut Chess, san: SanPlus) -> ControlFlow<bool> {
        match san.san.to_move(board) {
            Ok(played) => board.play_unchecked(played),
            Err(_) => return ControlFlow::Break(false),
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Chess) -> bool {
        true
    }
}

fn main() -> io::Result<()> {
    for path in env::args().skip(1) {
        let (mut games, mut illegal) = (0_u64, 0_u64);
        let mut reader = Reader::new(File::open(&path)?);
        while let Some(legal) = reader.read_game(&mut Validator)? {
            games += 1;
            illegal += u64::from(!legal);
        }
        println!("{path}: {games} games, {illegal} not legal");
    }
    Ok(())
}
