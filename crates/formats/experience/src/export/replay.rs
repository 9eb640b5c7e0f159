//! Finds records for a file's values: a program that learns from these records, in order and with the same
//! book, gets the same values again.
//!
//! Learning from a record can change the value of any move on the record's line, but of no move after the
//! line. So the longest lines are written first: once a move's own records are written, no later record
//! changes the move's value. This module also applies each record to a book in memory, by the same rules as
//! an import. In this way, it knows the value that each move has after all records written so far.

use std::collections::{HashMap, HashSet, VecDeque};

use learn::{
    crafty::{Family, LearningBook, Origin, Rule},
    search::{UNPLAYABLE, is_playable},
};
use position::{ExperienceRow, Key, PackedMove, position_after};
use shakmaty::{Chess, Color, Move, Position as _, san::SanPlus};

use super::{Record, SourceBook, last_day, steps};
use table::Table;

use crate::{
    Result,
    show::{from_table::moves_between, rows_of},
};

/// The maximum number of records for one move; no value needs that many.
const RECORDS_MAX: i64 = 32;
/// The greatest difference between a written value and the value in the file, in pawns.
const NEAR: f32 = 0.01;

/// The number of learned moves and, for each reason, the number of values that are not kept.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ExportedValues {
    /// Learned moves.
    pub(super) moves: usize,
    /// Moves from positions to which no line was found.
    pub(super) unreached: usize,
    /// Moves that the book does not keep.
    pub(super) not_in_book: usize,
    /// Values that the records do not reproduce to within 0.01 pawns.
    pub(super) beyond: usize,
    /// Moves that may be played according to the file but not according to the records, or the other way
    /// round.
    pub(super) verdicts: usize,
}

/// A move, and a line that leads to it.
pub(super) struct Lesson {
    /// The moves of the line, then the move itself, each with the key of the position before it.
    plies: Vec<(Key, PackedMove)>,
    pub(super) sans: Vec<String>,
    /// The learned value in pawns, from the mover's point of view.
    pub(super) learned: f32,
    /// The latest day on which a value was learned for the move.
    pub(super) date: u32,
}

impl Lesson {
    /// The move and the position before it.
    fn edge(&self) -> (Key, PackedMove) {
        self.plies.last().copied().unwrap_or_default()
    }
}

/// Passes each record to `write`. Returns the number of values that are not kept, by reason. `rows` must be
/// in ascending order.
pub(super) fn write(
    rows: &[ExperienceRow],
    family: Family,
    of: &SourceBook<'_>,
    mut write: impl FnMut(&Record<'_>) -> Result<()>,
) -> Result<ExportedValues> {
    let table = Table::open(of.table)?;
    let learned = lines(rows, Some(&table))?;
    let mut kept = ExportedValues {
        moves: rows.len(),
        unreached: rows.len() - learned.len(),
        ..ExportedValues::default()
    };
    let mut book = book(&learned, |keys| (of.kept_moves)(&table, keys))?;
    let is_kept = |lesson: &Lesson| book.edge(lesson.edge().0, lesson.edge().1).is_some();
    kept.not_in_book = learned.iter().filter(|lesson| !is_kept(lesson)).count();
    let between = between(&learned, &book);
    let mut lessons: Vec<_> = learned.iter().chain(&between).filter(|lesson| is_kept(lesson)).collect();
    lessons.sort_by_key(|lesson| std::cmp::Reverse(lesson.plies.len()));
    for lesson in &lessons {
        teach(&mut book, family, lesson, &mut write)?;
    }
    for lesson in &lessons {
        let Some(edge) = book.edge(lesson.edge().0, lesson.edge().1) else { continue };
        kept.beyond += usize::from((edge.learn - lesson.learned).abs() > NEAR);
        kept.verdicts += usize::from(is_playable(edge.learn) != is_playable(lesson.learned));
    }
    Ok(kept)
}

/// Returns the moves on the lines in `learned` that the book keeps but that have no learned value. The
/// records change the values of these moves too, so further records are needed to bring these values back to
/// about 0.
fn between(learned: &[Lesson], book: &LearningBook) -> Vec<Lesson> {
    let mut known: HashSet<_> = learned.iter().map(Lesson::edge).collect();
    let mut between = Vec::new();
    for Lesson { plies, sans, .. } in learned {
        for (at, &(key, mv)) in plies.iter().enumerate() {
            if book.edge(key, mv).is_some() && known.insert((key, mv)) {
                let (plies, sans) = (plies[..=at].to_vec(), sans[..=at].to_vec());
                between.push(Lesson { plies, sans, learned: 0.0, date: 0 });
            }
        }
    }
    between
}

/// Writes the records for one move.
fn teach(
    book: &mut LearningBook,
    family: Family,
    lesson: &Lesson,
    write: &mut impl FnMut(&Record<'_>) -> Result<()>,
) -> Result<()> {
    let ((key, mv), mover) = (lesson.edge(), Color::from_white(lesson.plies.len() % 2 == 1));
    let alternatives = book.alternatives(family, key, mover);
    // From version 18.2 on, a result is spread over the line like any other value.
    let can_lose = family.rule() == Rule::Ramp || family.has_result_records() && alternatives > 1;
    for number in 0..RECORDS_MAX {
        let Some(edge) = book.edge(key, mv) else { break };
        let step = steps::next(f64::from(edge.learn), aim(lesson.learned), can_lose);
        // A value near 0 needs no lesson, but it still gets a record if nothing has been learned for the move
        // yet.
        let Some(step) = step.or((edge.count == 0).then_some(steps::StepLesson::Value(0))) else { break };
        let value = mover.fold_wb(step.value(), -step.value());
        if book.teach(family, &lesson.plies, value, Origin::default()).is_err() {
            break;
        }
        let Lesson { sans, date, .. } = lesson;
        // The records of one line have different rating differences, so that they do not count as copies.
        write(&Record { moves: sans, value, date: *date, rating_difference: number })?;
    }
    Ok(())
}

/// Returns the value to aim at. If `target` is close to the threshold between playable and unplayable moves,
/// this value is slightly farther from the threshold, so that the value reached is on the same side of it as
/// `target`.
fn aim(target: f32) -> f64 {
    let (bound, room) = (UNPLAYABLE, 0.0051);
    let value = f64::from(target);
    if is_playable(target) { value.max(bound + room) } else { value.min(bound - room) }
}

/// Builds the book to which the records are applied: it has the kept moves of all positions on the lines,
/// without learned values.
fn book(
    lessons: &[Lesson],
    kept_moves: impl Fn(&[Key]) -> Result<Vec<(Key, Vec<PackedMove>)>>,
) -> Result<LearningBook> {
    let mut keys: Vec<_> = lessons.iter().flat_map(|lesson| &lesson.plies).map(|ply| ply.0).collect();
    keys.sort_unstable();
    keys.dedup();
    let mut builder = LearningBook::builder();
    for (key, moves) in kept_moves(&keys)? {
        builder.push(key, moves.into_iter().map(|mv| (mv, 0.0, 0)))?;
    }
    Ok(builder.finish())
}

/// Finds a line to each learned move, if there is one. A line made entirely of learned moves is best. Second
/// best is a line that also has moves without a learned value, such as novelties; each such move must lead
/// directly to a position with learned moves. Moves from the table are used only to reach positions that
/// neither kind of line reaches.
pub(super) fn lines(rows: &[ExperienceRow], table: Option<&Table>) -> Result<Vec<Lesson>> {
    let mut walk = Walk {
        rows,
        reached: HashSet::from([Key::START]),
        waiting: VecDeque::from([Place::start()]),
        between: HashMap::new(),
        lessons: Vec::new(),
    };
    let mut gone = walk.go();
    let mut from = 0;
    while from < gone.len() {
        gone[from..].iter().for_each(|place| walk.bridge(place));
        from = gone.len();
        gone.append(&mut walk.go());
    }
    if let Some(table) = table {
        let missing = rows.iter().map(|row| row.key).filter(|key| !walk.reached.contains(key)).collect();
        walk.between = moves_between(table, |key| walk.reached.contains(&key), missing)?;
        for place in &gone {
            walk.follow_table(place);
        }
        walk.go();
    }
    Ok(walk.lessons)
}

/// A position, and a line that leads to it.
struct Place {
    key: Key,
    position: Chess,
    plies: Vec<(Key, PackedMove)>,
    sans: Vec<String>,
}

impl Place {
    fn start() -> Self {
        Self { key: Key::START, position: Chess::default(), plies: Vec::new(), sans: Vec::new() }
    }

    /// Returns the position after `m`, with the line that leads to it.
    fn after(&self, m: Move) -> Self {
        let mut position = self.position.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut position, m).to_string();
        Self {
            key: Key::of(&position),
            position,
            plies: self.plies.iter().copied().chain([(self.key, PackedMove::pack(m))]).collect(),
            sans: self.sans.iter().cloned().chain([san]).collect(),
        }
    }
}

/// A breadth-first walk from the start position.
struct Walk<'r> {
    rows: &'r [ExperienceRow],
    reached: HashSet<Key>,
    waiting: VecDeque<Place>,
    /// The table's moves on the way to positions that were not reached, keyed by the position before the
    /// move.
    between: HashMap<Key, Vec<PackedMove>>,
    lessons: Vec<Lesson>,
}

impl Walk<'_> {
    /// Follows learned moves as far as possible. Returns the positions visited, each with its line.
    fn go(&mut self) -> Vec<Place> {
        let mut gone = Vec::new();
        while let Some(place) = self.waiting.pop_front() {
            for row in rows_of(self.rows, place.key) {
                let Some(m) = row.mv.unpack(&place.position) else { continue };
                let after = place.after(m);
                let (plies, sans) = (after.plies.clone(), after.sans.clone());
                let (learned, date) = (row.experience.learn, last_day(row));
                self.lessons.push(Lesson { plies, sans, learned, date });
                if self.reached.insert(after.key) {
                    self.waiting.push_back(after);
                }
            }
            self.follow_table(&place);
            gone.push(place);
        }
        gone
    }

    /// Continues from a position with every legal move that leads to a new position with learned moves.
    fn bridge(&mut self, place: &Place) {
        for m in place.position.legal_moves() {
            let key = Key::of(&position_after(&place.position, m));
            if !self.reached.contains(&key) && !rows_of(self.rows, key).is_empty() {
                self.reached.insert(key);
                self.waiting.push_back(place.after(m));
            }
        }
    }

    /// Continues from a position along the table's moves.
    fn follow_table(&mut self, place: &Place) {
        for mv in self.between.remove(&place.key).unwrap_or_default() {
            let Some(after) = mv.unpack(&place.position).map(|m| place.after(m)) else { continue };
            if self.reached.insert(after.key) {
                self.waiting.push_back(after);
            }
        }
    }
}
