//! A value for one move, set by hand: Terra's `bookeval` (seed Terra, C6).

use std::{
    path::{Path, PathBuf},
    time::Instant,
};

use learn::annotations::{UserSetting, parse_value};
use output::folder_of;
use position::{Key, Kind, Lesson, PackedMove, Taught};
use shakmaty::{Chess, Position as _};
use table::{ExperienceFile, ExperienceSource};

use super::{
    lay::{Ground, lay},
    lessons::{Change, What},
};
use crate::{Context, Error, Limits, Report, Result, RunOptions, inspect};

/// What the source of values set by hand is called.
const BY_HAND: &str = "by hand";

/// A move and what is wanted of it.
#[derive(Clone, Debug, Default)]
pub struct SetOptions {
    /// Where the line begins; the start position if not given.
    pub fen: Option<String>,
    /// The line; its last move is the one that is set.
    pub line: String,
    /// `75`, `!!` or `clear`.
    pub value: Option<String>,
    /// Lokasoft's priority, 0–5.
    pub priority: Option<u8>,
    /// Experience to go on from.
    pub old: Option<PathBuf>,
}

/// Sets a value for one move, and writes the experience to `output`.
///
/// # Errors
///
/// [`Error::Recipe`] if the line or the value cannot be read; if a file cannot be read or written.
pub fn learn_set(options: &SetOptions, output: &Path, run: &RunOptions) -> Result<Report> {
    let start = Instant::now();
    let (key, mv) = last_move(options)?;
    let setting = options.value.as_deref().map(parse_value).transpose()?;
    if setting.is_none() && options.priority.is_none() {
        return Err(Error::Recipe("give --value or --priority: what is wanted of the move".into()));
    }
    if let Some(priority) = options.priority.filter(|&priority| priority > 5) {
        return Err(Error::Recipe(format!("--priority {priority}: a priority is 0 to 5")));
    }
    let old = options.old.as_deref().map(ExperienceFile::open).transpose()?;
    let context = Context::new(&Limits::default(), folder_of(output).into(), run.clone())?;
    let source = ExperienceSource {
        name: BY_HAND.into(),
        teacher: "set".into(),
        records: 1,
        taught: 1,
        ..ExperienceSource::default()
    };
    let ground = Ground { old: old.as_ref(), table: None, book: None, sources: vec![source] };
    let taught = Taught { source: 0, lesson: Lesson::Set, count: 1, last: 0 };
    let clears = setting == Some(UserSetting::Clear) && options.priority.is_none();
    let taught = if clears { Vec::new() } else { vec![taught] };
    let what = What::Set { setting, priority: options.priority };
    let change = Change { key, mv, kind: Kind::Book, what, taught };
    let stats = lay(&context, &ground, std::iter::once(change), output)?;
    context.wrote(output);
    let mut report = context.into_report();
    report.experience_rows = stats.rows;
    report.time("set", start);
    Ok(report)
}

/// The position before the line's last move, and that move.
fn last_move(options: &SetOptions) -> Result<(Key, PackedMove)> {
    let (fen, line) = (options.fen.as_deref(), options.line.trim_end());
    let before = line.rsplit_once(char::is_whitespace).map_or("", |(before, _)| before);
    let before = inspect::position(fen, Some(before))?;
    let after = inspect::position(fen, Some(line))?;
    let leads_there = |m: &shakmaty::Move| {
        let mut played: Chess = before.clone();
        played.play_unchecked(*m);
        Key::of(&played) == Key::of(&after)
    };
    let last = before.legal_moves().into_iter().find(leads_there);
    let mv = last.ok_or_else(|| Error::Recipe("--line: it has no move to set a value for".into()))?;
    Ok((Key::of(&before), PackedMove::pack(mv)))
}
