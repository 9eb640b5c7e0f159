//! `tabia edit`.

use std::path::PathBuf;

use books::EditOptions;
use clap::Args;
use count::Side;
use shakmaty::Color;

use crate::{
    args::BookRunArgs,
    execute::run_and_report,
    help::{Short, examples},
};

#[derive(Args)]
#[command(add = Short("output script color skip-done dry-run force"))]
#[command(after_help = examples("\
tabia edit book.tabia \"add e4 c5 Nf3 d6: !\" \"drop d4 f5\" \"forbid g4\" -o new.tabia
tabia edit book.bin \"weigh e4: 40\" \"weigh d4: 60\" \"prune unreachable\" -o new.bin
tabia edit white.tabia --script spring.edits --color white -o new.tabia   one edit per line
tabia edit book.tabia \"drop e4 e5\" --dry-run   shows what would be dropped

docs/edit.md describes what each edit does in either format."))]
pub(crate) struct EditArgs {
    /// The book or Polyglot book to edit; the file itself is not changed
    book: PathBuf,
    /// The edits, in order: "add LINE[: VALUE]", "drop LINE", "weigh LINE: NUMBER", "mark LINE: MARK",
    /// "forbid LINE", "prune unreachable", "rename NAME"
    #[arg(value_name = "EDIT")]
    edits: Vec<String>,
    /// A file of edits to make before those on the command line, one per line; `#` begins a comment
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Edit only this side's moves: `add` leaves out the other side's moves, edits of the other side's moves
    /// are refused, and `prune` does not follow this side's forbidden moves
    #[arg(long, value_name = "white|black")]
    color: Option<Side>,
    /// Skip and count edits that would change nothing; without this flag such an edit is refused
    #[arg(long)]
    skip_done: bool,
    /// The book to write, of the same format
    #[arg(short, long, value_name = "BOOK", help_heading = "Outputs", required_unless_present = "dry_run")]
    output: Option<PathBuf>,
    /// Report what the edits would change, and write nothing
    #[arg(long, help_heading = "Running")]
    dry_run: bool,
    #[command(flatten)]
    run: BookRunArgs,
}

impl EditArgs {
    /// What is done.
    fn options(&self) -> EditOptions {
        let Self { edits, script, color, skip_done, .. } = self;
        let color = color.map(|side| Color::from_white(side == Side::White));
        let output = self.output.clone().filter(|_| !self.dry_run);
        EditOptions { edits: edits.clone(), script: script.clone(), color, skip_done: *skip_done, output }
    }
}

/// `tabia edit`.
pub(crate) fn edit(args: &EditArgs) -> anyhow::Result<()> {
    let options = args.options();
    let edit = |run| books::edit(&args.book, &options, &run);
    run_and_report(&args.run, edit)
}
