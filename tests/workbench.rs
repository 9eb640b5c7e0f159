//! A temporary folder, the binary in it, and the corpus if there is one.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use assert_cmd::Command;
use tempfile::TempDir;

/// The sample in the repository.
pub(crate) fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/sample.pgn")
}

/// Where a test works.
pub(crate) struct Workbench {
    folder: TempDir,
}

impl Workbench {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    /// Everything in the folder, by name.
    pub(crate) fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// `tabia` with arguments split at blanks, run in the folder.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("tabia"));
        command.current_dir(self.folder.path()).args(arguments.split_whitespace());
        command
    }

    pub(crate) fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs and expects success; standard output.
    pub(crate) fn ok(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "tabia {arguments}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs and expects this exit code; standard error.
    pub(crate) fn fails(&self, arguments: &str, code: i32) -> String {
        let output = self.run(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "tabia {arguments}: {error}");
        error
    }

    /// Part files of a table, one after another.
    pub(crate) fn part_bytes(&self, table: &str) -> Vec<u8> {
        let mut parts: Vec<_> = fs::read_dir(self.path(table))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "parquet"))
            .collect();
        parts.sort();
        parts.iter().flat_map(|part| fs::read(part).unwrap()).collect()
    }
}
