//! Learning allocates nothing per record once its buffers have grown.

#![expect(clippy::unwrap_used, reason = "a test may panic")]

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use learn::crafty::{Learner, LearningBook, Options, Origin, Record};
use position::{Key, PackedMove};
use testing::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

fn learner(plies: &[(Key, PackedMove)]) -> Learner {
    let mut builder = LearningBook::builder();
    for &(key, mv) in plies {
        builder.push(key, [(mv, 0.0, 0), (PackedMove(mv.0 + 1), 0.0, 0)]).unwrap();
    }
    Learner::new(builder.finish(), Options { dedup: false, ..Options::default() })
}

#[test]
fn a_second_pass_over_the_same_records_allocates_nothing() {
    let plies: Vec<_> = (0..20).map(|ply| (Key(ply << 58), PackedMove(7))).collect();
    let mut learner = learner(&plies);
    let mut pass = || {
        for version in ["v11.9", "v11.23", "13.1", "15.17", "17.14", "18.1", "18.15", "20.14"] {
            let white = &*format!("Crafty {version}");
            let before = ALLOCATOR.calls();
            for value in [-7, 30] {
                let record =
                    Record { white, black: "opponent", plies: &plies, value, depth: 5, rating_difference: 0 };
                assert!(learner.learn(&record, Origin::default()).is_learned(), "{white} {value}");
            }
            CALLS_OF_RECORDS.fetch_add(ALLOCATOR.calls() - before, Relaxed);
        }
    };
    pass();
    CALLS_OF_RECORDS.store(0, Relaxed);
    pass();
    assert_eq!(CALLS_OF_RECORDS.load(Relaxed), 0);
}

/// Allocator calls while records are replayed, without those for names.
static CALLS_OF_RECORDS: AtomicU64 = AtomicU64::new(0);
