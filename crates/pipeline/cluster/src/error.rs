//! Errors of a count that several machines share.

/// Why a count shared by several machines failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// A chunk is not part of any plan.
    #[error("the chunk is not a valid line from a plan: {why}", why = .0)]
    Chunk(String),
    /// A string is not a valid name of a plan.
    #[error("`{name}` is not the name of a plan: expected sixteen hexadecimal digits, `-` and the number of chunks", name = .0)]
    PlanName(String),
    /// An attempt has a name that cannot be part of a file's name.
    #[error("`{name}` is not the name of an attempt: expected letters, digits, `-` and `_`", name = .0)]
    AttemptName(String),
    /// An input is standard input, which several machines cannot share.
    #[error("several machines cannot share standard input: give a file instead")]
    Stdin,
    /// An input's length has changed.
    #[error("{file} had {expected} bytes when the count was planned, but now has {got}: plan again")]
    Changed {
        /// The input.
        file: String,
        /// The input's length in the plan, in bytes.
        expected: u64,
        /// The input's length now, in bytes.
        got: u64,
    },
    /// An input has the planned length, but different contents.
    #[error(
        "{file} was rewritten after the count was planned (chunk {chunk} had {expected}, but now has {got}): plan again"
    )]
    Rewritten {
        /// The input.
        file: String,
        /// The chunk.
        chunk: u32,
        /// The tag or the checksum that the plan records for the chunk's contents.
        expected: String,
        /// The tag or the checksum of the contents now.
        got: String,
    },
    /// A stream contains something other than a count's records.
    #[error("this is not a stream of runs from another machine: {why}", why = .0)]
    Stream(String),
    /// A run or a report is missing or incomplete, or arrived more than once.
    #[error(
        "shard {shard} was not written, because its records were lost, repeated or changed on their way: {what_of} of chunk {chunk} {what}"
    )]
    Ledger {
        /// The shard.
        shard: u32,
        /// `the run` or `the report`.
        what_of: &'static str,
        /// The chunk.
        chunk: u64,
        /// What is wrong.
        what: &'static str,
    },
    /// Another commit is writing the table.
    #[error("{url} already exists: another commit is writing the table or was killed; if none is running, remove {url}", url = .0)]
    Claimed(String),
    /// The folder of parts that a task sees is not the folder that its driver holds.
    #[error(
        "{place} is not the folder that the driver made: {why}; all machines must see the output under the same \
         name"
    )]
    NotShared {
        /// The folder of parts.
        place: String,
        /// What is wrong with the folder's token.
        why: String,
    },
    /// Copies of games are to be left out, but the folder with the lists of these copies was not named.
    #[error(
        "copies of games are to be left out, so name the folder with the copies that were found (--parts)"
    )]
    NoCopies,
    /// A chunk no longer contains all the copies that were found in it.
    #[error(
        "chunk {chunk} has only {got} of the {expected} copies of games that were found in it: find copies again, \
         with as many threads as for counting"
    )]
    Copies {
        /// The chunk.
        chunk: u32,
        /// How many copies were found in it.
        expected: u64,
        /// How many of the chunk's copies the count left out.
        got: u64,
    },
    /// The lines that the shards printed do not all belong to one count.
    #[error("the lines that the shards printed do not make up one complete count: {why}; no table was written", why = .0)]
    Lines(String),
}

fault::kinds!(ClusterError { Usage: Chunk | PlanName | AttemptName | Stdin | NoCopies });
