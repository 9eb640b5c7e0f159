//! `tabia info` and `tabia verify`.

use std::{
    fmt,
    io::Write,
    path::{Path, PathBuf},
};

use build::Limits;
use query::{Artefact, Fact};

use crate::{
    args::{InfoArgs, VerifyArgs},
    exit, signal,
    terminal::{self, in_line},
};

/// Some of several files could not be described, or are not sound.
#[derive(Debug)]
struct SomeFailed {
    failed: usize,
    files: usize,
}

impl fmt::Display for SomeFailed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} files failed", self.failed, self.files)
    }
}

impl std::error::Error for SomeFailed {}

/// `tabia info`.
pub(crate) fn info(args: &InfoArgs) -> anyhow::Result<()> {
    each_file(&args.files, |file| {
        let info = Artefact::ask(file, query::info)?;
        let mut out = terminal::stdout();
        if args.json {
            return Ok(out.json_line(&info)?);
        }
        writeln!(out, "{}", in_line(&file.display().to_string()))?;
        for Fact { name, value, .. } in &info.facts {
            writeln!(out, "  {name:18} {}", in_line(value))?;
        }
        Ok(())
    })
}

/// `tabia verify`.
pub(crate) fn verify(args: &VerifyArgs) -> anyhow::Result<()> {
    let interrupt = signal::interrupt_flag()?;
    let threads = Limits { threads: args.threads, ..Limits::default() }.threads();
    each_file(&args.files, |file| {
        let sound = Artefact::ask(file, |artefact| query::verify(artefact, threads, &interrupt))?;
        Ok(writeln!(terminal::stdout(), "{}: sound ({sound})", in_line(&file.display().to_string()))?)
    })
}

/// Goes through all files; one that fails is reported, and the others have their turn.
fn each_file(files: &[PathBuf], work: impl Fn(&Path) -> anyhow::Result<()>) -> anyhow::Result<()> {
    if let [file] = files {
        return work(file);
    }
    let mut failed = 0;
    for file in files {
        match work(file) {
            Err(error) if exit::concerns_all(&error) => return Err(error),
            Err(error) => {
                exit::print(error);
                failed += 1;
            }
            Ok(()) => {}
        }
    }
    if failed == 0 { Ok(()) } else { Err(SomeFailed { failed, files: files.len() }.into()) }
}
