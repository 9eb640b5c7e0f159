//! Turns panics of the Parquet library into errors: some damaged files make its readers panic, but a damaged
//! file is bad input rather than a bug.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
};

use parquet::{
    errors::{ParquetError, Result},
    file::{
        reader::{ChunkReader, FileReader},
        serialized_reader::SerializedFileReader,
    },
};

thread_local! {
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Calls readers of the Parquet library.
///
/// # Errors
///
/// Fails if `read` fails or panics; after a panic, the error says that the file is damaged.
pub fn guarded<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    let outside = IS_GUARDED.replace(true);
    let read = catch_unwind(AssertUnwindSafe(read));
    IS_GUARDED.set(outside);
    read.unwrap_or_else(|_| Err(ParquetError::General("damaged: it cannot be decoded".to_owned())))
}

/// Whether this thread is in a call of [`guarded`]. A panic hook has nothing to print then, because the panic
/// becomes an error.
#[must_use]
pub fn is_guarded() -> bool {
    IS_GUARDED.get()
}

/// Opens a Parquet file.
///
/// # Errors
///
/// Fails if the file cannot be read, or if its metadata is damaged.
pub fn open(file: impl ChunkReader + 'static) -> Result<Arc<dyn FileReader>> {
    guarded(|| Ok(Arc::new(SerializedFileReader::new(file)?) as Arc<dyn FileReader>))
}
