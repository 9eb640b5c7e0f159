//! Lists the content of an experience file for people to read: the values on each line, and their sources.
//!
//! A key cannot be turned back into a position, but most positions with rows can be reached from the start
//! position by moves that have rows themselves. On request, a line may also use a move without a row, if the
//! position after the move has rows. If a line to a position was found, the position's rows are shown with
//! this line; otherwise, they are shown with the position's key.

pub(crate) mod from_table;

use std::{
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    path::{Path, PathBuf},
};

use crate::{ExperienceFile, ExperienceHeader, ExperienceSource};
use position::{Experience, ExperienceKind, ExperienceRow, Key, Lesson, PackedMove};
use serde::Serialize;
use shakmaty::{Chess, Position as _, san::SanPlus};

use crate::{KnownExperience, Result};

/// Which rows to show.
#[derive(Clone, Debug, Default)]
pub struct ShowOptions {
    /// Only rows of this kind are shown.
    pub kind: Option<ExperienceKind>,
    /// Only rows with a value of this kind are shown.
    pub lesson: Option<Lesson>,
    /// Only rows with a value from this source are shown.
    pub source: Option<String>,
    /// Only moves that a [`position::Ban`] forbids are shown.
    pub unplayable: bool,
    /// Only rows of this position are shown.
    pub key: Option<Key>,
    /// Whether a line may use a move that has no row, such as an opponent's reply, if the position after it
    /// has rows.
    pub over_gaps: bool,
    /// A table whose moves may be used to find lines to positions that cannot be reached by moves with rows.
    pub table: Option<PathBuf>,
}

/// The numbers of rows in a file.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Summary {
    /// The number of rows of each kind; identities of games have the kind `seen`.
    pub rows: BTreeMap<&'static str, u64>,
    /// For each kind of value, the number of rows that have one.
    pub lessons: BTreeMap<&'static str, u64>,
    /// The number of moves that a ban forbids.
    pub unplayable: u64,
}

/// A row, with the line that leads to it.
#[derive(Clone, Debug)]
pub struct RowWithLine {
    /// The row.
    pub row: ExperienceRow,
    /// The moves before the position, in SAN; `None` if no line to it was found.
    pub line: Option<String>,
    /// The move in SAN; `None` if the line is unknown, or the row is not for a move.
    pub san: Option<String>,
}

/// A row as it is serialized for other programs.
#[derive(Debug, Serialize)]
pub struct ShownRow<'s> {
    /// The position's key.
    pub key: String,
    /// The move in UCI notation, with castling as king takes rook; `--` for the position itself.
    #[serde(rename = "move")]
    pub mv: String,
    /// The moves that lead to the position, in SAN; `None` if no line to it was found.
    pub line: Option<&'s str>,
    /// The move in SAN.
    pub san: Option<&'s str>,
    /// The experience.
    pub known: KnownExperience,
}

impl RowWithLine {
    /// Returns the row in its serialized form; its sources are indexes in `sources`.
    #[must_use]
    pub fn shown_row(&self, sources: &[ExperienceSource]) -> ShownRow<'_> {
        let Self { row, line, san } = self;
        let (key, mv) = (row.key.to_string(), row.mv.to_string());
        ShownRow {
            key,
            mv,
            line: line.as_deref(),
            san: san.as_deref(),
            known: KnownExperience::of(row, sources),
        }
    }
}

/// Returns the header of the file at `path`, a summary of all its rows, and the rows that `options` selects.
/// Rows with a line come first, sorted by the length of the line, then by line and move.
///
/// # Memory
///
/// Holds all rows of the file, except the evaluations that are not shown.
///
/// # Errors
///
/// Fails if the file is not an experience file, or is damaged.
pub fn show(path: &Path, options: &ShowOptions) -> Result<(ExperienceHeader, Summary, Vec<RowWithLine>)> {
    let file = ExperienceFile::open(path)?;
    let (mut summary, mut rows) = (Summary::default(), Vec::new());
    for row in file.read()? {
        let row = row?;
        summary.add(&row);
        // There may be a great many evaluations, so only those that will be shown are kept in memory.
        let is_held = match row.kind {
            ExperienceKind::Seen => false,
            kind if kind.is_evaluation() => options.selects(&row, file.header()),
            _ => true,
        };
        if is_held {
            rows.push(row);
        }
    }
    let mut lines = Lines::walk(&rows, options.over_gaps);
    let header = file.header().clone();
    let wanted: Vec<_> = rows.into_iter().filter(|row| options.selects(row, &header)).collect();
    if let Some(table) = &options.table {
        let missing: HashSet<Key> =
            wanted.iter().map(|row| row.key).filter(|key| !lines.0.contains_key(key)).collect();
        from_table::add(&mut lines, table, missing)?;
    }
    let mut shown: Vec<_> = wanted.into_iter().map(|row| lines.show(row)).collect();
    drop(lines);
    shown.sort_unstable_by(|one, other| one.order().cmp(&other.order()));
    Ok((header, summary, shown))
}

impl RowWithLine {
    /// Returns the sort key, by which shorter lines come first. The length of a line is the number of spaces
    /// between its moves.
    fn order(&self) -> (usize, Option<&str>, (Key, PackedMove, ExperienceKind)) {
        let blanks = |line: &String| line.bytes().filter(|&byte| byte == b' ').count();
        (self.line.as_ref().map_or(usize::MAX, blanks), self.line.as_deref(), self.row.id())
    }
}

impl ShowOptions {
    fn selects(&self, row: &ExperienceRow, header: &ExperienceHeader) -> bool {
        let taught_by = |name: &String| {
            let place = header.source(name);
            row.taught.iter().any(|taught| Some(taught.source) == place)
        };
        self.kind.is_none_or(|kind| kind == row.kind)
            && self.lesson.is_none_or(|lesson| has(&row.experience, lesson))
            && self.source.as_ref().is_none_or(taught_by)
            && self.key.is_none_or(|key| key == row.key)
            && !(self.unplayable && row.experience.may_be_played())
    }
}

impl Summary {
    /// Reads all rows of an open file, and counts them by kind and by value.
    ///
    /// # Errors
    ///
    /// Fails if the file is damaged.
    pub fn of(file: &ExperienceFile) -> Result<Self> {
        let mut summary = Self::default();
        for row in file.read()? {
            summary.add(&row?);
        }
        Ok(summary)
    }

    fn add(&mut self, row: &ExperienceRow) {
        *self.rows.entry(row.kind.into()).or_default() += 1;
        for &lesson in Lesson::ALL {
            if has(&row.experience, lesson) {
                *self.lessons.entry(lesson.into()).or_default() += 1;
            }
        }
        self.unplayable += u64::from(!row.experience.may_be_played());
    }
}

/// Whether `experience` has a value that comes from this kind of lesson.
fn has(experience: &Experience, lesson: Lesson) -> bool {
    match lesson {
        Lesson::Learn => experience.learn != 0.0 || experience.learn_count > 0,
        Lesson::Own => experience.own.games() > 0,
        Lesson::Set => {
            experience.user_value.is_some() || experience.priority.is_some() || experience.nag.is_some()
        }
        Lesson::Search => {
            experience.eval.is_some() || experience.mate.is_some() || experience.depth.is_some()
        }
    }
}

/// The positions that can be reached from the start position through moves that have rows.
struct Lines(HashMap<Key, (Chess, String)>);

impl Lines {
    /// Walks breadth-first, so that the line to each position is as short as possible. In each position, the
    /// walk first follows moves that have rows, and then other moves that lead to positions with rows.
    fn walk(rows: &[ExperienceRow], over_gaps: bool) -> Self {
        let has_rows: HashSet<Key> = rows.iter().map(|row| row.key).collect();
        let mut lines = Self(HashMap::from([(Key::START, (Chess::default(), String::new()))]));
        let mut waiting = VecDeque::from([Key::START]);
        while let Some(key) = waiting.pop_front() {
            waiting.extend(rows_of(rows, key).iter().filter_map(|row| lines.go_on(key, row.mv)));
            if over_gaps {
                let position = lines.0[&key].0.clone();
                let legal = position.legal_moves().into_iter();
                let leads_to_rows = legal.filter(|&m| has_rows.contains(&key.after(&position, m)));
                waiting.extend(leads_to_rows.filter_map(|m| lines.go_on(key, PackedMove::pack(m))));
            }
        }
        lines
    }

    /// Adds a line to the position after `mv`: the line to the position with `key`, followed by `mv`. Returns
    /// the key of the position after `mv`; `None` if no line was added.
    fn go_on(&mut self, key: Key, mv: PackedMove) -> Option<Key> {
        let (position, line) = self.0.get(&key)?;
        let m = mv.unpack(position)?;
        let after_key = key.after(position, m);
        if self.0.contains_key(&after_key) {
            return None;
        }
        let mut after = position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut after, m);
        let line = format!("{line}{}{san}", if line.is_empty() { "" } else { " " });
        self.0.insert(after_key, (after, line));
        Some(after_key)
    }

    fn show(&self, row: ExperienceRow) -> RowWithLine {
        let Some((position, line)) = self.0.get(&row.key) else {
            return RowWithLine { row, line: None, san: None };
        };
        let san = row.mv.unpack_with_san(position).map(|(_, san)| san.to_string());
        RowWithLine { row, line: Some(line.clone()), san }
    }
}

/// The rows of one position, in ascending order.
pub(crate) fn rows_of(rows: &[ExperienceRow], key: Key) -> &[ExperienceRow] {
    let from = &rows[rows.partition_point(|row| row.key < key)..];
    &from[..from.partition_point(|row| row.key == key)]
}
