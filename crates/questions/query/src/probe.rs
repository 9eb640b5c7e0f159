//! Looks up one position in an artefact.

use experience::{ExperienceSource, KnownExperience};
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

/// The data that an artefact has for a position.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct Probe {
    /// The kind of artefact that was queried, such as `the book`, `the table` or `the Polyglot book`.
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
    /// The moves, in descending order of their number of games or, in a Polyglot book, of their weight. Ties
    /// are broken by UCI notation.
    pub moves: Vec<ProbedMove>,
    /// Experience that does not belong to any move in `moves`: experience of the position itself, or of moves
    /// that are not kept. Empty if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<KnownMove>,
    /// How a policy chooses in this position; `None` if no policy was consulted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
}

/// One move of a position.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct ProbedMove {
    /// The move in standard algebraic notation; `None` if it is illegal in this position (because the file is
    /// damaged, or because two positions have the same key).
    pub san: Option<String>,
    /// The move in UCI notation, with castling as a king's move; an illegal move is written as Polyglot packs
    /// it.
    pub uci: String,
    /// The games in which the move was played, by result.
    #[serde(flatten, serialize_with = "tally_fields")]
    pub tally: Option<Tally>,
    /// The score of the side that played the move, 0 to 1; `None` if there are no games.
    pub score: Option<f64>,
    /// The mean Elo of the players who played the move, over the games in which both ratings are known;
    /// `None` unless the artefact is a table with ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub average_elo: Option<f64>,
    /// The players' performance rating, that is, the rating with which their expected score against their
    /// opponents would equal their actual score; `None` unless the artefact is a table with ratings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performance: Option<f64>,
    /// The move's weight in a Polyglot book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u16>,
    /// The values that were learned or set by hand for the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<KnownExperience>,
    /// An engine's evaluation of the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<KnownExperience>,
    /// The move's value, which minimax backs up from evaluations of later positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub minimax: Option<KnownExperience>,
}

/// Experience that has no field in a [`ProbedMove`], such as experience about a position itself or about a
/// move that is not kept.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct KnownMove {
    /// The move in SAN, or in UCI notation if it is illegal; `None` for the position itself.
    pub mv: Option<String>,
    /// The experience for this move or position.
    #[serde(flatten)]
    pub known: KnownExperience,
}

impl ProbedMove {
    /// The move in SAN, or in UCI notation if it is illegal.
    #[must_use]
    pub fn name(&self) -> &str {
        self.san.as_deref().unwrap_or(&self.uci)
    }
}

/// Looks `position` up in `artefact`.
///
/// Books, tables and Polyglot books are searched by key. An experience file has no index, so every probe
/// reads all of it.
///
/// # Errors
///
/// Fails if the artefact cannot be read or is damaged. It is not an error if the artefact does not have the
/// position.
pub fn probe(artefact: &Artefact, position: &Chess) -> Result<Probe> {
    View::of(artefact).probe(position)
}

impl View<'_> {
    /// Like [`probe`], but with this view's games and experience.
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

    /// Looks `position` up and has `chooser` judge it.
    ///
    /// # Errors
    ///
    /// Fails as [`candidates`](crate::candidates()) does. It is not an error if the artefact does not have
    /// the position.
    pub fn judged_probe(&self, position: &Chess, chooser: Chooser) -> Result<Probe> {
        let choice = Some(self.judge(position, chooser)?);
        Ok(Probe { choice, ..self.probe(position)? })
    }
}

/// Adds to each move the experience for that move. Returns the experience that was not added, because it is
/// for the position itself or for a move that is not in `moves`, or because its kind has no field in
/// [`ProbedMove`].
fn add_known(
    rows: &[ExperienceRow],
    sources: &[ExperienceSource],
    position: &Chess,
    moves: &mut [(PackedMove, ProbedMove)],
) -> Vec<KnownMove> {
    let mut beyond = Vec::new();
    for row in rows {
        let known = KnownExperience::of(row, sources);
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

    /// Returns the field that holds experience of this kind; `None` if this type has no field for the kind.
    fn place_of(&mut self, kind: ExperienceKind) -> Option<&mut Option<KnownExperience>> {
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
