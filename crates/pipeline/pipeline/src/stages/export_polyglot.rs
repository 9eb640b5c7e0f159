//! `export-polyglot`: writes a book in the format that every engine and GUI reads.

mod by_policy;
mod provenance;
mod weighing;

use std::path::PathBuf;

use book::{
    Book,
    polyglot::{self, ExportOptions, Header, PolyglotStats, Target},
};
use clap::Args;
use output::{Prepared, grouped};
use position::{ExperienceKind, ExperienceRow, Key, PackedMove};
use query::Chooser;
use run::{
    Context, Error, FileFormat, LEFT_OUT_MOVES, LEFT_OUT_POSITIONS, NEVER_PLAYED_MOVES,
    NEVER_PLAYED_POSITIONS, Output, POSTBOOK_POSITIONS, Result, RunError, SettingError, StageError,
    UNREACHED_MOVES, UNREACHED_POSITIONS, UNSCORED_MOVES,
};
use serde::{Deserialize, Serialize};
use stage::{Flow, Inputs, Parallelism, Port, Signature, Stage, StageInputs};

pub use self::weighing::Weighing;

/// Settings of `export-polyglot`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ExportPolyglot {
    /// The Polyglot book to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub output: PathBuf,
    /// How moves are weighted.
    #[command(flatten)]
    #[serde(flatten)]
    pub weighing: Weighing,
}

impl Stage for ExportPolyglot {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Book], Port::File, Parallelism::Sequential)
    }

    fn note(&self) -> String {
        format!("{}, {}", self.output.display(), self.weighing.note())
    }

    fn outputs(&self) -> Vec<Output> {
        FileFormat::Polyglot.at([&self.output])
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        self.weighing.check()
    }

    fn run(&self, context: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let book = Book::open(&StageInputs::new(inputs).take().book()?.path)?;
        if book.stats().edges == 0 && !context.options.allow_empty {
            return Err(RunError::NothingKept(format!("{} holds none", book.path().display())).into());
        }
        context.progress().enter("writing the Polyglot book", 1);
        let chooser = self.weighing.chooser().map_err(StageError::of(name))?;
        let header = self.header(&book)?;
        let (path, existing) = (self.output.as_path(), context.existing());
        let target = Target { path, existing, header: header.as_ref() };
        let (stats, prepared) = match chooser {
            Some(chooser) => self.prepare_by_policy(context, &book, target, &chooser)?,
            None => self.prepare_by_counts(context, &book, target)?,
        };
        if stats.entries == 0 && !context.options.allow_empty {
            return Err(nothing_left(&book, &stats));
        }
        context.progress().shard_done();
        context.prepared(prepared);
        if stats.skipped_zero_key > 0 {
            let moves = stats.skipped_zero_key;
            context.summary().warnings.push(format!(
                "{moves} moves of the position whose key is 0 are left out: a Polyglot book cannot hold that key"
            ));
        }
        Ok(Flow::File)
    }
}

impl ExportPolyglot {
    /// The header of the Polyglot book; `None` if no header was requested.
    fn header(&self, book: &Book) -> Result<Option<Header>> {
        let comment = || provenance::comment(book, &self.weighing.note());
        Ok(self.weighing.header.then(comment).transpose()?.as_deref().map(Header::sealed))
    }

    fn prepare_by_counts(
        &self,
        context: &Context,
        book: &Book,
        target: Target<'_>,
    ) -> Result<(PolyglotStats, Prepared)> {
        let Weighing { weight, counts_only, drop_unscored, learn_field, .. } = self.weighing;
        let left_out = if counts_only { Vec::new() } else { not_to_be_played(context, book)? };
        let threads = context.threads;
        let options = ExportOptions { weight, left_out: &left_out, drop_unscored, learn_field, threads };
        let (stats, prepared) = polyglot::prepare(book, target, options)?;
        let mut said = Vec::new();
        if book.has_experience() && !counts_only {
            said.extend([
                (LEFT_OUT_MOVES, stats.left_out_moves),
                (LEFT_OUT_POSITIONS, stats.left_out_positions),
            ]);
        }
        if drop_unscored {
            said.push((UNSCORED_MOVES, stats.unscored_moves));
        }
        report(context, said);
        Ok((stats, prepared))
    }

    fn prepare_by_policy(
        &self,
        context: &Context,
        book: &Book,
        target: Target<'_>,
        chooser: &Chooser,
    ) -> Result<(PolyglotStats, Prepared)> {
        context.summary().warnings.extend(chooser.ignored(book.has_experience()));
        let how = (chooser, self.weighing.learn_field);
        let by_policy::PolicyBook { stats, unreached_positions, unreached_moves, prepared } =
            by_policy::prepare(context, book, target, how)?;
        report(
            context,
            [
                (NEVER_PLAYED_MOVES, stats.left_out_moves),
                (NEVER_PLAYED_POSITIONS, stats.left_out_positions),
                (POSTBOOK_POSITIONS, stats.positions_beyond),
                (UNREACHED_POSITIONS, unreached_positions),
                (UNREACHED_MOVES, unreached_moves),
            ],
        );
        Ok((stats, prepared))
    }
}

/// Adds numbers about the export to the summary.
fn report(context: &Context, said: impl IntoIterator<Item = (&'static str, u64)>) {
    let mut summary = context.summary();
    for (what, number) in said {
        *summary.exported.entry(what.into()).or_default() += number;
    }
}

/// The error for a Polyglot book that would have no moves.
fn nothing_left(book: &Book, written: &PolyglotStats) -> Error {
    let PolyglotStats { left_out_moves, skipped_zero_key, .. } = written;
    let zero_key = match skipped_zero_key {
        0 => String::new(),
        moves => format!("; in the position with key 0, which a Polyglot book cannot hold: {moves}"),
    };
    let book = book.path().display();
    let moves = grouped(*left_out_moves);
    let why = format!("{book} has no playable moves (moves left out: {moves}{zero_key})");
    RunError::NothingKept(why).into()
}

/// The moves that a book's experience forbids, in ascending order.
///
/// # Memory
///
/// Uses sixteen bytes for each move.
fn not_to_be_played(context: &Context, book: &Book) -> Result<Vec<(Key, PackedMove)>> {
    let mut moves = Vec::new();
    for row in book.experience() {
        context.check_interrupt()?;
        let ExperienceRow { key, mv, kind, experience, .. } = row?;
        if kind == ExperienceKind::Book && !experience.may_be_played() {
            moves.push((key, mv));
        }
    }
    Ok(moves)
}
