//! A temporary folder, the binary in it, and the corpus if there is one.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// The sample in the repository.
pub(crate) fn sample() -> PathBuf {
    root().join("data/sample.pgn")
}

/// The root of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A text compressed in frames of that many bytes, each after its length, as pzstd does it.
pub(crate) fn frames(text: &[u8], bytes: usize) -> Vec<u8> {
    let frame = |part: &[u8]| {
        let frame = zstd::encode_all(part, 1).unwrap();
        [&[0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0], &(frame.len() as u32).to_le_bytes()[..], &frame].concat()
    };
    text.chunks(bytes).flat_map(frame).collect()
}

/// A game of PGN without players.
pub(crate) fn game(moves: &str, result: &str) -> String {
    format!("[Result \"{result}\"]\n\n{moves} {result}\n\n")
}

/// Games of a move, or of all visits, by result.
pub(crate) fn results(of: &Value) -> [u64; 3] {
    ["white", "draws", "black"].map(|result| of[result].as_u64().unwrap())
}

/// The moves of a probe by one of their names, with their games by result.
pub(crate) fn tallies(probe: &Value, name: &str) -> Vec<(String, [u64; 3])> {
    let moves = probe["moves"].as_array().unwrap().iter();
    moves.map(|mv| (mv[name].as_str().unwrap().to_owned(), results(mv))).collect()
}

/// Where a test works.
pub(crate) struct Workbench {
    folder: TempDir,
}

impl Workbench {
    pub(crate) fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    /// A folder with one file.
    pub(crate) fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let bench = Self::new();
        bench.write(name, bytes);
        bench
    }

    /// A folder with the sample, `sample.pgn`.
    pub(crate) fn with_sample() -> Self {
        Self::with("sample.pgn", fs::read(sample()).unwrap())
    }

    /// A folder in which these commands have succeeded.
    pub(crate) fn after<'a>(commands: impl IntoIterator<Item = &'a str>) -> Self {
        let bench = Self::new();
        commands.into_iter().for_each(|arguments| drop(bench.ok(arguments)));
        bench
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
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

    /// `tabia` with arguments split at blanks, run in the folder; the word `SAMPLE` is the sample's path.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("tabia"));
        command.current_dir(self.folder.path());
        for word in arguments.split_whitespace() {
            match word {
                "SAMPLE" => command.arg(sample()),
                _ => command.arg(word),
            };
        }
        command
    }

    pub(crate) fn run(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs and expects success; standard output.
    pub(crate) fn ok(&self, arguments: &str) -> String {
        printed(&self.run(arguments), arguments)
    }

    /// As [`Self::ok`], with a line of moves behind `--line`.
    pub(crate) fn ok_at(&self, arguments: &str, line: &str) -> String {
        printed(&self.command(arguments).args(["--line", line]).output().unwrap(), arguments)
    }

    /// What a command prints with `--json`.
    pub(crate) fn json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.ok(&format!("{arguments} --json"))).unwrap()
    }

    /// As [`Self::json`], with a line of moves behind `--line`.
    pub(crate) fn json_at(&self, arguments: &str, line: &str) -> Value {
        serde_json::from_str(&self.ok_at(&format!("{arguments} --json"), line)).unwrap()
    }

    /// The position after a line, as `tabia probe` has it.
    pub(crate) fn probe(&self, arguments: &str, line: &str) -> Value {
        self.json_at(&format!("probe {arguments}"), line)
    }

    /// Runs and expects success; standard error.
    pub(crate) fn said(&self, arguments: &str) -> String {
        let output = self.run(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "tabia {arguments}: {error}");
        error
    }

    /// As [`Self::assert_prints`], of standard error.
    pub(crate) fn assert_says<S: AsRef<str>>(&self, arguments: &str, texts: impl IntoIterator<Item = S>) {
        assert_has(&format!("tabia {arguments}: {}", self.said(arguments)), texts);
    }

    /// Runs and expects success, and that standard output has these texts.
    pub(crate) fn assert_prints<S: AsRef<str>>(&self, arguments: &str, texts: impl IntoIterator<Item = S>) {
        assert_has(&format!("tabia {arguments}: {}", self.ok(arguments)), texts);
    }

    /// Runs and expects this exit code; standard error.
    pub(crate) fn fails(&self, arguments: &str, code: i32) -> String {
        let output = self.run(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "tabia {arguments}: {error}");
        error
    }

    /// Runs and expects this exit code, and that standard error has these texts.
    pub(crate) fn assert_fails<S: AsRef<str>>(
        &self,
        arguments: &str,
        code: i32,
        texts: impl IntoIterator<Item = S>,
    ) -> String {
        let error = self.fails(arguments, code);
        assert_has(&format!("tabia {arguments}: {error}"), texts);
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

fn printed(output: &Output, arguments: &str) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "tabia {arguments}: {error}");
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Expects all of these texts in what was said.
pub(crate) fn assert_has<S: AsRef<str>>(said: &str, texts: impl IntoIterator<Item = S>) {
    for text in texts {
        let text = text.as_ref();
        assert!(said.contains(text), "no `{text}` in: {said}");
    }
}
