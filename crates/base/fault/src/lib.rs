//! Tells callers the kind of a failure, its text, and the file involved.
//!
//! Each crate has an error type for its own failures, and each failure has a [`Kind`]. An [`Error`] can hold
//! a failure of any of these types. Exit codes and advice depend on the kind, so a caller need not know every
//! type.
//!
//! ```
//! use fault::{Error, Exists, Kind};
//!
//! let error = Error::from(Exists { path: "book.tabia".into() });
//! assert_eq!((error.kind(), error.to_string().as_str()), (Kind::Exists, "book.tabia already exists"));
//! assert!(error.is::<Exists>());
//! ```

mod error;
mod file;
mod interrupt;
mod kind;

pub use self::{
    error::{Error, Result},
    file::{Exists, FileFault, output},
    interrupt::{Interrupt, Stop},
    kind::{Failure, Kind},
};
