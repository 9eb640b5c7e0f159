//! Looks up what an artefact has for one position.

use experience::{ExperienceSource, Known};
use position::{ExperienceKind, ExperienceRow, Key, PackedMove, Tally};
use serde::{Serialize, Serializer};
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Fen};

use crate::{
    Artefact, Choice, Chooser, Result, View,
    by_key::{KeyMove, played},
    known_rows::ExperienceOf,
    move_names::move_names,
    tally_fields::tally_fields,
};

/// What an artefact has for a position.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Probe {
    /// What was probed: `the book`, `the table` or `the Polyglot book`.
    pub source: &'static str,
    /// The position.
    pub fen: String,
    /// The position's key.
    #[serde(serialize_with = "as_text")]
    pub key: Key,
    /// Whether the artefact has the position.
    pub found: bool,
    /// The games that reached the position, by result; `None` if the artefact does not have the position, or
    /// is a Polyglot book, which counts no games.
    #[serde(serialize_with = "tally_fields")]
    pub tally: Option<Tally>,
    /// The moves, those with the most games (or the largest weight) first; equal moves are in the order of
    /// their UCI notation.
    pub moves: Vec<ProbedMove>,
    /// What experience has about the position itself, and about moves that are not kept; empty if there is no
    /// experience.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<KnownMove>,
    /// How a policy chooses in the position; `None` if no policy was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
}

/// One move of a position.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ProbedMove {
    /// The move in standard algebraic notation; `None` if the move is not legal in the position (because the
    /// file is damaged, or two positions have the same key).
    pub san: Option<String>,
    /// The move in UCI notation, castling as the king's move; an illegal move is written as Polyglot packs
    /// it.
    pub uci: String,
    /// The games that played the move, by result.
    #[serde(flatten, serialize_with = "tally_fields")]
    pub tally: Option<Tally>,
    /// The score of the side to move, 0 to 1; `None` if there are no games.
    pub score: Option<f64>,
    /// The mean Elo of the players who played the move, over the games in which both ratings are known;
    /// `None` unless the artefact is a table with ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_elo: Option<f64>,
    /// The rating at which these players would be expected to score as they did; `None` unless the artefact
    /// is a table with ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performance: Option<f64>,
    /// The move's weight in a Polyglot book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u16>,
    /// What was learned or set by hand for the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<Known>,
    /// An engine's evaluation of the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<Known>,
    /// The value of the move that minimax backs up from evaluations of later positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimax: Option<Known>,
}

/// What experience has about a position, apart from its kept moves.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct KnownMove {
    /// The move in SAN, or in UCI notation if it is not legal; `None` for the position itself.
    pub mv: Option<String>,
    /// What experience has about it.
    #[serde(flatten)]
    pub known: Known,
}

impl ProbedMove {
    /// The move in SAN, or in UCI notation if it is not legal.
    #[must_use]
    pub fn name(&self) -> &str {
        self.san.as_deref().unwrap_or(&self.uci)
    }
}

/// Looks `position` up in `artefact`.
///
/// A book, a table and a Polyglot book are searched by key. An experience file has no index, so all of it is
/// read for each probe.
///
/// # Errors
///
/// Fails if the artefact cannot be read or is damaged. If the artefact does not have the position, this is
/// not an error.
pub fn probe(artefact: &Artefact, position: &Chess) -> Result<Probe> {
    View::of(artefact).probe(position)
}

impl View<'_> {
    /// Like [`probe`], but with the games and experience of this view.
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
        let known = ExperienceOf::new(self);
        let beyond = add_known(&known.of(key)?, &known.sources()?, position, &mut moves);
        let mut moves: Vec<_> = moves.into_iter().map(|(_, probed)| probed).collect();
        let often = |probed: &ProbedMove| played(probed.weight, probed.tally);
        moves.sort_by(|a, b| often(b).cmp(&often(a)).then_with(|| a.uci.cmp(&b.uci)));
        let fen = Fen::from_position(position, EnPassantMode::Legal).to_string();
        let found = tally.is_some() || !moves.is_empty() || !beyond.is_empty();
        Ok(Probe { source: self.artefact.name(), fen, key, found, tally, moves, beyond, choice: None })
    }

    /// Looks `position` up, and lets `chooser` judge it.
    ///
    /// # Errors
    ///
    /// Fails as [`candidates`](crate::candidates()) does. If the artefact does not have the position, this is
    /// not an error.
    pub fn judged_probe(&self, position: &Chess, chooser: Chooser) -> Result<Probe> {
        let choice = Some(self.judge(position, chooser)?);
        Ok(Probe { choice, ..self.probe(position)? })
    }
}

/// Adds to each move the experience about it. Returns the remaining experience, which is about none of these
/// moves.
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

    /// The field of a kept move that a row of this kind belongs in; `None` if rows of this kind are not about
    /// kept moves.
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
