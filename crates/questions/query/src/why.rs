//! Explains where a book gets its numbers for a move.

use experience::KnownExperience;
use position::{Key, PackedMove, Tally, named_move};
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, san::SanPlus};

use crate::{Artefact, Result, View, known_rows::ExperienceOf, tally_fields::tally_fields};

/// Everything that a book stores about one move, and where this data came from.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Why {
    /// The move in SAN.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
    /// The games in which the move was played, by result; `None` if the book does not have the move.
    #[serde(flatten, serialize_with = "tally_fields")]
    pub tally: Option<Tally>,
    /// The origin of the counts: the names of the inputs, and a description of the moves that the book keeps.
    pub counted: CountOrigin,
    /// The values that were learned or set by hand for the move.
    pub known: Vec<KnownExperience>,
}

/// Where the counts of a book came from.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct CountOrigin {
    /// The names of the inputs.
    pub sources: Vec<String>,
    /// A description of the moves that the book keeps; empty if it keeps all moves.
    pub keeps: String,
}

/// Explains a move in `position`; `text` is the move in SAN or UCI notation.
///
/// # Errors
///
/// Fails with [`Error::WrongKind`](crate::Error::WrongKind) if the artefact is not a book, and with
/// [`Error::Position`](crate::Error::Position) if the move is not legal in `position`. Also fails if the book
/// cannot be read.
pub fn why(artefact: &Artefact, position: &Chess, text: &str) -> Result<Why> {
    View::of(artefact).why(position, text)
}

impl View<'_> {
    /// Like [`why`], but uses the experience that the caller gave to this view, if any, in place of the
    /// book's own experience.
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
        let known = ExperienceOf::new(self);
        let (rows, sources) = (known.of(key)?, known.sources()?);
        let known =
            rows.iter().filter(|row| row.mv == mv).map(|row| KnownExperience::of(row, &sources)).collect();
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
