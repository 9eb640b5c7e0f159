//! Sets values for moves by hand (Terra: user-set values).
//!
//! # Format of a list
//!
//! Each line of a list is one setting. It has the moves, a colon, and then a value, a priority, or both,
//! separated by a comma. The value and the priority are for the last of these moves. Blank lines, and
//! everything after a `#`, are ignored.
//!
//! ```text
//! e4 c5: 75
//! 1. e4 e5 2. Nf3: !!, priority 5
//! d4 d5: priority 2      # Lokasoft's
//! e4 e6: clear
//! ```

use std::{
    fs,
    path::{Path, PathBuf},
};

use crate::{ExperienceFile, ExperienceSource};
use fault::FileFault;
use learn::annotations::{UserSetting, parse_value};
use position::{Contribution, ExperienceKind, Key, Lesson, PackedMove, named_position, position_after};
use shakmaty::Position as _;

use crate::{Base, Change, Error, Job, Lessons, Result, WrittenFile, update};

/// The source name for values that were set by hand.
const BY_HAND: &str = "by hand";
/// Lokasoft's highest priority.
const PRIORITY_MAX: u8 = 5;

/// Moves and their values.
#[derive(Clone, Debug)]
pub struct SetOptions {
    /// The position at which lines begin; `None` means the start position.
    pub fen: Option<String>,
    /// The settings.
    pub settings: SettingsSource,
    /// Experience to continue from.
    pub old: Option<PathBuf>,
}

/// The source of the settings.
#[derive(Clone, Debug)]
pub enum SettingsSource {
    /// One move.
    One(Setting),
    /// A file with a list of settings, all of which are applied in the order of the list.
    From(PathBuf),
}

/// A move and its value.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// The line of moves; the value and the priority are for the last move.
    pub line: String,
    /// `75`, `!!` or `clear`.
    pub value: Option<String>,
    /// Lokasoft's priority, 0–5.
    pub priority: Option<u8>,
}

/// Sets values, and writes the experience to `output`.
///
/// # Errors
///
/// Fails if a line, a value or a priority cannot be read, or if a file cannot be read or written.
pub fn set(options: &SetOptions, output: &Path, job: Job<'_>) -> Result<WrittenFile> {
    let fen = options.fen.as_deref();
    let mut changes = match &options.settings {
        SettingsSource::One(setting) => vec![setting.change(fen)?],
        SettingsSource::From(path) => read_list(path, fen)?,
    };
    let settings = changes.len() as u64;
    // The sort is stable: if a move has two settings, the later one is applied last.
    changes.sort_by_key(Change::id);
    let old = options.old.as_deref().map(ExperienceFile::open).transpose()?;
    let source = ExperienceSource {
        name: BY_HAND.into(),
        teacher: "set".into(),
        records: settings,
        taught: settings,
        ..ExperienceSource::default()
    };
    let base = Base { old: old.as_ref(), sources: vec![source], ..Base::default() };
    update(&base, changes.into_iter(), output, job)
}

/// Reads the settings in a list, and returns them as changes.
fn read_list(path: &Path, fen: Option<&str>) -> Result<Vec<Change>> {
    let text = fs::read_to_string(path).map_err(FileFault::of("read", path))?;
    let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
    let settings = lines.zip(1..).filter(|(line, _)| !line.is_empty());
    let changes = settings.map(|(line, number)| {
        let change = Setting::parse(line).and_then(|setting| setting.change(fen));
        change.map_err(|why| Error::List { path: path.into(), line: number, why }.into())
    });
    let changes: Vec<_> = changes.collect::<Result<_>>()?;
    if changes.is_empty() { Err(Error::EmptyList(path.into()).into()) } else { Ok(changes) }
}

impl Setting {
    /// Reads a line of a list.
    fn parse(text: &str) -> Result<Self> {
        let (line, values) = text.split_once(':').ok_or(Error::NoColon)?;
        let mut setting = Self { line: line.trim().to_owned(), ..Self::default() };
        for value in values.split(',').map(str::trim) {
            match value.strip_prefix("priority") {
                Some(priority) => {
                    let text = priority.trim();
                    let priority = text.parse().map_err(|_| Error::PriorityText(text.to_owned()))?;
                    setting.priority = Some(priority);
                }
                None => setting.value = Some(value.to_owned()),
            }
        }
        Ok(setting)
    }

    fn change(&self, fen: Option<&str>) -> Result<Change> {
        let (key, mv) = last_move(fen, &self.line)?;
        let setting = self.value.as_deref().map(parse_value).transpose()?;
        if setting.is_none() && self.priority.is_none() {
            return Err(Error::NothingToSet.into());
        }
        if let Some(got) = self.priority.filter(|&priority| priority > PRIORITY_MAX) {
            return Err(Error::Priority(got).into());
        }
        let taught = Contribution { source: 0, lesson: Lesson::Set, count: 1, last: 0 };
        let clears = setting == Some(UserSetting::Clear) && self.priority.is_none();
        let taught = if clears { Vec::new() } else { vec![taught] };
        let lessons = Lessons::Set { setting, priority: self.priority };
        Ok(Change { key, mv, kind: ExperienceKind::Book, lessons, taught })
    }
}

/// Returns the position before a line's last move, and that move.
fn last_move(fen: Option<&str>, line: &str) -> Result<(Key, PackedMove)> {
    let line = line.trim_end();
    let before = line.rsplit_once(char::is_whitespace).map_or("", |(before, _)| before);
    let before = named_position(fen, Some(before)).map_err(Error::from)?;
    let after = named_position(fen, Some(line)).map_err(Error::from)?;
    let leads_there = |m: &shakmaty::Move| Key::of(&position_after(&before, *m)) == Key::of(&after);
    let last = before.legal_moves().into_iter().find(leads_there);
    let mv = last.ok_or(Error::NoMove)?;
    Ok((Key::of(&before), PackedMove::pack(mv)))
}
