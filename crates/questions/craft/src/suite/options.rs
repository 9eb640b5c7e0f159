//! Which openings a suite has.

use position::{NamedLine, no_name_of};
use shakmaty::Chess;
use strum::{Display, EnumString, IntoStaticStr, VariantNames};

use crate::{Bounds, Plies};

/// How a suite spreads over ECO codes.
#[derive(Clone, Copy, Debug, Default, Display, EnumString, Eq, IntoStaticStr, PartialEq, VariantNames)]
#[strum(parse_err_fn = no_name_of::<Spread>, parse_err_ty = String, serialize_all = "lowercase")]
pub enum Spread {
    /// Each code in proportion to the games of its positions.
    #[default]
    Games,
    /// Each code as often as any other, while it has positions.
    Even,
    /// Each position as likely as any other.
    Any,
}

impl Spread {
    /// The name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// By [`Spread::name`].
/// Which openings a suite has, and how many.
#[derive(Clone, Debug)]
pub struct SuiteOptions {
    /// How many plies an opening has, from the start position.
    pub plies: Plies,
    /// The fewest games of a position.
    pub min_games: u64,
    /// White's score there, 0 to 1.
    pub score: Option<Bounds>,
    /// The share of draws there, 0 to 1.
    pub draws: Option<Bounds>,
    /// White's advantage in pawns; positions without a known one do not fit then.
    pub eval: Option<Bounds>,
    /// No two openings are within that many plies of a position that both come from.
    pub apart: u16,
    /// How they spread over ECO codes.
    pub spread: Spread,
    /// How many openings at most.
    pub lines: usize,
    /// The seed of the draw.
    pub seed: u64,
    /// The moves that all of them begin with.
    pub start: NamedLine,
}

impl Default for SuiteOptions {
    /// 500 openings of eight plies that five games reached.
    fn default() -> Self {
        Self {
            plies: Plies { first: 8, last: 8 },
            min_games: 5,
            score: None,
            draws: None,
            eval: None,
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
