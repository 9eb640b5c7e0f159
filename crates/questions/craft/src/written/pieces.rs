//! Splits the text of a tree into pieces, generates them on all threads, and writes them in order.

use std::{fmt, io, mem, ops::ControlFlow};

use rayon::{ThreadPool, prelude::*};

use fault::Stop;

use crate::{Error, Result};

/// The approximate number of lines in a piece.
const LINES_OF_PIECE: u64 = 64;
/// The number of pieces per thread that are generated before any of them is written.
const PIECES_A_THREAD: usize = 16;

/// The tasks that together produce a text. Each task writes its part of the text and adds the tasks that
/// follow it.
pub(super) trait Tasks: Sync {
    type Task: Clone + Send + Sync;

    /// Returns how many lines a task and all tasks that follow from it produce, as a measure of the work.
    fn lines(task: &Self::Task) -> u64;

    /// Executes a task: appends its part of the text to `text`, and pushes the tasks that follow it onto
    /// `next` in reverse order. On entry, `line` is as the parent task left it.
    fn take(
        &self,
        task: Self::Task,
        line: &mut String,
        text: &mut String,
        next: &mut Vec<Self::Task>,
    ) -> fmt::Result;
}

/// A piece of the text, made by a single thread.
type Piece<T> = Vec<Part<T>>;

enum Part<T> {
    Text(String),
    /// A task with everything that follows from it, and the line up to the task.
    Task(T, String),
}

/// Splits the tasks of a text into pieces, in order.
struct Pieces<'t, T: Tasks> {
    tasks: &'t T,
    next: Vec<T::Task>,
    line: String,
}

impl<T: Tasks> Pieces<'_, T> {
    /// Returns up to `count` of the next pieces.
    fn take(&mut self, count: usize) -> Result<Vec<Piece<T::Task>>, fmt::Error> {
        let mut pieces = Vec::new();
        while pieces.len() < count && !self.next.is_empty() {
            pieces.push(self.piece()?);
        }
        Ok(pieces)
    }

    fn piece(&mut self) -> Result<Piece<T::Task>, fmt::Error> {
        let (mut parts, mut lines) = (Vec::new(), 0);
        while lines < LINES_OF_PIECE {
            let Some(task) = self.next.pop() else { break };
            lines += T::lines(&task).max(1);
            parts.push(if lines <= 2 * LINES_OF_PIECE {
                Part::Task(task, self.line.clone())
            } else {
                let mut text = String::new();
                self.tasks.take(task, &mut self.line, &mut text, &mut self.next)?;
                Part::Text(text)
            });
        }
        Ok(parts)
    }
}

/// Generates the text of a piece. The string `text` is reused, because allocating a new one would take as
/// long as generating the text.
fn text_of<T: Tasks>(tasks: &T, piece: Piece<T::Task>, mut text: String) -> Result<String, fmt::Error> {
    text.clear();
    for part in piece {
        match part {
            Part::Text(finished) => text.push_str(&finished),
            Part::Task(task, mut line) => {
                let mut next = vec![task];
                while let Some(task) = next.pop() {
                    tasks.take(task, &mut line, &mut text, &mut next)?;
                }
            }
        }
    }
    Ok(text)
}

/// Generates the text of `first` and of all the tasks that follow from it; `line` is the line up to `first`.
/// Each piece is handed to `write` while the next ones are being generated. Calls `go_on` from time to time
/// to check whether to continue.
pub(super) fn write_pieces<T: Tasks>(
    tasks: &T,
    (first, line): (T::Task, String),
    pool: &ThreadPool,
    go_on: &dyn Fn() -> ControlFlow<()>,
    mut write: impl FnMut(&str) -> io::Result<()> + Send,
) -> Result<()> {
    let mut pieces = Pieces { tasks, next: vec![first], line };
    let (mut texts, mut written) = (Vec::new(), Vec::new());
    while !(pieces.next.is_empty() && texts.is_empty()) {
        if go_on().is_break() {
            return Err(Stop.into());
        }
        let round = pieces.take(PIECES_A_THREAD * pool.current_num_threads()).map_err(failed)?;
        written.resize_with(round.len(), String::new);
        let old_texts = mem::take(&mut written);
        let next_texts = || {
            let made = round.into_par_iter().zip(old_texts);
            made.map(|(piece, text)| text_of(tasks, piece, text)).collect::<Result<Vec<_>, _>>()
        };
        let write_all = || texts.iter().try_for_each(|text: &String| write(text));
        let (made, result) = pool.join(next_texts, write_all);
        result.map_err(Error::Write)?;
        written = mem::replace(&mut texts, made.map_err(failed)?);
    }
    Ok(())
}

fn failed(error: fmt::Error) -> Error {
    Error::Write(io::Error::other(error))
}
