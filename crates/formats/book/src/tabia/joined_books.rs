//! Reads several books side by side, one position at a time.

use crate::{Book, BookEdge, Error, PositionEntry, Positions, Result};

/// Reads the positions of several books in ascending order of key; entries with the same key are read in one
/// step.
///
/// # Memory
///
/// Holds a reader of [`Positions`] for each book.
#[derive(Debug)]
pub struct JoinedBooks<'b> {
    books: Vec<Head<'b>>,
    /// The indexes of the books that contain the current position.
    held: Vec<usize>,
}

/// One of the books being read, and its next position.
#[derive(Debug)]
struct Head<'b> {
    positions: Positions<'b>,
    entry: PositionEntry,
    /// Whether the book has been read to its end.
    is_over: bool,
}

impl Head<'_> {
    fn read(&mut self) -> Result<()> {
        self.is_over = !self.positions.next_into(&mut self.entry)?;
        Ok(())
    }
}

impl<'b> JoinedBooks<'b> {
    /// Creates a reader of `books`; [`advance`](Self::advance) moves it to the first position.
    ///
    /// # Errors
    ///
    /// Fails as [`Positions::next_into`] does.
    pub fn new(books: impl IntoIterator<Item = &'b Book>) -> Result<Self> {
        let open = |book: &'b Book| {
            let entry = PositionEntry::default();
            let mut head = Head { positions: book.positions(), entry, is_over: false };
            head.read().map(|()| head)
        };
        let books = books.into_iter().map(open).collect::<Result<_>>()?;
        Ok(Self { books, held: Vec::new() })
    }

    /// Moves on to the next position; returns `false` at the end.
    ///
    /// # Errors
    ///
    /// Fails as [`Positions::next_into`] does.
    pub fn advance(&mut self) -> Result<bool> {
        for &book in &self.held {
            self.books[book].read()?;
        }
        self.held.clear();
        let left = self.books.iter().filter(|head| !head.is_over);
        let Some(key) = left.map(|head| head.entry.key).min() else { return Ok(false) };
        let at_key = |&book: &usize| !self.books[book].is_over && self.books[book].entry.key == key;
        self.held.extend((0..self.books.len()).filter(at_key));
        Ok(true)
    }

    /// Returns the index of each book that contains the current position, together with the book's entry.
    pub fn held(&self) -> impl Iterator<Item = (usize, &PositionEntry)> {
        self.held.iter().map(|&book| (book, &self.books[book].entry))
    }

    /// Fills `sum` with the current position, adding up the tallies of all books.
    ///
    /// # Errors
    ///
    /// [`Error::Entry`] if the books disagree on who is to move, or if there are too many games to add.
    pub fn sum_into(&self, sum: &mut PositionEntry) -> Result<()> {
        sum.edges.clear();
        for (number, (_, entry)) in self.held().enumerate() {
            if number == 0 {
                (sum.key, sum.turn, sum.tally) = (entry.key, entry.turn, entry.tally);
                sum.edges.extend_from_slice(&entry.edges);
            } else {
                add(sum, entry)?;
            }
        }
        Ok(())
    }
}

fn add(sum: &mut PositionEntry, entry: &PositionEntry) -> Result<()> {
    let refused = |what| Error::Entry { key: entry.key, what };
    if sum.turn != entry.turn {
        return Err(refused("the books disagree in who is to move"));
    }
    let too_many = || refused("the games of all books are too many to add up");
    sum.tally = sum.tally.checked_add(entry.tally).ok_or_else(too_many)?;
    for &BookEdge { mv, tally } in &entry.edges {
        match sum.edges.binary_search_by_key(&mv, |edge| edge.mv) {
            Ok(at) => {
                let known = &mut sum.edges[at].tally;
                *known = known.checked_add(tally).ok_or_else(too_many)?;
            }
            Err(at) => sum.edges.insert(at, BookEdge { mv, tally }),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use position::{Key, PackedMove, Tally};
    use proptest::prelude::*;
    use serde_json::json;
    use shakmaty::{Color, Square};
    use std::{collections::BTreeMap, path::Path};

    use super::*;
    use crate::{BookWriter, Existing};

    type Model = BTreeMap<u64, (u64, BTreeMap<u8, u64>)>;

    /// For each key, the number of games without a kept move, and the number of games by move.
    fn model() -> impl Strategy<Value = Model> {
        let moves = prop::collection::btree_map(0..5u8, 1..9u64, 0..4);
        prop::collection::btree_map((0..40u64).prop_map(|key| key << 58 | key), (1..9u64, moves), 0..20)
    }

    fn mv(number: u8) -> PackedMove {
        PackedMove::new(Square::E2, Square::new(u32::from(number) + 20), None)
    }

    fn entry((&key, (rest, moves)): (&u64, &(u64, BTreeMap<u8, u64>))) -> PositionEntry {
        let tally = |games| Tally { white: games, draws: 0, black: 0 };
        let edge = |(&number, &games): (&u8, &u64)| BookEdge { mv: mv(number), tally: tally(games) };
        let edges: Vec<_> = moves.iter().map(edge).collect();
        let games = rest + moves.values().sum::<u64>();
        PositionEntry { key: Key(key), turn: Color::White, tally: tally(games), edges }
    }

    fn write(path: &Path, model: &Model) -> Book {
        let mut writer = BookWriter::create(path, &json!({}), 9, Existing::Refuse).unwrap();
        for position in model {
            writer.push(&entry(position)).unwrap();
        }
        writer.finish().unwrap();
        Book::open(path).unwrap()
    }

    proptest! {
        #[test]
        fn prop_sums_are_those_of_maps(models in prop::collection::vec(model(), 1..4)) {
            let folder = tempfile::tempdir().unwrap();
            let path = |number: usize| folder.path().join(format!("{number}.tabia"));
            let books: Vec<_> = models.iter().enumerate().map(|(at, model)| write(&path(at), model)).collect();
            let mut expected = Model::new();
            for (key, (rest, moves)) in models.iter().flatten() {
                let sum = expected.entry(*key).or_default();
                sum.0 += rest;
                for (mv, games) in moves {
                    *sum.1.entry(*mv).or_default() += games;
                }
            }
            let (mut joined, mut sum, mut found) = (JoinedBooks::new(&books).unwrap(), PositionEntry::default(), vec![]);
            while joined.advance().unwrap() {
                joined.sum_into(&mut sum).unwrap();
                let holds = |(at, _): (usize, _)| models[at].contains_key(&sum.key.0);
                prop_assert!(joined.held().all(holds));
                prop_assert_eq!(joined.held().count(), models.iter().filter(|m| m.contains_key(&sum.key.0)).count());
                found.push(sum.clone());
            }
            prop_assert_eq!(found, expected.iter().map(entry).collect::<Vec<_>>());
        }
    }

    #[test]
    fn books_that_disagree_in_the_mover_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let book = |name: &str, turn| {
            let path = folder.path().join(name);
            let mut writer = BookWriter::create(&path, &json!({}), 1, Existing::Refuse).unwrap();
            let tally = Tally { white: 1, draws: 0, black: 0 };
            writer.push(&PositionEntry { key: Key(7), turn, tally, edges: Vec::new() }).unwrap();
            writer.finish().unwrap();
            Book::open(&path).unwrap()
        };
        let books = [book("a", Color::White), book("b", Color::Black)];
        let mut joined = JoinedBooks::new(&books).unwrap();
        assert!(joined.advance().unwrap());
        let error = joined.sum_into(&mut PositionEntry::default()).unwrap_err();
        assert!(error.to_string().contains("disagree in who is to move"), "{error}");
    }
}
