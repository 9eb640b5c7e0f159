//! The help of all commands on one page of Markdown; flags that several commands share are described once.

use std::io::{self, Write as _};

use clap::{Arg, Command};

use super::visible;

/// A flag with its description under a heading, and how many commands describe it in these words.
struct Flag {
    heading: String,
    name: String,
    row: String,
    commands: usize,
}

/// All commands on one page.
pub(super) fn page(command: &Command) -> io::Result<String> {
    let mut page = Vec::new();
    writeln!(page, "# Commands\n")?;
    writeln!(
        page,
        "Written by `tabia manual --format markdown`, from what `tabia COMMAND --help` prints. Flags that several \
         commands share are described once, under [Shared flags](#shared-flags).\n"
    )?;
    for command in visible(command) {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let name = command.get_name();
        writeln!(page, "- [`tabia {name}`](#tabia-{name}): {about}")?;
    }
    let shared = shared_flags(command);
    for below in visible(command) {
        write_section(&mut page, below, &format!("tabia {}", below.get_name()), &shared)?;
    }
    write_shared(&mut page, &shared)?;
    Ok(String::from_utf8_lossy(&page).into_owned())
}

/// The flags that at least two commands describe in the same words. If commands describe a flag in several
/// ways under one heading, only the commonest description is shared, so that the flag's name is enough to
/// find it.
fn shared_flags(command: &Command) -> Vec<Flag> {
    let mut flags = Vec::new();
    visible(command).for_each(|below| count_flags(below, &mut flags));
    let is_commonest = |flag: &Flag| {
        let same = flags.iter().filter(|other| (&other.heading, &other.name) == (&flag.heading, &flag.name));
        same.max_by_key(|other| other.commands).is_some_and(|commonest| commonest.row == flag.row)
    };
    let is_shared: Vec<_> = flags.iter().map(|flag| flag.commands > 1 && is_commonest(flag)).collect();
    flags.into_iter().zip(is_shared).filter_map(|(flag, is_shared)| is_shared.then_some(flag)).collect()
}

fn count_flags(command: &Command, flags: &mut Vec<Flag>) {
    for arg in shown(command).filter(|arg| !arg.is_required_set()) {
        let (heading, row) = (heading_of(arg), row(arg));
        match flags.iter_mut().find(|flag| flag.heading == heading && flag.row == row) {
            Some(flag) => flag.commands += 1,
            None => {
                if let Some(long) = arg.get_long() {
                    let (heading, name) = (heading.to_owned(), format!("--{long}"));
                    flags.push(Flag { heading, name, row, commands: 1 });
                }
            }
        }
    }
    visible(command).for_each(|below| count_flags(below, flags));
}

fn write_section(page: &mut Vec<u8>, command: &Command, name: &str, shared: &[Flag]) -> io::Result<()> {
    writeln!(page, "\n## `{name}`\n")?;
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    writeln!(page, "{about}.\n\n```text\n{}\n```", usage.trim_start_matches("Usage: "))?;
    for heading in headings(command) {
        write_flags(page, command, heading, shared)?;
    }
    if let Some(after) = command.get_after_help() {
        let after = after.to_string();
        let (examples, note) = after.split_once("\n\n").unwrap_or((&after, ""));
        let examples: Vec<_> = examples.lines().skip(1).map(str::trim).collect();
        writeln!(page, "\n**Examples**\n\n```text\n{}\n```", examples.join("\n"))?;
        if !note.is_empty() {
            writeln!(page, "\n{note}")?;
        }
    }
    visible(command)
        .try_for_each(|below| write_section(page, below, &format!("{name} {}", below.get_name()), shared))
}

/// A command's flags under a heading: first its own, then the names of those that it shares with other
/// commands.
fn write_flags(page: &mut Vec<u8>, command: &Command, heading: &str, shared: &[Flag]) -> io::Result<()> {
    let (mut rows, mut names) = (Vec::new(), Vec::new());
    for arg in shown(command).filter(|arg| heading_of(arg) == heading) {
        let row = row(arg);
        let is_same = |flag: &&Flag| flag.heading == heading && flag.row == row;
        match shared.iter().filter(|_| !arg.is_required_set()).find(is_same) {
            Some(flag) => names.push(format!("`{}`", flag.name)),
            None => rows.push(row),
        }
    }
    let anchor = heading.to_lowercase().replace(' ', "-");
    let names = names.join(", ");
    if rows.is_empty() {
        return writeln!(page, "\n**{heading}** ([shared flags](#{anchor})): {names}");
    }
    if !names.is_empty() {
        rows.push(format!("- [Shared flags](#{anchor}): {names}"));
    }
    writeln!(page, "\n**{heading}**\n\n{}", rows.join("\n"))
}

/// The shared flags by their headings.
fn write_shared(page: &mut Vec<u8>, shared: &[Flag]) -> io::Result<()> {
    writeln!(page, "\n## Shared flags")?;
    let mut headings: Vec<&str> = Vec::new();
    for flag in shared {
        if !headings.contains(&flag.heading.as_str()) {
            headings.push(&flag.heading);
        }
    }
    for heading in headings {
        writeln!(page, "\n### {heading}\n")?;
        let mut below = shared.iter().filter(|flag| flag.heading == heading);
        below.try_for_each(|flag| writeln!(page, "{}", flag.row))?;
    }
    Ok(())
}

/// The arguments that `--help` shows.
fn shown(command: &Command) -> impl Iterator<Item = &Arg> {
    command.get_arguments().filter(|arg| !arg.is_hide_set() && arg.get_id() != "help")
}

fn heading_of(arg: &Arg) -> &str {
    arg.get_help_heading().unwrap_or(if arg.is_positional() { "Arguments" } else { "Options" })
}

/// The headings of a command's arguments, in their order.
fn headings(command: &Command) -> Vec<&str> {
    let mut headings = Vec::new();
    for heading in shown(command).map(heading_of) {
        if !headings.contains(&heading) {
            headings.push(heading);
        }
    }
    headings
}

/// A flag as an item of a list.
fn row(arg: &Arg) -> String {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let values = arg.get_value_names().unwrap_or_default();
    let takes = arg.get_action().takes_values();
    let values: Vec<_> = values.iter().filter(|_| takes).map(|value| format!(" <{value}>")).collect();
    let values = values.concat();
    let name = match (arg.get_short(), arg.get_long()) {
        (Some(short), Some(long)) => format!("-{short}, --{long}{values}"),
        (None, Some(long)) => format!("--{long}{values}"),
        _ => values.trim().to_owned(),
    };
    let default = arg.get_default_values().first().filter(|_| takes && !arg.is_hide_default_value_set());
    let default =
        default.map_or_else(String::new, |value| format!(" [default: {}]", value.to_string_lossy()));
    format!("- `{name}`: {}{default}", help.replace('\n', " ").replace('<', "\\<").replace('|', "\\|"))
}
