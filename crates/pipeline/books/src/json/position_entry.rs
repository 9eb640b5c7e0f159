//! One line, which describes one position.

use book::{BookEdge, PositionEntry};
use position::{Board, ExperienceRow, Key, PackedMove, Tally};
use serde::{Deserialize, Serialize};
use shakmaty::{Color, Role, Square};

use super::{
    board::fen,
    experience_text::MoveKnowledge,
    place::{Place, Side, side_of},
};

/// A position of a book as text.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    /// The key of the position: sixteen hexadecimal digits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// The FEN, for human readers. If the line has no key, the key is computed from the FEN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    /// The side to move: `white` or `black`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    turn: Option<Side>,
    /// How many games White won, drew and lost; absent if only experience is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tally: Option<[u64; 3]>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    moves: Vec<LineMove>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    experience: Vec<MoveKnowledge>,
}

/// A kept move.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct LineMove {
    /// The move, such as `e2e4` or `e7e8q`; castling is written as king takes own rook.
    #[serde(rename = "move")]
    mv: String,
    /// The move in SAN, for human readers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    san: Option<String>,
    tally: [u64; 3],
}

/// The contents of a line that has been checked.
pub(super) struct LineMeaning {
    /// The book's entry for the position; `None` if the line contains only experience.
    pub(super) entry: Option<PositionEntry>,
    pub(super) rows: Vec<ExperienceRow>,
}

fn counts(tally: Tally) -> [u64; 3] {
    [tally.white, tally.draws, tally.black]
}

fn tally([white, draws, black]: [u64; 3]) -> Tally {
    Tally { white, draws, black }
}

impl Line {
    /// Makes the line for an entry. `board` is `None` if the walk did not reach the entry's position.
    pub(super) fn of_entry(entry: &PositionEntry, board: Option<&Board>) -> Self {
        let named = |edge: &BookEdge| LineMove {
            mv: edge.mv.to_string(),
            san: board.and_then(|board| board.san_of(edge.mv)).map(|san| san.to_string()),
            tally: counts(edge.tally),
        };
        Self {
            key: Some(entry.key.to_string()),
            fen: board.map(fen),
            turn: Some(side_of(entry.turn)),
            tally: Some(counts(entry.tally)),
            moves: entry.edges.iter().map(named).collect(),
            experience: Vec::new(),
        }
    }

    /// The line for a position that has no entry.
    pub(super) fn of_key(key: Key) -> Self {
        Self { key: Some(key.to_string()), ..Self::default() }
    }

    pub(super) fn add_experience(&mut self, row: &ExperienceRow) {
        self.experience.push(MoveKnowledge::of(row));
    }

    /// Checks the line and returns its key and contents; `sources` is the number of sources of experience.
    ///
    /// # Errors
    ///
    /// Fails if the line is not valid; the error says why.
    pub(super) fn meant(self, sources: usize) -> Result<(Key, LineMeaning), String> {
        let Place { key, turn, .. } = Place::of(self.key.as_deref(), self.fen.as_deref(), self.turn)?;
        let entry = match self.tally {
            Some(counts) => {
                let turn = turn.ok_or("a tally without `turn`: \"white\" or \"black\"")?;
                let edges = self.moves.iter().map(edge).collect::<Result<_, _>>()?;
                let turn = Color::from_white(turn == Side::White);
                Some(PositionEntry { key, turn, tally: tally(counts), edges })
            }
            None if !self.moves.is_empty() => {
                return Err("moves without the `tally` of their position".into());
            }
            None if self.experience.is_empty() => return Err("neither a `tally` nor `experience`".into()),
            None => None,
        };
        let rows = self.experience.into_iter().map(|known| known.row(key, sources));
        let rows = rows.collect::<Result<Vec<_>, _>>()?;
        if !rows.is_sorted_by(|a, b| a.id() < b.id()) {
            return Err("`experience` that does not ascend by move and kind".into());
        }
        Ok((key, LineMeaning { entry, rows }))
    }
}

fn edge(line: &LineMove) -> Result<BookEdge, String> {
    Ok(BookEdge { mv: packed_move(&line.mv)?, tally: tally(line.tally) })
}

/// Parses a move in the notation that the lines use.
pub(super) fn packed_move(text: &str) -> Result<PackedMove, String> {
    if text == PackedMove::TERMINAL.to_string() {
        return Ok(PackedMove::TERMINAL);
    }
    let square = |from: usize| Square::from_ascii(text.as_bytes().get(from..from + 2)?).ok();
    let promotion = match text.as_bytes().get(4..) {
        Some([]) => Some(None),
        Some([letter @ (b'n' | b'b' | b'r' | b'q')]) => Some(Role::from_char(char::from(*letter))),
        _ => None,
    };
    let parts = square(0).zip(square(2)).zip(promotion);
    let wrong = || {
        format!(
            "{text:?} is not a move such as e2e4 or e7e8q (castling is written as the king taking its own rook)"
        )
    };
    parts.map(|((from, to), promotion)| PackedMove::new(from, to, promotion)).ok_or_else(wrong)
}
