//! `tabia manual`: writes the help of all commands as man pages or as one page of Markdown.

mod markdown;

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use clap::{Args, Command, ValueEnum};
use clap_mangen::Man;
use output::{Existing, prepare_text, publish};
use run::Error;

use crate::help::{Short, examples};

#[derive(Args)]
#[command(add = Short("format output force"))]
#[command(after_help = examples("\
tabia manual -o man1   tabia.1, tabia-build.1, …
tabia manual --format markdown -o commands.md"))]
pub(crate) struct ManualArgs {
    /// The format: man pages in a folder, or one page of Markdown
    #[arg(long, value_name = "FORMAT", default_value = "man")]
    format: ManualFormat,
    /// The folder or the page to write
    #[arg(short, long, value_name = "PATH", help_heading = "Outputs")]
    output: PathBuf,
    /// Replace existing pages
    #[arg(short, long, help_heading = "Outputs")]
    force: bool,
}

/// How the manual is written.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum ManualFormat {
    Man,
    Markdown,
}

/// `tabia manual`.
pub(crate) fn manual(args: &ManualArgs) -> anyhow::Result<()> {
    let mut command = super::command().disable_help_subcommand(true);
    command.build();
    let output = &args.output;
    let pages = match args.format {
        ManualFormat::Man => {
            fs::create_dir_all(output).map_err(fault::output(output))?;
            let mut pages = Vec::new();
            add_pages(&command, "tabia", output, &mut pages)?;
            pages
        }
        ManualFormat::Markdown => vec![(output.clone(), markdown::page(&command)?)],
    };
    let existing = Existing::replaced_if(args.force);
    let prepared =
        |(path, text): &(PathBuf, String)| prepare_text(path, text, existing).map_err(fault::output(path));
    let prepared = pages.iter().map(prepared).collect::<run::Result<Vec<_>>>()?;
    Ok(publish(prepared).map_err(Error::from)?)
}

/// Adds a man page for `command` and for each of its subcommands.
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
