//! The loop between GUI and engine.

mod from_engine;
mod from_gui;
mod guard;
mod learns;
mod search;
mod waits;

use std::{
    collections::VecDeque,
    io::{Read, Write},
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, Select, bounded, never};
use engine::{Delivery, Engine};

use shakmaty::CastlingMode;

use self::{search::Search, waits::Waits};
use crate::{
    Error, Result,
    book::{Book, BookOptions},
    learning::{GuiResult, LearnOptions, Learning},
    line::Line,
};

/// The settings of a player.
#[derive(Clone, Debug)]
pub struct SessionOptions {
    /// The book and its policy.
    pub book: BookOptions,
    /// The command line of the engine; `None` if the book plays alone.
    pub engine: Option<String>,
    /// The move number after which the book no longer plays.
    pub depth: u32,
    /// How long to wait for the engine to answer.
    pub patience: Duration,
    /// How to learn from games; `None` if the player does not learn.
    pub learn: Option<LearnOptions>,
}

/// Something that the player must react to.
enum Event {
    Gui(Delivery),
    Engine(Delivery),
    Interrupt,
}

/// The channels from which events are received.
struct Events {
    gui: Receiver<Delivery>,
    engine: Receiver<Delivery>,
    interrupts: Receiver<()>,
}

/// Whether the loop continues.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Next {
    GoOn,
    Quit,
}

/// How long an engine may take to exit after `quit`.
const QUIT_PATIENCE: Duration = Duration::from_secs(2);

/// Runs a session until the GUI quits or closes its output, the engine fails, or `wait_for_interrupt`
/// returns. `wait_for_interrupt` is called on a separate thread.
///
/// # Errors
///
/// Fails if the book cannot be opened or the engine cannot be started; if the engine ends, does not answer
/// within [`SessionOptions::patience`], or answers with something that is not a move; and if the player is
/// interrupted. The error is then also sent to the GUI as an `info string`.
pub fn play(
    options: &SessionOptions,
    gui_says: impl Read + Send + 'static,
    mut gui: impl Write,
    wait_for_interrupt: impl FnOnce() + Send + 'static,
) -> Result<()> {
    let (book, learning, engine) = open(options).inspect_err(|error| {
        // If the GUI is gone, nothing can be reported.
        let _ = writeln!(gui, "{}", in_line(&format!("error: {error}"))).and_then(|()| gui.flush());
    })?;
    let events = Events {
        gui: engine::receive(gui_says),
        engine: engine.as_ref().map_or_else(never, |engine| engine.lines.clone()),
        interrupts: interrupts(wait_for_interrupt),
    };
    let mut session = Session {
        gui,
        engine,
        book,
        options,
        own_book: true,
        depth: options.depth,
        asked: GuiOptions::default(),
        line: Some(Line::default()),
        is_played: true,
        learning,
        not_learned: None,
        search: None,
        waits: Waits::default(),
        held: VecDeque::new(),
    };
    let done = session.run(&events);
    session.end(done)
}

/// Returns a channel that receives a message when `wait` returns.
fn interrupts(wait: impl FnOnce() + Send + 'static) -> Receiver<()> {
    let (sender, receiver) = bounded(1);
    thread::spawn(move || {
        wait();
        // If the session is over, no one receives the message.
        let _ = sender.send(());
    });
    receiver
}

/// Opens the book of a session, prepares to learn, and starts the engine.
fn open(options: &SessionOptions) -> Result<(Book, Option<Learning>, Option<Engine>)> {
    let book = Book::open(&options.book, options.learn.is_some())?;
    let learning = options.learn.as_ref().map(|learn| Learning::open(learn, &book.artefact)).transpose()?;
    let engine = options.engine.as_deref().map(Engine::start).transpose()?;
    Ok((book, learning, engine))
}

/// Formats a message as a single `info string` line.
fn in_line(text: &str) -> String {
    format!("info string {}", text.replace(['\n', '\r'], " "))
}

/// Returns the next event, giving priority to lines from the GUI. Returns `None` if there is no event before
/// `until`.
fn next_event(Events { gui, engine, interrupts }: &Events, until: Option<Instant>) -> Option<Event> {
    // The thread that reads a stream reports the stream's end before it exits.
    let of_gui = |line: Option<Delivery>| Event::Gui(line.unwrap_or(Delivery::End));
    let of_engine = |line: Option<Delivery>| Event::Engine(line.unwrap_or(Delivery::End));
    if let Ok(line) = gui.try_recv() {
        return Some(of_gui(Some(line)));
    }
    let mut select = Select::new();
    let from_gui = select.recv(gui);
    let from_engine = select.recv(engine);
    select.recv(interrupts);
    let ready = match until {
        None => select.select(),
        Some(until) => select.select_deadline(until).ok()?,
    };
    Some(if ready.index() == from_gui {
        of_gui(ready.recv(gui).ok())
    } else if ready.index() == from_engine {
        of_engine(ready.recv(engine).ok())
    } else {
        // A message and a closed channel both mean that `wait_for_interrupt` has returned.
        let _ = ready.recv(interrupts);
        Event::Interrupt
    })
}

/// The values of UCI's own options, as the GUI set them.
struct GuiOptions {
    /// Whether the GUI is in analysis mode (`UCI_AnalyseMode`).
    analyse: bool,
    /// Whether a variant other than chess is played (`UCI_Variant`).
    variant: bool,
    /// How castling is written (`UCI_Chess960`).
    castling: CastlingMode,
}

impl Default for GuiOptions {
    fn default() -> Self {
        Self { analyse: false, variant: false, castling: CastlingMode::Standard }
    }
}

/// A session, which connects a GUI, an engine and a book.
struct Session<'o, W> {
    gui: W,
    engine: Option<Engine>,
    book: Book,
    options: &'o SessionOptions,
    /// Whether the book plays.
    own_book: bool,
    depth: u32,
    asked: GuiOptions,
    /// The line in the GUI's last `position` command; `None` if the command could not be read.
    line: Option<Line>,
    /// Whether all moves of `line` have been played; false if the last move is only expected, as when the
    /// engine ponders.
    is_played: bool,
    learning: Option<Learning>,
    /// The first error while learning. The game continues, and the player returns this error when the session
    /// ends.
    not_learned: Option<Error>,
    /// The search whose `bestmove` has not arrived yet.
    search: Option<Search>,
    waits: Waits,
    /// Lines from the GUI that wait until the engine has answered the previous search.
    held: VecDeque<Vec<u8>>,
}

impl<W: Write> Session<'_, W> {
    /// Handles events until one ends the session.
    fn run(&mut self, events: &Events) -> Result<()> {
        loop {
            self.check_waits()?;
            let Some(event) = next_event(events, self.waits.next()) else { continue };
            let next = match event {
                Event::Gui(Delivery::Line(line)) => self.take_gui_line(&line)?,
                Event::Engine(Delivery::Line(line)) => self.take_engine_line(&line)?,
                Event::Interrupt => return Err(Error::Interrupted),
                Event::Gui(Delivery::End) => Next::Quit,
                Event::Engine(Delivery::End) => return Err(self.ended()),
                Event::Gui(Delivery::Failed(source)) => {
                    return Err(Error::Read(source));
                }
                Event::Engine(Delivery::Failed(source)) => {
                    return Err(engine::Error::Read { command: self.engine_command(), source }.into());
                }
            };
            if next == Next::Quit {
                return Ok(());
            }
        }
    }

    /// Ends the game and learns from it, reports an error to the GUI if there was one, and tells the engine
    /// to quit. An engine that does not exit is killed.
    fn end(mut self, done: Result<()>) -> Result<()> {
        // If the GUI is gone, the lessons of the game cannot be reported, but they are stored.
        let _ = self.end_game(GuiResult::Nothing);
        self.close_learning();
        if let Err(error) = &done {
            // If the GUI is gone, nothing can be reported.
            let _ = self.inform(&format!("error: {error}"));
        }
        if let Some(mut engine) = self.engine.take() {
            // If the engine does not read `quit`, it is killed later.
            let _ = engine.say(b"quit");
            engine.end(QUIT_PATIENCE);
        }
        match done {
            // A GUI that closed its side of the connection has quit.
            Err(Error::Write(error)) if error.kind() == std::io::ErrorKind::BrokenPipe => {
                self.not_learned.map_or(Ok(()), Err)
            }
            Ok(()) => self.not_learned.map_or(Ok(()), Err),
            done => done,
        }
    }

    /// Writes a line to the GUI and flushes it.
    fn say(&mut self, line: impl AsRef<[u8]>) -> Result<()> {
        let mut write = || {
            self.gui.write_all(line.as_ref())?;
            self.gui.write_all(b"\n")?;
            self.gui.flush()
        };
        write().map_err(Error::Write)
    }

    /// Sends the GUI a message to show to the user.
    fn inform(&mut self, text: &str) -> Result<()> {
        self.say(in_line(text))
    }

    fn engine_command(&self) -> String {
        self.engine.as_ref().map_or_else(String::new, |engine| engine.command.clone())
    }

    /// Whether the engine has an option with this name.
    fn is_taken(&self, name: &str) -> bool {
        self.engine.as_ref().is_some_and(|engine| engine.options.contains(&name.to_ascii_lowercase()))
    }

    /// Returns the error to report after the engine has exited.
    fn ended(&mut self) -> Error {
        let during = if self.search.is_some() {
            " during a search"
        } else if self.waits.next().is_some() {
            " before it answered"
        } else {
            ""
        };
        let command = self.engine_command();
        let status = self.engine.as_mut().and_then(|engine| engine.end(QUIT_PATIENCE));
        engine::Error::Ended { command, status: status.map(|status| status.to_string()), during }.into()
    }

    /// Fails if an answer is overdue.
    fn check_waits(&self) -> Result<()> {
        match self.waits.overdue(Instant::now()) {
            Some((expected, after)) => {
                Err(engine::Error::NoAnswer { command: self.engine_command(), expected, after }.into())
            }
            None => Ok(()),
        }
    }
}
