//! `tabia.Error`: errors with the messages of the command line.

use pyo3::{PyErr, create_exception, exceptions::PyException};

create_exception!(
    tabia,
    Error,
    PyException,
    "What went wrong: the text is the command line's, without its advice about flags."
);

/// Turns an error of a library into Python's exception.
pub(crate) fn failed(error: impl ToString) -> PyErr {
    Error::new_err(error.to_string())
}
