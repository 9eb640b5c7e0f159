//! Promotes PostBook moves to book moves.

use std::{str::FromStr, sync::Arc};

use ::book::{BookEdge, Ratio};
use clap::Args;
use experience::Union;
use learn::search::is_playable;
use position::{ExperienceKind, ExperienceRow, Key, OwnResults, PackedMove, Tally};
use run::{Result, values::number_or_text};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

/// Which PostBook moves become book moves.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[command(next_help_heading = "What the book keeps")]
#[serde(default)]
pub struct Promote {
    /// Also keep moves that the engine played after leaving the book, in at least N of its own games; a move
    /// that is not in the table gets its counts from the engine's own games
    #[arg(long = "promote", value_name = "N")]
    pub promote: Option<u32>,
    /// Promote only moves that score at least S in the engine's own games, 0 to 1
    #[arg(long, value_name = "S", default_value_t = Promote::default().promote_score, requires = "promote")]
    #[serde(with = "number_or_text")]
    pub promote_score: Ratio,
}

impl Default for Promote {
    /// Promotes no move. If moves are to be promoted but no minimum score is set, the minimum is half
    /// of the points.
    fn default() -> Self {
        Self { promote: None, promote_score: Ratio::from_str("0.5").unwrap_or_default() }
    }
}

impl Promote {
    /// The settings, such as `promote=3 promote-score=0.5`; empty if no move is promoted.
    pub(super) fn describe(&self) -> String {
        self.promote
            .map_or_else(String::new, |games| format!("promote={games} promote-score={}", self.promote_score))
    }

    /// Whether a PostBook move has good enough results and a good enough search value to be promoted.
    fn passes(&self, row: &ExperienceRow) -> bool {
        let own = row.experience.own;
        let half_points = 2 * u128::from(own.wins) + u128::from(own.draws);
        row.kind == ExperienceKind::Postbook
            && self.promote.is_some_and(|games| own.games() >= u64::from(games.max(1)))
            && self.promote_score.reached_by(half_points, 2 * u128::from(own.games()))
            && row.experience.eval.is_none_or(is_playable)
    }
}

/// The PostBook moves that are good enough to be promoted, in ascending order.
#[derive(Clone, Default)]
pub(super) struct PostbookMoves {
    moves: Arc<[(Key, PackedMove, OwnResults)]>,
    /// The colour whose moves are promoted; `None` for both.
    color: Option<Color>,
    /// The number of moves whose keys are below the key that was looked up last.
    before: usize,
}

impl PostbookMoves {
    /// Finds the moves to promote in all experience files; reads none of them if no moves are promoted.
    pub(super) fn find(union: &Union, promote: &Promote, color: Option<Color>) -> Result<Self> {
        let mut moves = Vec::new();
        if promote.promote.is_some() {
            for row in union.rows()? {
                let row = row?;
                if promote.passes(&row) {
                    moves.push((row.key, row.mv, row.experience.own));
                }
            }
        }
        Ok(Self { moves: moves.into(), color, before: 0 })
    }

    /// The number of moves.
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether any move from the position `key` is promoted. Successive calls must pass ascending keys.
    pub(super) fn has(&mut self, key: Key) -> bool {
        while let Some((next, ..)) = self.moves.get(self.before) {
            if *next >= key {
                return *next == key;
            }
            self.before += 1;
        }
        false
    }

    /// Adds to `kept` the promoted moves from the position last looked up. The counts of a move are those in
    /// the table or, if the table does not have the move, the results of the engine's own games. Returns the
    /// sum of the tallies of the moves that are not in the table, and the number of moves added.
    pub(super) fn add(&self, turn: Color, counted: &[BookEdge], kept: &mut Vec<BookEdge>) -> (Tally, u64) {
        let (mut games, mut added) = (Tally::default(), 0);
        if self.color.is_some_and(|color| color != turn) {
            return (games, added);
        }
        let left = self.moves.get(self.before..).unwrap_or_default();
        for &(_, mv, own) in left.iter().take_while(|promoted| promoted.0 == left[0].0) {
            if kept.iter().any(|edge| edge.mv == mv) {
                continue;
            }
            let known = counted.iter().find(|edge| edge.mv == mv);
            let tally = known.map_or_else(|| tally_of(own, turn), |edge| edge.tally);
            if known.is_none() {
                games += tally;
            }
            kept.push(BookEdge { mv, tally });
            added += 1;
        }
        kept.sort_unstable_by_key(|edge| edge.mv);
        (games, added)
    }
}

/// Converts the results of the engine's own games to a tally; `turn` is the side that the engine played.
fn tally_of(own: OwnResults, turn: Color) -> Tally {
    let [won, draws, lost] = [own.wins, own.draws, own.losses].map(u64::from);
    Tally { white: turn.fold_wb(won, lost), draws, black: turn.fold_wb(lost, won) }
}
