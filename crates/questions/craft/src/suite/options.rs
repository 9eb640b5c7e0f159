//! Which openings a suite has.

use std::num::NonZeroU8;

use book::Ratio;
use position::{NamedLine, no_name_of};
use shakmaty::Chess;
use strum::{Display, EnumString, IntoStaticStr, VariantNames};

use super::BoardRules;
use crate::{Bounds, Plies};

/// How a suite spreads over ECO codes.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq, VariantNames)]
#[strum(parse_err_fn = no_name_of::<Spread>, parse_err_ty = String, serialize_all = "lowercase")]
pub enum Spread {
    /// Each code has openings in proportion to the games of its positions.
    #[default]
    Games,
    /// Each code has as many openings as any other, while it has positions.
    Even,
    /// Each position is as likely as any other.
    Any,
}

/// Whose advantage an evaluation is.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq, VariantNames)]
#[strum(parse_err_fn = no_name_of::<EvalView>, parse_err_ty = String, serialize_all = "lowercase")]
pub enum EvalView {
    /// White's.
    #[default]
    White,
    /// That of the side to move.
    Mover,
}

/// Which openings a suite has, and how many.
#[derive(Clone, Debug)]
pub struct SuiteOptions {
    /// How many plies an opening has, from where its games start.
    pub plies: Plies,
    /// The fewest games of a position.
    pub min_games: u64,
    /// White's score there, 0 to 1.
    pub score: Option<Bounds>,
    /// The share of draws there, 0 to 1.
    pub draws: Option<Bounds>,
    /// An advantage in pawns; if it is given, positions without a known advantage do not fit.
    pub eval: Option<Bounds>,
    /// Whose advantage that is.
    pub eval_view: EvalView,
    /// The chance of a draw by the advantage, 0 to 1; if it is given, positions without a known advantage do
    /// not fit.
    pub model_draws: Option<Bounds>,
    /// The share of all visits, 0 to 1, that the positions with the most visits have together; the others do
    /// not fit.
    pub popular: Option<Ratio>,
    /// A line ends after that many moves in a row that at most one game had.
    pub new_after: Option<NonZeroU8>,
    /// What the board must be.
    pub board: BoardRules,
    /// No two openings are within that many plies of a position that both come from.
    pub apart: u16,
    /// How openings spread over ECO codes.
    pub spread: Spread,
    /// The most openings.
    pub lines: usize,
    /// The seed of the draw.
    pub seed: u64,
    /// The moves that all of them begin with.
    pub start: NamedLine,
}

impl Default for SuiteOptions {
    /// The default: 500 openings of eight plies that five games reached.
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
    /// The first position of the walk, and the moves that lead there.
    pub(super) fn start_of_lines(&self) -> (Chess, String) {
        let names: Vec<_> = self.start.moves.iter().map(ToString::to_string).collect();
        (self.start.position.clone(), names.join(" "))
    }
}
