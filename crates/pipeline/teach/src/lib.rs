//! The stages that teach: Crafty's records, own games, and marks of annotated lines and lists of evaluated
//! positions become experience.

#![expect(
    clippy::missing_errors_doc,
    reason = "an error of the pipeline is any error that ends the run: `fault::Error`"
)]

mod banned;
mod learn_annotations;
mod learn_crafty;
mod learn_evals;
mod learn_games;

pub use self::{
    learn_annotations::{LearnAnnotations, SecondMarks},
    learn_crafty::{LearnCrafty, RecordOptions},
    learn_evals::LearnEvals,
    learn_games::LearnGames,
};
