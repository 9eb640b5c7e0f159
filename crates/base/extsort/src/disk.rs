//! Detects a full disk early and reports it clearly.

use std::io;
use std::path::Path;

use crate::{Error, Result};

/// Fails if `dir` has less than `needed_bytes` free.
pub(crate) fn check_free(dir: &Path, needed_bytes: u64) -> Result<()> {
    let free_bytes = fs4::available_space(dir).map_err(|source| Error::io(dir, 0, source))?;
    if free_bytes < needed_bytes {
        return Err(Error::DiskFull { dir: dir.to_path_buf(), needed_bytes, free_bytes });
    }
    Ok(())
}

/// The error for a failed write of `bytes` to the run at `path`. If the disk is full or a quota is exceeded,
/// the error names the directory of the run.
pub(crate) fn write_error(path: &Path, offset: u64, bytes: u64, source: io::Error) -> Error {
    let dir = path.parent().unwrap_or(path).to_path_buf();
    match source.kind() {
        io::ErrorKind::StorageFull => {
            let free_bytes = fs4::available_space(&dir).unwrap_or(0);
            Error::DiskFull { dir, needed_bytes: bytes, free_bytes }
        }
        io::ErrorKind::QuotaExceeded => Error::QuotaExceeded { dir, needed_bytes: bytes, source },
        _ => Error::io(path, offset, source),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_any_disk_is_refused() {
        let error = check_free(&std::env::temp_dir(), u64::MAX).unwrap_err();
        assert!(error.to_string().contains("not enough disk space in"), "{error}");
        assert!(check_free(&std::env::temp_dir(), 0).is_ok());
    }

    #[test]
    fn a_quota_is_named() {
        let error = write_error(Path::new("/spill/run"), 0, 70, io::ErrorKind::QuotaExceeded.into());
        assert_eq!(error.to_string(), "not enough disk space in /spill for about 70 bytes: quota exceeded");
        assert!(matches!(error, Error::QuotaExceeded { .. }));
    }
}
