//! Calls a function for every shard, on several threads.

use std::{
    sync::atomic::{AtomicBool, AtomicU32, Ordering},
    thread,
};

use crate::{Error, Result};

/// Calls `work` for every shard, in any order, on up to `threads` threads; returns the results in shard
/// order. Once `work` or `check_stop` has failed, no further shard is started.
///
/// `is_consequence` recognises errors that merely follow from another error. For example, if threads share a
/// sorter, an error in one of them makes the others fail.
///
/// # Errors
///
/// If several shards fail, returns the first error, in shard order, that is not a consequence of another
/// error. If every error is a consequence, returns the error of the failed shard with the highest index.
pub fn for_each_shard<T: Send, E: Send>(
    threads: usize,
    shards: u32,
    check_stop: impl Fn() -> std::result::Result<(), E> + Sync,
    is_consequence: impl Fn(&E) -> bool,
    work: impl Fn(u32) -> std::result::Result<T, E> + Sync,
) -> std::result::Result<Vec<T>, E> {
    let (next, failed) = (AtomicU32::new(0), AtomicBool::new(false));
    let worker = || {
        let mut done = Vec::new();
        while !failed.load(Ordering::Relaxed) {
            let shard = next.fetch_add(1, Ordering::Relaxed);
            if shard >= shards {
                break;
            }
            let result = check_stop().and_then(|()| work(shard));
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            done.push((shard, result));
        }
        done
    };
    let workers = threads.clamp(1, shards.max(1) as usize);
    let mut done = thread::scope(|scope| {
        // If the system cannot start more threads, the existing ones do all the work.
        let start = |_| thread::Builder::new().spawn_scoped(scope, worker).ok();
        let others: Vec<_> = (1..workers).map_while(start).collect();
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
    let (mut results, mut failure) = (Vec::with_capacity(done.len()), None);
    for (_, result) in done {
        match result {
            Ok(result) => results.push(result),
            Err(error) if failure.as_ref().is_none_or(&is_consequence) => failure = Some(error),
            Err(_) => {}
        }
    }
    failure.map_or(Ok(results), Err)
}

/// Calls `work` for every part of a table, like [`for_each_shard`], but starts no more parts once `stop` is
/// set.
pub(crate) fn for_each_part<T: Send>(
    threads: usize,
    shards: u32,
    stop: &AtomicBool,
    work: impl Fn(u32) -> Result<T> + Sync,
) -> Result<Vec<T>> {
    for_each_shard(threads, shards, || check_stop(stop), |_| false, work)
}

/// Fails with [`Error::Stopped`] once `stop` is set.
pub(crate) fn check_stop(stop: &AtomicBool) -> Result<()> {
    if stop.load(Ordering::Relaxed) { Err(Error::Stopped) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_an_error_wins() {
        let go_on = || Ok(());
        let none = |_: &Error| false;
        assert_eq!(for_each_shard(3, 8, go_on, none, Ok).unwrap(), (0..8).collect::<Vec<_>>());
        let fails = |shard| if shard == 5 { Err(Error::Stopped) } else { Ok(shard) };
        assert!(for_each_shard(3, 8, go_on, none, fails).is_err());
        let stopped = AtomicBool::new(true);
        assert!(matches!(for_each_shard(2, 8, || check_stop(&stopped), none, Ok), Err(Error::Stopped)));
    }

    #[test]
    fn the_cause_of_a_failure_is_reported() {
        let both_begun = std::sync::Barrier::new(2);
        let fail = |shard| {
            both_begun.wait();
            Err::<(), _>(if shard == 0 { "consequence" } else { "cause" })
        };
        let failed = for_each_shard(2, 2, || Ok(()), |error| *error == "consequence", fail);
        assert_eq!(failed, Err("cause"));
    }
}
