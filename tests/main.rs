//! Everything that needs the whole of Tabia: the binary as a user meets it, and the pipeline against an oracle.

mod cli;
mod failures;
mod oracle;
mod peers;
mod recipes;
mod tricky;
mod workbench;
