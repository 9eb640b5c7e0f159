//! Noticing a full disk early, and saying so plainly.

use std::io;
use std::path::Path;

use crate::{Error, Result};

/// Refuses to go on where `dir` has less than `needed_bytes` free.
pub(crate) fn check_free(dir: &Path, needed_bytes: u64) -> Result<()> {
    let free_bytes = fs4::available_space(dir).map_err(|source| Error::io(dir, 0, source))?;
    if free_bytes < needed_bytes {
        return Err(Error::DiskFull { dir: dir.to_path_buf(), needed_bytes, free_bytes });
    }
    Ok(())
}

/// The error for a failed write of `bytes` to the run at `path`, which is in the directory it names.
pub(crate) fn write_error(path: &Path, offset: u64, bytes: u64, source: io::Error) -> Error {
    if !matches!(source.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) {
        return Error::io(path, offset, source);
    }
    let dir = path.parent().unwrap_or(path).to_path_buf();
    let free_bytes = fs4::available_space(&dir).unwrap_or(0);
    Error::DiskFull { dir, needed_bytes: bytes, free_bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_any_disk_is_refused() {
        let error = check_free(&std::env::temp_dir(), u64::MAX).unwrap_err();
        assert!(error.to_string().contains("not enough disk in"), "{error}");
        assert!(check_free(&std::env::temp_dir(), 0).is_ok());
    }
}
