//! A small HTTP server with limits and access tokens. Before it stops, it lets running requests finish.
//!
//! [`serve`] answers requests with an axum router until a flag is set. [`Gate`] decides which requests are
//! accepted. [`Tokens`] lists the clients that may write, and [`Allowance`] limits how often a client may
//! send requests. [`Bodies`] reads bodies.
//!
//! # Flow
//!
//! 1. [`listen`] opens the address. Without tokens it refuses an address that other machines can reach.
//! 2. [`serve`] runs the router within [`Limits`], which bound the number of connections, the size of headers
//!    and bodies, and the time that a request may take. The [`Gate`] refuses requests to other hosts, and
//!    requests from pages of other sites.
//! 3. Handlers first identify the client with [`Tokens::of`] and check with [`Allowance::admit`] that it has
//!    not sent too many requests. Only then do they read the body, with [`Bodies::read`].
//! 4. Once `stop` is set, no more connections are accepted, and requests have [`Limits::grace`] to finish.

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
