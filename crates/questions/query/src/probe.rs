//! What an artefact knows of one position.

use experience::{ExperienceSource, Known};
use position::{ExperienceKind, ExperienceRow, Key, PackedMove, Tally};
use serde::{Serialize, Serializer};
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen};

use crate::{
    Artefact, Result, View,
    by_key::{KeyMove, played},
    known_rows::KnownRows,
    move_names::move_names,
    tally_fields::tally_fields,
};

/// What an artefact knows of a position.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Probe {
    /// What was probed: `the book`, `the table` or `the Polyglot book`.
    pub source: &'static str,
    /// The position.
    pub fen: String,
    /// Its key.
    #[serde(serialize_with = "as_text")]
    pub key: Key,
    /// Whether the position is there.
    pub found: bool,
    /// Games that met the position; `None` in a Polyglot book, which does not know.
    #[serde(serialize_with = "tally_fields")]
    pub tally: Option<Tally>,
    /// Its moves: most games (or weight) first, then by move.
    pub moves: Vec<ProbedMove>,
    /// What is known of the position itself, and of moves that are not kept; known in books and experience
    /// files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<KnownMove>,
}

/// One move of a position.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ProbedMove {
    /// The move in standard algebraic notation; `None` if the move is not legal here (a damaged file, or a
    /// collision of keys).
    pub san: Option<String>,
    /// The move in UCI notation, castling as the king's move; an illegal move is written as Polyglot packs
    /// it.
    pub uci: String,
    /// Games by outcome.
    #[serde(flatten, serialize_with = "tally_fields")]
    pub tally: Option<Tally>,
    /// Score of the side to move, 0 to 1.
    pub score: Option<f64>,
    /// Mean Elo of the players who played it, over the games in which both ratings are known; known in tables
    /// with ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_elo: Option<f64>,
    /// The rating at which its players would be expected to score as they did; known in tables with ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performance: Option<f64>,
    /// Polyglot weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u16>,
    /// What is known of it beyond counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
    /// What an engine said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Known>,
    /// What evaluations of later positions are worth for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimax: Option<Known>,
}

/// Knowledge of a position that is about none of its kept moves.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct KnownMove {
    /// The move in SAN, in UCI notation where it is not legal; `None` for the position itself.
    pub mv: Option<String>,
    /// What is known.
    #[serde(flatten)]
    pub known: Known,
}

impl ProbedMove {
    /// The SAN where there is one, else the UCI notation.
    #[must_use]
    pub fn name(&self) -> &str {
        self.san.as_deref().unwrap_or(&self.uci)
    }
}

/// Looks `position` up in `artefact`.
///
/// A book, a table and a Polyglot book are searched by key. An experience file has no index: all of it
/// is read for each probe.
///
/// # Errors
///
/// Fails if the artefact cannot be read or is damaged. A position that is not there is no error.
pub fn probe(artefact: &Artefact, position: &Chess) -> Result<Probe> {
    View::of(artefact).probe(position)
}

impl View<'_> {
    /// Does what [`probe`] does, with what the view knows of `position`.
    ///
    /// # Errors
    ///
    /// Fails as [`probe`] does.
    pub fn probe(&self, position: &Chess) -> Result<Probe> {
        let key = Key::of(position);
        let found = match self.artefact {
            Artefact::Experience(_) => None,
            _ => self.probe_key(key)?.map(|found| found.normalized(position)),
        };
        let (tally, counted) = found.map_or((None, Vec::new()), |found| (found.tally, found.moves));
        let mut moves: Vec<_> =
            counted.iter().map(|counted| (counted.mv, ProbedMove::new(position, counted))).collect();
        let known = KnownRows::new(self);
        let beyond = add_known(&known.of(key)?, &known.sources()?, position, &mut moves);
        let mut moves: Vec<_> = moves.into_iter().map(|(_, probed)| probed).collect();
        let often = |probed: &ProbedMove| played(probed.weight, probed.tally);
        moves.sort_by(|a, b| often(b).cmp(&often(a)).then_with(|| a.uci.cmp(&b.uci)));
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        let found = tally.is_some() || !moves.is_empty() || !beyond.is_empty();
        Ok(Probe { source: self.artefact.name(), fen, key, found, tally, moves, beyond })
    }
}

/// Adds to moves what rows of experience know of them beyond counts; returns the rest of what the rows know.
fn add_known(
    rows: &[ExperienceRow],
    sources: &[ExperienceSource],
    position: &Chess,
    moves: &mut [(PackedMove, ProbedMove)],
) -> Vec<KnownMove> {
    let mut beyond = Vec::new();
    for row in rows {
        let known = Known::of(row, sources);
        let kept = moves.iter_mut().find(|(mv, _)| *mv == row.mv).map(|(_, kept)| kept);
        match kept.and_then(|kept| kept.place_of(row.kind)) {
            Some(place) => *place = Some(known),
            None => beyond.push(KnownMove { mv: name(position, row.mv), known }),
        }
    }
    beyond
}

/// A move's name; `None` for the position itself.
fn name(position: &Chess, mv: PackedMove) -> Option<String> {
    (!mv.is_terminal()).then(|| move_names(position, mv).0.unwrap_or_else(|| mv.to_string()))
}

impl ProbedMove {
    fn new(position: &Chess, counted: &KeyMove) -> Self {
        let KeyMove { mv, tally, average_elo, performance, weight, .. } = *counted;
        let (san, uci) = move_names(position, mv);
        let score = tally.and_then(|tally| tally.score(position.turn()));
        Self {
            san,
            uci,
            tally,
            score,
            average_elo,
            performance,
            weight,
            known: None,
            evaluation: None,
            minimax: None,
        }
    }

    /// Where a row of a kind about a kept move belongs; `None` if it is about no move of the book.
    fn place_of(&mut self, kind: ExperienceKind) -> Option<&mut Option<Known>> {
        match kind {
            ExperienceKind::Book => Some(&mut self.known),
            ExperienceKind::Evaluation => Some(&mut self.evaluation),
            ExperienceKind::Minimax => Some(&mut self.minimax),
            ExperienceKind::Postbook | ExperienceKind::Position | ExperienceKind::Seen => None,
        }
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde calls")]
fn as_text<S: Serializer>(key: &Key, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(key)
}
