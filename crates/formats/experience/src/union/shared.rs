//! Lessons that several files share.

use std::collections::{HashMap, HashSet};

use crate::{ExperienceFile, ExperienceHeader};
use position::{Contribution, ExperienceKind, ExperienceRow, Lesson, OwnResults};

use super::join_taught;
use crate::Result;

/// A row that was made from two rows of the same edge.
pub(super) struct JoinedRow {
    pub(super) row: ExperienceRow,
    /// The number of lessons that both rows have.
    pub(super) shared: u32,
    /// The number of values that are only estimates, because the lessons that both rows have could not be
    /// separated from the rest.
    pub(super) estimates: u64,
}

/// For each file, finds the sources from which both this file and an earlier file learned the same lessons.
/// Sources are given by their index in the joined `header`. A source is shared if both files contain the
/// identity of the same game or record from the source. If neither file contains identities from a source, a
/// source with a hash is shared, because the hash shows that both files learned from the same bytes.
pub(super) fn sources(
    files: &[ExperienceFile],
    places: &[Vec<u32>],
    header: &ExperienceHeader,
) -> Result<Vec<HashSet<u32>>> {
    let mut files_of = HashMap::<u32, u32>::new();
    places.iter().flatten().for_each(|&source| *files_of.entry(source).or_default() += 1);
    files_of.retain(|_, files| *files > 1);
    let mut earlier = HashMap::<u32, HashSet<u64>>::new();
    let mut shared = Vec::new();
    for (file, places) in files.iter().zip(places) {
        let mut of_file = HashSet::new();
        if places.iter().any(|source| files_of.contains_key(source)) {
            let mut own = games(file, places, &files_of)?;
            for (source, games) in &mut own {
                let before = earlier.entry(*source).or_default();
                let known_by_hash = || !header.sources[*source as usize].xxh3.is_empty();
                let is_shared = match (before.is_empty(), games.is_empty()) {
                    (true, true) => known_by_hash(),
                    _ => !before.is_disjoint(games),
                };
                if is_shared {
                    of_file.insert(*source);
                }
                before.extend(games.drain());
            }
        }
        shared.push(of_file);
    }
    Ok(shared)
}

/// Returns the identities of the games and records from which the file's values were learned, for each source
/// in `wanted`.
fn games(
    file: &ExperienceFile,
    places: &[u32],
    wanted: &HashMap<u32, u32>,
) -> Result<HashMap<u32, HashSet<u64>>> {
    let sources = places.iter().filter(|source| wanted.contains_key(source));
    let mut games: HashMap<_, HashSet<u64>> = sources.map(|&source| (source, HashSet::new())).collect();
    for row in file.read()? {
        let row = row?;
        if row.kind != ExperienceKind::Seen {
            continue;
        }
        for taught in &row.taught {
            if let Some(games) = games.get_mut(&places[taught.source as usize]) {
                games.insert(row.key.0);
            }
        }
    }
    Ok(games)
}

/// The number of lessons of one kind in each of two rows, and the number of these lessons that both rows
/// have.
struct Lessons {
    first: u32,
    second: u32,
    shared: u32,
}

impl Lessons {
    fn of(first: &[Contribution], second: &[Contribution], lesson: Lesson, sources: &HashSet<u32>) -> Self {
        let count = |taught: &[Contribution]| {
            taught
                .iter()
                .filter(|taught| taught.lesson == lesson)
                .fold(0, |sum: u32, taught| sum.saturating_add(taught.count))
        };
        Self { first: count(first), second: count(second), shared: shared(first, second, lesson, sources) }
    }

    /// The number of different lessons in the two rows: a lesson that both rows have is counted once.
    fn all(&self) -> u32 {
        self.first.saturating_add(self.second - self.shared)
    }
}

/// Returns the number of lessons of one kind from the shared `sources` that both rows have.
fn shared(first: &[Contribution], second: &[Contribution], lesson: Lesson, sources: &HashSet<u32>) -> u32 {
    let of_lesson = |taught: &&Contribution| taught.lesson == lesson && sources.contains(&taught.source);
    let same = |taught: &Contribution| {
        let other = second.iter().find(|other| (other.source, other.lesson) == (taught.source, lesson));
        other.map_or(0, |other| other.count.min(taught.count))
    };
    first.iter().filter(of_lesson).map(same).sum()
}

/// Merges two rows of one edge. Lessons from `sources` that both rows have are counted once.
pub(super) fn join(first: &ExperienceRow, second: &ExperienceRow, sources: &HashSet<u32>) -> JoinedRow {
    let mut row = ExperienceRow {
        experience: learn::experience::merge(&first.experience, &second.experience),
        taught: join_taught(&first.taught, &second.taught),
        ..first.clone()
    };
    let (mut all_shared, mut estimates) = (0, 0);
    for &lesson in Lesson::ALL {
        let lessons = Lessons::of(&first.taught, &second.taught, lesson, sources);
        all_shared += lessons.shared;
        if lessons.shared > 0 && lesson != Lesson::Set {
            let is_known = lessons.shared == lessons.first || lessons.shared == lessons.second;
            estimates += u64::from(!is_known && lesson != Lesson::Search);
            count_once(&mut row, (first, second), lesson, &lessons);
        }
    }
    for taught in row.taught.iter_mut().filter(|taught| sources.contains(&taught.source)) {
        let both = [&first.taught, &second.taught].map(|list| {
            let same = |one: &&Contribution| (one.source, one.lesson) == (taught.source, taught.lesson);
            list.iter().find(same).map_or(0, |one| one.count)
        });
        taught.count = both[0].max(both[1]);
    }
    JoinedRow { row, shared: all_shared, estimates }
}

/// Sets one value of `row` so that lessons that both rows have count once. If all lessons of one row are also
/// in the other row, the value of that other row is used. Otherwise, a learned value is the mean of the two
/// values, weighted by the numbers of lessons; half of the lessons that both rows have are counted in each
/// row. For results, see [`added`].
fn count_once(
    row: &mut ExperienceRow,
    (first, second): (&ExperienceRow, &ExperienceRow),
    lesson: Lesson,
    lessons: &Lessons,
) {
    let (one, other) = (&first.experience, &second.experience);
    let whole = if lessons.shared == lessons.second {
        Some(one)
    } else if lessons.shared == lessons.first {
        Some(other)
    } else {
        None
    };
    let known = &mut row.experience;
    match (lesson, whole) {
        (Lesson::Learn, Some(whole)) => (known.learn, known.learn_count) = (whole.learn, whole.learn_count),
        (Lesson::Own, Some(whole)) => known.own = whole.own,
        (Lesson::Search, Some(whole)) => {
            (known.eval, known.mate) = (whole.eval, whole.mate);
            (known.depth, known.nodes) = (whole.depth, whole.nodes);
        }
        (Lesson::Learn, None) => {
            let weight = |count: u32| f64::from(count) - f64::from(lessons.shared) / 2.0;
            let (a, b) = (weight(lessons.first), weight(lessons.second));
            let sum = f64::from(one.learn) * a + f64::from(other.learn) * b;
            (known.learn, known.learn_count) = ((sum / (a + b)) as f32 + 0.0, lessons.all());
        }
        (Lesson::Own, None) => known.own = added(one.own, other.own, lessons),
        (Lesson::Search | Lesson::Set, _) => {}
    }
}

/// Adds the results of two rows, counting each shared game once. The results of the shared games are not
/// known, so the wins, draws and losses of `second` are reduced in proportion.
fn added(first: OwnResults, second: OwnResults, lessons: &Lessons) -> OwnResults {
    let new = u64::from(lessons.second - lessons.shared);
    let part = |count: u32| (u64::from(count) * new / u64::from(lessons.second.max(1))) as u32;
    let [mut wins, draws, losses] = [second.wins, second.draws, second.losses].map(part);
    wins += (new as u32).saturating_sub(wins + draws + losses);
    OwnResults {
        wins: first.wins.saturating_add(wins),
        draws: first.draws.saturating_add(draws),
        losses: first.losses.saturating_add(losses),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use position::Experience;

    fn searched(experience: Experience, sources: &[u32]) -> ExperienceRow {
        let taught = |&source: &u32| Contribution { source, lesson: Lesson::Search, count: 1, last: 0 };
        let kind = ExperienceKind::Evaluation;
        ExperienceRow {
            kind,
            experience,
            taught: sources.iter().map(taught).collect(),
            ..ExperienceRow::default()
        }
    }

    /// The second row has an additional, shallower search; the first row has a mate.
    #[test]
    fn a_shared_search_is_taken_with_all_its_values() {
        let mate = Experience { mate: Some(3), depth: Some(30), nodes: Some(7), ..Experience::default() };
        let cp = Experience { eval: Some(1.5), depth: Some(20), nodes: Some(9), ..Experience::default() };
        let joined = join(&searched(mate, &[0]), &searched(cp, &[0, 1]), &HashSet::from([0]));
        assert_eq!((joined.row.experience, joined.shared), (cp, 1));
    }
}
