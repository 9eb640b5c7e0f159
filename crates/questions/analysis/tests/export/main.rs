//! What an export writes, read back by the Parquet library and compared with a walk over maps in memory.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, in the functions it calls too")]

mod columns;
mod cuts;
mod failures;
mod fixture;
mod games;
mod layout;
mod oracle;
