//! Serves books, tables and Polyglot books over HTTP: the API of Lichess's opening explorer, an API of our
//! own, and the explorer's page.
//!
//! [`Artefacts`] opens the served artefacts and keeps them up to date; [`serve`] answers requests about them.
//! The crate `http` handles HTTP, and the crate `query` finds the answers; this crate turns a request into a
//! question, and the answer into JSON.
//!
//! # Flow
//!
//! 1. [`Artefacts::open`] opens each file once. A thread checks for replaced files and reopens them; a
//!    request in progress keeps the artefact that it started with.
//! 2. A request passes the limits (`guard`), its fields are read (`asked`), and its filters are compared with
//!    the groups by which the artefact counted games (`filters`).
//! 3. `lichess` answers as Lichess's explorer does, and `tabia_api` answers everything else; `edits` sets
//!    values of moves in an experience file.
//!
//! `docs/serve.md` describes the requests, and `openapi.json` next to this crate's sources describes them for
//! programs.
//!
//! # Memory
//!
//! Books are mapped into memory, and tables are read from their files. The experience file is held in memory
//! and takes about 150 bytes per row. Each answer stays in memory until it is sent, and [`http::Limits`]
//! bounds the buffers of connections.

mod answer;
mod artefacts;
mod asked;
mod edits;
mod endpoints;
mod error;
mod filters;
mod guard;
mod lichess;
mod page;
mod question;
mod server;
mod settings;
mod shared;
mod tabia_api;
mod taught;

pub use artefacts::{Artefacts, NamedPath};
pub use endpoints::{Database, Endpoints};
pub use error::{Error, Result};
pub use server::serve;
pub use settings::Settings;
