//! What an artefact knows of a position's moves, as policies read it.

use book::{Book, Child, PositionEntry, polyglot};
use policy::Candidate;
use position::{ExperienceKind, Key, PackedMove, Tally};
use shakmaty::{Chess, Position as _};
use table::{PositionCounts, Table};

use crate::{Artefact, Error, Result};

/// A position's candidates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Candidates {
    /// Whether the artefact has the position.
    pub known: bool,
    /// Games that met the position; `None` where the position is not known, and in Polyglot books, which
    /// count no games.
    pub tally: Option<Tally>,
    /// The moves, ascending.
    pub moves: Vec<Candidate>,
    /// Moves the artefact has here that are not legal (damage, or two positions with one key); they are
    /// left out.
    pub illegal: u32,
}

/// Reads the candidates of `position`: in order of move, every legal move that is
///
/// - a kept move of a book, a counted move of a table, or an entry of a Polyglot book (with its weight;
///   the weights of an entry that is there twice are added up);
/// - known to a book's experience as a book move or a post-book move;
/// - with `targets`, a move that leads to a position the artefact has. The target's tally is all games
///   that met it. A position of a Polyglot book is one it has entries for, and its tally is empty:
///   weights are not games.
///
/// # Errors
///
/// [`Error::NoBookToChooseFrom`] for an experience file; if the artefact cannot be read or is damaged.
pub fn candidates(artefact: &Artefact, position: &Chess, targets: bool) -> Result<Candidates> {
    let mut gathering = Gathering::new(position);
    let key = Key::of(position);
    match artefact {
        Artefact::Book(book) => gathering.book(book, key, book.probe(key)?.as_ref())?,
        Artefact::Table(table) => gathering.table(table, key)?,
        Artefact::Polyglot(reader) => gathering.polyglot(reader, key)?,
        Artefact::Experience(file) => {
            return Err(Error::NoBookToChooseFrom { path: file.path().into() });
        }
    }
    if targets {
        gathering.targets(artefact, position)?;
    }
    Ok(gathering.found)
}

/// As [`candidates`], of a position of a book. There is no board, so moves are not tested for being legal,
/// and none that only leads into the book is found.
pub(crate) fn candidates_of_entry(book: &Book, entry: &PositionEntry) -> Result<Candidates> {
    let mut gathering = Gathering { legal: None, found: Candidates::default() };
    gathering.book(book, entry.key, Some(entry))?;
    Ok(gathering.found)
}

/// As [`candidates`] with targets, where what they need was read already: `entry`, if the book has the
/// position, and the legal moves that lead into the book.
pub(crate) fn candidates_with_children(
    book: &Book,
    position: &Chess,
    key: Key,
    entry: Option<&PositionEntry>,
    children: &[Child],
) -> Result<Candidates> {
    let mut gathering = Gathering::new(position);
    gathering.book(book, key, entry)?;
    for child in children {
        gathering.target(PackedMove::pack(child.mv), child.tally);
    }
    Ok(gathering.found)
}

struct Gathering {
    /// The legal moves, ascending; `None` where they are not known.
    legal: Option<Vec<PackedMove>>,
    found: Candidates,
}

impl Gathering {
    fn new(position: &Chess) -> Self {
        let mut legal: Vec<_> = position.legal_moves().into_iter().map(PackedMove::pack).collect();
        legal.sort_unstable();
        Self { legal: Some(legal), found: Candidates::default() }
    }

    /// The candidate of a legal move; a new one if the move has none yet.
    fn at(&mut self, mv: PackedMove) -> Option<&mut Candidate> {
        if self.legal.as_ref().is_some_and(|legal| legal.binary_search(&mv).is_err()) {
            self.found.illegal += 1;
            return None;
        }
        let moves = &mut self.found.moves;
        let at = moves.binary_search_by_key(&mv, |candidate| candidate.mv).unwrap_or_else(|at| {
            moves.insert(at, Candidate { mv, ..Candidate::default() });
            at
        });
        moves.get_mut(at)
    }

    fn edge(&mut self, mv: PackedMove, tally: Tally) {
        if let Some(candidate) = self.at(mv) {
            candidate.in_book = true;
            candidate.tally = tally;
        }
    }

    fn book(&mut self, book: &Book, key: Key, entry: Option<&PositionEntry>) -> Result<()> {
        if let Some(entry) = entry {
            self.found.known = true;
            self.found.tally = Some(entry.tally);
            entry.edges.iter().for_each(|edge| self.edge(edge.mv, edge.tally));
        }
        for row in book.experience_of(key)? {
            match row.kind {
                _ if row.mv.is_terminal() => {}
                ExperienceKind::Book => {
                    if let Some(candidate) = self.at(row.mv) {
                        candidate.experience = row.experience;
                    }
                }
                ExperienceKind::Postbook => {
                    if let Some(candidate) = self.at(row.mv) {
                        candidate.postbook = Some(row.experience);
                    }
                }
                ExperienceKind::Position | ExperienceKind::Seen => {}
            }
        }
        Ok(())
    }

    fn table(&mut self, table: &Table, key: Key) -> Result<()> {
        let rows = table.rows_of(key)?;
        let Some(counts) = PositionCounts::of(&rows) else { return Ok(()) };
        self.found.known = true;
        self.found.tally = Some(counts.tally);
        counts.edges.iter().for_each(|edge| self.edge(edge.mv, edge.tally));
        Ok(())
    }

    fn polyglot(&mut self, reader: &polyglot::Reader, key: Key) -> Result<()> {
        for entry in reader.probe(key)? {
            self.found.known = true;
            if let Some(candidate) = self.at(entry.mv) {
                candidate.in_book = true;
                candidate.weight = Some(candidate.weight.unwrap_or(0).saturating_add(entry.weight));
            }
        }
        Ok(())
    }

    fn targets(&mut self, artefact: &Artefact, position: &Chess) -> Result<()> {
        if let Artefact::Book(book) = artefact {
            for child in book.children(position)? {
                self.target(PackedMove::pack(child.mv), child.tally);
            }
            return Ok(());
        }
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            if let Some(tally) = tally_of(artefact, Key::of(&after))? {
                self.target(PackedMove::pack(mv), tally);
            }
        }
        Ok(())
    }

    fn target(&mut self, mv: PackedMove, tally: Tally) {
        if let Some(candidate) = self.at(mv) {
            candidate.target = Some(tally);
        }
    }
}

/// Games that met a position; `None` where the artefact does not have it.
fn tally_of(artefact: &Artefact, key: Key) -> Result<Option<Tally>> {
    Ok(match artefact {
        Artefact::Book(book) => book.probe(key)?.map(|entry| entry.tally),
        Artefact::Table(table) => PositionCounts::of(&table.rows_of(key)?).map(|counts| counts.tally),
        Artefact::Polyglot(reader) => (!reader.probe(key)?.is_empty()).then(Tally::default),
        Artefact::Experience(_) => None,
    })
}
