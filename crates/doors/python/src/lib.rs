//! The native half of the Python package `tabia`: probing books and tables, computing keys and moves in bulk,
//! counting and building. `python/tabia/__init__.py` is the other half, and what users import.
//!
//! # Flow
//!
//! 1. [`asked`] reads positions as Python callers pass them: a key, a FEN, a board of python-chess.
//! 2. [`artefact`] opens a book or a table; [`found`] represents the result of a probe, and computes move
//!    names only when they are asked for.
//! 3. [`arrays`] computes position keys and move names in bulk; [`arrow`] exchanges arrays through the Arrow
//!    C interface, and [`scan`] streams a table through it.
//! 4. [`run`] turns keyword arguments into a recipe and runs it, checking for Python's signals.

mod arrays;
mod arrow;
mod artefact;
mod asked;
mod error;
mod found;
mod run;
mod scan;
mod values;

use pyo3::prelude::*;

/// The native half of `tabia`.
#[pymodule]
mod _tabia {
    #[pymodule_export]
    use super::arrays::{keys_of_arrow, keys_of_list, uci_of_arrow, uci_of_buffer, uci_of_list};
    #[pymodule_export]
    use super::arrow::Array;
    #[pymodule_export]
    use super::artefact::{Artefact, policies, sql};
    #[pymodule_export]
    use super::error::Error;
    #[pymodule_export]
    use super::found::{Move, Probe};
    #[pymodule_export]
    use super::run::run;
    #[pymodule_export]
    use super::scan::Scan;
}
