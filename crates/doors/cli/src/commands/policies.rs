//! `tabia policies`: lists the policies and their settings.

use std::io::{self, Write};

use clap::Args;
use query::{CATALOGUE, Parameter, PolicySpec};

use crate::{
    help::{Short, examples},
    terminal,
};

#[derive(Args)]
#[command(add = Short("json"))]
#[command(after_help = examples("\
tabia policies   all of them
tabia policies crafty   the settings of one"))]
pub(crate) struct PoliciesArgs {
    /// Show the settings of this policy
    name: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// `tabia policies`.
pub(crate) fn policies(args: &PoliciesArgs) -> anyhow::Result<()> {
    let mut out = terminal::stdout();
    match &args.name {
        Some(name) => {
            let policy = query::policy(name)?;
            if args.json {
                return Ok(out.json(&policy)?);
            }
            write_policy(&mut out, policy)?;
        }
        None if args.json => out.json(&CATALOGUE)?,
        None => write_list(&mut out)?,
    }
    Ok(())
}

fn write_list(out: &mut impl Write) -> io::Result<()> {
    let width = CATALOGUE.iter().map(|policy| policy.name.len()).max().unwrap_or(0);
    for policy in CATALOGUE {
        writeln!(out, "{:width$}  {}", policy.name, policy.summary)?;
        writeln!(out, "{:width$}  {}", "", policy.source)?;
    }
    writeln!(out, "\n`tabia policies NAME` shows the settings of one.")
}

fn write_policy(out: &mut impl Write, policy: &PolicySpec) -> io::Result<()> {
    writeln!(out, "{}: {}\n{}", policy.name, policy.summary, policy.source)?;
    for parameter in policy.all_parameters() {
        let Parameter { name, default, kind, unit, meaning, source } = parameter;
        let default = default.map_or_else(String::new, |default| format!(" = {default}"));
        let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
        writeln!(out, "\n  {name}{default}\n    {kind}{unit}\n    {meaning}\n    {source}")?;
    }
    Ok(())
}
