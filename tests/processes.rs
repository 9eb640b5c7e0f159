//! The binary as a process that a test talks to while it runs.

use std::process::{Child, Command, Stdio};

use crate::workbench::Workbench;

impl Workbench {
    /// A script of bash, run in the folder; `$TABIA` is the binary.
    pub(crate) fn shell(&self, script: &str) -> Command {
        let mut bash = Command::new("bash");
        bash.current_dir(self.path("")).args(["-c", script]);
        bash.env("TABIA", assert_cmd::cargo::cargo_bin!("tabia"));
        bash
    }

    /// As [`Self::shell`], run to its end: its exit code, and what it printed to stderr.
    pub(crate) fn ended(&self, script: &str) -> (Option<i32>, String) {
        let output = self.shell(script).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    }

    /// As [`Self::shell`], started with pipes for its streams.
    pub(crate) fn start(&self, script: &str) -> Child {
        let mut shell = self.shell(script);
        shell.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// `tabia`, started with pipes for its streams.
    pub(crate) fn start_tabia(&self, arguments: &str) -> Child {
        self.start(&format!("exec \"$TABIA\" {arguments}"))
    }
}

/// Sends a signal.
pub(crate) fn send(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}
