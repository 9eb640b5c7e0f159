//! Options that decide which openings a suite contains.

use std::num::NonZeroU8;

use book::Ratio;
use position::{NamedLine, no_name_of};
use shakmaty::Chess;
use strum::{Display, EnumString, IntoStaticStr, VariantNames};

use super::BoardRules;
use crate::{Bounds, Plies};

/// How the openings of a suite are spread over ECO codes.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq, VariantNames)]
#[strum(parse_err_fn = no_name_of::<Spread>, parse_err_ty = String, serialize_all = "lowercase")]
pub enum Spread {
    /// The number of openings for each code is proportional to the number of games that reached positions
    /// with this code.
    #[default]
    Games,
    /// Each code gets the same number of openings, as long as it has enough positions.
    Even,
    /// Codes are ignored: every position is equally likely to be chosen.
    Any,
}

/// The side whose advantage must be within the range of evaluations.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq, VariantNames)]
#[strum(parse_err_fn = no_name_of::<EvalView>, parse_err_ty = String, serialize_all = "lowercase")]
pub enum EvalView {
    /// White's advantage.
    #[default]
    White,
    /// The advantage of the side to move.
    Mover,
}

/// Options that decide which openings a suite contains, and how many.
#[derive(Clone, Debug)]
pub struct SuiteOptions {
    /// The allowed range of plies in an opening's line, counted from the position where its games start.
    pub plies: Plies,
    /// The minimum number of games that must have reached an opening.
    pub min_games: u64,
    /// The allowed range of White's score in an opening, 0 to 1.
    pub score: Option<Bounds>,
    /// The allowed range of the share of draws in an opening, 0 to 1.
    pub draws: Option<Bounds>,
    /// The allowed range of the advantage, in pawns. If set, positions whose advantage is unknown are left
    /// out.
    pub eval: Option<Bounds>,
    /// Whose advantage `eval` limits.
    pub eval_view: EvalView,
    /// The allowed range for the draw probability, from 0 to 1, that a model computes from the advantage. If
    /// set, positions whose advantage is unknown are left out.
    pub model_draws: Option<Bounds>,
    /// If set, only the most visited positions can be chosen, just enough of them to reach this share of all
    /// visits (from 0 to 1). Other positions can be chosen too if they have as many visits as the least
    /// visited of these positions.
    pub popular: Option<Ratio>,
    /// If set, a line ends after this many consecutive moves that were each played in at most one game.
    pub new_after: Option<NonZeroU8>,
    /// Conditions on the board of an opening.
    pub board: BoardRules,
    /// No two openings may share a position within this many plies of the end of their lines.
    pub apart: u16,
    /// How the openings are spread over ECO codes.
    pub spread: Spread,
    /// The maximum number of openings.
    pub lines: usize,
    /// The seed for picking the openings at random.
    pub seed: u64,
    /// The moves that all openings begin with.
    pub start: NamedLine,
}

impl Default for SuiteOptions {
    /// The default: 500 openings of eight plies, each reached by at least five games.
    fn default() -> Self {
        Self {
            plies: Plies { first: 8, last: 8 },
            min_games: 5,
            score: None,
            draws: None,
            eval: None,
            eval_view: EvalView::default(),
            model_draws: None,
            popular: None,
            new_after: None,
            board: BoardRules::default(),
            apart: 1,
            spread: Spread::default(),
            lines: 500,
            seed: 0,
            start: NamedLine::default(),
        }
    }
}

impl SuiteOptions {
    /// The first position of the walk, and the moves that lead to it from the start position.
    pub(super) fn start_of_lines(&self) -> (Chess, String) {
        let names: Vec<_> = self.start.moves.iter().map(ToString::to_string).collect();
        (self.start.position.clone(), names.join(" "))
    }
}
