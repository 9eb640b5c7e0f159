//! One line, which describes one position.

use std::{cmp::Reverse, collections::HashSet};

use book::polyglot::PolyglotEntry;
use position::{Board, Key, PackedMove};
use serde::{Deserialize, Serialize};
use serde_json::Number;

use super::super::{
    board::fen,
    place::{Place, Side, side_of},
    position_entry::packed_move,
};

/// A position of a Polyglot book as text.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    /// The key of the position: sixteen hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// The FEN. If the line has no key, the key is computed from the FEN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    /// The side to move, for human readers. The file itself does not store it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<Side>,
    /// `false` if the moves are not sorted by weight and should keep the order of the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sorted: Option<bool>,
    #[serde(default)]
    moves: Vec<LineMove>,
}

/// An entry of the book.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct LineMove {
    /// The move, such as `e2e4` or `e7e8q`. Castling is written as king takes own rook. Sixteen bits that do
    /// not encode a move from one square to another are written in hexadecimal, such as `0x8f1c`.
    #[serde(rename = "move")]
    mv: String,
    /// The move in SAN. If the line has a FEN, this must be the SAN of the move above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    san: Option<String>,
    weight: Number,
    /// The learn field; 0 if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    learn: Option<Number>,
    /// `false` if an illegal move is accepted here. Otherwise, the move must be legal if the line has a FEN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    legal: Option<bool>,
    /// `true` if the same move may also appear earlier in the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repeated: Option<bool>,
}

impl Line {
    /// Makes the line for a position. `board` is `None` if the walk did not reach the position.
    pub(super) fn of(key: Key, entries: &[PolyglotEntry], board: Option<&Board>) -> Self {
        let mut seen = HashSet::new();
        let moves = entries.iter().map(|entry| LineMove::of(entry, board, !seen.insert(entry.mv)));
        let is_sorted = entries.is_sorted_by_key(|entry| Reverse(entry.weight));
        Self {
            key: Some(key.to_string()),
            fen: board.map(fen),
            turn: board.map(|board| side_of(board.turn())),
            sorted: (!is_sorted).then_some(false),
            moves: moves.collect(),
        }
    }

    /// Returns the position's key and its entries, in the file's order.
    ///
    /// # Errors
    ///
    /// Fails if the line is not valid; the error says why.
    pub(super) fn entries(&self) -> Result<(Key, Vec<PolyglotEntry>), String> {
        let Place { key, board, .. } = Place::of(self.key.as_deref(), self.fen.as_deref(), self.turn)?;
        let mut seen = HashSet::new();
        let mut entries = Vec::with_capacity(self.moves.len());
        for line in &self.moves {
            let entry = line.entry(key, board.as_ref())?;
            if line.repeated != Some(true) && !seen.insert(entry.mv) {
                let mv = &line.mv;
                return Err(format!(
                    "{mv} occurs twice; if that is intended, give the second entry \"repeated\":true"
                ));
            }
            entries.push(entry);
        }
        if self.sorted != Some(false) {
            entries.sort_by_key(|entry| Reverse(entry.weight));
        }
        Ok((key, entries))
    }
}

impl LineMove {
    fn of(entry: &PolyglotEntry, board: Option<&Board>, is_repeated: bool) -> Self {
        let san = board.and_then(|board| san_of(entry.mv, board));
        Self {
            mv: text_of(entry.mv),
            legal: (board.is_some() && san.is_none()).then_some(false),
            san,
            weight: entry.weight.into(),
            learn: (entry.learn != 0).then(|| entry.learn.into()),
            repeated: is_repeated.then_some(true),
        }
    }

    fn entry(&self, key: Key, board: Option<&Board>) -> Result<PolyglotEntry, String> {
        let Self { mv, weight, learn, .. } = self;
        let wrong = |what, number: &Number, most: u64| {
            format!("the {what} of {mv} must be a whole number from 0 to {most}, not {number}")
        };
        let entry = PolyglotEntry {
            key,
            mv: move_of(mv)?,
            weight: whole(weight).ok_or_else(|| wrong("weight", weight, u16::MAX.into()))?,
            learn: match learn {
                Some(learn) => whole(learn).ok_or_else(|| wrong("learn field", learn, u32::MAX.into()))?,
                None => 0,
            },
        };
        board.map_or(Ok(()), |board| self.check(entry.mv, board))?;
        Ok(entry)
    }

    /// Refuses a SAN that does not match the move, and refuses an illegal move unless the line allows it.
    fn check(&self, mv: PackedMove, board: &Board) -> Result<(), String> {
        let (text, san) = (&self.mv, san_of(mv, board));
        match (&self.san, san) {
            (None, None) if self.legal == Some(false) => Ok(()),
            (_, None) => Err(format!(
                "{text} is not a legal move there (castling is written like e1h1); if it is intended, give it \
                 \"legal\":false and no `san`"
            )),
            (Some(given), Some(san)) if bare(given) != bare(&san) => Err(format!(
                "`san` is {given}, but {text} is {san} in SAN: give both for the same move, or leave out `san`"
            )),
            _ => Ok(()),
        }
    }
}

/// A move's SAN, if it is legal. Castling is recognised even if it is encoded as the king's move of two
/// squares.
fn san_of(mv: PackedMove, board: &Board) -> Option<String> {
    let san = board.san_of(mv).or_else(|| Some(mv.unpack_with_san(&board.position())?.1));
    san.map(|san| san.to_string())
}

/// Converts `number` to a `T`, if it is a whole number within range.
fn whole<T: TryFrom<u64>>(number: &Number) -> Option<T> {
    number.as_u64().and_then(|number| T::try_from(number).ok())
}

/// Removes `+` (check) or `#` (mate) from the end of a SAN.
fn bare(san: &str) -> &str {
    san.trim_end_matches(['+', '#'])
}

/// The move in UCI notation or, if that text would not parse back to the same sixteen bits, the bits in
/// hexadecimal.
fn text_of(mv: PackedMove) -> String {
    let text = mv.to_string();
    if packed_move(&text) == Ok(mv) { text } else { format!("{:#06x}", mv.0) }
}

fn move_of(text: &str) -> Result<PackedMove, String> {
    let bits = text.strip_prefix("0x").filter(|digits| digits.len() == 4);
    match bits.and_then(|digits| u16::from_str_radix(digits, 16).ok()) {
        Some(bits) => Ok(PackedMove(bits)),
        None => packed_move(text),
    }
}
