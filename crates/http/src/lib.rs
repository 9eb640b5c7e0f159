//! A small HTTP server: limits, tokens, and an end that lets requests finish.
//!
//! [`serve`] answers requests by a router of axum until a flag is set. [`Tokens`] are who may write,
//! read from a file; [`Allowance`] is how often a client may ask.
//!
//! # Flow
//!
//! 1. [`listen`] opens the address, and refuses one that others can reach where no tokens are asked for.
//! 2. [`serve`] runs the router within [`Limits`]: connections, the bytes of a head and a body, and how long
//!    each may take.
//! 3. Handlers ask [`Tokens::of`] who the client is and [`Allowance::admit`] whether it has asked too often.
//! 4. Once `stop` is set, no connection is taken any more, and requests have [`Limits::grace`] to finish.

mod allowance;
mod connections;
mod server;
mod tokens;

pub use allowance::Allowance;
pub use server::{Limits, ListenError, listen, serve};
pub use tokens::{Client, Tokens, TokensError};
