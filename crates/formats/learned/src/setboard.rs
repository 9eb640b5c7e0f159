//! Reads the positions of `position.lrn`, which are nearly FENs.
//!
//! Crafty (`LearnPosition` in `learn.c`, 15.17 to 20.14) leaves out empty squares at the end of a rank, and
//! also writes a slash after the last rank. It writes a castling field only if a side may still castle, an en
//! passant square only if there is one, and no move counters:
//! `r2q1rk/ppp1nppp/1b1p1n/1P2pb/P1P/2N1P/3PBPPP/R1BQK1NR/ b KQ`.

use shakmaty::{CastlingMode, Chess, FromSetup as _, PositionError, fen::Fen};

/// The position that the text after `setboard` describes; `None` if it cannot be read or is impossible.
pub(super) fn position(text: &str) -> Option<Chess> {
    let mut fields = text.split_ascii_whitespace();
    let board = mended_board(fields.next()?)?;
    let turn = fields.next()?;
    let (mut castling, mut en_passant) = ("-", "-");
    for field in fields.take(2) {
        if field.bytes().all(|byte| b"KQkq".contains(&byte)) {
            castling = field;
        } else {
            en_passant = field;
        }
    }
    let fen: Fen = format!("{board} {turn} {castling} {en_passant}").parse().ok()?;
    let position = Chess::from_setup(fen.into_setup(), CastlingMode::Standard);
    position.or_else(PositionError::ignore_invalid_ep_square).ok()
}

/// Pads every rank of a board to eight squares; `None` if that is impossible.
fn mended_board(board: &str) -> Option<String> {
    let ranks: Vec<_> = board.strip_suffix('/').unwrap_or(board).split('/').map(mended_rank).collect();
    if ranks.len() != 8 {
        return None;
    }
    Some(ranks.into_iter().collect::<Option<Vec<_>>>()?.join("/"))
}

/// Pads a rank to eight squares by adding empty squares at its end.
fn mended_rank(rank: &str) -> Option<String> {
    let files: u32 = rank.chars().map(|square| square.to_digit(10).unwrap_or(1)).sum();
    let missing = 8_u32.checked_sub(files)?;
    let (pieces, empty) =
        match rank.char_indices().last().and_then(|(at, last)| Some((at, last.to_digit(10)?))) {
            Some((at, empty)) => (&rank[..at], empty),
            None => (rank, 0),
        };
    let end = missing + empty;
    Some(if end == 0 { pieces.to_owned() } else { format!("{pieces}{end}") })
}

#[cfg(test)]
mod tests {
    use shakmaty::EnPassantMode;

    use super::*;

    #[track_caller]
    fn mends(text: &str, fen: &str) {
        let position = position(text).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(Fen::from_position(&position, EnPassantMode::Always).to_string(), format!("{fen} 0 1"));
    }

    #[test]
    fn the_defects_of_crafty_are_mended() {
        mends(
            "r2q1rk/ppp1nppp/1b1p1n/1P2pb/P1P/2N1P/3PBPPP/R1BQK1NR/ b KQ",
            "r2q1rk1/ppp1nppp/1b1p1n2/1P2pb2/P1P5/2N1P3/3PBPPP/R1BQK1NR b KQ -",
        );
        mends(
            "rnbqkbnr/pppppppp///4P//PPPP1PPP/RNBQKBNR/ b KQkq e3",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3",
        );
        mends("/4k//////4K/ w", "8/4k3/8/8/8/8/8/4K3 w - -");
    }

    #[test]
    fn a_whole_fen_is_itself() {
        let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6";
        mends(&format!("{fen} 0 2"), fen);
        mends("4k3/8/8/8/8/8/8/4K1 w - -", "4k3/8/8/8/8/8/8/4K3 w - -");
    }

    #[test]
    fn what_stays_broken_is_none() {
        for text in [
            "",
            "4k/8/8/8/8/8/8/4K/",
            "4k/8/8/8/8/8/4K/ w",
            "4k/8/8/8/8/8/8/8/4K/ w",
            "4k/9/8/8/8/8/8/4K/ w",
            "4k5/8/8/8/8/8/8/4K/ w",
            "8/8/8/8/8/8/8/4K/ w",
            "4k/8/8/8/8/8/8/4K/ x",
            "4k/8/8/8/8/8/8/4é/ w",
            "4k/8/8/8/8/8/8/4K/ w KQ",
        ] {
            assert_eq!(position(text), None, "{text}");
        }
    }
}
