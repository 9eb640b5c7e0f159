//! A server that shares the lessons of engines: gang learning, as the paper on Crafty's learning describes
//! it.
//!
//! A [`Store`] keeps records in a journal and makes one experience file of them; [`serve`] lets clients post
//! and read them over HTTP; a [`Connection`] is such a client. A record is what a player that learns keeps of
//! a game: PGN with the values of its searches in comments.
//!
//! # Flow
//!
//! 1. A client posts a record. The store refuses what holds no game of the player, notes the writer of a
//!    record that it has already, and appends any other to the journal; the answer has its number, and comes
//!    when it is on disk.
//! 2. A client asks for the experience. The store lets the records since the last time teach, in their order,
//!    and writes the file anew.
//! 3. Clearing what one writer has posted removes its records, unless others have posted them, too; the
//!    experience is made of what is left.
//!
//! What the store answers is a function of the journal: a server that is killed and started again goes on as
//! if nothing had happened.
//!
//! # The protocol
//!
//! `docs/exchange.md` describes it.

mod connection;
mod error;
mod identity;
mod server;
mod store;

pub use connection::{Connection, ConnectionError, FetchedFile};
pub use error::{Error, Result};
pub use identity::identity_of;
pub use server::{ServerSettings, serve};
pub use store::{PostAnswer, Store};
