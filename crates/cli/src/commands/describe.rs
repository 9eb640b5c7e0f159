//! `tabia info` and `tabia verify`.

use std::io::{self, Write};

use build::Limits;
use query::{Artefact, Fact};

use crate::{
    args::{InfoArgs, VerifyArgs},
    signal,
};

/// `tabia info`.
pub(crate) fn info(args: &InfoArgs) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for file in &args.files {
        let info = Artefact::ask(file, query::info)?;
        if args.json {
            serde_json::to_writer(&mut out, &info).map_err(io::Error::from)?;
            writeln!(out)?;
            continue;
        }
        writeln!(out, "{}", file.display())?;
        for Fact { name, value } in &info.facts {
            writeln!(out, "  {name:18} {value}")?;
        }
    }
    Ok(())
}

/// `tabia verify`.
pub(crate) fn verify(args: &VerifyArgs) -> anyhow::Result<()> {
    let (mut out, interrupt) = (io::stdout().lock(), signal::interrupt_flag()?);
    let threads = Limits { threads: args.threads, ..Limits::default() }.threads();
    for file in &args.files {
        let sound = Artefact::ask(file, |artefact| query::verify(artefact, threads, &interrupt))?;
        writeln!(out, "{}: sound ({sound})", file.display())?;
    }
    Ok(())
}
