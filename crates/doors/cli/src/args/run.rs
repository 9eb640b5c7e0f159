//! Flags for running a command, which mean the same in every command that has them.

use std::{ops::Deref, path::PathBuf};

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use run::{Limits, MemoryMib};

#[derive(Args, Default)]
#[command(next_help_heading = "Running")]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct RunArgs {
    /// Worker threads [default: one per core]
    #[arg(short = 'j', long, value_name = "N")]
    pub(crate) threads: Option<usize>,
    /// Memory for sorting, such as 256MiB or 4GiB; when it is full, sorted runs spill to disk [default: a
    /// quarter of the machine's memory]
    #[arg(long, value_name = "SIZE")]
    pub(crate) memory: Option<MemoryMib>,
    /// The folder for sorted runs that spill to disk [default: beside the output]
    #[arg(long, value_name = "DIR")]
    pub(crate) temp_dir: Option<PathBuf>,
    /// Replace existing outputs
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Fail (exit 1) if another command is writing the same table or experience file [default: wait for it]
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Write the outputs even if no game counts or no move is kept
    #[arg(long)]
    pub(crate) allow_empty: bool,
    /// If any game is rejected, write only the list of rejected games and fail (exit 1)
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print the summary to stdout as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print a diagram of what would be done, without doing it
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

/// Each of these bits stands for a flag of [`RunArgs`] that not all commands have.
const THREADS: u8 = 1;
const MEMORY: u8 = 1 << 1;
const TEMP_DIR: u8 = 1 << 2;
const NO_WAIT: u8 = 1 << 3;
const ALLOW_EMPTY: u8 = 1 << 4;
const STRICT: u8 = 1 << 5;
const DRY_RUN: u8 = 1 << 6;

/// The names of the arguments for which the bits stand, lowest bit first.
const NAMES: [&str; 7] = ["threads", "memory", "temp_dir", "no_wait", "allow_empty", "strict", "dry_run"];

/// Flags of commands that make a book from a table. They read no games and change no file in place.
pub(crate) type TableRunArgs = RunArgsWithout<{ STRICT | NO_WAIT }>;
/// Flags of commands that make a page from existing counts.
pub(crate) type PageRunArgs = RunArgsWithout<{ STRICT | NO_WAIT | ALLOW_EMPTY }>;
/// Flags of commands that compare two artefacts and may write their differences to a file.
pub(crate) type DiffRunArgs = RunArgsWithout<{ NO_WAIT | ALLOW_EMPTY | STRICT | DRY_RUN }>;
/// Flags of commands that keep lines in memory.
pub(crate) type LinesRunArgs = RunArgsWithout<{ TEMP_DIR | NO_WAIT | STRICT | DRY_RUN }>;
/// Flags of commands that keep lines in memory and write them to a file that may not have room for all moves.
pub(crate) type ArenaRunArgs = RunArgsWithout<{ TEMP_DIR | NO_WAIT | DRY_RUN }>;
/// Flags of commands that write games to files. They need not wait, since no other command changes such
/// files.
pub(crate) type GamesRunArgs = RunArgsWithout<NO_WAIT>;
/// Flags of commands that write a book as text.
pub(crate) type TextRunArgs = RunArgsWithout<{ STRICT | NO_WAIT | ALLOW_EMPTY | DRY_RUN }>;
/// Flags of commands that import a book from another format, or that copy a book with some changes.
pub(crate) type BookRunArgs = RunArgsWithout<{ THREADS | MEMORY | TEMP_DIR | STRICT | NO_WAIT | DRY_RUN }>;
/// Flags of commands that join tables or books row by row.
pub(crate) type MergeRunArgs = RunArgsWithout<{ MEMORY | TEMP_DIR | ALLOW_EMPTY | STRICT | DRY_RUN }>;
/// Flags of commands that count games and change a table in place. `tabia cluster plan` also has them,
/// because it passes them on to other machines.
pub(crate) type ChangeRunArgs = RunArgsWithout<DRY_RUN>;
/// Flags of commands that change or write the values of an experience file.
pub(crate) type ValuesRunArgs =
    RunArgsWithout<{ THREADS | MEMORY | TEMP_DIR | ALLOW_EMPTY | STRICT | DRY_RUN }>;
/// Flags of commands that let an engine search. There is no `--strict`: if a search fails, the results of the
/// other searches are kept.
pub(crate) type SearchesRunArgs = RunArgsWithout<STRICT>;
/// Flags of commands that convert the records in engines' learning files to values.
pub(crate) type ExpRunArgs = RunArgsWithout<{ THREADS | TEMP_DIR | ALLOW_EMPTY | STRICT | DRY_RUN }>;
/// Flags of commands that keep a book's positions and their values in memory.
pub(crate) type BookValuesRunArgs = RunArgsWithout<{ TEMP_DIR | STRICT | NO_WAIT }>;
/// Flags of commands that combine the exports of shards.
pub(crate) type GatherRunArgs =
    RunArgsWithout<{ THREADS | MEMORY | TEMP_DIR | ALLOW_EMPTY | STRICT | DRY_RUN }>;
/// Flags of commands that combine part files.
pub(crate) type CommitRunArgs = RunArgsWithout<{ THREADS | MEMORY | TEMP_DIR | DRY_RUN }>;

/// The help text of `--memory` for commands that read engines' learning files.
pub(crate) const MEMORY_OF_RECORDS: &str = "Memory for the records of a file, such as 256MiB or 4GiB; a file that needs more is refused [default: a quarter of the machine's memory]";
/// The help text of `--memory` for commands that hold a book in memory.
pub(crate) const MEMORY_OF_BOOK: &str = "Memory for the positions of the book, such as 256MiB or 4GiB; a book that needs more is refused [default: a quarter of the machine's memory]";
/// The help text of `--memory` for commands that hold lines in memory.
pub(crate) const MEMORY_OF_LINES: &str = "Memory for the lines, such as 256MiB or 4GiB; the command fails if the lines need more [default: a quarter of the machine's memory]";

/// Makes a function for `mut_args` that replaces the help text of the argument `name`.
pub(crate) fn with_help(name: &'static str, help: &'static str) -> impl FnMut(Arg) -> Arg {
    move |arg| if arg.get_id() == name { arg.help(help) } else { arg }
}

/// The flags of [`RunArgs`] that a command has: all except those whose bits are set in `FLAGS`. The flags
/// that a command lacks keep their default values.
#[derive(Default)]
pub(crate) struct RunArgsWithout<const FLAGS: u8>(RunArgs);

impl<const FLAGS: u8> Deref for RunArgsWithout<FLAGS> {
    type Target = RunArgs;

    fn deref(&self) -> &RunArgs {
        &self.0
    }
}

impl<const FLAGS: u8> Args for RunArgsWithout<FLAGS> {
    fn augment_args(command: Command) -> Command {
        let all = RunArgs::augment_args(Command::new("all"));
        let bit = |arg: &Arg| NAMES.iter().position(|name| arg.get_id() == name);
        let is_one = |arg: &&Arg| bit(arg).is_none_or(|bit| FLAGS >> bit & 1 == 0);
        command.args(all.get_arguments().filter(is_one).cloned())
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl<const FLAGS: u8> FromArgMatches for RunArgsWithout<FLAGS> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut part = Self::default();
        part.update_from_arg_matches(matches)?;
        Ok(part)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        // `try_get_one` fails for a flag that the command does not have; such a flag counts as not given.
        let flag = |id| matches.try_get_one(id).ok().flatten().copied().unwrap_or(false);
        self.0 = RunArgs {
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

/// The flag of commands that can continue after being killed.
#[derive(Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct ResumeArgs {
    /// Record progress in the folder for sorted runs, so that the same command can continue after being
    /// killed or stopped with Ctrl-C; only rows that were not yet spilled are lost, at most as many as
    /// --memory holds
    #[arg(long)]
    pub(crate) resume: bool,
}
