//! Reads a book page by page.

use std::path::Path;

use position::{Key, Tally};
use shakmaty::{Chess, Rank, Role, Square, uci::UciMove};

use super::{NormalForm, board, moves, normal_form};
use crate::{Error, InMemory, Result, error::DecodeFault};

/// The size of a page in bytes.
const PAGE_BYTES: usize = 4096;
/// The number of bytes before the first position on a page.
const PAGE_HEAD_BYTES: usize = 4;
/// The number of bytes between a position's moves and the next position.
const STATISTICS_BYTES: usize = 33;
/// The offset of the number of games in the header.
const GAMES_OFFSET: usize = 28;
/// The offset of the recommendation within the statistics.
const RECOMMENDATION_OFFSET: usize = 30;

/// A ChessBase book, held entirely in memory.
#[derive(Debug)]
pub struct Reader {
    file: InMemory,
}

/// A position of a book.
#[derive(Clone, Debug)]
pub struct CtgEntry<'b> {
    /// The offset of the position in the file.
    pub offset: u64,
    /// The number of games that reached the position.
    pub games: u64,
    /// Games by result. White means the side to move, because the book stores every position with White to
    /// move.
    pub tally: Tally,
    /// The recommendation for moves that lead to this position. Moves with a value from 64 to 127 must not be
    /// played; moves with a higher value are preferred.
    pub recommendation: u8,
    position: &'b [u8],
    moves: &'b [u8],
}

/// A move of an entry.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct EntryMove {
    /// The byte that stands for the move.
    pub code: u8,
    /// The number that stands for the move's annotation in the book.
    pub annotation: u8,
}

impl CtgEntry<'_> {
    /// The key of the position in its normal form; `None` if the position is not legal.
    ///
    /// # Errors
    ///
    /// Fails if the bits cannot be decoded.
    fn key(&self) -> Result<Option<Key>, DecodeFault> {
        Ok(NormalForm::of_entry(board::decode(self.position)?).map(|position| Key::of(&position)))
    }

    /// The moves of the entry.
    pub fn moves(&self) -> impl Iterator<Item = EntryMove> + '_ {
        self.moves.chunks_exact(2).map(|mv| EntryMove { code: mv[0], annotation: mv[1] })
    }
}

impl EntryMove {
    /// The squares and the promotion of the move in `position`, which must be in its normal form; `None` if
    /// the position has no piece that can make the move.
    #[must_use]
    pub fn uci(self, position: &Chess) -> Option<UciMove> {
        let step = moves::step(self.code)?;
        let from = normal_form::piece(position, step.role, step.place)?;
        let to = Square::new(
            wrapped(from.file().into(), step.files) + 8 * wrapped(from.rank().into(), step.ranks),
        );
        let is_last = step.role == Role::Pawn && to.rank() == Rank::Eighth;
        Some(UciMove::Normal { from, to, promotion: is_last.then_some(Role::Queen) })
    }
}

/// The file or rank that is `steps` squares away from `at`, wrapping around at the edge of the board.
fn wrapped(at: u32, steps: i8) -> u32 {
    at.wrapping_add_signed(steps.into()) % 8
}

impl Reader {
    /// Reads the book at `path`.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::NotACtg`] if the file does not consist of pages, with [`Error::Ctg`] if the first
    /// page after the header is malformed, and with [`Error::Io`] if the file cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        let file = InMemory::read(path, |file, bytes| Self { file }.check_head(bytes))?;
        Ok(Self { file })
    }

    /// Checks the length of a file, and the first page after the header.
    fn check_head(&self, bytes: u64) -> Result<()> {
        let wrong = |what| Err(Error::NotACtg { path: self.file.path().into(), what });
        if bytes < 2 * PAGE_BYTES as u64 {
            return wrong("it is shorter than a header and a page of 4,096 bytes each");
        }
        if !bytes.is_multiple_of(PAGE_BYTES as u64) {
            return wrong(
                "its length is no multiple of a page of 4,096 bytes: copy it again if it should be one",
            );
        }
        self.entries().try_for_each(|entry| entry.map(drop))
    }

    /// The file.
    #[must_use]
    pub fn file(&self) -> &InMemory {
        &self.file
    }

    /// The number of games in the book, according to its header.
    #[must_use]
    pub fn games(&self) -> u64 {
        number(&self.file[GAMES_OFFSET..GAMES_OFFSET + 4])
    }

    /// All positions of the book, in the order in which they are stored.
    #[must_use]
    pub fn entries(&self) -> Entries<'_> {
        Entries { reader: self, page: 0, at: 0, left: 0 }
    }

    /// The position at an offset that [`entries`](Self::entries) returned.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Ctg`] if there is no position at this offset.
    pub fn entry(&self, offset: u64) -> Result<CtgEntry<'_>> {
        let at = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = (at / PAGE_BYTES + 1).saturating_mul(PAGE_BYTES);
        self.parse(at, end.min(self.file.len())).map(|(entry, _)| entry)
    }

    /// The position at `at`, and the offset of its end, where the next position begins. The position must not
    /// extend past `end`.
    fn parse(&self, at: usize, end: usize) -> Result<(CtgEntry<'_>, usize)> {
        let fault = |what| self.damaged(at, what);
        let rest = self.file.get(at..end).unwrap_or_default();
        let length = usize::from(rest.first().copied().unwrap_or(0) & 0x1f);
        if length < 2 {
            return Err(fault("a position without a board"));
        }
        let beyond = || fault("a position goes beyond the bytes of its page");
        let (position, rest) = rest.split_at_checked(length).ok_or_else(beyond)?;
        let moves_length = usize::from(rest.first().copied().unwrap_or(0));
        if moves_length.is_multiple_of(2) {
            return Err(fault("a list of moves that ends within a move"));
        }
        let (moves, rest) = rest.split_at_checked(moves_length).ok_or_else(beyond)?;
        let statistics = rest.get(..STATISTICS_BYTES).ok_or_else(beyond)?;
        let [games, white, black, draws] = [0, 3, 6, 9].map(|at| number(&statistics[at..at + 3]));
        let entry = CtgEntry {
            offset: at as u64,
            games,
            tally: Tally { white, draws, black },
            recommendation: statistics[RECOMMENDATION_OFFSET],
            position,
            moves: &moves[1..],
        };
        Ok((entry, at + length + moves_length + STATISTICS_BYTES))
    }

    fn damaged(&self, at: usize, what: &'static str) -> Error {
        Error::Ctg { path: self.file.path().into(), offset: at as u64, what }
    }
}

/// Iterates over the positions of a book and their keys; the key is `None` if the position is not legal.
pub struct Entries<'b> {
    reader: &'b Reader,
    /// The number of the page being read; the header is page 0.
    page: usize,
    at: usize,
    /// The number of positions on the page that have not been read yet.
    left: u64,
}

impl<'b> Entries<'b> {
    /// Moves on to the next page with positions; returns `false` if there is none.
    fn next_page(&mut self) -> Result<bool> {
        while self.left == 0 {
            self.page += 1;
            self.at = self.page * PAGE_BYTES;
            let Some(page) = self.reader.file.get(self.at..self.at + PAGE_HEAD_BYTES) else {
                return Ok(false);
            };
            self.left = number(&page[..2]);
            if self.left > 0 && number(&page[2..]) > PAGE_BYTES as u64 {
                return Err(self.reader.damaged(self.at, "a page with more bytes than a page has"));
            }
            self.at += PAGE_HEAD_BYTES;
        }
        Ok(true)
    }

    fn read(&mut self) -> Result<Option<(Option<Key>, CtgEntry<'b>)>> {
        if !self.next_page()? {
            return Ok(None);
        }
        let page = self.page * PAGE_BYTES;
        let used = number(&self.reader.file[page + 2..page + PAGE_HEAD_BYTES]) as usize;
        let (entry, next) = self.reader.parse(self.at, page + used)?;
        let key = entry.key().map_err(|fault| self.reader.damaged(self.at, fault.0))?;
        self.at = next;
        self.left -= 1;
        Ok(Some((key, entry)))
    }
}

impl<'b> Iterator for Entries<'b> {
    type Item = Result<(Option<Key>, CtgEntry<'b>)>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// A big-endian number.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Makes a book from a header and a page that begins with the bytes `page`.
    fn reader(page: &[u8]) -> Reader {
        let mut bytes = vec![0; 2 * PAGE_BYTES];
        bytes[PAGE_BYTES..][..page.len()].copy_from_slice(page);
        Reader { file: InMemory::new(Path::new("a.ctg"), bytes) }
    }

    fn fault(page: &[u8]) -> String {
        reader(page).entries().find_map(Result::err).map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn faults_are_named_by_their_byte() {
        for (page, says) in [
            (&[0, 1, 0x10, 1][..], "a.ctg is damaged at byte 4096: a page with more bytes"),
            (&[0, 1, 0, 4], "byte 4100: a position without a board"),
            (&[0, 1, 0, 3], "byte 4100: a position without a board"),
            (&[0, 1, 0, 20, 0x1f], "byte 4100: a position goes beyond the bytes of its page"),
            (&[0, 1, 1, 0, 2, 0, 2], "byte 4100: a list of moves that ends within a move"),
            (&[0, 1, 1, 0, 2, 0, 1], "byte 4100: a board goes beyond its bytes"),
        ] {
            assert!(fault(page).contains(says), "{page:?}: {}", fault(page));
        }
        assert_eq!(fault(&[0, 0, 0xff, 0xff]), "", "a page without positions");
    }

    proptest! {
        #[test]
        fn prop_no_bytes_panic(page in prop::collection::vec(any::<u8>(), 4..400), count in 1_u8..9) {
            let mut page = page;
            page[..4].copy_from_slice(&[0, count, 1, 0x90]);
            let reader = reader(&page);
            let (mut at, position) = (PAGE_BYTES as u64, Chess::default());
            for entry in reader.entries().map_while(Result::ok).map(|(_, entry)| entry) {
                prop_assert!(entry.offset > at);
                prop_assert_eq!(reader.entry(entry.offset).unwrap().games, entry.games);
                let found = entry.moves().filter_map(|mv| mv.uci(&position)).count();
                prop_assert!(found <= entry.moves().count());
                at = entry.offset;
            }
        }
    }
}
