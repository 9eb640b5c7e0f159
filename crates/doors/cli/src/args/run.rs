//! Flags that mean the same in every command that runs something.

use std::{marker::PhantomData, ops::Deref, path::PathBuf};

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use run::{Limits, MemoryMib};

#[derive(Args, Default)]
#[command(next_help_heading = "Running")]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct RunArgs {
    /// Worker threads [default: one a core]
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Memory for sorting, as 256MiB or 4GiB; past it sorted runs spill to disk
    /// [default: a quarter of the machine's]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<MemoryMib>,
    /// Where sorted runs spill to [default: beside the output]
    #[arg(long, value_name = "DIR")]
    pub(crate) temp_dir: Option<PathBuf>,
    /// Replace outputs that exist
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Fail (exit 1) if another command is writing the same table or experience file [default: wait for it]
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Write what was asked for though nothing counts, or no move is kept
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// If any game was rejected, write nothing but the list of them and fail (exit 1)
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print one summary object to stdout
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw what would be done and stop
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// No progress bar and no summary on stderr
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

impl RunArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            memory_mib: self.memory.map(|memory| memory.0),
            threads: self.threads,
            temp_dir: self.temp_dir.clone(),
        }
    }
}

/// The flags of [`RunArgs`] that mean something to a command.
pub(crate) trait Runs {
    /// The flags that mean nothing to it.
    const WITHOUT: &'static [&'static str];
    /// What `--force` does.
    const FORCE: &'static str = "Replace outputs that exist";
    /// What `--strict` does, unless it is about rejected games.
    const STRICT: Option<&'static str> = None;
    /// What `--memory` is, unless it is for sorting.
    const MEMORY: Option<&'static str> = None;
}

/// A book is made of a table: no game is read, and nothing is changed in its place.
pub(crate) struct OfTable;

impl Runs for OfTable {
    const WITHOUT: &'static [&'static str] = &["strict", "no_wait"];
}

/// A page is made of counts that exist already.
pub(crate) struct OfPage;

impl Runs for OfPage {
    const WITHOUT: &'static [&'static str] = &["strict", "no_wait", "allow_empty"];
}

/// Two artefacts are read, and a file of what differs may be written.
pub(crate) struct OfDiff;

impl Runs for OfDiff {
    const WITHOUT: &'static [&'static str] = &["no_wait", "allow_empty", "strict", "dry_run"];
}

/// Lines are kept in memory.
pub(crate) struct OfLines;

impl Runs for OfLines {
    const WITHOUT: &'static [&'static str] = &["temp_dir", "no_wait", "strict", "dry_run"];
    const MEMORY: Option<&'static str> = Some(MEMORY_OF_LINES);
}

/// Lines are kept in memory, and moves may have no room in the file.
pub(crate) struct OfArena;

impl Runs for OfArena {
    const WITHOUT: &'static [&'static str] = &["temp_dir", "no_wait", "dry_run"];
    const MEMORY: Option<&'static str> = Some(MEMORY_OF_LINES);
    const STRICT: Option<&'static str> =
        Some("If a move that lines lead to has no room, write nothing and fail (exit 1)");
}

/// What `--memory` bounds where nothing spills.
const MEMORY_OF_LINES: &str = "Memory for the lines, as 256MiB or 4GiB; lines that need more are refused [default: a quarter of the machine's]";

/// Games are written to files that no command changes.
pub(crate) struct OfGames;

impl Runs for OfGames {
    const WITHOUT: &'static [&'static str] = &["no_wait"];
}

/// A book is written as text.
pub(crate) struct OfText;

impl Runs for OfText {
    const WITHOUT: &'static [&'static str] = &["strict", "no_wait", "allow_empty", "dry_run"];
}

/// A book is made of a text, a line at a time, or of another one with a few positions changed.
pub(crate) struct OfBook;

impl Runs for OfBook {
    const WITHOUT: &'static [&'static str] =
        &["threads", "memory", "temp_dir", "strict", "no_wait", "dry_run"];
}

/// Tables or books are joined, a row at a time.
pub(crate) struct OfMerge;

impl Runs for OfMerge {
    const WITHOUT: &'static [&'static str] = &["memory", "temp_dir", "allow_empty", "strict", "dry_run"];
    const FORCE: &'static str = "Replace an output that exists, and take sources that several inputs hold";
}

/// A table is changed in its place, by games that are counted first.
pub(crate) struct OfChange;

impl Runs for OfChange {
    const WITHOUT: &'static [&'static str] = &["dry_run"];
    const FORCE: &'static str =
        "Replace a list of rejected games; add: count sources that the table holds again";
}

/// The values of an experience file are changed or written.
pub(crate) struct OfValues;

impl Runs for OfValues {
    const WITHOUT: &'static [&'static str] =
        &["threads", "memory", "temp_dir", "allow_empty", "strict", "dry_run"];
}

/// The settings of a shared count are passed on to the machines that count.
pub(crate) struct SharedCountFlags;

impl Runs for SharedCountFlags {
    const WITHOUT: &'static [&'static str] = &["dry_run"];
}

/// Part files are put together.
pub(crate) struct OfCommit;

impl Runs for OfCommit {
    const WITHOUT: &'static [&'static str] = &["threads", "memory", "temp_dir", "dry_run"];
}

/// The flags of [`RunArgs`] that mean something to a command; the others have their defaults.
pub(crate) struct Part<R> {
    args: RunArgs,
    of: PhantomData<R>,
}

impl<R> Deref for Part<R> {
    type Target = RunArgs;

    fn deref(&self) -> &RunArgs {
        &self.args
    }
}

impl<R: Runs> Args for Part<R> {
    fn augment_args(command: Command) -> Command {
        let all = RunArgs::augment_args(Command::new("all"));
        let is_one = |arg: &&Arg| !R::WITHOUT.contains(&arg.get_id().as_str());
        let named = |arg: Arg| {
            let help = match arg.get_id().as_str() {
                "force" => Some(R::FORCE),
                "memory" => R::MEMORY,
                "strict" => R::STRICT,
                _ => None,
            };
            if let Some(help) = help { arg.help(help) } else { arg }
        };
        command.args(all.get_arguments().filter(is_one).cloned().map(named))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<R> FromArgMatches for Part<R> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut args = Self { args: RunArgs::default(), of: PhantomData };
        args.update_from_arg_matches(matches)?;
        Ok(args)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        // Asking for a flag that the command does not have is an error here; such a flag was not given.
        let flag = |id| matches.try_get_one(id).ok().flatten().copied().unwrap_or(false);
        self.args = RunArgs {
            threads: matches.try_get_one("threads").ok().flatten().copied(),
            memory: matches.try_get_one("memory").ok().flatten().copied(),
            temp_dir: matches.try_get_one("temp_dir").ok().flatten().cloned(),
            force: flag("force"),
            no_wait: flag("no_wait"),
            allow_empty: flag("allow_empty"),
            strict: flag("strict"),
            json: flag("json"),
            dry_run: flag("dry_run"),
            quiet: flag("quiet"),
        };
        Ok(())
    }
}

/// The flag of commands that can go on after a kill.
#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct ResumeArgs {
    /// Record in the folder for sorted runs what is counted, and go on after a kill or Ctrl-C where the same
    /// command ended; it loses what was not spilled, at most --memory
    #[arg(long)]
    pub(crate) resume: bool,
}
