//! The engine: a program of its own that is written to and read from line by line.

use std::{
    collections::HashSet,
    io::{self, Write as _},
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::Sender,
    thread,
    time::{Duration, Instant},
};

use crate::{
    Error, Result,
    lines::{self, Received},
};

/// Between two looks at whether it has ended.
const PAUSE: Duration = Duration::from_millis(5);

/// A running engine. Dropped, it is killed.
pub(crate) struct Engine {
    command: String,
    child: Child,
    /// `None` once it is closed.
    input: Option<ChildStdin>,
    /// How it calls itself.
    pub(crate) name: Option<String>,
    /// Its options, in lower case.
    pub(crate) options: HashSet<String>,
}

impl Engine {
    /// Starts the program of a command line; what it says is sent as `event` makes it.
    ///
    /// The command is split as a shell does it, but no shell runs: nothing in it is expanded.
    pub(crate) fn start<E: Send + 'static>(
        command: &str,
        sender: Sender<E>,
        event: impl Fn(Received) -> E + Send + 'static,
    ) -> Result<Self> {
        let parts = shlex::split(command).unwrap_or_default();
        let [program, arguments @ ..] = parts.as_slice() else {
            return Err(Error::Command { command: command.into() });
        };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|source| Error::Start { command: command.into(), source })?;
        let input = child.stdin.take();
        if let Some(output) = child.stdout.take() {
            lines::send(output, sender, event);
        }
        Ok(Self { command: command.into(), child, input, name: None, options: HashSet::new() })
    }

    /// Its command line.
    pub(crate) fn command(&self) -> &str {
        &self.command
    }

    /// Writes a line to it. An engine that no longer reads is about to end: its output says so.
    pub(crate) fn say(&mut self, line: &[u8]) {
        let Some(input) = &mut self.input else { return };
        let written: io::Result<()> = (|| {
            input.write_all(line)?;
            input.write_all(b"\n")?;
            input.flush()
        })();
        if written.is_err() {
            self.input = None;
        }
    }

    /// Waits until it ends by itself, for `patience`, and kills it then.
    pub(crate) fn end(&mut self, patience: Duration) -> Option<ExitStatus> {
        self.input = None;
        let deadline = Instant::now() + patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(PAUSE),
                _ => break,
            }
        }
        // It may have ended by now; either way it is waited for.
        let _ = self.child.kill();
        self.child.wait().ok()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}
