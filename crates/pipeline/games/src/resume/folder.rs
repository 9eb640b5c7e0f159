//! The folder that contains a job's record.

use std::path::{Path, PathBuf};

use output::folder_of;
use xxhash_rust::xxh3::xxh3_64;

/// Returns the hidden folder in `temp_dir` for the record of the job that writes `output`. Its name contains
/// the output's name and a hash of the output's path, because outputs of the same name from different folders
/// may share a `temp_dir`.
#[must_use]
pub fn folder_of_job(temp_dir: &Path, output: &Path) -> PathBuf {
    let folder = folder_of(output);
    let folder =
        folder.canonicalize().or_else(|_| std::path::absolute(folder)).unwrap_or_else(|_| folder.to_owned());
    let name = output.file_name().unwrap_or(output.as_os_str());
    let hash = xxh3_64(folder.join(name).as_os_str().as_encoded_bytes());
    temp_dir.join(format!(".{}.tabia-resume-{hash:016x}", name.to_string_lossy()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_finds_its_folder_again_and_no_other_does() {
        let dir = tempfile::tempdir().unwrap();
        let temp = Path::new("/spill");
        let book = folder_of_job(temp, &dir.path().join("a.tabia"));
        assert_eq!(book, folder_of_job(temp, &dir.path().join("./a.tabia")));
        assert!(book.to_str().unwrap().starts_with("/spill/.a.tabia.tabia-resume-"), "{}", book.display());
        std::fs::create_dir(dir.path().join("b")).unwrap();
        assert_ne!(book, folder_of_job(temp, &dir.path().join("b/a.tabia")));
        assert_ne!(book, folder_of_job(temp, &dir.path().join("c.tabia")));
    }
}
