//! An error that can hold any failure.

use std::{
    any::Any,
    error::Error as StdError,
    fmt::{self, Debug, Display, Formatter},
    iter,
};

use crate::{Failure, Kind};

/// A result whose error type defaults to [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Any [`Failure`].
pub struct Error(Box<dyn Failure>);

impl Error {
    /// The kind of the failure, for callers.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.0.kind()
    }

    /// Whether the failure is of type `E`.
    #[must_use]
    pub fn is<E: Failure>(&self) -> bool {
        self.downcast_ref::<E>().is_some()
    }

    /// Returns a reference to the failure if it is of type `E`.
    #[must_use]
    pub fn downcast_ref<E: Failure>(&self) -> Option<&E> {
        (&*self.0 as &dyn Any).downcast_ref()
    }

    /// Returns a mutable reference to the failure if it is of type `E`.
    #[must_use]
    pub fn downcast_mut<E: Failure>(&mut self) -> Option<&mut E> {
        (&mut *self.0 as &mut dyn Any).downcast_mut()
    }

    /// Returns the failure if it is of type `E`.
    ///
    /// # Errors
    ///
    /// Returns the error unchanged if the failure is not of type `E`.
    pub fn downcast<E: Failure>(self) -> Result<E> {
        if !self.is::<E>() {
            return Err(self);
        }
        let any: Box<dyn Any> = self.0;
        match any.downcast() {
            Ok(error) => Ok(*error),
            Err(_) => unreachable!("it was looked at"),
        }
    }

    /// All errors of type `E` among the failure and its causes.
    pub fn causes<E: StdError + 'static>(&self) -> impl Iterator<Item = &E> {
        let failure: &(dyn StdError + 'static) = &*self.0;
        iter::successors(Some(failure), |&error| error.source()).filter_map(<dyn StdError>::downcast_ref)
    }
}

impl<E: Failure> From<E> for Error {
    fn from(error: E) -> Self {
        Self(Box::new(error))
    }
}

impl Debug for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Debug::fmt(&self.0, f)
    }
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Display::fmt(&self.0, f)
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        self.0.source()
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;
    use crate::{Exists, FileFault};

    #[test]
    fn an_error_is_what_it_was_made_of() {
        let missing = io::Error::from(io::ErrorKind::NotFound);
        let error = Error::from(FileFault::new("read", "a.pgn", missing));
        assert_eq!(error.to_string(), "cannot read a.pgn: entity not found");
        let unnamed = FileFault::at("a.pgn".as_ref())(io::Error::from(io::ErrorKind::NotFound));
        assert_eq!(unnamed.to_string(), "a.pgn: entity not found");
        assert!(error.source().is_some_and(<dyn StdError>::is::<io::Error>));
        assert!(error.is::<FileFault>() && !error.is::<Exists>());
        assert_eq!((error.causes::<FileFault>().count(), error.causes::<io::Error>().count()), (1, 1));
        let error = error.downcast::<Exists>().unwrap_err();
        assert_eq!(error.downcast::<FileFault>().unwrap().action, "read");
    }
}
