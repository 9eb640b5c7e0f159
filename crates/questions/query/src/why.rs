//! Where each number of one move of a book came from.

use experience::Known;
use position::{Key, PackedMove, Tally, named_move};
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, san::SanPlus};

use crate::{Artefact, Result, View, known_rows::KnownRows, tally_fields::tally_fields};

/// Everything a book knows of one move, with its sources.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Why {
    /// The move in SAN.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// Games that played it; `None` if the book does not have the move.
    #[serde(flatten, serialize_with = "tally_fields")]
    pub tally: Option<Tally>,
    /// How the counts were made: names of the inputs, and the filters of the book.
    pub counted: CountOrigin,
    /// What is known beyond counts.
    pub known: Vec<Known>,
}

/// Where counts came from.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct CountOrigin {
    /// The inputs.
    pub sources: Vec<String>,
    /// Which moves the book keeps; empty for every move.
    pub keeps: String,
}

/// Explains the move that `text` (SAN or UCI) names in `position`.
///
/// # Errors
///
/// [`Error::NotABook`](crate::Error::NotABook) for other artefacts;
/// [`Error::Position`](crate::Error::Position) if the move is not legal in `position`; if the book
/// cannot be read.
pub fn why(artefact: &Artefact, position: &Chess, text: &str) -> Result<Why> {
    View::of(artefact).why(position, text)
}

impl View<'_> {
    /// Does what [`why`] does, and explains a move by the experience that is in place of the book's own.
    ///
    /// # Errors
    ///
    /// Fails as [`why`] does.
    pub fn why(&self, position: &Chess, text: &str) -> Result<Why> {
        let book = self.artefact.book()?;
        let m = named_move(position, text)?;
        let (key, mv) = (Key::of(position), PackedMove::pack(m));
        let entry = book.probe(key)?;
        let edge = entry.and_then(|entry| entry.edges.into_iter().find(|edge| edge.mv == mv));
        let known = KnownRows::new(self);
        let (rows, sources) = (known.of(key)?, known.sources()?);
        let known = rows.iter().filter(|row| row.mv == mv).map(|row| Known::of(row, &sources)).collect();
        let provenance = book.provenance()?;
        let names = provenance["sources"].as_array().into_iter().flatten();
        Ok(Why {
            san: SanPlus::from_move(position.clone(), m).to_string(),
            uci: m.to_uci(CastlingMode::Standard).to_string(),
            tally: edge.map(|edge| edge.tally),
            counted: CountOrigin {
                sources: names.filter_map(|source| Some(source["name"].as_str()?.to_owned())).collect(),
                keeps: provenance["book"]["keeps"].as_str().unwrap_or_default().to_owned(),
            },
            known,
        })
    }
}
