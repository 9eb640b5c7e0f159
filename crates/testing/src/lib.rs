//! Helpers for the tests of several crates: the corpus of real files, the list of skipped tests, and a
//! counting allocator.
//!
//! We are not allowed to copy real games and learning files, so these files are kept in a folder outside the
//! repository. A test that needs a missing file is skipped, as happens in a fresh clone.

mod allocations;

use std::{
    env,
    fmt::Display,
    fs::OpenOptions,
    io::Write as _,
    path::{Path, PathBuf},
    thread,
};

pub use allocations::CountingAllocator;

/// The environment variable that names the folder of real files. If it is not set, the folder is
/// [`CORPUS_DEFAULT`].
const CORPUS_VARIABLE: &str = "TABIA_CORPUS";

/// The default folder of real files, relative to the root of the workspace.
const CORPUS_DEFAULT: &str = "../shared/corpus";

/// The environment variable that names the file in which skipped tests are listed. If it is not set, they are
/// only reported on standard error.
const SKIPPED_VARIABLE: &str = "TABIA_SKIPPED";

/// The path of the file or folder `name` in the corpus. The engines' files are in folders next to the corpus,
/// so the names of these files look like `../crafty/book`. If the path does not exist, the test is recorded
/// as skipped.
#[must_use]
pub fn corpus(name: &str) -> Option<PathBuf> {
    existing(corpus_folder().join(name))
}

/// Records that the calling test is skipped, or that only a part of it is skipped. In the second case,
/// `reason` names the part.
///
/// The test harness hides the output of passing tests, so the line is also appended to the file named by the
/// environment variable `TABIA_SKIPPED`. `make test` prints this file at the end.
///
/// # Panics
/// Panics if that file cannot be written.
pub fn skip(reason: impl Display) {
    let line = format!("{}: {reason}\n", current_test());
    eprint!("SKIPPED: {line}");
    let Some(list) = env::var_os(SKIPPED_VARIABLE).filter(|path| !path.is_empty()) else { return };
    // Test programs run one after another, but the tests in a program run in parallel, so each line is
    // appended by a single write.
    let written = OpenOptions::new()
        .create(true)
        .append(true)
        .open(&list)
        .and_then(|mut file| file.write_all(line.as_bytes()));
    written.unwrap_or_else(|error| panic!("{}: {error}", list.display()));
}

fn existing(path: PathBuf) -> Option<PathBuf> {
    if path.exists() {
        return Some(path);
    }
    skip(format_args!("{} is missing", path.display()));
    None
}

fn corpus_folder() -> PathBuf {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let root = crates.and_then(Path::parent).unwrap_or(Path::new("."));
    let folder = env::var_os(CORPUS_VARIABLE).filter(|path| !path.is_empty());
    root.join(folder.unwrap_or_else(|| CORPUS_DEFAULT.into()))
}

/// The name of the test program, without its hash, followed by the test's name, which is also the name of its
/// thread.
fn current_test() -> String {
    let program = env::current_exe().ok();
    let stem = program.as_deref().and_then(Path::file_stem).map(|stem| stem.to_string_lossy().into_owned());
    let stem = stem.unwrap_or_default();
    let name = stem.rsplit_once('-').map_or(stem.as_str(), |(name, _)| name);
    format!("{name} {}", thread::current().name().unwrap_or("(unnamed thread)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_named_by_program_and_thread() {
        assert_eq!(current_test(), "testing tests::a_test_is_named_by_program_and_thread");
    }

    #[test]
    fn what_is_there_is_found() {
        assert!(existing(PathBuf::from(env!("CARGO_MANIFEST_DIR"))).is_some());
    }
}
