//! Positions for test books.

use std::{collections::BTreeMap, path::Path};

use book::{BookEdge, BookStats, BookWriter, Existing, PositionEntry};
use position::{
    Contribution, Experience, ExperienceKind, ExperienceRow, Key, Lesson, OwnResults, PackedMove, Tally,
};
use proptest::prelude::*;
use serde_json::json;
use shakmaty::Color;

pub(crate) type Positions = BTreeMap<Key, PositionEntry>;

/// The sources of the experience in test books.
pub(crate) const SOURCES: [&str; 3] = ["a.lrn", "b.lrn", "by hand"];

/// A book of these positions.
pub(crate) fn write(path: &Path, positions: &Positions) -> BookStats {
    write_taught(path, positions, &[])
}

/// A book of these positions with this experience, from [`SOURCES`].
pub(crate) fn write_taught(path: &Path, positions: &Positions, experience: &[ExperienceRow]) -> BookStats {
    let mut writer = BookWriter::create(path, &json!({"made": "for a test"}), 100, Existing::Refuse).unwrap();
    for entry in positions.values() {
        writer.push(entry).unwrap();
    }
    if !experience.is_empty() {
        writer.begin_experience(json!(SOURCES));
    }
    for row in experience {
        writer.push_experience(row).unwrap();
    }
    writer.finish().unwrap()
}

pub(crate) fn tally(white: u64, draws: u64, black: u64) -> Tally {
    Tally { white, draws, black }
}

/// A position whose tally is the sum of its moves' tallies and `rest`.
pub(crate) fn entry(key: u64, turn: Color, rest: Tally, edges: &[(u16, Tally)]) -> PositionEntry {
    let sum = edges.iter().fold(rest, |sum, &(_, tally)| sum.checked_add(tally).unwrap());
    let edges = edges.iter().map(|&(mv, tally)| BookEdge { mv: PackedMove(mv), tally }).collect();
    PositionEntry { key: Key(key), turn, tally: sum, edges }
}

/// One position of every shape the format has, spread over the keys.
pub(crate) fn every_shape() -> Positions {
    let none = Tally::default();
    let one = [tally(0, 0, 1), tally(0, 1, 0), tally(1, 0, 0)];
    let many: Vec<_> = (1..=40u16).map(|mv| (mv * 77, tally(u64::from(mv) % 5, u64::from(mv), 0))).collect();
    let mut bodies: Vec<(Tally, Vec<(u16, Tally)>)> = Vec::new();
    bodies.extend(one.map(|one| (none, vec![(796, one)])));
    bodies.extend(one.map(|one| (one, vec![])));
    bodies.push((none, vec![(796, tally(2, 3, 4))]));
    bodies.push((none, vec![(796, tally(20, 3, 4))]));
    bodies.push((none, vec![(796, tally(100, 97, 0))]));
    bodies.push((none, vec![(796, tally(1 << 40, 5_000_000_000, i64::MAX as u64 / 2))]));
    bodies.push((none, vec![(0x4fff, one[0])]));
    bodies.push((one[1], vec![(796, one[1])]));
    bodies.push((none, vec![]));
    bodies.push((tally(500, 600, 700), vec![]));
    bodies.push((
        none,
        vec![(1, none), (2, tally(4, 0, 0)), (3, tally(0, 3, 0)), (0x1004, one[0]), (0x2004, one[2])],
    ));
    bodies.push((tally(i64::MAX as u64 - 1, 0, 0), vec![(9, one[2])]));
    bodies.push((one[2], many[..7].to_vec()));
    bodies.push((none, many));
    let turns = [Color::White, Color::Black];
    let keys = (0u64..).map(|index| index.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let all = bodies.iter().flat_map(|body| turns.map(|turn| (turn, body)));
    keys.zip(all).map(|(key, (turn, (rest, edges)))| (Key(key), entry(key, turn, *rest, edges))).collect()
}

fn any_tally() -> impl Strategy<Value = Tally> {
    let count = || prop_oneof![4 => 0u64..2, 2 => 0u64..100, 1 => 0u64..1 << 34, 1 => 0u64..1 << 54];
    (count(), count(), count()).prop_map(|(white, draws, black)| Tally { white, draws, black })
}

fn any_entry(key: u64) -> impl Strategy<Value = PositionEntry> {
    let mv = prop_oneof![8 => 1u16..0x1000, 1 => 0x1000u16..0x5000];
    let edges = prop_oneof![3 => 0usize..2, 1 => 0usize..30]
        .prop_flat_map(move |count| prop::collection::vec((mv.clone(), any_tally()), count))
        .prop_map(BTreeMap::from_iter);
    let rest = prop_oneof![2 => Just(Tally::default()), 1 => any_tally()];
    (any::<bool>(), edges, rest).prop_map(move |(white, edges, rest)| {
        entry(key, Color::from_white(white), rest, &edges.into_iter().collect::<Vec<_>>())
    })
}

/// Any positions that a book can have, with keys spread, close together, or both.
pub(crate) fn any_positions() -> impl Strategy<Value = Positions> {
    let crowded = any::<u64>().prop_map(|key| key | !0 << 10);
    let key = prop_oneof![4 => any::<u64>(), 1 => 0u64..100, 1 => crowded];
    let keys = prop_oneof![3 => 0usize..10, 1 => 0usize..300];
    keys.prop_flat_map(move |count| prop::collection::vec(key.clone(), count))
        .prop_flat_map(|keys| keys.into_iter().map(any_entry).collect::<Vec<_>>())
        .prop_map(|entries| entries.into_iter().map(|entry| (entry.key, entry)).collect())
}

/// A row with every value, and rows of the other kinds for its position.
pub(crate) fn every_experience() -> Vec<ExperienceRow> {
    let all = Experience {
        learn: -0.98,
        learn_count: 300,
        own: OwnResults { wins: 1, draws: 200, losses: 3 },
        user_value: Some(75),
        priority: Some(5),
        nag: Some(1),
        eval: Some(0.25),
        depth: Some(130),
        ..Experience::default()
    };
    let taught = |source, lesson, count, last| Contribution { source, lesson, count, last };
    let sources = vec![taught(0, Lesson::Learn, 300, 19_980_301), taught(2, Lesson::Set, 1, 0)];
    let row = |kind, experience, taught| ExperienceRow {
        key: Key::START,
        mv: PackedMove(796),
        kind,
        experience,
        taught,
    };
    vec![
        row(ExperienceKind::Book, all, sources),
        row(
            ExperienceKind::Postbook,
            Experience { eval: all.eval, ..Experience::default() },
            vec![taught(1, Lesson::Search, 1, 0)],
        ),
        row(ExperienceKind::Position, Experience { learn_count: 1, ..Experience::default() }, vec![]),
        ExperienceRow { key: Key(u64::MAX), ..row(ExperienceKind::Book, all, vec![]) },
    ]
}

/// Any experience of a book.
pub(crate) fn any_experience() -> impl Strategy<Value = Vec<ExperienceRow>> {
    let known = (any::<(u32, u32, u32, u32)>(), any::<[Option<u8>; 3]>(), any::<Option<u16>>(), -900i16..900);
    let taught = prop::collection::btree_map((0..3u32, 0..4usize), any::<(u32, u32)>(), 0..4);
    let row =
        (0..20u64, any::<u16>(), 0..5usize, known, taught).prop_map(|(key, mv, kind, known, taught)| {
            let ((learn_count, wins, draws, losses), [user_value, priority, nag], depth, centipawns) = known;
            let value = f32::from(centipawns) / 100.0;
            let own = OwnResults { wins, draws, losses };
            let mut kinds = ExperienceKind::ALL.iter().filter(|kind| kind.is_for_books());
            let kind = *kinds.nth(kind).unwrap();
            let eval = depth.map(|_| value);
            let mate = depth.filter(|_| kind.is_evaluation()).map(u16::cast_signed);
            let experience = Experience {
                learn: value,
                learn_count,
                own,
                user_value,
                priority,
                nag,
                eval,
                mate,
                depth,
                nodes: mate.map(|_| u64::from(wins) << 30),
            };
            let taught = taught.into_iter().map(|((source, lesson), (count, last))| Contribution {
                source,
                lesson: Lesson::ALL[lesson],
                count,
                last,
            });
            let key = Key(key << 59 | key);
            ExperienceRow { key, mv: PackedMove(mv), kind, experience, taught: taught.collect() }
        });
    prop::collection::vec(row, 0..60).prop_map(|mut rows| {
        rows.sort_by_key(ExperienceRow::id);
        rows.dedup_by_key(|row| row.id());
        rows
    })
}
