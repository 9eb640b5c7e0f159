//! The positions that a line of an edit goes through.

use position::{Key, PackedMove, named_line};
use shakmaty::{Chess, Color, Position as _};

/// A move of a line, with the boards before and after it.
#[derive(Clone)]
pub(super) struct Ply {
    pub(super) before: Chess,
    pub(super) after: Chess,
    pub(super) key: Key,
    pub(super) mv: PackedMove,
    pub(super) san: String,
}

impl Ply {
    pub(super) fn turn(&self) -> Color {
        self.before.turn()
    }
}

/// Parses a line into its plies; a line without moves is an error. The text is a list of moves in SAN or UCI
/// notation; if the line does not begin at the start position, a FEN in brackets comes first.
///
/// # Errors
///
/// Fails with the reason why the line cannot be played.
pub(super) fn plies(line: &str) -> Result<Vec<Ply>, String> {
    let (fen, moves) = match line.strip_prefix('[') {
        Some(rest) => {
            let (fen, moves) = rest.split_once(']').ok_or("a `[` without a `]` after the FEN")?;
            (Some(fen.trim()), moves)
        }
        None => (None, line),
    };
    let named = named_line(fen, Some(moves)).map_err(|error| error.to_string())?;
    let (mut plies, mut board) = (Vec::new(), named.start);
    for san in named.moves {
        let before = board.clone();
        let Ok(m) = san.san.to_move(&before) else {
            return Err(format!("`{san}` is not a legal move at that point in the line"));
        };
        board.play_unchecked(m);
        let (key, mv) = (Key::of(&before), PackedMove::pack(m));
        plies.push(Ply { before, after: board.clone(), key, mv, san: san.to_string() });
    }
    if plies.is_empty() { Err("the line has no move".into()) } else { Ok(plies) }
}
