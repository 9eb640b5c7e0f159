//! `tabia.Error`, whose messages are the command line's, without its advice about flags.

use pyo3::{PyErr, create_exception, exceptions::PyException};

create_exception!(
    tabia,
    Error,
    PyException,
    "What went wrong: the text is the command line's, without its advice about flags."
);

/// Converts a library's error into a Python exception.
pub(crate) fn failed(error: impl ToString) -> PyErr {
    Error::new_err(error.to_string())
}
