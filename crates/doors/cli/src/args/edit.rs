//! Arguments of `tabia edit`.

use std::path::PathBuf;

use books::EditOptions;
use clap::Args;
use count::Side;
use shakmaty::Color;

use super::run::{OfBook, Part};

#[derive(Args)]
pub(crate) struct EditArgs {
    /// The book or Polyglot book; it stays as it is
    pub(crate) book: PathBuf,
    /// What is done, in order: "add LINE[: VALUE]", "drop LINE", "weigh LINE: NUMBER", "mark LINE: MARK",
    /// "forbid LINE", "prune unreachable", "rename NAME"
    #[arg(value_name = "EDIT")]
    pub(crate) edits: Vec<String>,
    /// A file of edits, one a line, done before the others; `#` begins a comment
    #[arg(long, value_name = "FILE")]
    pub(crate) script: Option<PathBuf>,
    /// Edit moves of this side only: lines are added with its moves, other moves are refused, and `prune`
    /// follows the moves that it may play
    #[arg(long, value_name = "white|black")]
    pub(crate) color: Option<Side>,
    /// The book to write, of the same format
    #[arg(short, long, value_name = "BOOK", help_heading = "Outputs", required_unless_present = "dry_run")]
    pub(crate) output: Option<PathBuf>,
    /// Do the edits, say what they change, and write nothing
    #[arg(long, help_heading = "Running")]
    pub(crate) dry_run: bool,
    #[command(flatten)]
    pub(crate) run: Part<OfBook>,
}

impl EditArgs {
    /// What is done.
    pub(crate) fn options(&self) -> EditOptions {
        let Self { edits, script, color, .. } = self;
        let color = color.map(|side| Color::from_white(side == Side::White));
        let output = self.output.clone().filter(|_| !self.dry_run);
        EditOptions { edits: edits.clone(), script: script.clone(), color, output }
    }
}
