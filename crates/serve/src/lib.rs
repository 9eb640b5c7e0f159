//! Serves books over HTTP: the explorer's page.

pub mod page;
