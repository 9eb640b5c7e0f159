//! `tabia info` and `tabia verify`.

use std::io::{self, Write};

use pipeline::{
    Limits,
    inspect::{self, Fact},
};

use crate::{
    args::{InfoArgs, VerifyArgs},
    signal,
};

/// `tabia info`.
pub(crate) fn info(args: &InfoArgs) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for file in &args.files {
        let info = inspect::info(file)?;
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
    let (mut out, cancel) = (io::stdout().lock(), signal::cancel_flag()?);
    let threads = Limits { threads: args.threads, ..Limits::default() }.threads();
    for file in &args.files {
        let sound = inspect::verify(file, threads, &cancel)?;
        writeln!(out, "{}: sound ({sound})", file.display())?;
    }
    Ok(())
}
