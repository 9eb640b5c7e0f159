//! Writes a book's lines as text. The function is called directly, without a recipe, but returns the same
//! kind of summary as a run.

use std::{
    collections::BTreeMap,
    io::{BufWriter, Write as _},
    path::Path,
    time::Instant,
};

use craft::{LinesFormat, LinesOptions, LinesWork, of_writing};
use output::{OutputFile, grouped};
use position::Key;
use query::Artefact;
use run::{FileFormat, Limits, Result, RunError, RunOptions, SamePath, Summary, check_paths, peak_rss_bytes};

/// The number of bytes per write: a multiple of the memory page size, so no page is written in two parts.
const WRITE_BYTES: usize = 1 << 20;

/// Writes the lines of the book, table or Polyglot book at `input` to the file `output`.
///
/// # Errors
///
/// Fails as [`craft::write_lines`] does, or if the output exists or cannot be written.
pub fn export_lines(
    input: &Path,
    output: &Path,
    options: &LinesOptions,
    format: LinesFormat,
    limits: &Limits,
    run: &RunOptions,
) -> Result<Summary> {
    let written = match format {
        LinesFormat::Pgn(_) => FileFormat::Pgn,
        LinesFormat::Epd => FileFormat::Epd,
        LinesFormat::Csv => FileFormat::Csv,
    };
    check_paths(&[input], &[(output, written)], SamePath::Refused)?;
    let start = Instant::now();
    let artefact = Artefact::open(input)?;
    run.progress.enter("writing lines", 0);
    let failed = fault::output(output);
    let mut file = OutputFile::create(output, run.existing()).map_err(&failed)?;
    let mut out = BufWriter::with_capacity(WRITE_BYTES, file.file());
    let go_on = || run.flow();
    let work = LinesWork { threads: limits.threads(), memory_bytes: limits.memory_bytes(), go_on: &go_on };
    let written = craft::write_lines(&artefact, options, format, work, &mut out);
    let written = written.map_err(of_writing(output))?;
    if written.moves == 0 && !run.allow_empty {
        return Err(RunError::NothingKept("no line begins at the position asked for".into()).into());
    }
    out.flush().map_err(&failed)?;
    drop(out);
    file.finish().map_err(&failed)?;
    let exported = [
        ("positions", written.positions),
        ("moves", written.moves),
        ("lines", written.lines),
        ("moves of these positions left out", written.left_out),
        ("moves that are not legal", written.illegal),
    ];
    let exported = exported.into_iter().filter(|(what, count)| *count > 0 || !what.contains(' '));
    Ok(Summary {
        warnings: in_no_line(&artefact, options, written.positions).into_iter().collect(),
        exported: exported.map(|(what, count)| (what.to_owned(), count)).collect(),
        seconds: BTreeMap::from([("write".into(), start.elapsed().as_secs_f64())]),
        outputs: vec![output.display().to_string()],
        peak_rss_bytes: peak_rss_bytes(),
        ..Summary::new()
    })
}

/// Warns that some positions of the book are left out because no line from the start position reaches them.
/// Warns only if the user asked for all lines of a book.
fn in_no_line(artefact: &Artefact, options: &LinesOptions, written: u64) -> Option<String> {
    let Artefact::Book(book) = artefact else { return None };
    let is_whole = Key::of(&options.start.position) == Key::START
        && (options.max_ply, options.lines, options.min_games) == (None, None, 0)
        && options.min_share <= 0.0;
    let missing = book.stats().positions.saturating_sub(written);
    (is_whole && missing > 0).then(|| {
        format!(
            "positions that no line of the book reaches from the start position are left out: {}; \
             `tabia export json` writes all positions",
            grouped(missing)
        )
    })
}
