//! Any text as a FEN: refused, or a position that our board and shakmaty's agree on, with every legal move.

#![no_main]

use libfuzzer_sys::fuzz_target;
use position::{Board, Key, named_position};
use shakmaty::{EnPassantMode, Position as _, fen::Fen, san::San};

fuzz_target!(|text: &str| {
    let named = named_position(Some(text), None);
    let Ok(board) = Board::from_fen(text) else {
        assert!(named.is_err(), "{text}");
        return;
    };
    let position = named.expect(text);
    assert_eq!(board.key(), Key::of(&position), "{text}");
    assert_eq!(board.position().board(), position.board(), "{text}");
    let printed = Fen::from_position(&position, EnPassantMode::PseudoLegal).to_string();
    assert_eq!(Board::from_fen(&printed).map(|board| board.key()).ok(), Some(board.key()), "{text}");
    for mv in position.legal_moves() {
        let (san, mut after, mut board) = (San::from_move(&position, mv), position.clone(), board.clone());
        board.play_san(&san).expect(text);
        after.play_unchecked(mv);
        assert_eq!(board.key(), Key::of(&after), "{san} in {text}");
    }
});
