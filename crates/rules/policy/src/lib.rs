//! Rules for choosing a book move: the rules of four engines, Polyglot's, and three of our own. All of them
//! choose from the same candidates.
//!
//! A [`Candidate`] is a move along with everything that is known about it, and a [`Situation`] holds the
//! candidates of a position. A [`Policy`] judges a situation and returns a [`Judgement`], which contains the
//! probability of every move, the rule that excluded a move, and all intermediate values by name. The
//! [`CATALOGUE`] lists the policies with their [`Parameter`]s. The crate reads no files, so an engine can use
//! it with any book reader.
//!
//! # Flow
//!
//! 1. [`by_name`] finds a policy in the catalogue and checks its settings.
//! 2. The caller makes a [`Candidate`] for every edge of the book, every other move that leads to a position
//!    in the book, and every PostBook move.
//! 3. [`Policy::judge`] sorts the candidates by move, excludes some, weighs the rest, and turns weights into
//!    probabilities.
//! 4. [`Judgement::pick`] chooses a move with a seeded [`Rng`].
//!
//! # Example
//!
//! ```
//! use policy::{Candidate, Rng, Situation, by_name};
//! use position::{PackedMove, Tally};
//! use shakmaty::{Color, Square};
//!
//! let e4 = PackedMove::new(Square::E2, Square::E4, None);
//! let d4 = PackedMove::new(Square::D2, Square::D4, None);
//! let candidate = |mv, white, draws, black| {
//!     let tally = Tally { white, draws, black };
//!     Candidate { mv, in_book: true, tally, target: Some(tally), ..Candidate::default() }
//! };
//! let candidates = [candidate(d4, 30, 30, 20), candidate(e4, 10, 4, 10)];
//!
//! let policy = by_name("postmodernist", &[("exclusion-factor".into(), "1.5".into())])?;
//! let judgement = policy.judge(&Situation { turn: Color::White, candidates: &candidates });
//! assert_eq!(judgement.of(d4).unwrap().probability, 1.0);
//! assert_eq!(
//!     judgement.of(e4).unwrap().excluded.unwrap().rule,
//!     "wins + draws below exclusion-factor * opponent's wins"
//! );
//! assert_eq!(judgement.pick(&mut Rng::new(7)), Some(d4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bans;
mod bayes;
mod candidate;
mod catalogue;
mod crafty;
mod error;
mod judgement;
mod lokasoft;
mod minimax;
mod parameter;
mod policy;
mod polyglot;
mod postmodernist;
mod results;
mod rng;
mod rule;
mod scores;
mod selection;
mod sheet;
mod shuffled;
mod spec;
mod terra;
mod wilson;

pub use candidate::{Candidate, Situation};
pub use catalogue::{CATALOGUE, by_name, spec};
pub use error::Error;
pub use judgement::{Judgement, MoveJudgement, Reason, draw};
pub use parameter::{Parameter, ParameterKind};
pub use policy::Policy;
pub use rng::Rng;
pub use scores::Scores;
pub use shuffled::Permutation;
pub use spec::{COMMON, Evidence, PolicySpec};

use rule::Rule;
use sheet::Sheet;
