//! Work on shards by several threads.

use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread,
};

use crate::{Error, Result};

/// Does `work` for every shard, in any order, on up to `threads` threads; the results in the shards' order. After an error,
/// or once `cancel` is set, no further shard is begun.
pub(crate) fn for_each_shard<T: Send>(
    threads: usize,
    shards: u32,
    cancel: &AtomicBool,
    work: impl Fn(u32) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    let (next, failed) = (AtomicU32::new(0), AtomicBool::new(false));
    let worker = || {
        let mut done = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let shard = next.fetch_add(1, Ordering::Relaxed);
            if shard >= shards {
                break;
            }
            let result = if cancel.load(Ordering::Relaxed) { Err(Error::Cancelled) } else { work(shard) };
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            done.push((shard, result));
        }
        done
    };
    let workers = threads.clamp(1, shards as usize);
    let mut done = thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(worker)).collect();
        let mut done = worker();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_by_key(|(shard, _)| *shard);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_an_error_wins() {
        let cancel = AtomicBool::new(false);
        assert_eq!(for_each_shard(3, 8, &cancel, Ok).unwrap(), (0..8).collect::<Vec<_>>());
        let fails = |shard| if shard == 5 { Err(Error::Cancelled) } else { Ok(shard) };
        assert!(for_each_shard(3, 8, &cancel, fails).is_err());
        assert!(matches!(for_each_shard(2, 8, &AtomicBool::new(true), Ok), Err(Error::Cancelled)));
    }
}
