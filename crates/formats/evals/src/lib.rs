//! Lists of evaluated positions: each line is a position with the values that searches gave to it and to its
//! moves.
//!
//! [`LineReader`] reads one line; [`expand`] turns names into inputs, and [`begins`] says whether a text is
//! such a list. Opening, unpacking and cutting text into lines is `pgn`'s.
//!
//! # Format
//!
//! The database of Lichess, `lichess_db_eval.jsonl`: one JSON object a line, `fen` (pieces, side, castling,
//! en passant) and `evals`, each with `pvs` (`cp` or `mate`, and `line` in UCI, castling as king takes rook
//! or as the king's two squares), `knodes` and `depth` (database.lichess.org, "Evaluations").
//!
//! # View
//!
//! In Lichess's file values are from White's view. Its page does not say so, but Lichess's API does of the
//! same values ("from White's point of view", schema of the external engine's analysis), and so does the page
//! of Lichess's data set `fishnet-evals`; in published lines with Black to move the first of several values is
//! the lowest. Here all values are from the mover's view.
//!
//! # Strictness
//!
//! A line with a field that is not listed above, or without one of them, is rejected, as is one whose position
//! or whose first moves are not legal. Moves after the first of a `line` are not read.
//!
//! ```
//! use evals::LineReader;
//! use position::{PackedMove, Score};
//!
//! let line = br#"{"fen":"8/8/8/8/8/k7/7r/K7 b - -","evals":[{"pvs":[{"mate":-1,"line":"h2h1"}],"knodes":2,"depth":9}]}"#;
//! let mut reader = LineReader::default();
//! let key = reader.read(line).unwrap();
//! let (mv, found) = reader.found()[0];
//! assert_eq!((mv, found.score), (PackedMove::TERMINAL, Score::Mate(1)));
//! assert_eq!((key.0, found.depth, found.nodes), (0x77bc_53a9_a8ac_4f1c, 9, 2000));
//! ```

mod at;
mod json;
mod lichess;
mod reason;

use pgn::{
    Error, Result,
    input::{Games, InputList, Unit, WantedFiles, expand_to},
};
use position::{Key, PackedMove, Score};

pub use reason::{EvalReason, Refusal};

use self::at::Position;

/// How much of a text at fault is shown.
const SHOWN_BYTES: usize = 40;

/// The value that a search gave.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Evaluation {
    /// The value, from the mover's view.
    pub score: Score,
    /// The depth in plies.
    pub depth: u16,
    /// The nodes, below [`NODES_END`](Self::NODES_END).
    pub nodes: u64,
}

impl Evaluation {
    /// More nodes than a search is believed to have.
    pub const NODES_END: u64 = 1 << 48;

    /// What is larger the better the evaluation is founded: the depth, then the nodes. Of equal ones the
    /// higher value counts.
    fn rank(&self) -> impl Ord + use<> {
        (self.depth, self.nodes, self.score.code())
    }
}

/// Reads lines, one after another.
#[derive(Debug, Default)]
pub struct LineReader {
    position: Position,
    /// The values of the position itself (move 0) and of its moves, the best founded of each.
    found: Vec<(PackedMove, Evaluation)>,
    lichess: lichess::Searches,
}

impl LineReader {
    /// Reads a line. Returns the key of its position.
    ///
    /// # Errors
    ///
    /// The reason why it is rejected, with the text at fault.
    pub fn read<'l>(&mut self, line: &'l [u8]) -> std::result::Result<Key, Refusal<'l>> {
        self.found.clear();
        let line = bare(line);
        let fen = self.lichess.read(line)?;
        let key = self.position.set(fen)?;
        let view = self.position.white_to_move();
        for (eval, pvs) in self.lichess.each() {
            for (number, &(mv, text, score)) in pvs.iter().enumerate() {
                let Some(mv) = self.position.legal(mv) else {
                    let text = &line[text..line.len().min(text + lichess::MOVE_BYTES_MAX)];
                    return Err((EvalReason::IllegalMove, first_word(text)));
                };
                let score = if view { score } else { score.negated() };
                let evaluation = Evaluation { score, depth: eval.depth, nodes: eval.nodes };
                if number == 0 {
                    keep(&mut self.found, PackedMove::TERMINAL, evaluation);
                }
                keep(&mut self.found, mv, evaluation);
            }
        }
        Ok(key)
    }

    /// What the last line says of its position (move 0) and of its moves.
    #[must_use]
    pub fn found(&self) -> &[(PackedMove, Evaluation)] {
        &self.found
    }
}

/// Keeps the better founded evaluation of a move.
fn keep(found: &mut Vec<(PackedMove, Evaluation)>, mv: PackedMove, evaluation: Evaluation) {
    match found.iter_mut().find(|(known, _)| *known == mv) {
        Some((_, known)) if known.rank() < evaluation.rank() => *known = evaluation,
        Some(_) => {}
        None => found.push((mv, evaluation)),
    }
}

/// The text up to a blank or a quote.
fn first_word(text: &[u8]) -> &[u8] {
    text.split(|byte| matches!(byte, b' ' | b'"')).next().unwrap_or_default()
}

/// Whether a text begins as a list of evaluated positions.
#[must_use]
pub fn begins(text: &[u8]) -> bool {
    bare(text).starts_with(b"{")
}

/// The error for an input whose text does not begin as such a list.
#[must_use]
pub fn stranger(name: &str, text: &[u8]) -> Error {
    let line = bare(text).split(|&byte| byte == b'\n').next().unwrap_or_default();
    let begins = String::from_utf8_lossy(&line[..line.len().min(SHOWN_BYTES)]).into_owned();
    Error::NotEvals { name: name.to_owned(), begins }
}

/// A text without the blanks around it and without a byte order mark.
fn bare(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii();
    text.strip_prefix(b"\xEF\xBB\xBF").map_or(text, <[u8]>::trim_ascii_start)
}

/// Expands names as [`pgn::input::expand`] does, but a directory is every file in it, at any depth, that is
/// named `*.jsonl` (plain or packed) or begins as a list of evaluated positions once unpacked.
///
/// # Errors
///
/// Fails if a name is not there, cannot be read, or is a directory without such lists.
pub fn expand(names: &[String]) -> Result<InputList> {
    let begins = |mut lines: Games<'_>| lines.next().is_some_and(|line| begins(line.text));
    expand_to(names, &WantedFiles { extension: "jsonl", unit: Unit::Lines, begins, none: Error::NoEvals })
}

#[cfg(test)]
mod tests;
