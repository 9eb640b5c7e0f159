//! `export-polyglot`: a book in the format that every engine and GUI reads.

use std::path::PathBuf;

use book::{
    Book,
    polyglot::{self, ExportOptions, PolyglotStats, Weight},
};
use clap::Args;
use learn::experience::may_be_played;
use position::{ExperienceKind, ExperienceRow, Key, PackedMove};
use report::grouped;
use serde::{Deserialize, Serialize};

use crate::{
    Context, Error, Result,
    stage::{Flow, Port, Signature, Spread, Stage, Taken, values::as_text},
    summary::{LEFT_OUT_MOVES, LEFT_OUT_POSITIONS},
};

/// Settings of `export-polyglot`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ExportPolyglot {
    /// The Polyglot book to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub output: PathBuf,
    /// How moves are weighed.
    #[command(flatten)]
    #[serde(flatten)]
    pub weighing: Weighing,
}

/// How the moves of a Polyglot book are weighed.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct Weighing {
    /// Polyglot weight: wins-draws (2 wins + draws), games, score, uniform, or win=2,draw=1,loss=0
    #[arg(long, value_name = "RULE", default_value_t, help_heading = "Outputs")]
    #[serde(with = "as_text")]
    pub weight: Weight,
    /// Weigh by counts alone; else moves that may not be played are left out of the Polyglot book: learned at
    /// -0.80 or below, or value or priority set to 0
    #[arg(long, help_heading = "Outputs")]
    pub counts_only: bool,
}

impl Stage for ExportPolyglot {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Book], Port::File, Spread::Sequential)
    }

    fn note(&self) -> String {
        let counts_only = if self.weighing.counts_only { ", counts only" } else { "" };
        format!("{}, weight {}{counts_only}", self.output.display(), self.weighing.weight)
    }

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.output.clone()]
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let book = Book::open(&Taken::new(inputs).next().book()?.path)?;
        if book.stats().edges == 0 && !context.options.allow_empty {
            return Err(Error::NothingKept { why: format!("{} holds none", book.path().display()) });
        }
        context.progress().enter("writing the Polyglot book", 1);
        let Weighing { weight, counts_only } = self.weighing;
        let left_out = if counts_only { Vec::new() } else { not_to_be_played(context, &book)? };
        let options = ExportOptions { weight, left_out: &left_out, threads: context.threads };
        let (written, prepared) = polyglot::prepare(&book, &self.output, options, context.existing())?;
        if written.entries == 0 && !context.options.allow_empty {
            return Err(nothing_left(&book, &written));
        }
        context.progress().shard_done();
        context.prepared(prepared);
        if written.skipped_zero_key > 0 {
            let moves = written.skipped_zero_key;
            context.summary().warnings.push(format!(
                "{moves} moves of the position whose key is 0 are left out: a Polyglot book cannot hold that key"
            ));
        }
        if book.has_experience() && !counts_only {
            let left_out =
                [(LEFT_OUT_MOVES, written.left_out_moves), (LEFT_OUT_POSITIONS, written.left_out_positions)];
            for (what, number) in left_out {
                *context.summary().exported.entry(what.into()).or_default() += number;
            }
        }
        Ok(Flow::File)
    }
}

/// The error for a Polyglot book that would have no move.
fn nothing_left(book: &Book, written: &PolyglotStats) -> Error {
    let PolyglotStats { left_out_moves, skipped_zero_key, .. } = written;
    let zero_key = match skipped_zero_key {
        0 => String::new(),
        moves => format!("; of the position whose key is 0, which a Polyglot book cannot hold: {moves}"),
    };
    let book = book.path().display();
    let why =
        format!("{book} has no move that may be played (left out: {}{zero_key})", grouped(*left_out_moves));
    Error::NothingKept { why }
}

/// The moves that a book's experience rules out, ascending.
///
/// # Memory
///
/// Sixteen bytes a move.
fn not_to_be_played(context: &Context, book: &Book) -> Result<Vec<(Key, PackedMove)>> {
    let mut moves = Vec::new();
    for row in book.experience() {
        context.check_interrupt()?;
        let ExperienceRow { key, mv, kind, experience, .. } = row?;
        if kind == ExperienceKind::Book && !may_be_played(&experience) {
            moves.push((key, mv));
        }
    }
    Ok(moves)
}
