//! A tree's text, made in pieces on all threads and written in order.

use std::{fmt, io, ops::ControlFlow};

use rayon::{ThreadPool, prelude::*};

use crate::{Error, Result};

/// Lines of a piece, about.
const LINES_OF_PIECE: u64 = 256;
/// Pieces that each thread makes before they are written.
const PIECES_A_THREAD: usize = 4;

/// A text that is made of tasks: each writes its own part of it, and says what comes next.
pub(super) trait Tasks: Sync {
    type Task: Clone + Send + Sync;

    /// The lines that come of a task: its share of the work.
    fn lines(task: &Self::Task) -> u64;

    /// Does a task: adds its own part to the text, and to `next` the tasks that follow, the first one last.
    /// `line` begins as the task that added this one left it.
    fn take(
        &self,
        task: Self::Task,
        line: &mut String,
        text: &mut String,
        next: &mut Vec<Self::Task>,
    ) -> fmt::Result;
}

/// A part of the text that one thread makes.
type Piece<T> = Vec<Part<T>>;

enum Part<T> {
    Text(String),
    /// A task with all that follows it, and the line it begins with.
    Task(T, String),
}

/// The tasks of a text in pieces, in order.
struct Pieces<'t, T: Tasks> {
    tasks: &'t T,
    next: Vec<T::Task>,
    line: String,
}

impl<T: Tasks> Pieces<'_, T> {
    /// Up to `count` pieces.
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

fn text_of<T: Tasks>(tasks: &T, piece: Piece<T::Task>) -> Result<String, fmt::Error> {
    let mut text = String::new();
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

/// Makes the text of `first`, which begins with `line`, and of all that follows it, and gives it to `write`
/// piece by piece; `go_on` is asked between them.
pub(super) fn write_pieces<T: Tasks>(
    tasks: &T,
    (first, line): (T::Task, String),
    pool: &ThreadPool,
    go_on: &dyn Fn() -> ControlFlow<()>,
    mut write: impl FnMut(&str) -> io::Result<()>,
) -> Result<()> {
    let failed = |error: fmt::Error| Error::Write(io::Error::other(error));
    let mut pieces = Pieces { tasks, next: vec![first], line };
    while !pieces.next.is_empty() {
        if go_on().is_break() {
            return Err(query::Error::Stopped.into());
        }
        let round = pieces.take(PIECES_A_THREAD * pool.current_num_threads()).map_err(failed)?;
        let texts: Vec<_> =
            pool.install(|| round.into_par_iter().map(|piece| text_of(tasks, piece)).collect());
        for text in texts {
            write(&text.map_err(failed)?).map_err(Error::Write)?;
        }
    }
    Ok(())
}
