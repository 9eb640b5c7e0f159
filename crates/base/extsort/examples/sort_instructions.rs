//! Sorts items and merges them. The part to measure runs in a function of its own, so that Callgrind can
//! count its instructions.
//!
//! ```text
//! sort_instructions push|merge MEMORY_MIB
//! ```
//!
//! It uses one thread, sixteen buckets and the same items every time. It prints the number of items pushed
//! or rows merged, by which the script divides. `benches/instructions` runs it.
#![expect(clippy::print_stdout, reason = "an example speaks on stdout")]

use std::{env, error::Error, hint::black_box};

use edges::{Edge, Edges};
use extsort::{Options, Result, Sorted, Sorter};

#[path = "made/edges.rs"]
mod edges;

const ITEMS: usize = 1_000_000;

/// The only function whose instructions are counted.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    work()
}

fn sort(items: &[Edge], memory_bytes: u64) -> Result<Sorted<3>> {
    let sorter = Sorter::<Edge, 3>::new(Options { buckets: 16, ..Options::new(memory_bytes, 1) })?;
    let mut writer = sorter.writer()?;
    items.iter().try_for_each(|item| writer.push(*item))?;
    writer.close()?;
    sorter.finish()
}

/// Reads all buckets and returns the number of their rows.
fn merge(sorted: &Sorted<3>) -> Result<usize> {
    let (mut count, mut batch) = (0, Vec::new());
    for bucket in 0..sorted.buckets() {
        let mut rows = sorted.bucket(bucket)?;
        while rows.next_batch(&mut batch)? {
            count += black_box(&batch).len();
        }
    }
    Ok(count)
}

fn main() -> std::result::Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [part, memory_mib] = &arguments[..] else { return Err("push|merge MEMORY_MIB".into()) };
    let memory_bytes = memory_mib.parse::<u64>()? << 20;
    let mut edges = Edges::new(1);
    let items: Vec<_> = (0..ITEMS).map(|_| edges.next()).collect();
    let sorted;
    let units = match part.as_str() {
        "push" => {
            sorted = measured(|| sort(&items, memory_bytes))?;
            ITEMS
        }
        "merge" => {
            sorted = sort(&items, memory_bytes)?;
            measured(|| merge(&sorted))?
        }
        other => return Err(format!("{other}: push or merge").into()),
    };
    println!("{units}");
    eprintln!("{:?}", sorted.stats());
    Ok(())
}
