//! Tests the queues between threads: a few threads take turns in every possible order. Each file is compiled
//! here with the locks of a model checker, which reports a deadlock as a failure.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod sync {
    pub(crate) use loom::sync::{Condvar, Mutex, MutexGuard};
}

#[path = "../src/stages/compact/queue.rs"]
mod queue;
#[path = "../../games/src/driver/turns.rs"]
mod turns;

use std::fmt::Debug;

use loom::{model::Builder, sync::Arc, thread};

use self::{queue::ShardQueue, turns::Turns};

/// The maximum number of times that an order switches away from a thread that could go on. Nearly all
/// mistakes need two.
const PREEMPTIONS_MAX: usize = 2;

/// One shard for each maker. More shards only repeat the same orders.
const SHARDS: u32 = 2;

fn in_every_order(model: impl Fn() + Send + Sync + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(PREEMPTIONS_MAX);
    builder.check(model);
}

fn join<T: Debug>(threads: Vec<thread::JoinHandle<T>>) -> Vec<T> {
    threads.into_iter().map(|thread| thread.join().unwrap()).collect()
}

/// Makes shards of two pieces, and fails at the given piece.
fn make(queue: &ShardQueue<(u32, u32)>, fails_at: Option<(u32, u32)>) {
    while let Some(shard) = queue.begin() {
        for piece in [(shard, 0), (shard, 1)] {
            if fails_at == Some(piece) {
                return queue.stop();
            }
            if !queue.push(shard, piece) {
                return;
            }
        }
        queue.end(shard);
    }
}

/// The pieces that are taken while two threads make shards.
fn taken(pieces_max: usize, fails_at: Option<(u32, u32)>) -> Vec<(u32, u32)> {
    let queue = Arc::new(ShardQueue::new(SHARDS, pieces_max));
    let start = |_| {
        let queue = Arc::clone(&queue);
        thread::spawn(move || make(&queue, fails_at))
    };
    let makers = (0..2).map(start).collect();
    let taken = std::iter::from_fn(|| queue.take()).collect();
    join(makers);
    taken
}

#[test]
fn pieces_come_in_the_order_of_shards() {
    for pieces_max in [0, 2] {
        in_every_order(move || {
            let shards = (0..SHARDS).flat_map(|shard| [(shard, 0), (shard, 1)]);
            assert!(taken(pieces_max, None).into_iter().eq(shards));
        });
    }
}

#[test]
fn a_maker_that_fails_ends_the_others_and_the_taker() {
    for fails_at in [(0, 0), (0, 1), (1, 1)] {
        in_every_order(move || {
            let taken = taken(0, Some(fails_at));
            assert!(taken.is_sorted() && taken.iter().all(|piece| *piece < fails_at), "{taken:?}");
        });
    }
}

#[test]
fn makers_end_when_the_taker_fails() {
    in_every_order(|| {
        let queue = Arc::new(ShardQueue::new(SHARDS, 0));
        let start = |_| {
            let queue = Arc::clone(&queue);
            thread::spawn(move || make(&queue, None))
        };
        let makers = (0..2).map(start).collect();
        queue.take().unwrap();
        queue.stop();
        join(makers);
        assert_eq!(queue.take(), None);
    });
}

/// Two threads put every second batch each, and the taker or a thread fails at one of them.
fn put_by_two(ahead: u64, taker_fails_at: Option<u64>, thread_fails_at: Option<u64>) -> Vec<u64> {
    let turns = Arc::new(Turns::new(Vec::new()));
    let put_all = move |turns: &Turns<u64, Vec<u64>>, numbers: [u64; 2]| {
        for number in numbers {
            let put = if thread_fails_at == Some(number) {
                Err(())
            } else {
                turns.put((number, number), ahead, |taken: &mut Vec<u64>, batch| {
                    taken.push(batch);
                    if taker_fails_at == Some(batch) { Err(()) } else { Ok(()) }
                })
            };
            match put {
                Ok(true) => {}
                Ok(false) => return,
                // The driver does the same for a thread that fails.
                Err(()) => return turns.abort(),
            }
        }
    };
    let start = |numbers| {
        let turns = Arc::clone(&turns);
        thread::spawn(move || put_all(&turns, numbers))
    };
    let threads = [[0, 2], [1, 3]].into_iter().map(start).collect();
    join(threads);
    Arc::try_unwrap(turns).ok().unwrap().into_taker()
}

#[test]
fn batches_are_given_on_in_order() {
    for ahead in [1, 2, 4] {
        in_every_order(move || assert_eq!(put_by_two(ahead, None, None), [0, 1, 2, 3]));
    }
}

#[test]
fn whoever_fails_no_thread_waits_for_its_turn_for_ever() {
    for ahead in [1, 2] {
        for at in 0..4 {
            in_every_order(move || assert!(put_by_two(ahead, Some(at), None).into_iter().eq(0..=at)));
            in_every_order(move || {
                let taken = put_by_two(ahead, None, Some(at));
                assert!(taken.iter().copied().eq(0..taken.len() as u64) && taken.len() as u64 <= at);
            });
        }
    }
}
