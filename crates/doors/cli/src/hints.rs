//! Guesses what the user meant by invalid arguments in cases where clap's own tips do not help.

use std::{
    env,
    error::Error as _,
    num::{IntErrorKind, ParseFloatError, ParseIntError},
};

use clap::{
    Command, Error,
    error::{ContextKind, ContextValue, ErrorKind},
};

use crate::{commands, help::examples_of};

/// Flags that other programs have or that users are likely to guess, each with Tabia's flags for the same
/// purpose. The tip names the first of Tabia's flags that the command has.
const FLAGS: &[(&[&str], &[&str])] = &[
    (&["rating", "min-rating", "elo", "minelo", "minrating", "min-player-elo"], &["min-elo"]),
    (&["max-rating"], &["max-elo"]),
    (&["from", "after", "start", "start-date", "min-date", "from-date", "year", "min-year"], &["since"]),
    (&["to", "before", "end", "end-date", "max-date", "to-date", "max-year"], &["until"]),
    (&["depth", "ply", "plies", "max-plies", "max-moves", "max-depth"], &["max-ply", "plies", "book-depth"]),
    (&["min", "min-game", "min-count", "min-freq", "min-occurrences", "threshold"], &["min-games"]),
    (&["min-winrate", "min-win", "winrate"], &["min-score"]),
    (&["min-percent", "min-freq-percent", "min-frequency"], &["min-share"]),
    (&["name", "white", "black", "players"], &["player"]),
    (&["time-control", "tc", "time"], &["speed"]),
    (&["color", "colour", "side"], &["color", "player-color"]),
    (&["player-colour", "player-side"], &["player-color"]),
    (&["port", "address", "addr", "bind"], &["listen"]),
    (&["opening", "moves", "variation", "start-moves"], &["line"]),
    (&["position", "epd", "board"], &["fen"]),
    (&["duplicates", "dedup", "dedupe", "unique", "no-duplicates", "doubles"], &["dedup-games"]),
    (&["bin", "polyglot-book"], &["polyglot"]),
    (&["out", "out-file", "outfile", "to-file", "dest"], &["output"]),
    (&["jobs", "cores", "cpus", "workers", "parallel"], &["threads"]),
    (&["mem", "ram", "max-memory", "buffer"], &["memory"]),
    (&["tmp", "tmpdir", "temp", "tempdir", "tmp-dir"], &["temp-dir"]),
    (&["overwrite", "replace", "yes", "clobber"], &["force"]),
    (&["silent", "no-progress"], &["quiet"]),
    (&["book", "policy-name", "rule"], &["policy"]),
];

/// Commands that do not exist, and what to write instead.
const COMMANDS: &[(&[&str], &str)] = &[
    (&["version", "ver"], "--version"),
    (&["create", "make", "make-book", "makebook"], "build"),
    (&["convert", "save"], "export"),
    (&["load"], "import"),
    (&["show", "lookup", "query", "book"], "probe"),
    (&["play", "engine"], "uci"),
    (&["server", "web", "gui"], "serve"),
    (&["join", "combine"], "merge"),
    (&["validate", "test"], "verify"),
    (&["stats", "describe"], "info"),
    (&["dedup", "clean"], "filter"),
];

/// The extensions of output files, and the `export` format that writes each of them.
const FORMATS: [(&str, &str); 2] = [("bin", "polyglot"), ("parquet", "parquet")];

/// Adds a tip to clap's error, if there is a tip for the words that the user typed.
pub(crate) fn with_tip(answer: Error) -> Error {
    let words: Vec<String> = env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    tip_for(answer, &words)
}

fn tip_for(answer: Error, words: &[String]) -> Error {
    // Help and versions go to standard output: there is no error to give a tip for.
    if !answer.use_stderr() {
        return answer;
    }
    let typed = CommandLine::of(words);
    let tip = match answer.kind() {
        ErrorKind::UnknownArgument => typed.flag(&text(&answer, ContextKind::InvalidArg)),
        ErrorKind::InvalidSubcommand => typed.command_tip(&text(&answer, ContextKind::InvalidSubcommand)),
        ErrorKind::ValueValidation => number(&answer),
        ErrorKind::MissingRequiredArgument => typed.example(&answer),
        _ => None,
    };
    let Some(tip) = tip else { return answer };
    // The tip is put into a new error. If the tip were added to clap's error instead, clap would also print
    // the text of the underlying error.
    let mut with_tip = Error::new(answer.kind()).with_cmd(&typed.command);
    for (kind, value) in answer.context() {
        with_tip.insert(kind, value.clone());
    }
    with_tip.remove(ContextKind::SuggestedArg);
    with_tip.remove(ContextKind::SuggestedSubcommand);
    with_tip.insert(ContextKind::Usage, ContextValue::StyledStr(typed.command.clone().render_usage()));
    with_tip.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    with_tip
}

/// The words that the user typed, and the command that they name.
struct CommandLine<'w> {
    words: &'w [String],
    command: Command,
}

impl<'w> CommandLine<'w> {
    fn of(words: &'w [String]) -> Self {
        let mut command = commands::command();
        command.build();
        for word in words {
            let Some(below) = command.find_subcommand(word).cloned() else { break };
            command = below;
        }
        Self { words, command }
    }

    fn has_flag(&self, flag: &str) -> bool {
        self.command.get_arguments().any(|arg| arg.get_long() == Some(flag) && !arg.is_hide_set())
    }

    /// Returns the tip for a flag that the command does not have: the flag that the user probably meant, or
    /// how to write moves.
    fn flag(&self, unknown: &str) -> Option<String> {
        let Some(flag) = unknown.strip_prefix("--") else { return self.moves(unknown) };
        let meant = FLAGS.iter().filter(|(others, _)| others.contains(&flag)).flat_map(|(_, meant)| *meant);
        let meant = meant.copied().find(|meant| self.has_flag(meant))?;
        Some(format!("use --{meant} for that"))
    }

    /// Returns the tip for moves that the user wrote as separate words after a file, instead of passing them
    /// with a flag.
    fn moves(&self, unknown: &str) -> Option<String> {
        let at = self.words.iter().position(|word| word == unknown)?;
        let (before, rest) = self.words.split_at(at);
        if unknown.starts_with('-') || !self.has_flag("line") {
            return None;
        }
        let moves: Vec<_> =
            rest.iter().take_while(|word| !word.starts_with("--")).map(String::as_str).collect();
        let (command, line) = (before.join(" "), moves.join(" "));
        Some(format!("give the moves as one line: tabia {command} --line \"{line}\""))
    }

    /// Returns the tip for a word that is not a command: the command that the user probably meant, or the
    /// word that must come before it.
    fn command_tip(&self, unknown: &str) -> Option<String> {
        if self.command.get_name() == "tabia" {
            let meant = COMMANDS.iter().find(|(others, _)| others.contains(&unknown))?.1;
            return Some(format!("use `tabia {meant}` for that"));
        }
        let below: Vec<_> = self.command.get_subcommands().map(Command::get_name).collect();
        let below: Vec<_> = below.into_iter().filter(|name| *name != "help").collect();
        let at = self.words.iter().position(|word| word == unknown)?;
        let (before, rest) = self.words.split_at(at);
        let ending = rest.last().and_then(|word| word.rsplit_once('.')).map_or("", |(_, ending)| ending);
        let format = FORMATS.iter().find(|(other, _)| *other == ending).map_or(ending, |(_, format)| format);
        let format = below.iter().find(|name| **name == format && rest.len() > 1);
        if let Some(format) = format {
            let (command, arguments) = (before.join(" "), rest.join(" "));
            return Some(format!("name the format first: tabia {command} {format} {arguments}"));
        }
        let (words, example) = (below.join(", "), self.first_example()?);
        Some(format!("one of these words must come first: {words}; {example}"))
    }

    /// Returns an example of the command if an argument is missing. If the missing argument is `--output`,
    /// prefers an example with `-o`.
    fn example(&self, answer: &Error) -> Option<String> {
        let needs_output = text(answer, ContextKind::InvalidArg).contains("--output");
        let examples = examples_of(&self.command);
        let with_output = examples.iter().find(|example| needs_output && example.contains(" -o "));
        let example = with_output.or(examples.first())?;
        let what = if needs_output { "name the output with -o, for example" } else { "for example" };
        Some(format!("{what}: {example}"))
    }

    fn first_example(&self) -> Option<String> {
        let below = self.command.get_subcommands().next()?;
        Some(format!("for example: {}", examples_of(below).first()?))
    }
}

/// Describes the number that was expected, if a number could not be read.
fn number(answer: &Error) -> Option<String> {
    let source = answer.source()?;
    if let Some(error) = source.downcast_ref::<ParseIntError>() {
        return Some(match error.kind() {
            IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => "that number is too large here".into(),
            IntErrorKind::Zero => "expected a number of 1 or more".into(),
            _ => "expected a whole number, such as 2400".into(),
        });
    }
    source.is::<ParseFloatError>().then(|| "expected a number, such as 0.5".into())
}

/// Returns the text of this kind of context from clap's error, or an empty string if there is none.
fn text(answer: &Error, kind: ContextKind) -> String {
    match answer.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(" "),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what is printed for an invalid command line.
    fn answer(line: &str) -> String {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let read = commands::command().try_get_matches_from(["tabia".to_owned()].iter().chain(&words));
        tip_for(read.unwrap_err(), &words).render().to_string()
    }

    #[test]
    fn tips_name_what_was_meant() {
        for (line, tip) in [
            ("build a.pgn -o b.tabia --min-rating 2000", "tip: use --min-elo"),
            ("build a.pgn -o b.tabia --depth 20", "tip: use --max-ply"),
            ("check a.tabia --colour white", "tip: use --color"),
            ("review a.pgn --book b.tabia --color white", "tip: use --player-color"),
            ("review a.pgn --book b.tabia --colour white", "tip: use --player-color"),
            ("serve a.tabia --port 8080", "tip: use --listen"),
            ("count a.pgn -o b.table --from 2020", "tip: use --since"),
            ("build a.pgn -o b.tabia --min-elo twothousand", "tip: expected a whole number"),
            ("build a.pgn -o b.tabia --max-ply 99999999999999999999", "tip: that number is too large here"),
            ("export pgn b.tabia -o b.pgn --min-share half", "tip: expected a number, such as 0.5"),
            (
                "build a.pgn",
                "tip: name the output with -o, for example: tabia build games.pgn.zst -o book.tabia",
            ),
            (
                "learn export crafty x.parquet",
                "tip: name the output with -o, for example: tabia learn export",
            ),
            ("why b.tabia", "tip: for example: tabia why"),
            (
                "probe b.tabia 1. e4 e5",
                "tip: give the moves as one line: tabia probe b.tabia --line \"1. e4 e5\"",
            ),
            ("pick b.tabia e4 --policy terra", "tabia pick b.tabia --line \"e4\""),
            (
                "export b.tabia",
                "tip: one of these words must come first: polyglot, abk, json, parquet, games, pgn",
            ),
            ("export b.tabia -o x.bin", "tip: name the format first: tabia export polyglot b.tabia -o x.bin"),
            ("export b.tabia -o x.abk", "tabia export abk b.tabia -o x.abk"),
            (
                "learn own.pgn",
                "tip: one of these words must come first: crafty, games, annotations, evals, engine, exp, set, export",
            ),
            ("version", "tip: use `tabia --version` for that"),
            ("play b.tabia", "tip: use `tabia uci` for that"),
        ] {
            let text = answer(line);
            assert!(text.contains(tip) && text.contains("Usage: tabia"), "{line}: {text}");
            assert_eq!(text.matches("tip:").count(), 1, "{line}: {text}");
        }
        let own = answer("build a.pgn -o b.tabia --max-pli 20");
        assert!(own.contains("--max-ply") && own.contains("similar"), "clap's own: {own}");
    }

    fn flags(command: &Command, found: &mut Vec<String>) {
        found.extend(command.get_arguments().filter_map(|arg| arg.get_long().map(str::to_owned)));
        command.get_subcommands().for_each(|below| flags(below, found));
    }

    /// Checks that every suggested flag and command exists, and that the words for which another command is
    /// suggested are not commands themselves.
    #[test]
    fn what_is_meant_exists() {
        let mut all = commands::command();
        all.build();
        let mut known = Vec::new();
        flags(&all, &mut known);
        for (_, meant) in FLAGS {
            assert!(meant.iter().all(|flag| known.iter().any(|known| known == flag)), "{meant:?}");
        }
        for (others, meant) in COMMANDS {
            assert!(meant.starts_with("--") || all.find_subcommand(meant).is_some(), "{meant}");
            assert!(others.iter().all(|other| all.find_subcommand(other).is_none()), "{others:?}");
        }
    }
}
