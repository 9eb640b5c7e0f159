//! Exports a table and prints how long it took and what each column costs.
//!
//! `cargo run --release -p tabia-analysis --example export TABLE DIR [i64] [months] [moves] [THREADS] [MIB]`

use std::{
    collections::BTreeMap, error::Error, fs::File, io::Write, ops::ControlFlow, path::Path, time::Instant,
};

use analysis::{ExportOptions, Extras, Folder, KeyType};
use openings::Openings;
use parquet::file::reader::{FileReader, SerializedFileReader};
use table::Table;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(table), Some(output)) = (args.next(), args.next()) else {
        return Err("usage: export TABLE DIR [i64] [months] [moves] [THREADS] [MIB]".into());
    };
    let mut options = ExportOptions { threads: 2, force: true, ..ExportOptions::default() };
    let mut numbers = Vec::new();
    for arg in args {
        match arg.as_str() {
            "i64" => options.key_type = KeyType::I64,
            "months" => options.month_folders = true,
            "moves" => options.folders = vec![Folder::Moves],
            number => numbers.push(number.parse::<u64>()?),
        }
    }
    options.threads = numbers.first().map_or(2, |&threads| threads as usize);
    options.memory_bytes = numbers.get(1).map_or(1 << 30, |mib| mib << 20);
    let table = Table::open(Path::new(&table))?;
    let openings = Openings::bundled();
    let extras = Extras { openings: &openings, experience: None, evaluations: None, examples: None };
    let start = Instant::now();
    let phases = std::sync::Mutex::new(BTreeMap::new());
    let on_progress = |progress: analysis::WalkProgress| {
        if let Ok(mut phases) = phases.lock() {
            phases.insert(progress.phase, start.elapsed());
        }
        ControlFlow::Continue(())
    };
    let (report, prepared) =
        analysis::prepare_export(&table, extras, &options, Path::new(&output), &on_progress)?;
    prepared.publish()?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{} rows of moves in {:.2?}; phases ended at {phases:?}", report.moves, start.elapsed())?;
    let analysis::ExportReport { positions, unreached_positions, illegal_edges, openings, plies, .. } =
        report;
    writeln!(
        out,
        "{positions} positions, {unreached_positions} unreached, {illegal_edges} illegal edges, {openings} openings, {plies} plies"
    )?;
    costs(&mut out, Path::new(&output), &report)
}

/// Prints how many bytes each column takes per row.
#[expect(clippy::cast_precision_loss, reason = "bytes and rows are far below 2^52")]
fn costs(out: &mut impl Write, dir: &Path, report: &analysis::ExportReport) -> Result<(), Box<dyn Error>> {
    let mut bytes = BTreeMap::<(String, String), i64>::new();
    let mut rows = BTreeMap::<String, i64>::new();
    for file in &report.files {
        let folder = file.path.split('/').next().unwrap_or_default().to_owned();
        let reader = SerializedFileReader::new(File::open(dir.join(&file.path))?)?;
        for row_group in reader.metadata().row_groups() {
            *rows.entry(folder.clone()).or_default() += row_group.num_rows();
            for column in row_group.columns() {
                *bytes.entry((folder.clone(), column.column_path().string())).or_default() +=
                    column.compressed_size();
            }
        }
    }
    for ((folder, column), bytes) in &bytes {
        writeln!(out, "{folder:10} {column:20} {:6.2} B", *bytes as f64 / rows[folder] as f64)?;
    }
    Ok(())
}
