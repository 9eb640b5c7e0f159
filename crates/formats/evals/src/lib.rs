//! Lists of evaluated positions: each line gives a position, with the values that searches found for it and
//! for its moves.
//!
//! [`LineReader`] reads one line of a list of one [`ListFormat`]; [`expand`] turns the names of files and
//! directories into inputs. The crate `pgn` opens inputs, decompresses them and splits text into lines.
//!
//! # Format
//!
//! There are three forms. The Lichess database, `lichess_db_eval.jsonl`, has one JSON object per line
//! (database.lichess.org, "Evaluations"). Its fields are `fen` (pieces, side to move, castling, en passant)
//! and `evals`, a list of searches. Each search has `pvs`, `knodes` and `depth`. Each of the `pvs` has `cp`
//! or `mate`, and a `line` of moves in UCI notation, with castling as king takes rook or as a king move of
//! two squares. The second form is EPD. Its values are in operations that the PGN standard defines (section
//! 16.2.5), or in the operation `cdb`, which the program cdbdirect prints. The third is comma-separated
//! values with named columns; Parquet files with these columns are read too.
//!
//! # View
//!
//! In the Lichess file, values are from White's point of view. The file's own page does not say so, but two
//! other sources do: Lichess's API, for the same values ("from White's point of view", schema of the external
//! engine's analysis), and the page of Lichess's data set `fishnet-evals`. The published lines confirm it:
//! with Black to move, the first of several values is the lowest. In the other forms, values are from the
//! mover's point of view, as EPD defines `ce`. All values that this crate returns are from the mover's point
//! of view too.
//!
//! # Strictness
//!
//! A line is rejected if it has a field that is not listed above, if a field is missing, or if its position
//! or one of its first moves is not legal. Only the first move of a `line` is read. Other EPD operations are
//! ignored.
//!
//! ```
//! use evals::{LineReader, ListFormat};
//! use position::{PackedMove, Score};
//!
//! let line = r#"{"fen":"8/8/8/8/8/1k6/2p5/K7 b - -","evals":[SEARCH]}"#
//!     .replace("SEARCH", r#"{"pvs":[{"mate":-1,"line":"c2c1q"}],"knodes":2,"depth":9}"#);
//! let mut reader = LineReader::default();
//! reader.read(line.as_bytes(), &ListFormat::of(line.as_bytes())?).map_err(|(why, _)| why.to_string())?;
//! let (mv, found) = reader.found()[0];
//! assert_eq!((mv, found.score), (PackedMove::TERMINAL, Score::Mate(1)));
//! assert_eq!((found.depth, found.nodes), (9, 2000));
//! # Ok::<(), String>(())
//! ```

mod at;
mod csv;
mod epd;
pub mod exp;
mod fen;
mod json;
mod lichess;
mod list_format;
mod number;
mod parquet;
mod printed;
mod reason;
mod text;

use pgn::{
    Error, Result,
    input::{Games, InputList, Unit, WantedFiles, expand_to},
};
use position::{Key, PackedMove, Score};

pub use list_format::ListFormat;
pub use reason::{EvalReason, Refusal};

use self::{at::Position, number::within};

/// At most this many bytes of a faulty text are shown to the user.
const SHOWN_BYTES: usize = 40;

/// The value that a search found.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Evaluation {
    /// The value, from the mover's point of view.
    pub score: Score,
    /// The depth in plies.
    pub depth: u16,
    /// The number of nodes searched, at most [`NODES_MAX`](Self::NODES_MAX).
    pub nodes: u64,
}

impl Evaluation {
    /// The largest number of nodes accepted for a search.
    pub const NODES_MAX: i64 = (1 << 48) - 1;

    /// Returns the sort key; of two evaluations, the one with the larger key is kept. Depths are compared
    /// first, then nodes, then values.
    fn rank(&self) -> impl Ord + use<> {
        (self.depth, self.nodes, self.score.code())
    }
}

/// Reads lines, one after another.
#[derive(Debug, Default)]
pub struct LineReader {
    position: Position,
    /// The evaluations of the position itself (as move 0) and of its moves. The position and each move keep
    /// only the evaluation with the largest `rank`.
    found: Vec<(PackedMove, Evaluation)>,
    lichess: lichess::Searches,
}

impl LineReader {
    /// Reads a line of a list. Returns the key of its position, or `None` if the line has column names
    /// instead of a position.
    ///
    /// # Errors
    ///
    /// Returns the reason why the line is rejected, with the faulty text.
    pub fn read<'l>(
        &mut self,
        line: &'l [u8],
        form: &ListFormat,
    ) -> std::result::Result<Option<Key>, Refusal<'l>> {
        self.found.clear();
        let line = bare(line);
        match form {
            ListFormat::Lichess => self.lichess(line).map(Some),
            ListFormat::Epd => epd::read(self, line).map(Some),
            ListFormat::Csv(columns) => columns.read(self, line),
        }
    }

    /// Reads a line of Lichess's database.
    fn lichess<'l>(&mut self, line: &'l [u8]) -> std::result::Result<Key, Refusal<'l>> {
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

    fn keep(&mut self, mv: PackedMove, evaluation: Evaluation) {
        keep(&mut self.found, mv, evaluation);
    }

    /// Returns the evaluations from the last line that was read: those of its position (as move 0) and of its
    /// moves.
    pub fn found(&self) -> &[(PackedMove, Evaluation)] {
        &self.found
    }
}

/// Adds the evaluation of a move; if the move already has one, the one with the larger `rank` is kept.
fn keep(found: &mut Vec<(PackedMove, Evaluation)>, mv: PackedMove, evaluation: Evaluation) {
    match found.iter_mut().find(|(known, _)| *known == mv) {
        Some((_, known)) if known.rank() < evaluation.rank() => *known = evaluation,
        Some(_) => {}
        None => found.push((mv, evaluation)),
    }
}

/// The text up to a space or a quote.
fn first_word(text: &[u8]) -> &[u8] {
    text.split(|byte| matches!(byte, b' ' | b'"')).next().unwrap_or_default()
}

/// Parses a number of moves to mate, which must not be 0.
fn mate(text: &[u8]) -> std::result::Result<Score, Refusal<'_>> {
    match within(text, Score::MATE_RANGE)? {
        0 => Err((EvalReason::BadNumber, text)),
        mate => Ok(Score::Mate(mate)),
    }
}

/// The beginning of a faulty text, as shown to the user.
fn shown(text: &[u8]) -> &[u8] {
    &text[..text.len().min(SHOWN_BYTES)]
}

/// The text without surrounding whitespace or a byte order mark.
fn bare(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii();
    text.strip_prefix(b"\xEF\xBB\xBF").map_or(text, <[u8]>::trim_ascii_start)
}

/// Converts a Parquet file or the output of cdbdirect to comma-separated values; leaves any other input
/// unchanged.
fn as_text(input: pgn::input::Input) -> Result<pgn::input::Input> {
    printed::as_text(parquet::as_text(input)?)
}

/// Expands names as [`pgn::input::expand`] does, except that a directory stands for all lists of evaluated
/// positions in it, at any depth. A file is such a list if it is named `*.jsonl` (plain or compressed), or if
/// its decompressed content begins like one. A Parquet file or output of cdbdirect must be named directly,
/// and is converted to comma-separated values.
///
/// # Errors
///
/// Fails if a name does not exist, cannot be read, or is a directory without such lists.
pub fn expand(names: &[String]) -> Result<InputList> {
    let begins = |mut lines: Games<'_>| lines.next().is_some_and(|line| ListFormat::of(line.text).is_ok());
    let wanted = WantedFiles { extension: "jsonl", unit: Unit::Lines, begins, none: Error::NoEvals };
    let InputList { inputs, repeated } = expand_to(names, &wanted)?;
    Ok(InputList { inputs: inputs.into_iter().map(as_text).collect::<Result<_>>()?, repeated })
}

#[cfg(test)]
mod tests;
