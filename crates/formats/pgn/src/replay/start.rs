//! The position that a game starts from, according to its Variant and FEN tags.

use position::{Board, Key, Root};
use shakmaty::{CastlingMode, Chess, fen::Fen};

use super::rejected;
use crate::{
    tags::{TagValue, Tags},
    verdict::{Reason, Verdict},
};

/// The names of variants that follow the rules of chess, from any starting position.
const CHESS: [&str; 6] = ["", "standard", "chess", "normal", "regular", "from position"];

/// The first four fields of the start position's FEN; the move counters do not matter.
const START: [&[u8]; 4] = [b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", b"w", b"KQkq", b"-"];

/// The board that a game starts on: that of its FEN tag or, without such a tag, `start`. `None` if the FEN is
/// not a legal position. The `SetUp` tag is ignored: many files leave it out.
pub(super) fn position(
    tags: &Tags<'_>,
    from_position: bool,
    start: &Board,
) -> Result<Option<Board>, Verdict> {
    check_variant(tags)?;
    let Some(fen) = fen_of(tags) else { return Ok(Some(start.clone())) };
    if from_position {
        let board = Board::from_fen(fen.text().trim()).ok();
        return match board {
            None if is_chess960(&fen.text()) => Err(rejected(Reason::Variant, None, fen.bytes())),
            board => Ok(board),
        };
    }
    Err(rejected(Reason::FromPosition, None, fen.bytes()))
}

/// Returns the root of a game that starts on `board`, or `None` if that is the start position.
pub(super) fn root(board: &Board) -> Option<Root> {
    (board.key() != Key::START).then(|| Root::of(&board.position()))
}

/// Rejects games of variants whose rules differ from those of chess.
pub(super) fn check_variant(tags: &Tags<'_>) -> Result<(), Verdict> {
    let Some(variant) = tags.get("Variant").map(TagValue::bytes) else { return Ok(()) };
    if CHESS.iter().any(|chess| variant.eq_ignore_ascii_case(chess.as_bytes())) {
        return Ok(());
    }
    Err(rejected(Reason::Variant, None, variant))
}

/// The FEN tag; `None` if there is no such tag, or if it gives the start position.
pub(crate) fn fen_of<'t>(tags: &Tags<'t>) -> Option<TagValue<'t>> {
    tags.get("FEN").filter(|fen| !is_start(fen.bytes()))
}

/// The verdict on a game whose FEN is not a legal position.
pub(super) fn no_position(tags: &Tags<'_>) -> Verdict {
    rejected(Reason::InvalidTags, None, fen_of(tags).map_or(&[][..], TagValue::bytes))
}

fn is_start(fen: &[u8]) -> bool {
    let fields = fen.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    fen.is_empty() || fields.take(START.len()).eq(START)
}

/// Whether a FEN that is invalid in standard chess is valid in Chess960, where kings and rooks with castling
/// rights may stand on other squares.
fn is_chess960(fen: &str) -> bool {
    let fen = fen.trim().parse::<Fen>();
    fen.is_ok_and(|fen| fen.into_position::<Chess>(CastlingMode::Chess960).is_ok())
}
