//! Lists a Polyglot book as lines, for one side at a time, as `polyglot dump-book` does.
//!
//! That side plays the book's moves, and the other side plays every legal move that leads to a position in
//! the book. No position is followed twice: a line ends when it reaches a position that has been listed
//! before, and refers to the place where that position was first reached.

mod line;

use std::{
    collections::{HashMap, HashSet},
    vec::IntoIter,
};

use book::polyglot::{PolyglotEntry, Reader};
use position::{Key, PackedMove, position_after};
use shakmaty::{Chess, Color, Move, Position as _};

pub use self::line::{DumpedLine, DumpedMove, Joined, RawEntry};
use crate::{Result, walk::share};

/// Lists the lines of a Polyglot book.
///
/// # Memory
///
/// A listing takes eight bytes for each position in the book, and about a hundred bytes for each position
/// that a line reaches.
pub struct Dump<'r> {
    reader: &'r Reader,
    /// The keys of the book's positions, in ascending order.
    keys: Vec<Key>,
    reached: HashSet<Key>,
    /// The illegal moves that the book has in positions that were reached.
    illegal: HashSet<(Key, PackedMove)>,
}

/// A move that continues a line. If the book's side plays the move, its weight and its share of the
/// position's total weight are included.
type Next = (Move, Option<(u16, f64)>);

/// The lines of one side.
struct Walk<'d, 'r, F> {
    dump: &'d mut Dump<'r>,
    side: Color,
    /// For each position, the line and the ply at which the position was first reached.
    met: HashMap<Key, Joined>,
    line: DumpedLine,
    take: F,
}

impl<'r> Dump<'r> {
    /// Reads the keys of the book's positions.
    ///
    /// # Errors
    ///
    /// Fails if the book cannot be read or is not sorted.
    pub fn of(reader: &'r Reader) -> Result<Self> {
        reader.verify()?;
        let mut keys = reader.iter().map(|entry| Ok(entry?.key)).collect::<Result<Vec<_>>>()?;
        keys.dedup();
        Ok(Self { reader, keys, reached: HashSet::new(), illegal: HashSet::new() })
    }

    /// Calls `take` with every line for `side` from the start position, in order.
    ///
    /// # Errors
    ///
    /// Fails if the book cannot be read, or if `take` fails.
    pub fn lines<E: From<crate::Error>>(
        &mut self,
        side: Color,
        take: impl FnMut(&DumpedLine) -> Result<(), E>,
    ) -> Result<(), E> {
        Walk { dump: self, side, met: HashMap::new(), line: DumpedLine::first(side), take }.run()
    }

    /// Calls `take` with every entry that is not in any line, either because its position was not reached or
    /// because its move is illegal there. If the lines for a side have not been listed, all entries for that
    /// side are included.
    ///
    /// # Errors
    ///
    /// Fails if the book cannot be read, or if `take` fails.
    pub fn others<E: From<crate::Error>>(
        &self,
        mut take: impl FnMut(&RawEntry) -> Result<(), E>,
    ) -> Result<(), E> {
        for entry in self.reader.iter() {
            let entry = entry.map_err(crate::Error::from)?;
            if !self.reached.contains(&entry.key) || self.illegal.contains(&(entry.key, entry.mv)) {
                take(&entry.into())?;
            }
        }
        Ok(())
    }

    /// The legal moves that the book has in a position, in the order of its entries.
    fn book_moves(&mut self, position: &Chess, key: Key) -> Result<Vec<Next>> {
        let entries = self.reader.probe(key)?;
        if !entries.is_empty() {
            self.reached.insert(key);
        }
        let total: u64 = entries.iter().map(|entry| u64::from(entry.weight)).sum();
        let share = |weight: u16| share(weight.into(), total);
        let mut moves = Vec::new();
        for PolyglotEntry { mv, weight, .. } in entries {
            match mv.unpack(position) {
                Some(m) => moves.push((m, Some((weight, share(weight))))),
                None => drop(self.illegal.insert((key, mv))),
            }
        }
        Ok(moves)
    }

    /// The legal moves that lead to positions in the book.
    fn replies(&self, position: &Chess) -> Vec<Next> {
        let leads_there = |m: &Move| self.keys.binary_search(&Key::of(&position_after(position, *m))).is_ok();
        position.legal_moves().into_iter().filter(leads_there).map(|m| (m, None)).collect()
    }
}

impl<F, E> Walk<'_, '_, F>
where
    F: FnMut(&DumpedLine) -> Result<(), E>,
    E: From<crate::Error>,
{
    fn run(&mut self) -> Result<(), E> {
        let start = Chess::default();
        let first = self.moves(&start)?;
        let mut open: Vec<(Chess, IntoIter<Next>)> = vec![(start, first.into_iter())];
        while let Some((position, moves)) = open.last_mut() {
            let Some((m, weighted)) = moves.next() else {
                open.pop();
                self.line.moves.pop();
                continue;
            };
            let mut after = position.clone();
            self.line.moves.push(DumpedMove::play(&mut after, m, weighted));
            let next = self.moves(&after)?;
            if next.is_empty() {
                self.end()?;
            } else {
                open.push((after, next.into_iter()));
            }
        }
        Ok(())
    }

    /// The moves that continue the line; empty if it ends here.
    fn moves(&mut self, position: &Chess) -> Result<Vec<Next>> {
        let key = Key::of(position);
        if let Some(&joined) = self.met.get(&key) {
            self.line.joins = Some(joined);
            return Ok(Vec::new());
        }
        self.met.insert(key, Joined { line: self.line.number, ply: self.line.moves.len() });
        if position.turn() == self.side {
            self.dump.book_moves(position, key)
        } else {
            Ok(self.dump.replies(position))
        }
    }

    /// Passes the line to `take`, then removes its last move.
    fn end(&mut self) -> Result<(), E> {
        (self.take)(&self.line)?;
        self.line.number += 1;
        self.line.joins = None;
        self.line.moves.pop();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use shakmaty::Square;

    use super::*;

    /// Writes a book with 1.e4 and 1.d4, the reply 1...e5, an illegal move, and a position that no line
    /// reaches.
    fn book(folder: &std::path::Path) -> Reader {
        let after = |m: PackedMove| {
            let mut position = Chess::default();
            position.play_unchecked(m.unpack(&Chess::default()).unwrap());
            Key::of(&position)
        };
        let mv = |from, to| PackedMove::new(from, to, None);
        let (e4, d4) = (mv(Square::E2, Square::E4), mv(Square::D2, Square::D4));
        let entry = |key, mv, weight| PolyglotEntry { key, mv, weight, learn: 7 };
        let mut entries = [
            entry(Key::START, e4, 3),
            entry(Key::START, d4, 1),
            entry(Key::START, mv(Square::E2, Square::E5), 1),
            entry(after(e4), mv(Square::E7, Square::E5), 2),
            entry(Key(9), e4, 1),
        ];
        entries.sort_by_key(|entry| entry.key);
        let path = folder.join("book.bin");
        fs::write(&path, entries.iter().flat_map(|entry| entry.to_bytes()).collect::<Vec<_>>()).unwrap();
        Reader::open(&path).unwrap()
    }

    #[test]
    fn every_entry_is_in_a_line_or_among_the_others() {
        let folder = tempfile::tempdir().unwrap();
        let reader = book(folder.path());
        let (mut dump, mut texts, mut others) = (Dump::of(&reader).unwrap(), Vec::new(), Vec::new());
        for side in Color::ALL {
            dump.lines(side, |line| {
                texts.push(line.to_string());
                Ok::<_, crate::Error>(())
            })
            .unwrap();
        }
        assert_eq!(texts, ["1: 1. e4{60%}", "2: 1. d4{20%}", "1: 1. e4 e5{100%}"]);
        dump.others(|entry| {
            others.push(entry.to_string());
            Ok::<_, crate::Error>(())
        })
        .unwrap();
        assert_eq!(others, ["0000000000000009 e2e4 1 7", "463b96181691fc9c e2e5 1 7"]);
    }
}
