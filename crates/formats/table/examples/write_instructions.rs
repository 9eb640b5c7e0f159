//! Writes a table in a function of its own, so that Callgrind can count the instructions that this takes.
//!
//! It runs on one thread and writes sixteen part files in the temporary directory, with the same rows every
//! time. It prints the number of rows, because instructions are divided by it. `benches/instructions` runs
//! it.
#![expect(clippy::print_stdout, reason = "an example speaks on stdout")]

use std::{error::Error, path::Path};

use made::rows;
use table::{Row, Table};

#[path = "made/rows.rs"]
mod made;

const ROWS: usize = 1_000_000;

/// The only function that is counted.
#[inline(never)]
fn measured(path: &Path, rows: &[Row]) -> Result<Table, table::Error> {
    made::write(path, rows)
}

fn main() -> Result<(), Box<dyn Error>> {
    let rows = rows(ROWS);
    let dir = tempfile::tempdir()?;
    measured(&dir.path().join("counted.table"), &rows)?;
    println!("{}", rows.len());
    Ok(())
}
