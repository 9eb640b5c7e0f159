//! A small HTTP server: limits, tokens, and an end that lets requests finish.
//!
//! [`serve`] answers requests by a router of axum until a flag is set. [`Gate`] is which requests are let in,
//! [`Tokens`] are who may write, [`Allowance`] is how often a client may ask, and [`Bodies`] reads bodies.
//!
//! # Flow
//!
//! 1. [`listen`] opens the address, and refuses one that others can reach where no tokens are asked for.
//! 2. [`serve`] runs the router within [`Limits`]: connections, the bytes of a head and a body, and how long
//!    each may take. The [`Gate`] refuses requests to other hosts, and those of other sites' pages.
//! 3. Handlers ask [`Tokens::of`] who the client is and [`Allowance::admit`] whether it has asked too often;
//!    only then they read the body, by [`Bodies::read`].
//! 4. Once `stop` is set, no connection is taken any more, and requests have [`Limits::grace`] to finish.

mod allowance;
mod bodies;
mod connections;
mod gate;
mod host;
mod server;
mod tokens;

pub use allowance::Allowance;
pub use bodies::{Bodies, BodyError, HeldBody};
pub use gate::Gate;
pub use host::{HostName, PageOrigin, UnknownHost, UnknownOrigin};
pub use server::{Limits, ListenError, listen, serve};
pub use tokens::{Client, Tokens, TokensError};
