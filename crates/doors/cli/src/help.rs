//! The short help (`-h`) of each command: the flags that people use most, and examples. `--help` shows all
//! flags.

mod words;

use clap::{
    Arg, ArgMatches, Args, Command, Error, FromArgMatches, Subcommand,
    builder::{CommandExt, Resettable},
};

use self::words::with_words;

/// The flags that `-h` lists for a command, separated by spaces. Arguments without a flag are always listed.
#[derive(Clone, Debug)]
pub(crate) struct Short(pub(crate) &'static str);

impl CommandExt for Short {}

/// Formats the text that follows a command's flags: its examples and, after an empty line, a note. Each
/// example is one line: a command, optionally followed by three or more spaces and an explanation.
pub(crate) fn examples(text: &str) -> String {
    let (lines, note) = text.split_once("\n\n").unwrap_or((text, ""));
    let lines: Vec<_> = lines.lines().map(|line| line.split_once("   ").unwrap_or((line, ""))).collect();
    let explained = lines.iter().filter(|(_, what)| !what.is_empty());
    let width = explained.map(|(command, _)| command.len()).max().unwrap_or(0);
    let line = |(command, what)| format!("\n  {}", format!("{command:width$}   {what}").trim_end());
    let lines: String = lines.into_iter().map(line).collect();
    let note = if note.is_empty() { String::new() } else { format!("\n\n{note}") };
    format!("Examples:{lines}{note}")
}

/// Returns the command lines of a command's examples, without the explanations.
pub(crate) fn examples_of(command: &Command) -> Vec<String> {
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines = after.lines().skip(1).map_while(|line| line.strip_prefix("  "));
    lines.map(|line| line.split_once("   ").map_or(line, |(example, _)| example).to_owned()).collect()
}

/// The arguments of a command, or the commands below it, with short help and shell completion. They are not
/// defined until the command is used, because many commands run for less time than it takes to define all of
/// them.
pub(crate) struct LazyArgs<T>(pub(crate) T);

impl<T: Args> Args for LazyArgs<T> {
    fn augment_args(command: Command) -> Command {
        command.defer(|command| defined(command, T::augment_args))
    }

    fn augment_args_for_update(command: Command) -> Command {
        command.defer(|command| defined(command, T::augment_args_for_update))
    }
}

impl<T: Subcommand> Subcommand for LazyArgs<T> {
    fn augment_subcommands(command: Command) -> Command {
        command.defer(|command| defined(command, T::augment_subcommands))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        command.defer(|command| defined(command, T::augment_subcommands_for_update))
    }

    fn has_subcommand(name: &str) -> bool {
        T::has_subcommand(name)
    }
}

impl<T: FromArgMatches> FromArgMatches for LazyArgs<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        T::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// Defines a command whose description is known already.
fn defined(command: Command, define: impl Fn(Command) -> Command) -> Command {
    let about = Resettable::from(command.get_about().cloned());
    let long_about = Resettable::from(command.get_long_about().cloned());
    // The description is set again because the comment on a group of flags may have replaced it.
    shortened(define(command).about(about).long_about(long_about))
}

/// Adds the short help and shell completion to `command` and all commands below it.
fn shortened(command: Command) -> Command {
    let short = command.get().map_or("", |&Short(flags)| flags);
    let hide = |arg: Arg| {
        let is_short = arg.get_long().is_some_and(|long| short.split(' ').any(|flag| flag == long));
        let is_shown = arg.is_positional() || is_short;
        with_words(if is_shown { arg } else { arg.hide_short_help(true) })
    };
    command.mut_args(hide).mut_subcommands(shortened)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::command;

    /// The command line with all commands defined.
    fn all_defined() -> Command {
        let mut command = command().disable_help_subcommand(true);
        command.build();
        command
    }

    /// Adds `command`, whose full name is `name`, and all commands below it to `found`, each with its full
    /// name.
    fn all<'c>(command: &'c Command, name: &str, found: &mut Vec<(String, &'c Command)>) {
        found.push((name.to_owned(), command));
        command
            .get_subcommands()
            .for_each(|below| all(below, &format!("{name} {}", below.get_name()), found));
    }

    #[test]
    fn every_command_has_examples() {
        let (root, mut commands) = (all_defined(), Vec::new());
        all(&root, "tabia", &mut commands);
        let leaves: Vec<_> = commands.iter().filter(|(_, command)| !command.has_subcommands()).collect();
        assert!(leaves.len() > 30, "{}", leaves.len());
        let without: Vec<_> = leaves
            .iter()
            .filter(|(_, command)| examples_of(command).is_empty())
            .map(|(name, _)| name)
            .collect();
        assert!(without.is_empty(), "{without:?}");
    }

    /// Parses every example as a command line.
    #[test]
    fn every_example_is_read() {
        let (root, mut commands) = (all_defined(), Vec::new());
        all(&root, "tabia", &mut commands);
        for (name, below) in commands {
            for line in examples_of(below) {
                let end = [" > ", " < ", " | "].into_iter().filter_map(|end| line.find(end)).min();
                let words = line[..end.unwrap_or(line.len())].replace("$(sed -n 2p plan.jsonl)", "{}");
                let read = command().try_get_matches_from(shlex::split(&words).unwrap());
                assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
                assert!(line.starts_with("tabia"), "{name}: {line}");
            }
        }
    }

    #[test]
    fn short_helps_name_flags_that_there_are_and_are_short() {
        let (root, mut commands) = (all_defined(), Vec::new());
        all(&root, "tabia", &mut commands);
        let mut shown = 0;
        for (name, below) in commands {
            let flags = below.get().map_or("", |&Short(flags)| flags);
            for flag in flags.split_whitespace() {
                let found = below.get_arguments().any(|arg| arg.get_long() == Some(flag));
                assert!(found, "{name}: --{flag}");
                shown += 1;
            }
            assert!(flags.split(' ').count() <= 13, "{name}");
            let help = below.clone().render_help().to_string();
            assert!(help.lines().count() < 60 || name == "tabia", "{name}:\n{help}");
        }
        assert!(shown > 100, "{shown}");
    }

    #[test]
    fn examples_are_aligned_and_have_a_note_below() {
        let text = "tabia build a.pgn -o a.tabia   a book\ntabia info a.tabia\n\nMore is elsewhere.";
        let shown =
            "Examples:\n  tabia build a.pgn -o a.tabia   a book\n  tabia info a.tabia\n\nMore is elsewhere.";
        assert_eq!(examples(text), shown);
        let command = Command::new("tabia").after_help(examples(text));
        assert_eq!(examples_of(&command), ["tabia build a.pgn -o a.tabia", "tabia info a.tabia"]);
    }
}
