//! `tabia manual`: all helps as pages for man, or as one page of Markdown.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use build::Error;
use clap::{Arg, Command};
use clap_mangen::Man;
use output::{Existing, prepare_text, publish};

use crate::args::{self, ManualArgs, ManualFormat};

/// `tabia manual`.
pub(crate) fn manual(args: &ManualArgs) -> anyhow::Result<()> {
    let mut command = args::command().disable_help_subcommand(true);
    command.build();
    let output = &args.output;
    let pages = match args.format {
        ManualFormat::Man => {
            fs::create_dir_all(output).map_err(Error::output(output))?;
            let mut pages = Vec::new();
            add_pages(&command, "tabia", output, &mut pages)?;
            pages
        }
        ManualFormat::Markdown => vec![(output.clone(), markdown(&command)?)],
    };
    let existing = Existing::replaced_if(args.force);
    let prepared =
        |(path, text): &(PathBuf, String)| prepare_text(path, text, existing).map_err(Error::output(path));
    let prepared = pages.iter().map(prepared).collect::<build::Result<Vec<_>>>()?;
    Ok(publish(prepared).map_err(Error::from)?)
}

/// Adds the pages of `command` and of those below it.
fn add_pages(
    command: &Command,
    name: &str,
    folder: &Path,
    pages: &mut Vec<(PathBuf, String)>,
) -> io::Result<()> {
    let mut page = Vec::new();
    Man::new(command.clone()).manual("Tabia").render(&mut page)?;
    let path = folder.join(format!("{}.1", name.replace(' ', "-")));
    pages.push((path, String::from_utf8_lossy(&page).into_owned()));
    visible(command)
        .try_for_each(|below| add_pages(below, &format!("{name} {}", below.get_name()), folder, pages))
}

fn visible(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|below| !below.is_hide_set() && below.get_name() != "help")
}

/// All commands on one page.
fn markdown(command: &Command) -> io::Result<String> {
    let mut page = Vec::new();
    writeln!(page, "# Commands\n")?;
    writeln!(
        page,
        "Written by `tabia manual --format markdown`, from what `tabia COMMAND --help` prints.\n"
    )?;
    for command in visible(command) {
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let name = command.get_name();
        writeln!(page, "- [`tabia {name}`](#tabia-{name}): {about}")?;
    }
    for below in visible(command) {
        write_section(&mut page, below, &format!("tabia {}", below.get_name()))?;
    }
    Ok(String::from_utf8_lossy(&page).into_owned())
}

fn write_section(page: &mut Vec<u8>, command: &Command, name: &str) -> io::Result<()> {
    writeln!(page, "\n## `{name}`\n")?;
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let usage = command.clone().render_usage().to_string();
    writeln!(page, "{about}.\n\n```text\n{}\n```", usage.trim_start_matches("Usage: "))?;
    for heading in headings(command) {
        writeln!(page, "\n**{heading}**\n")?;
        let below = shown(command).filter(|arg| heading_of(arg) == heading);
        below.map(row).try_for_each(|row| writeln!(page, "{row}"))?;
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
    visible(command).try_for_each(|below| write_section(page, below, &format!("{name} {}", below.get_name())))
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
    let default = arg.get_default_values().first().filter(|_| takes);
    let default =
        default.map_or_else(String::new, |value| format!(" [default: {}]", value.to_string_lossy()));
    format!("- `{name}`: {}{default}", help.replace('\n', " ").replace('<', "\\<").replace('|', "\\|"))
}
