//! Tests of whole sorts: their result, sorts that end early, and sorts shared by several sorters.

mod oracle;
mod resume;
mod sharing;
