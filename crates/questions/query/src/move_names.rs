//! Writes moves in SAN and in UCI notation.

use position::PackedMove;
use shakmaty::{CastlingMode, Chess};

/// A move's SAN (`None` if it is illegal) and its UCI notation; an illegal move is written as Polyglot packs
/// it.
pub(crate) fn move_names(position: &Chess, mv: PackedMove) -> (Option<String>, String) {
    match mv.unpack_with_san(position) {
        None => (None, mv.to_string()),
        Some((m, san)) => (Some(san.to_string()), m.to_uci(CastlingMode::Standard).to_string()),
    }
}
