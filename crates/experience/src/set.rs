//! A value for one move, set by hand (Terra: user-set values).

use std::path::{Path, PathBuf};

use learn::annotations::{UserSetting, parse_value};
use position::{ExperienceKind, Key, Lesson, PackedMove, Taught, named_position};
use shakmaty::{Chess, Position as _};
use table::{ExperienceFile, ExperienceSource};

use crate::{Base, Change, Error, Job, Lessons, Result, Written, update};

/// What the source of values set by hand is called.
const BY_HAND: &str = "by hand";
/// Lokasoft's highest priority.
const PRIORITY_MAX: u8 = 5;

/// A move and its value.
#[derive(Clone, Debug, Default)]
pub struct SetOptions {
    /// Where the line begins; `None`: the start position.
    pub fen: Option<String>,
    /// The line; its last move is the one that is set.
    pub line: String,
    /// `75`, `!!` or `clear`.
    pub value: Option<String>,
    /// Lokasoft's priority, 0–5.
    pub priority: Option<u8>,
    /// Experience to continue from.
    pub old: Option<PathBuf>,
}

/// Sets a value for one move, and writes the experience to `output`.
///
/// # Errors
///
/// If the line, the value or the priority cannot be read; if a file cannot be read or written.
pub fn set(options: &SetOptions, output: &Path, job: Job<'_>) -> Result<Written> {
    let (key, mv) = last_move(options)?;
    let setting = options.value.as_deref().map(parse_value).transpose()?;
    if setting.is_none() && options.priority.is_none() {
        return Err(Error::NothingToSet);
    }
    if let Some(got) = options.priority.filter(|&priority| priority > PRIORITY_MAX) {
        return Err(Error::Priority { got });
    }
    let old = options.old.as_deref().map(ExperienceFile::open).transpose()?;
    let source = ExperienceSource {
        name: BY_HAND.into(),
        teacher: "set".into(),
        records: 1,
        taught: 1,
        ..ExperienceSource::default()
    };
    let base = Base { old: old.as_ref(), sources: vec![source], ..Base::default() };
    let taught = Taught { source: 0, lesson: Lesson::Set, count: 1, last: 0 };
    let clears = setting == Some(UserSetting::Clear) && options.priority.is_none();
    let taught = if clears { Vec::new() } else { vec![taught] };
    let lessons = Lessons::Set { setting, priority: options.priority };
    let change = Change { key, mv, kind: ExperienceKind::Book, lessons, taught };
    update(&base, std::iter::once(change), output, job)
}

/// The position before the line's last move, and that move.
fn last_move(options: &SetOptions) -> Result<(Key, PackedMove)> {
    let (fen, line) = (options.fen.as_deref(), options.line.trim_end());
    let before = line.rsplit_once(char::is_whitespace).map_or("", |(before, _)| before);
    let before = named_position(fen, Some(before))?;
    let after = named_position(fen, Some(line))?;
    let leads_there = |m: &shakmaty::Move| {
        let mut played: Chess = before.clone();
        played.play_unchecked(*m);
        Key::of(&played) == Key::of(&after)
    };
    let last = before.legal_moves().into_iter().find(leads_there);
    let mv = last.ok_or(Error::NoMove)?;
    Ok((Key::of(&before), PackedMove::pack(mv)))
}
