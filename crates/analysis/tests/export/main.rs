//! What an export writes, read back by the Parquet library and compared with a walk over maps in memory.

mod columns;
mod failures;
mod fixture;
mod games;
mod layout;
mod oracle;
