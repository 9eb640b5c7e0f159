//! The stages that learn. Most stages in this crate make experience from Crafty's records, an engine's own
//! games, marks in annotated lines, lists of evaluated positions, and the learning files (`.exp`) of current
//! engines. One stage has engines search a book's positions, and another stage backs values up over the book.

#![expect(
    clippy::missing_errors_doc,
    reason = "an error of the pipeline is any error that ends the run: `fault::Error`"
)]

mod banned;
mod evaluation;
mod exp;
mod learn_annotations;
mod learn_crafty;
mod learn_engine;
mod learn_evals;
mod learn_games;
mod lesson_files;
mod minimax;

pub use evals::exp::WrittenLayout as ExpLayout;

pub use self::{
    exp::{ExpFiles, export_exp, learn_exp},
    learn_annotations::{LearnAnnotations, SecondMarks},
    learn_crafty::{LearnCrafty, RecordOptions},
    learn_engine::{LearnEngine, SearchSettings, SearchedBoards},
    learn_evals::LearnEvals,
    learn_games::LearnGames,
    lesson_files::LessonFiles,
    minimax::BackUp,
};
