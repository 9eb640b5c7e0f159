//! Reads an artefact's data for the moves of a position, in the form that policies expect.

use book::{Book, Child, PositionEntry, polyglot};
use policy::Candidate;
use position::{
    Edge, Experience, ExperienceKind, ExperienceRow, Key, PackedMove, Score, Tally, position_after,
};
use shakmaty::{Chess, Position as _};
use table::{PositionCounts, Row};

use crate::{Artefact, Error, Result, View, known_rows::ExperienceOf, probe_key};

/// A position's candidates.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Candidates {
    /// Whether the artefact has the position.
    pub known: bool,
    /// The games that reached the position, by result. `None` if the artefact does not have the position or
    /// is a Polyglot book, which counts no games.
    pub tally: Option<Tally>,
    /// The moves, in ascending order.
    pub moves: Vec<Candidate>,
    /// How many illegal moves the artefact has in this position, either because the file is damaged or
    /// because two positions have the same key. Illegal moves are left out of `moves`.
    pub illegal: u32,
}

/// Reads the candidates of `position`, sorted by move. A legal move is a candidate if at least one of these
/// conditions is met:
///
/// - The artefact has the move: it is a kept move of a book, a counted move of a table, or an entry of a
///   Polyglot book. The weights of repeated entries are added up.
/// - The move is a book move or a post-book move in the view's experience.
/// - `targets` is `true`, and the move leads to a position that the artefact has. A Polyglot book has only
///   the positions that have entries.
///
/// If no search is recorded for a kept move, the move gets a search that position learning stored for the
/// move or for the position after the move. A move without an evaluation gets the evaluation of the position
/// after the move. With `targets`, the tally of the position after a move counts all games that reached that
/// position. In a Polyglot book this tally is empty, because weights are not games.
///
/// # Errors
///
/// Fails with [`Error::NoBookToChooseFrom`] for an experience file. Also fails if the artefact cannot be read
/// or is damaged.
pub fn candidates(view: &View<'_>, position: &Chess, targets: bool) -> Result<Candidates> {
    let mut gathering = Gathering::new(position);
    let key = Key::of(position);
    match view.artefact {
        Artefact::Book(book) => gathering.entry(book.probe(key)?.as_ref()),
        Artefact::Table(table) => gathering.table(&view.rows_of(table, key)?),
        Artefact::Polyglot(reader) => gathering.polyglot(reader, position, key)?,
        Artefact::Experience(file) => {
            return Err(Error::NoBookToChooseFrom(file.path().into()));
        }
    }
    let known = ExperienceOf::new(view);
    if targets {
        gathering.targets(view, position)?;
    }
    gathering.known(known, key)?;
    gathering.positions_after(known, position)?;
    Ok(gathering.found)
}

/// The moves that an artefact has in a position, in ascending order. Moves that are known only from
/// experience are left out.
///
/// # Errors
///
/// Fails as [`candidates`] does.
pub fn book_moves(artefact: &Artefact, key: Key) -> Result<Vec<PackedMove>> {
    let found = probe_key(artefact, key)?.into_iter();
    let mut moves: Vec<_> = found.flat_map(|found| found.moves).map(|known| known.mv).collect();
    moves.sort_unstable();
    moves.dedup();
    Ok(moves)
}

/// Like [`candidates`], but for an entry of a book and without a board. Without a board, this function cannot
/// check whether moves are legal, find moves that merely lead into the book, or read experience about the
/// positions after moves.
pub(crate) fn candidates_of_entry(book: &Book, entry: &PositionEntry) -> Result<Candidates> {
    let mut gathering = Gathering { legal: None, found: Candidates::default() };
    gathering.entry(Some(entry));
    gathering.known(ExperienceOf::Book(book), entry.key)?;
    Ok(gathering.found)
}

/// Like [`candidates`] with targets, but uses what the caller has already read: the book's entry for the
/// position, if any, and the `children`, which are the legal moves that lead into the book.
pub(crate) fn candidates_with_children(
    book: &Book,
    position: &Chess,
    key: Key,
    entry: Option<&PositionEntry>,
    children: &[Child],
) -> Result<Candidates> {
    let mut gathering = Gathering::new(position);
    gathering.entry(entry);
    for child in children {
        gathering.target(PackedMove::pack(child.mv), child.tally);
    }
    gathering.known(ExperienceOf::Book(book), key)?;
    gathering.positions_after(ExperienceOf::Book(book), position)?;
    Ok(gathering.found)
}

struct Gathering {
    /// The legal moves in ascending order; `None` if they are not known.
    legal: Option<Vec<PackedMove>>,
    found: Candidates,
}

impl Gathering {
    fn new(position: &Chess) -> Self {
        let mut legal: Vec<_> = position.legal_moves().into_iter().map(PackedMove::pack).collect();
        legal.sort_unstable();
        Self { legal: Some(legal), found: Candidates::default() }
    }

    /// Calls `note` with the candidate for a legal move, and creates the candidate if necessary. Illegal
    /// moves are counted.
    fn note(&mut self, mv: PackedMove, note: impl FnOnce(&mut Candidate)) {
        if self.legal.as_ref().is_some_and(|legal| legal.binary_search(&mv).is_err()) {
            self.found.illegal += 1;
            return;
        }
        let moves = &mut self.found.moves;
        let at = moves.binary_search_by_key(&mv, |candidate| candidate.mv).unwrap_or_else(|at| {
            moves.insert(at, Candidate { mv, ..Candidate::default() });
            at
        });
        note(&mut moves[at]);
    }

    fn counts(&mut self, tally: Tally, edges: &[Edge]) {
        (self.found.known, self.found.tally) = (true, Some(tally));
        for edge in edges {
            self.note(edge.mv, |found| (found.in_book, found.tally) = (true, edge.tally));
        }
    }

    fn entry(&mut self, entry: Option<&PositionEntry>) {
        if let Some(entry) = entry {
            self.counts(entry.tally, &entry.edges);
        }
    }

    /// Adds the experience for a position's moves.
    fn known(&mut self, known: ExperienceOf<'_>, key: Key) -> Result<()> {
        for row in known.of(key)?.iter().filter(|row| !row.mv.is_terminal()) {
            match row.kind {
                ExperienceKind::Book => self.note(row.mv, |found| found.experience = row.experience),
                ExperienceKind::Postbook => self.note(row.mv, |found| found.postbook = Some(row.experience)),
                ExperienceKind::Position => self.search_of(row.mv, &row.experience),
                ExperienceKind::Evaluation => self.of_move(row.mv, |found| found.evaluation = row.score()),
                ExperienceKind::Minimax => self.of_move(row.mv, |found| found.minimax = row.score()),
                ExperienceKind::Seen => {}
            }
        }
        Ok(())
    }

    /// Calls `note` with the candidate for this move, if there is one.
    fn of_move(&mut self, mv: PackedMove, note: impl FnOnce(&mut Candidate)) {
        self.found.moves.iter_mut().find(|candidate| candidate.mv == mv).map(note);
    }

    /// Adds the search that position learning stored for a move, unless the candidate already has a search of
    /// its own.
    fn search_of(&mut self, mv: PackedMove, found: &Experience) {
        self.of_move(mv, |candidate| {
            let known = &mut candidate.experience;
            if known.eval.is_none() {
                (known.eval, known.depth) = (found.eval, found.depth);
            }
        });
    }

    /// Fills in missing values of moves from the positions that they lead to. The values are converted to the
    /// mover's point of view. A kept move without a search gets the deepest search that position learning
    /// stored for the position after the move. A move without an evaluation gets the evaluation of the
    /// position after the move.
    fn positions_after(&mut self, known: ExperienceOf<'_>, position: &Chess) -> Result<()> {
        if known.is_nothing() {
            return Ok(());
        }
        for candidate in &mut self.found.moves {
            let lacks_search = candidate.in_book && candidate.experience.eval.is_none();
            if !lacks_search && candidate.evaluation.is_some() {
                continue;
            }
            let Some(m) = candidate.mv.unpack(position) else { continue };
            let rows = known.of(Key::of(&position_after(position, m)))?;
            if lacks_search && let Some(Experience { eval: Some(eval), depth, .. }) = learned_position(&rows)
            {
                (candidate.experience.eval, candidate.experience.depth) = (Some(-eval), depth);
            }
            let evaluation =
                rows.iter().find(|row| row.kind == ExperienceKind::Evaluation && row.mv.is_terminal());
            let evaluation = evaluation.and_then(ExperienceRow::score).map(Score::backed_up);
            candidate.evaluation = candidate.evaluation.or(evaluation);
        }
        Ok(())
    }

    fn table(&mut self, rows: &[Row]) {
        if let Some(counts) = PositionCounts::of(rows) {
            self.counts(counts.tally, &counts.edges);
        }
    }

    fn polyglot(&mut self, reader: &polyglot::Reader, position: &Chess, key: Key) -> Result<()> {
        for entry in reader.probe(key)? {
            self.found.known = true;
            self.note(entry.mv.normalized(position), |found| {
                found.in_book = true;
                found.weight = Some(found.weight.unwrap_or(0).saturating_add(entry.weight));
            });
        }
        Ok(())
    }

    fn targets(&mut self, view: &View<'_>, position: &Chess) -> Result<()> {
        if let Artefact::Book(book) = view.artefact {
            for child in book.children(position)? {
                self.target(PackedMove::pack(child.mv), child.tally);
            }
            return Ok(());
        }
        for mv in position.legal_moves() {
            if let Some(found) = view.probe_key(Key::of(&position_after(position, mv)))? {
                self.target(PackedMove::pack(mv), found.tally.unwrap_or_default());
            }
        }
        Ok(())
    }

    fn target(&mut self, mv: PackedMove, tally: Tally) {
        self.note(mv, |found| found.target = Some(tally));
    }
}

/// The deepest search that position learning stored in a position's rows, from the point of view of the side
/// to move.
fn learned_position(rows: &[ExperienceRow]) -> Option<Experience> {
    let learned = rows.iter().filter(|row| row.kind == ExperienceKind::Position);
    learned.map(|row| row.experience).max_by_key(|found| found.depth)
}
