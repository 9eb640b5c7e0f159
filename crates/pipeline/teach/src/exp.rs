//! Converts `.exp` files, in which current engines store what they learn, to rows of kind `evaluation`, and
//! back.

use std::{
    collections::BTreeMap,
    io::BufWriter,
    path::{Path, PathBuf},
};

use evals::exp::{ExpFile, ExpRecords, ExpSearch, ExpWalk, WrittenLayout, walk};
use experience::{Base, Error, ExperienceFile, ExperienceSource, Job, WrittenFile, update};
use fault::Result;
use output::{OutputFile, grouped};
use position::{ExperienceKind, Key, PackedMove, Score};
use shakmaty::{Chess, Position as _};

use crate::evaluation::evaluated;

/// Experience files that engines wrote, and the older experience to which their evaluations are added.
#[derive(Clone, Debug)]
pub struct ExpFiles {
    /// The files.
    pub paths: Vec<PathBuf>,
    /// The older experience.
    pub old: Option<PathBuf>,
    /// The maximum memory, in bytes, for all searches together with the records of one file.
    pub memory_bytes: u64,
}

/// An evaluation, with the number of the file that contains it.
type Found = (Key, PackedMove, u32, ExpSearch);

/// Adds the evaluations of the files to the old experience, and writes the result to `output`. Each position
/// gets the value of its most deeply searched move.
///
/// # Errors
///
/// Fails if a file cannot be read or written, has an unknown layout, has keys that are not Stockfish's hashes
/// of positions, or needs too much memory.
pub fn learn_exp(files: &ExpFiles, output: &Path, job: Job<'_>) -> Result<WrittenFile> {
    let (mut found, mut sources, mut warnings) = (Vec::<Found>::new(), Vec::new(), Vec::new());
    let mut paths = files.paths.clone();
    paths.sort();
    for (number, path) in (0..).zip(&paths) {
        let left = files.memory_bytes.saturating_sub(size_of_val(&found[..]) as u64);
        let file = ExpFile::read(path, left)?;
        let walked = file.walk(|position, searched| {
            job.check_stop()?;
            let key = Key::of(position);
            found.extend(searched.iter().map(|one| (key, PackedMove::pack(one.mv), number, *one)));
            let deepest = searched.iter().max_by_key(|one| (one.depth, one.score.code()));
            found.extend(deepest.map(|one| (key, PackedMove::TERMINAL, number, *one)));
            Ok::<_, fault::Error>(())
        })?;
        warnings.extend(left_out(path, &file, walked));
        sources.push(source(path, &file, walked));
    }
    found.sort_unstable_by_key(|(key, mv, number, _)| (*key, *mv, *number));
    let old = files.old.as_deref().map(ExperienceFile::open).transpose()?;
    let base = Base { old: old.as_ref(), sources, evaluations: true, ..Base::default() };
    let changes = found
        .into_iter()
        .map(|(key, mv, source, one)| evaluated((key, mv), source, one.score, (one.depth, None)).into());
    let written = update(&base, changes, output, job)?;
    Ok(WrittenFile { warnings, ..written })
}

/// A warning that says how many of a file's records were left out, by reason.
fn left_out(path: &Path, file: &ExpFile, walked: ExpWalk) -> Option<String> {
    let ExpWalk { illegal, unreached, .. } = walked;
    let counted = [
        (file.left_out, "without a move or a depth, or of a move that was searched deeper"),
        (illegal, "of moves that are not legal, or without a value"),
        (unreached, "of positions that no line from the start position reaches"),
    ];
    let counted = counted.into_iter().filter(|(count, _)| *count > 0);
    let counted: Vec<_> = counted.map(|(count, what)| format!("{} {what}", grouped(count))).collect();
    let (path, records) = (path.display(), counted.join("; "));
    (!counted.is_empty()).then(|| format!("{path}: some records were left out: {records}"))
}

fn source(path: &Path, file: &ExpFile, walked: ExpWalk) -> ExperienceSource {
    let rejected = [("illegal-move", walked.illegal), ("unreached", walked.unreached)];
    let rejected = rejected.into_iter().filter(|(_, count)| *count > 0);
    ExperienceSource {
        name: path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        teacher: "exp".into(),
        records: file.len(),
        taught: file.len() - walked.illegal - walked.unreached,
        rejected: rejected.map(|(why, count)| (why.to_owned(), count)).collect(),
        ..ExperienceSource::default()
    }
}

/// Writes the evaluations of moves in the experience file at `path` to a `.exp` file for an engine. Positions
/// are found by playing moves from the start position. All legal moves are played in each position with
/// evaluations, and in each position that an evaluated move leads to.
///
/// # Errors
///
/// Fails with [`Error::NoMoveEvaluated`] if no evaluated move was found. Also fails if a file cannot be read
/// or written.
///
/// # Memory
///
/// Uses about 100 bytes for each evaluation.
pub fn export_exp(path: &Path, layout: WrittenLayout, output: &Path, job: Job<'_>) -> Result<WrittenFile> {
    let mut rows: BTreeMap<Key, Vec<(PackedMove, Score, u16)>> = BTreeMap::new();
    let mut evaluations = 0;
    for row in ExperienceFile::open(path)?.read()? {
        let row = row?;
        let score = Score::of_columns(row.experience.eval, row.experience.mate);
        if let (ExperienceKind::Evaluation, false, Some(score)) = (row.kind, row.mv.is_terminal(), score) {
            let depth = row.experience.depth.unwrap_or(0).max(1);
            rows.entry(row.key).or_default().push((row.mv, score, depth));
            evaluations += 1;
        }
    }
    let known = |position: &Chess| {
        let found = rows.remove(&Key::of(position))?;
        let legal = position.legal_moves();
        let searched = |(mv, score, depth): (PackedMove, Score, u16)| {
            let mv = *legal.iter().find(|m| PackedMove::pack(**m) == mv)?;
            Some(ExpSearch { mv, score, depth })
        };
        Some(found.into_iter().filter_map(searched).collect())
    };
    let mut records = ExpRecords::default();
    walk(known, |position, searched| {
        for searched in searched {
            records.push(position, searched);
        }
        job.check_stop()
    })?;
    if records.is_empty() {
        return Err(Error::NoMoveEvaluated(path.to_owned()).into());
    }
    let count = records.len();
    let failed = fault::output(output);
    let mut file = OutputFile::create(output, job.existing).map_err(&failed)?;
    let mut out = BufWriter::new(file.file());
    records.write(layout, &mut out).and_then(|()| std::io::Write::flush(&mut out)).map_err(&failed)?;
    drop(out);
    file.finish().map_err(&failed)?;
    let lost = evaluations - count;
    let warning = || {
        format!("{} evaluations are left out: no line from the start position reaches them", grouped(lost))
    };
    Ok(WrittenFile { rows: count, warnings: (lost > 0).then(warning).into_iter().collect() })
}
