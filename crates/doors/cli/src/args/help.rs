//! What `-h` shows of each command: the flags that people use most, and examples. `--help` shows all flags.

mod catalogue;
mod words;

use clap::{Arg, Command, CommandFactory};

use self::{catalogue::HELP, words::with_words};
use super::Tabia;

/// The short help of a command.
struct Help {
    /// Its name after `tabia`.
    command: &'static str,
    /// The flags that `-h` shows, besides arguments without a flag, with blanks between them.
    short: &'static str,
    /// Examples: each line has a command and, after three blanks or more, what it does.
    examples: &'static str,
    /// A note that follows the examples.
    note: &'static str,
}

const fn help(command: &'static str, short: &'static str, examples: &'static str) -> Help {
    Help { command, short, examples, note: "" }
}

impl Help {
    const fn note(self, note: &'static str) -> Self {
        Self { note, ..self }
    }

    /// What is printed after the flags.
    fn after(&self) -> String {
        let examples = || self.examples.lines().map(|line| line.split_once("   ").unwrap_or((line, "")));
        let explained = examples().filter(|(_, what)| !what.is_empty());
        let width = explained.map(|(command, _)| command.len()).max().unwrap_or(0);
        let line = |(command, what)| format!("\n  {}", format!("{command:width$}   {what}").trim_end());
        let lines: String = examples().map(line).collect();
        let note = if self.note.is_empty() { String::new() } else { format!("\n\n{}", self.note) };
        format!("Examples:{lines}{note}")
    }
}

/// The examples of a command, by its name after `tabia`.
pub(crate) fn examples(command: &str) -> impl Iterator<Item = String> + Clone {
    let help = HELP.iter().find(|help| help.command == command);
    let lines = help.into_iter().flat_map(|help| help.examples.lines());
    lines.map(|line| line.split_once("   ").map_or(line, |(example, _)| example).to_owned())
}

/// The command line with its short helps, examples and completed words.
pub(crate) fn command() -> Command {
    dressed(Tabia::command(), "")
}

/// `command`, whose name after `tabia` is `name`, and the commands below it.
fn dressed(mut command: Command, name: &str) -> Command {
    if let Some(help) = HELP.iter().find(|help| help.command == name) {
        let hides_some = |arg: Arg| {
            let shown = arg.is_positional()
                || arg.get_long().is_some_and(|long| help.short.split(' ').any(|flag| flag == long));
            with_words(if shown { arg } else { arg.hide_short_help(true) })
        };
        command = command.mut_args(hides_some).after_help(help.after());
    }
    command.mut_subcommands(|below| {
        let path = format!("{name} {}", below.get_name());
        dressed(below, path.trim_start())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The commands at the ends of the tree, by their names after `tabia`.
    fn leaves(command: &Command, name: &str, found: &mut Vec<String>) {
        if !command.has_subcommands() {
            found.push(name.into());
        }
        for below in command.get_subcommands() {
            leaves(below, format!("{name} {}", below.get_name()).trim(), found);
        }
    }

    fn named<'c>(command: &'c Command, name: &str) -> &'c Command {
        name.split_whitespace().fold(command, |command, name| command.find_subcommand(name).unwrap())
    }

    #[test]
    fn every_command_has_examples() {
        let mut commands = Vec::new();
        leaves(&Tabia::command(), "", &mut commands);
        assert!(commands.len() > 30, "{commands:?}");
        let without: Vec<_> =
            commands.iter().filter(|&name| !HELP.iter().any(|help| help.command == *name)).collect();
        assert!(without.is_empty(), "{without:?}");
    }

    /// The command line accepts every example.
    #[test]
    fn every_example_is_read() {
        for help in HELP {
            for line in help.examples.lines() {
                let end = ["   ", " > ", " < ", " | "].into_iter().filter_map(|end| line.find(end)).min();
                let line = line[..end.unwrap_or(line.len())].replace("$(head -n 1 plan.jsonl)", "{}");
                let words = shlex::split(&line).unwrap();
                let read = command().try_get_matches_from(words);
                assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
                assert!(help.command.is_empty() || line.starts_with("tabia"), "{line}");
            }
        }
    }

    #[test]
    fn short_helps_name_flags_that_there_are_and_are_short() {
        let all = Tabia::command();
        for help in HELP {
            let command = named(&all, help.command);
            for flag in help.short.split_whitespace() {
                let found = command.get_arguments().any(|arg| arg.get_long() == Some(flag));
                assert!(found, "{}: --{flag}", help.command);
            }
            assert!(help.short.split(' ').count() <= 13, "{}", help.command);
            let shown = named(&super::command(), help.command).clone().render_help().to_string();
            assert!(shown.lines().count() < 60 || help.command.is_empty(), "{}:\n{shown}", help.command);
        }
    }
}
