//! Comma-separated values with named columns; each row has the value of one position or of one move.
//!
//! The position is in the column `fen`, `epd` or `key` (Polyglot's key, sixteen hexadecimal digits). The move
//! is in `uci`, which is empty if the value belongs to the position itself. The value is in `cp` or `mate`,
//! and each row fills in exactly one of them. `depth` is in plies, and `nodes` is the number of nodes. The
//! columns `uci` and `nodes` may be missing. Values are from the mover's point of view. A row with a key must
//! write castling as king takes rook, since a key does not show whether a move is legal.

use position::{Key, PackedMove, Score};

use crate::{EvalReason, Evaluation, LineReader, Refusal, lichess::uci, number::within, shown};

/// The names of the columns.
const NAMES: [&str; 8] = ["fen", "epd", "key", "uci", "cp", "mate", "depth", "nodes"];

/// The columns of a list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Columns {
    header: Vec<u8>,
    /// The name of each column, in order.
    names: Vec<&'static str>,
}

impl Columns {
    /// Reads the columns from the first line of a list; returns `None` if the line contains no known column
    /// name.
    ///
    /// # Errors
    ///
    /// Fails with a message that states which column is wrong, and why.
    pub(crate) fn of(header: &[u8]) -> Option<Result<Self, String>> {
        let words: Vec<_> = fields(header).map(|word| String::from_utf8_lossy(word).to_lowercase()).collect();
        let known = |word: &str| NAMES.into_iter().find(|name| *name == word);
        words.iter().find(|word| known(word).is_some())?;
        let mut names = Vec::new();
        for word in &words {
            match known(word) {
                None => {
                    let names = NAMES.join(", ");
                    return Some(Err(format!(
                        "its column `{word}` is not known; the known ones are {names}"
                    )));
                }
                Some(name) if names.contains(&name) => {
                    return Some(Err(format!("it has two columns named `{word}`")));
                }
                Some(name) => names.push(name),
            }
        }
        let missing = [&["fen", "epd", "key"][..], &["cp", "mate"], &["depth"]];
        let missing = missing.into_iter().find(|some| !some.iter().any(|name| names.contains(name)));
        Some(match missing {
            Some(some) => Err(format!("it has no column `{}`", some.join("` or `"))),
            None => Ok(Self { header: header.to_vec(), names }),
        })
    }

    /// Reads a row into `reader`; returns `None` for a header, which can appear again where lists were
    /// concatenated.
    pub(crate) fn read<'l>(
        &self,
        reader: &mut LineReader,
        line: &'l [u8],
    ) -> Result<Option<Key>, Refusal<'l>> {
        if line == self.header {
            return Ok(None);
        }
        let row: Vec<_> = fields(line).collect();
        if row.len() != self.names.len() {
            return Err((EvalReason::BadText, shown(line)));
        }
        let field = |name| self.names.iter().position(|known| *known == name).map(|at| row[at]);
        let field = |name| field(name).filter(|text| !text.is_empty());
        let score = match (field("cp"), field("mate")) {
            (Some(cp), None) => Score::Cp(within(cp, Score::CP_RANGE)?),
            (None, Some(mate)) => crate::mate(mate)?,
            _ => return Err((EvalReason::MissingField, b"cp")),
        };
        let depth = field("depth").ok_or((EvalReason::MissingField, &b"depth"[..]))?;
        let depth = within(depth, 0..=u16::MAX.into())?;
        let nodes = within(field("nodes").unwrap_or(b"0"), 0..=Evaluation::NODES_MAX)?;
        let fen = field("fen").or_else(|| field("epd"));
        let key = match (fen, field("key")) {
            (Some(fen), _) => reader.position.set(fen)?,
            (None, Some(key)) => parse_key(key).ok_or((EvalReason::BadPosition, shown(key)))?,
            (None, None) => return Err((EvalReason::MissingField, b"fen")),
        };
        let mv = field("uci").map(|text| {
            let mv =
                uci(text).and_then(|mv| if fen.is_some() { reader.position.legal(mv) } else { Some(mv) });
            mv.ok_or((EvalReason::IllegalMove, shown(text)))
        });
        reader.keep(mv.transpose()?.unwrap_or(PackedMove::TERMINAL), Evaluation { score, depth, nodes });
        Ok(Some(key))
    }
}

fn parse_key(text: &[u8]) -> Option<Key> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

/// Splits a row into fields, and removes the quotes around them.
fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut quoted = false;
    let fields = line.split(move |&byte| {
        quoted ^= byte == b'"';
        byte == b',' && !quoted
    });
    fields.map(|field| {
        let field = field.trim_ascii();
        field.strip_prefix(b"\"").and_then(|field| field.strip_suffix(b"\"")).unwrap_or(field).trim_ascii()
    })
}
