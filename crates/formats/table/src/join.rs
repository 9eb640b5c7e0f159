//! Arithmetic on tables, whose rows are joined on (key, move, group), shard by shard.
//!
//! # Memory
//!
//! Each thread holds one [`ShardWriter`](crate::ShardWriter) and, for each joined table, a batch of 8,192
//! rows with the pages from which they are decoded (about 2.5 MB). No table is ever held in memory as a
//! whole.

mod agreement;
mod cursor;
mod examples;
mod fingerprints;
mod merge;
mod roots;
mod subtract;
mod visited;

use std::sync::atomic::AtomicBool;

pub use fingerprints::shared_games;
pub use merge::{add, merge, merge_alone, prepare_add, prepare_merge};
pub use subtract::{prepare_subtract, subtract};

use strum::{EnumString, IntoStaticStr, VariantArray};

/// What to do with games that are in several of the joined tables.
#[derive(Clone, Copy, Debug, Default, EnumString, Eq, IntoStaticStr, PartialEq, VariantArray)]
#[strum(serialize_all = "lowercase")]
pub enum Shared {
    /// The join fails.
    #[default]
    Refuse,
    /// A game counts once for each table that has it.
    Keep,
}

/// How tables are joined.
#[derive(Clone, Copy)]
pub struct JoinOptions<'a> {
    /// How many shards are worked on at once.
    pub threads: usize,
    /// The number of shards in the result, or `None` for as many as the first table has.
    pub shards: Option<u32>,
    /// Whether tables may be joined even if several of them have the same source. The games of this source
    /// are then counted once for each of these tables.
    pub force: bool,
    /// What to do with games that are in several tables with fingerprints.
    pub shared: Shared,
    /// Whether the rows of each table are first summed over all groups. The result then has no groups.
    pub drop_groups: bool,
    /// The minimum number of visits, summed over all tables and groups, that a position needs to be kept in a
    /// merge.
    pub min_visits: u64,
    /// Whether a table at the output's path is replaced.
    pub replace: bool,
    /// A flag that the caller sets to stop the join; the join then fails with
    /// [`Error::Stopped`](crate::Error::Stopped).
    pub stop: &'a AtomicBool,
    /// A callback with which the threads of the join report progress; each call gets the number of rows added
    /// to a shard since the previous report (at most 16,384).
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl Default for JoinOptions<'_> {
    /// The default: one thread; no source is counted twice, and no table is replaced.
    fn default() -> Self {
        static NEVER: AtomicBool = AtomicBool::new(false);
        Self {
            threads: 1,
            shards: None,
            force: false,
            shared: Shared::Refuse,
            drop_groups: false,
            min_visits: 0,
            replace: false,
            stop: &NEVER,
            progress: &|_| (),
        }
    }
}
