//! `tabia policies`: lists the policies and their settings.

use std::io::{self, Write};

use clap::Args;
use query::{ParameterInfo, PolicyInfo};

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
            write_policy(&mut out, &policy)?;
        }
        None if args.json => out.json(&query::policies())?,
        None => write_list(&mut out)?,
    }
    Ok(())
}

fn write_list(out: &mut impl Write) -> io::Result<()> {
    let policies = query::policies();
    let width = policies.iter().map(|policy| policy.name.len()).max().unwrap_or(0);
    for policy in &policies {
        writeln!(out, "{:width$}  {}", policy.name, policy.summary)?;
        writeln!(out, "{:width$}  {}", "", policy.source)?;
    }
    writeln!(out, "\n`tabia policies NAME` shows the settings of one.")
}

fn write_policy(out: &mut impl Write, policy: &PolicyInfo) -> io::Result<()> {
    writeln!(out, "{}: {}\n{}", policy.name, policy.summary, policy.source)?;
    for parameter in &policy.parameters {
        let ParameterInfo { name, default, range, unit, meaning, source, .. } = parameter;
        let default = default.map_or_else(String::new, |default| format!(" = {default}"));
        let unit = if unit.is_empty() { String::new() } else { format!(" ({unit})") };
        writeln!(out, "\n  {name}{default}\n    {range}{unit}\n    {meaning}\n    {source}")?;
    }
    Ok(())
}
