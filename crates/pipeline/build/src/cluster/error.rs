//! What can go wrong between machines.

use fault::{Failure, Kind};

/// Why a count shared by several machines failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// A chunk that no plan has.
    #[error("the chunk is not a line that a plan printed: {why}")]
    Chunk {
        /// What is wrong with it.
        why: String,
    },
    /// A name of a plan that no plan has.
    #[error("`{given}` is not the name of a plan: sixteen hexadecimal digits, `-`, and the number of chunks")]
    PlanName {
        /// What was given.
        given: String,
    },
    /// A name of an attempt that cannot be part of a file's name.
    #[error("`{given}` cannot name an attempt: letters, digits, `-` and `_` can")]
    AttemptName {
        /// What was given.
        given: String,
    },
    /// An input that cannot be shared.
    #[error("standard input can be read by one machine alone: name a file")]
    Stdin,
    /// An input that is not as long as it was.
    #[error("{file} had {expected} bytes when it was planned, and has {got}: plan again")]
    Changed {
        /// The input.
        file: String,
        /// Its bytes in the plan.
        expected: u64,
        /// Its bytes now.
        got: u64,
    },
    /// A stream that does not have the records of a count.
    #[error("this is not a stream of runs as they are sent between machines: {why}")]
    Stream {
        /// What is wrong with it.
        why: String,
    },
    /// A run, or an account, that is not there whole and once.
    #[error(
        "shard {shard}: {what_of} of chunk {chunk} {what}; the shard was not written: its records were lost, doubled or changed on their way"
    )]
    Ledger {
        /// The shard.
        shard: u32,
        /// `the run` or `the account`.
        what_of: &'static str,
        /// The chunk.
        chunk: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// What the shards printed is not that of one count.
    #[error("what the shards printed is not the whole of one count: {why}; no table was written")]
    Lines {
        /// What is wrong.
        why: String,
    },
}

impl Failure for ClusterError {
    fn kind(&self) -> Kind {
        match self {
            Self::Chunk { .. } | Self::PlanName { .. } | Self::AttemptName { .. } | Self::Stdin => {
                Kind::Usage
            }
            Self::Changed { .. } | Self::Stream { .. } | Self::Ledger { .. } | Self::Lines { .. } => {
                Kind::Other
            }
        }
    }
}
