//! A server through which engines share what they learn. The paper on Crafty's learning calls this "gang
//! learning".
//!
//! A [`Store`] keeps records in a journal and turns them into one experience file. Over HTTP, [`serve`] lets
//! clients such as [`Connection`] post records, fetch records, and fetch the experience. A record contains
//! one or more games as a learning player stores them: PGN with the player's search values in comments.
//!
//! # Flow
//!
//! 1. A client posts a record. The store refuses a record that contains no game of the player. If the store
//!    already has the record, it only notes that this client has posted it too; otherwise, it adds the record
//!    to the journal. The answer contains the record's number, and is sent once the record is on disk.
//! 2. A client asks for the experience. The store learns from the records posted since the last request, in
//!    order, and rewrites the file.
//! 3. Clearing a writer removes its records, except those that other writers have posted as well; the
//!    experience is then rebuilt from the remaining records.
//!
//! The store's answers depend only on the journal, so a server that is killed and started again continues as
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
