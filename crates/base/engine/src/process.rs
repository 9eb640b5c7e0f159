//! Starts and ends an engine's process, and writes to it.

use std::{
    collections::HashSet,
    io::{self, Write},
    os::unix::process::CommandExt as _,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, Sender, unbounded};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use crate::{
    Error, Result,
    line_reader::{self, Delivery},
};

/// How long to wait before checking again whether the engine has ended.
const PAUSE: Duration = Duration::from_millis(5);
/// The maximum number of bytes that may be queued for the engine.
const UNREAD_BYTES_MAX: usize = 4 << 20;

/// A running engine, which is killed when this value is dropped.
///
/// The engine leads its own process group. Every process that it starts, for example through a shell or a
/// script, is therefore killed together with it.
pub struct Engine {
    /// Its command line.
    pub command: String,
    child: Child,
    /// The engine's process group; `None` after [`end`](Self::end).
    group: Option<Pid>,
    /// The lines that the engine prints.
    pub lines: Receiver<Delivery>,
    input: Input,
    /// The engine's name, from its `id name` line.
    pub name: Option<String>,
    /// The names of the engine's options, in lower case.
    pub options: HashSet<String>,
}

/// The engine's input. A separate thread writes to it, so an engine that does not read its input blocks
/// nothing else.
struct Input {
    /// The lines to write; `None` once the input is closed.
    sender: Option<Sender<Vec<u8>>>,
    /// The number of bytes still to be written.
    unread: Arc<AtomicUsize>,
}

impl Input {
    fn new(mut stream: impl Write + Send + 'static) -> Self {
        let (sender, receiver) = unbounded::<Vec<u8>>();
        let unread = Arc::new(AtomicUsize::new(0));
        let still_unread = Arc::clone(&unread);
        thread::spawn(move || {
            for line in receiver {
                // An engine that is about to exit closes its input, and writing then fails. Nothing is
                // reported here: the end of the engine's output will show that it has exited.
                if write(&mut stream, &line).is_err() {
                    return;
                }
                still_unread.fetch_sub(line.len(), Relaxed);
            }
        });
        Self { sender: Some(sender), unread }
    }

    /// Queues a line for writing. Returns `false` if too many bytes are already waiting.
    fn say(&self, line: &[u8]) -> bool {
        let Some(sender) = &self.sender else { return true };
        if self.unread.fetch_add(line.len(), Relaxed) > UNREAD_BYTES_MAX {
            return false;
        }
        // Sending fails only if the writing thread has ended because the engine no longer reads its input.
        let _ = sender.send(line.to_vec());
        true
    }
}

fn write(stream: &mut impl Write, line: &[u8]) -> io::Result<()> {
    stream.write_all(line)?;
    stream.write_all(b"\n")?;
    stream.flush()
}

impl Engine {
    /// Starts an engine from its command line.
    ///
    /// The command is split into words as a shell would split it, but no shell runs, so nothing in it is
    /// expanded.
    ///
    /// # Errors
    ///
    /// [`Error::Command`], [`Error::Start`].
    pub fn start(command: &str) -> Result<Self> {
        let (program, arguments) = split(command)?;
        let failed = |source| Error::Start { command: command.into(), source };
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(failed)?;
        let group = Some(Pid::from_child(&child));
        let no_pipe = || failed(io::ErrorKind::BrokenPipe.into());
        let input = Input::new(child.stdin.take().ok_or_else(no_pipe)?);
        let lines = line_reader::receive(child.stdout.take().ok_or_else(no_pipe)?);
        Ok(Self { command: command.into(), child, group, lines, input, name: None, options: HashSet::new() })
    }

    /// Writes a line to the engine, without waiting for the engine to read it.
    ///
    /// # Errors
    ///
    /// [`Error::NotReading`] if too many bytes are waiting because the engine does not read them.
    pub fn say(&mut self, line: &[u8]) -> Result<()> {
        if self.input.say(line) { Ok(()) } else { Err(Error::NotReading(self.command.clone())) }
    }

    /// Waits up to `patience` for the engine to exit, then kills whatever is left of its process group.
    /// Returns the exit status if the engine exited before it was killed.
    pub fn end(&mut self, patience: Duration) -> Option<ExitStatus> {
        let group = self.group.take()?;
        self.input.sender = None;
        let deadline = Instant::now() + patience;
        while !has_ended(group) && Instant::now() < deadline {
            thread::sleep(PAUSE);
        }
        let by_itself = has_ended(group);
        // The group is killed before `wait`. Until `wait` is called, the system gives the group's number to
        // no other process. An error only means that the group has no process left to kill.
        let _ = kill_process_group(group, Signal::KILL);
        let status = self.child.wait().ok();
        status.filter(|_| by_itself)
    }
}

/// Splits a command line into the program and its arguments.
///
/// # Errors
///
/// [`Error::Command`].
pub fn split(command: &str) -> Result<(String, Vec<String>)> {
    let mut parts = shlex::split(command).unwrap_or_default().into_iter();
    let program = parts.next().ok_or_else(|| Error::Command(command.into()))?;
    Ok((program, parts.collect()))
}

/// Whether a child process has exited. Its exit status can still be read afterwards.
fn has_ended(child: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    // An error means that the child no longer exists.
    waitid(WaitId::Pid(child), options).map_or(true, |status| status.is_some())
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.end(Duration::ZERO);
    }
}
