//! Everything that needs the whole of Tabia: the binary as a user meets it, and the pipeline against an
//! oracle.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod abk;
mod asking;
mod castling;
mod check;
mod choosing;
mod cli;
mod cluster;
mod copies;
mod ctg;
mod damage;
mod dependencies;
mod diff;
mod docs;
mod dump;
mod edit;
mod exchange;
mod failures;
mod from_start;
mod help;
mod json;
mod layout;
mod learning;
mod lines;
mod locks;
mod memory;
mod merging;
mod mistakes;
mod oracle;
mod outputs;
mod peers;
mod playing;
mod polyglot;
mod recipes;
mod rejects;
mod reliability;
mod repertoire;
mod report;
mod resume;
mod serve;
mod suite;
mod tricky;
mod weights;
mod workbench;
