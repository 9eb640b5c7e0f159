//! Annotated games as their readers see them: every style of comments, loose files, real files.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod loose;
mod reading;
mod real;
mod styles;
mod verdicts;
