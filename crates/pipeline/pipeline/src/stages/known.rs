//! Data about positions and moves in addition to their counts: experience, and the names of openings.

use std::{collections::HashMap, fs, path::Path, sync::Arc};

use analysis::Evaluations;
use experience::Union;
use fault::FileFault;
use openings::Openings;
use position::{Experience, ExperienceKind, ExperienceRow, Key, PackedMove, Score};
use run::{Context, Result, RunError};
use stage::{Flow, FlowFile};

use crate::stages::write_experience;

/// The experience of book moves and of positions: values learned or set by hand, and engines' evaluations.
///
/// # Memory
///
/// Uses about eighty bytes for each move or position with learned values, and fifty for each one with
/// evaluations.
#[derive(Default)]
pub(super) struct KnownExperience {
    learned: HashMap<(Key, PackedMove), Experience>,
    evaluated: HashMap<(Key, PackedMove), Evaluations>,
}

impl KnownExperience {
    /// The experience that belongs to `input`. A book contains its own experience; for any other input,
    /// experience is read from the files `given`. Evaluations are read only on request, as there may be a
    /// great many.
    pub(super) fn of(
        context: &Context,
        input: Option<&Flow>,
        given: Vec<Arc<FlowFile>>,
        wants_evaluations: bool,
    ) -> Result<Self> {
        let files = match input {
            Some(Flow::Book(book)) => book_experience(context, book, given)?,
            _ => given,
        };
        let union = Union::open(files.iter().map(|file| &*file.path))?;
        let mut known = Self::default();
        for row in union.rows()? {
            let row = row?;
            if !row.kind.is_evaluation() || wants_evaluations {
                known.add(&row);
            }
        }
        Ok(known)
    }

    /// Adds a row if it contains an evaluation, or if it describes a book move or a position. Other rows are
    /// ignored.
    fn add(&mut self, row: &ExperienceRow) {
        let id = (row.key, row.mv);
        match row.kind {
            ExperienceKind::Book if !row.mv.is_terminal() => _ = self.learned.insert(id, row.experience),
            ExperienceKind::Position if row.mv.is_terminal() => _ = self.learned.insert(id, row.experience),
            ExperienceKind::Evaluation => {
                let known = self.evaluated.entry(id).or_default();
                (known.eval, known.depth) = (row.score(), row.experience.depth);
            }
            ExperienceKind::Minimax => self.evaluated.entry(id).or_default().minimax = row.score(),
            ExperienceKind::Book
            | ExperienceKind::Position
            | ExperienceKind::Postbook
            | ExperienceKind::Seen => {}
        }
    }

    /// Adds an engine's evaluations of positions.
    pub(super) fn add_evaluations(&mut self, scores: impl Iterator<Item = (Key, Score)>) {
        for (key, score) in scores {
            self.evaluated.entry((key, PackedMove::TERMINAL)).or_default().eval = Some(score);
        }
    }

    /// Whether there is no experience.
    pub(super) fn is_empty(&self) -> bool {
        self.learned.is_empty()
    }

    /// Whether there are evaluations.
    pub(super) fn is_evaluated(&self) -> bool {
        !self.evaluated.is_empty()
    }

    /// The experience of a move, or of the position if `mv` is move 0, without evaluations.
    pub(super) fn look_up(&self, key: Key, mv: PackedMove) -> Option<Experience> {
        self.learned.get(&(key, mv)).copied()
    }

    /// The experience of a move, or of the position if `mv` is move 0. If there is an evaluation, its value
    /// in pawns replaces the value that was learned from a search.
    pub(super) fn with_evaluation(&self, key: Key, mv: PackedMove) -> Option<Experience> {
        let known = self.look_up(key, mv);
        let Some(score) = self.evaluations(key, mv).eval else { return known };
        Some(Experience { eval: Some(score.pawns()), ..known.unwrap_or_default() })
    }

    /// The evaluations of a move, or of the position if `mv` is move 0.
    pub(super) fn evaluations(&self, key: Key, mv: PackedMove) -> Evaluations {
        self.evaluated.get(&(key, mv)).copied().unwrap_or_default()
    }
}

/// Returns the experience of a book. Fails if other experience files were passed as well.
fn book_experience(
    context: &Context,
    book: &FlowFile,
    given: Vec<Arc<FlowFile>>,
) -> Result<Vec<Arc<FlowFile>>> {
    if given.is_empty() {
        Ok(vec![Arc::new(write_experience(context, &book.path, None)?)])
    } else if given.iter().all(|file| file.is_temporary()) {
        // An earlier stage took this experience from the book.
        Ok(given)
    } else {
        Err(RunError::BookHasExperience(book.named.clone()).into())
    }
}

/// Reads the names of openings from the file at `path` or, if that is `None`, from the bundled catalogue.
pub(super) fn openings_of(path: Option<&Path>) -> Result<Openings> {
    let Some(path) = path else { return Ok(Openings::bundled()) };
    Ok(Openings::parse_tsv(&fs::read_to_string(path).map_err(FileFault::of("read", path))?)?)
}
