//! A single walk through a book: moves are chosen at random, one after another, until there is no move to
//! choose from.

use std::{collections::HashMap, sync::Arc};

use policy::{Judgement, Rng, draw};
use position::{Key, PackedMove, Tally};
use serde::Serialize;
use shakmaty::{Chess, Color, Move, Position as _};

use super::share;
use crate::{
    Artefact, KeyProbe, Result, View,
    choose::{Candidates, Chooser},
};

/// The maximum number of positions that a walker caches. A position that is not cached is judged again each
/// time it is visited.
const REMEMBERED: usize = 1 << 16;

/// Why a walk ended.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum End {
    /// The position is a leaf: the artefact has the position, but no moves there.
    Leaf,
    /// The position is not in the artefact.
    OutOfBook,
    /// The artefact has moves in the position, but the policy excludes all of them.
    AllExcluded,
    /// The walk reached the maximum number of plies.
    MaxPly,
    /// Checkmate or stalemate.
    GameOver,
}

impl End {
    /// All reasons, in the order in which they are reported.
    pub const ALL: [End; 5] = [End::Leaf, End::OutOfBook, End::AllExcluded, End::MaxPly, End::GameOver];

    /// The reason in words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            End::Leaf => "last position of the book",
            End::OutOfBook => "position not in the book",
            End::AllExcluded => "every move excluded",
            End::MaxPly => "ply limit",
            End::GameOver => "checkmate or stalemate",
        }
    }
}

/// The policies that choose the moves of the two sides.
#[derive(Clone, Copy, Debug)]
pub struct Choosers<'a> {
    /// The policy of the side to move at the start.
    pub first: &'a Chooser,
    /// The policy of the other side; `None` if both sides have the same policy.
    pub against: Option<&'a Chooser>,
}

impl<'a> Choosers<'a> {
    fn of(self, first: bool) -> &'a Chooser {
        if first { self.first } else { self.against.unwrap_or(self.first) }
    }

    /// Remarks about the policies.
    pub(super) fn remarks(self, artefact: &Artefact) -> Vec<String> {
        let has_experience = artefact.has_experience();
        let choosers = [Some(self.first), self.against].into_iter().flatten();
        choosers.flat_map(|chooser| chooser.remarks(artefact, has_experience)).collect()
    }
}

/// One walk.
pub(super) struct Walk {
    pub(super) steps: Vec<Step>,
    pub(super) end: End,
}

/// One ply.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub(super) mv: PackedMove,
    /// White's score in the position after the move, 0 to 1; `None` if that position has no counts.
    pub(super) score: Option<f64>,
}

/// The moves that may be chosen in a position, without the rest of the policy's judgement.
pub(super) struct Offer {
    /// White's score in the position; `None` if the position has no counts.
    pub(super) score: Option<f64>,
    /// The moves whose chance is above 0.
    chances: Vec<(PackedMove, f64)>,
    /// If no move may be chosen in this position, the reason why a walk ends there.
    end: End,
}

/// Walks through an artefact, and caches the moves that may be chosen in each position.
///
/// # Memory
///
/// A walker caches at most 65,536 positions, which take a few hundred bytes each.
pub(super) struct Walker<'a> {
    artefact: &'a Artefact,
    players: Choosers<'a>,
    start: &'a Chess,
    max_ply: u32,
    /// The side that has no moves in the book and may therefore reply with any move that leads to a position
    /// in the book; `None` if both sides have moves.
    replies_of: Option<Color>,
    remembered: HashMap<Key, Arc<Offer>>,
}

impl<'a> Walker<'a> {
    pub(super) fn new(
        artefact: &'a Artefact,
        players: Choosers<'a>,
        start: &'a Chess,
        max_ply: u32,
        replies_of: Option<Color>,
    ) -> Self {
        Self { artefact, players, start, max_ply, replies_of, remembered: HashMap::new() }
    }

    /// Performs one walk. The cache of positions from earlier walks saves time, but has no influence on the
    /// walk.
    pub(super) fn walk(&mut self, rng: &mut Rng) -> Result<Walk> {
        let mut position = self.start.clone();
        let mut offer = self.offer(&position)?;
        let mut steps = Vec::new();
        loop {
            let drawn = draw(offer.chances.iter().copied(), rng).and_then(|mv| mv.unpack(&position));
            let Some(m) = drawn else { return Ok(Walk { steps, end: offer.end }) };
            if steps.len() as u64 >= u64::from(self.max_ply) {
                return Ok(Walk { steps, end: End::MaxPly });
            }
            position.play_unchecked(m);
            offer = self.offer(&position)?;
            steps.push(Step { mv: PackedMove::pack(m), score: offer.score });
        }
    }

    /// The moves that may be chosen in `position`.
    pub(super) fn offer(&mut self, position: &Chess) -> Result<Arc<Offer>> {
        let key = Key::of(position);
        if let Some(offer) = self.remembered.get(&key) {
            return Ok(Arc::clone(offer));
        }
        let chooser = self.players.of(position.turn() == self.start.turn());
        let (found, judgement) = chooser.judge(&View::of(self.artefact), position)?;
        let mut offer = Offer::new(position, &found, &judgement);
        if found.moves.is_empty() && self.replies_of == Some(position.turn()) {
            offer.chances = replies(self.artefact, position)?;
        }
        let offer = Arc::new(offer);
        if self.remembered.len() < REMEMBERED {
            self.remembered.insert(key, Arc::clone(&offer));
        }
        Ok(offer)
    }
}

impl Offer {
    fn new(position: &Chess, found: &Candidates, judgement: &Judgement) -> Self {
        Self {
            score: found.tally.and_then(|tally| tally.score(Color::White)),
            chances: judgement.chances().collect(),
            end: match found {
                _ if position.is_game_over() => End::GameOver,
                Candidates { moves, .. } if !moves.is_empty() => End::AllExcluded,
                Candidates { known: true, .. } => End::Leaf,
                _ => End::OutOfBook,
            },
        }
    }
}

/// The replies of the side that has no moves in the book. A reply's chance is proportional to the number of
/// games that reached the position after it; in a Polyglot book, which counts no games, all replies are
/// equally likely.
fn replies(artefact: &Artefact, position: &Chess) -> Result<Vec<(PackedMove, f64)>> {
    let games = |found: &KeyProbe| found.tally.map_or(1, Tally::games);
    let replies = crate::replies(artefact, position)?;
    let all = replies.iter().map(|(_, found)| games(found)).sum();
    let chance = |(m, found): (Move, KeyProbe)| (PackedMove::pack(m), share(games(&found), all));
    Ok(replies.into_iter().map(chance).collect())
}
