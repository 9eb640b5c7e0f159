//! Cuts a stream into chunks of whole games.

use std::io::{self, Read};

use super::{
    rule::Rule,
    search::Search,
    start::{last_start, open_line},
};

/// The sizes of chunks and games.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CutSizes {
    /// The number of bytes that are read for a chunk. A chunk is smaller if an unfinished game at its end is
    /// left for the next chunk, and larger if a single game exceeds this size.
    pub(crate) chunk_bytes: usize,
    /// The length of the longest game that is kept in full. It exceeds [`super::start::LOOK_BYTES_MAX`], the
    /// length within which the start of a game is recognised.
    pub(crate) game_bytes_max: usize,
}

/// Cuts one stream into chunks. The stream is either a whole text or a part of it; such a part begins
/// where a game starts.
///
/// A chunk ends where the last game in the text read so far starts. So every chunk holds whole games, and
/// begins where a game starts. A game longer than the limit is cut one byte after the limit; the extra byte
/// tells [`super::games`] that the game is too long.
///
/// # Memory
/// Holds the unfinished game at the end of the last chunk. The chunk itself is in the caller's buffer, and is
/// never longer than `game_bytes_max + 2 * chunk_bytes`.
#[derive(Debug)]
pub(crate) struct Cutter {
    sizes: CutSizes,
    rule: Rule,
    /// The text that was read after the last cut.
    carry: Vec<u8>,
    /// The offset in the stream of the carry's first byte, which will be the first byte of the next chunk. At
    /// the end of the stream, it is the length of the stream.
    pub(crate) offset: u64,
    /// The number of bytes of the stream that have been read so far.
    pub(crate) read_bytes: u64,
    ended: bool,
}

impl Cutter {
    pub(crate) fn new(sizes: CutSizes, rule: Rule) -> Self {
        Self { sizes, rule, carry: Vec::new(), offset: 0, read_bytes: 0, ended: false }
    }

    /// Reads the next chunk into `chunk` and returns the chunk's offset in the stream; `None` at the end of
    /// the stream.
    ///
    /// The bytes in `chunk` are overwritten. It is best not to clear `chunk` first, because bytes that are
    /// added to it are zeroed before text is read into them.
    pub(crate) fn next(
        &mut self,
        reader: &mut (impl Read + ?Sized),
        chunk: &mut Vec<u8>,
    ) -> io::Result<Option<u64>> {
        let mut used = self.take_carry(chunk);
        let mut searched = 0;
        let mut wanted = self.sizes.chunk_bytes.max(used + 1);
        loop {
            used = self.fill(reader, chunk, used, wanted)?;
            if self.ended {
                return Ok(self.pass(chunk, used));
            }
            // The text is cut at the last start of a game, so that the chunk is as long as possible. A start
            // in the first line is ignored, because a cut there would leave the chunk empty.
            let text = &chunk[..used];
            if let Some(start) = last_start(text, searched, self.rule).filter(|start| start.line > 0) {
                self.carry.extend_from_slice(&text[start.line..]);
                return Ok(self.pass(chunk, start.line));
            }
            // No other game starts in the lines that were read completely, so the next search begins at the
            // unfinished line.
            searched = open_line(text, self.rule);
            if searched > self.sizes.game_bytes_max {
                // The game is too long to keep: its beginning is returned, and the rest is skipped.
                return self.pass_beginning(reader, chunk, used).map(Some);
            }
            wanted = used + self.sizes.chunk_bytes;
        }
    }

    /// Copies the carry to the beginning of the chunk.
    fn take_carry(&mut self, chunk: &mut Vec<u8>) -> usize {
        let used = self.carry.len();
        if chunk.len() < used {
            chunk.resize(used, 0);
        }
        chunk[..used].copy_from_slice(&self.carry);
        self.carry.clear();
        used
    }

    /// Reads until the chunk has `wanted` bytes or the stream ends.
    fn fill(
        &mut self,
        reader: &mut (impl Read + ?Sized),
        chunk: &mut Vec<u8>,
        mut used: usize,
        wanted: usize,
    ) -> io::Result<usize> {
        if chunk.len() < wanted {
            chunk.resize(wanted, 0);
        }
        while used < wanted && !self.ended {
            let read = reader.read(&mut chunk[used..wanted])?;
            self.ended = read == 0;
            self.read_bytes += read as u64;
            used += read;
        }
        Ok(used)
    }

    /// Ends the chunk after `bytes` bytes and returns its offset; `None` if it is empty.
    fn pass(&mut self, chunk: &mut Vec<u8>, bytes: usize) -> Option<u64> {
        chunk.truncate(bytes);
        let offset = self.offset;
        self.offset += bytes as u64;
        (bytes > 0).then_some(offset)
    }

    /// Ends the chunk within a game that is too long, and skips the rest of the game.
    fn pass_beginning(
        &mut self,
        reader: &mut (impl Read + ?Sized),
        chunk: &mut Vec<u8>,
        used: usize,
    ) -> io::Result<u64> {
        let offset = self.offset;
        let search = Search::after(&chunk[..used], self.rule);
        self.offset += (used - search.fresh().len()) as u64;
        chunk.truncate(self.sizes.game_bytes_max + 1);
        self.skip(search, reader)?;
        Ok(offset)
    }

    /// Skips text up to the start of the next game.
    fn skip(&mut self, mut search: Search, reader: &mut (impl Read + ?Sized)) -> io::Result<()> {
        while !self.ended {
            self.offset += search.settled_bytes() as u64;
            let kept = search.kept_bytes();
            self.ended = !search.read_block(reader)?;
            self.read_bytes += (search.fresh().len() - kept) as u64;
            if let Some(start) = search.find() {
                self.offset += start as u64;
                self.carry.extend_from_slice(&search.fresh()[start..]);
                return Ok(());
            }
        }
        self.offset += search.fresh().len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::{bounds::GameBounds, cut::pieces, line_ends::LineEnds, rule::Unit},
        *,
    };

    type Found = Vec<(super::super::PieceKind, u64, Vec<u8>)>;

    fn within(game_bytes_max: usize) -> GameBounds {
        GameBounds { max_game_bytes: game_bytes_max, ..GameBounds::default() }
    }

    fn pieces_by_chunk(text: &[u8], sizes: CutSizes, rule: Rule) -> (Found, u64) {
        let (mut cutter, mut chunk, mut found, mut reader) =
            (Cutter::new(sizes, rule), Vec::new(), Vec::new(), text);
        while let Some(offset) = cutter.next(&mut reader, &mut chunk).unwrap() {
            let pieces = pieces(&chunk, rule, within(sizes.game_bytes_max));
            found.extend(pieces.map(|piece| (piece.kind, offset + piece.offset as u64, piece.text.to_vec())));
        }
        (found, cutter.offset)
    }

    fn check(text: &[u8], chunk_bytes: usize, game_bytes_max: usize, rule: Rule) {
        let whole = pieces(text, rule, within(game_bytes_max));
        let whole: Found =
            whole.map(|piece| (piece.kind, piece.offset as u64, piece.text.to_vec())).collect();
        let (found, bytes) = pieces_by_chunk(text, CutSizes { chunk_bytes, game_bytes_max }, rule);
        assert_eq!(found, whole, "{} by {chunk_bytes}, up to {game_bytes_max}", text.escape_ascii());
        assert_eq!(bytes, text.len() as u64);
    }

    #[test]
    fn chunks_hold_whole_games() {
        let text = b"[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n1. e4 *\n\n[Event \"c\"]\n";
        let sizes = CutSizes { chunk_bytes: 30, game_bytes_max: 99 };
        let (mut cutter, mut chunk, mut reader) =
            (Cutter::new(sizes, Rule::games(LineEnds::Lf)), Vec::new(), &text[..]);
        assert_eq!(cutter.next(&mut reader, &mut chunk).unwrap(), Some(0));
        assert_eq!(chunk, text[..16]);
        assert_eq!(cutter.next(&mut reader, &mut chunk).unwrap(), Some(16));
        assert_eq!(chunk, text[16..38]);
        assert_eq!(cutter.next(&mut reader, &mut chunk).unwrap(), Some(38));
        assert_eq!(chunk, text[38..]);
        assert_eq!(cutter.next(&mut reader, &mut chunk).unwrap(), None);
    }

    #[test]
    fn any_chunk_size_cuts_the_same_games() {
        let text = "e4\n% x\n\u{feff}[Event \"a\"]\r\n[B \"\"]\n\n% [\n[C \"\"]\n{\n\n\u{1a} [D_4\t \"\"]\n\n\n[Eve\n\n[E \"";
        check_any_sizes(text, 20);
    }

    #[test]
    fn any_chunk_size_completes_the_same_headers() {
        let text = "4\n\n[B \"\"]\n%\r\n[Event \"a\"]\n[C\"\"]\r\n[Event \"b\"]\r\n\r\n[ A \"\"]\r\n[ Event\"c\"]\n[B \"\"]e4\n[Event\"d\"]";
        check_any_sizes(text, 50);
    }

    fn check_any_sizes(text: &str, game_bytes_least: usize) {
        let units = [Unit::Games, Unit::Records, Unit::Lines];
        let both = units.map(|unit| [LineEnds::Lf, LineEnds::Cr].map(|ends| Rule { ends, unit }));
        for rule in both.into_iter().flatten() {
            for chunk_bytes in 1..=text.len() + 1 {
                for game_bytes_max in game_bytes_least..=text.len() + 1 {
                    check(text.as_bytes(), chunk_bytes, game_bytes_max, rule);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn prop_any_chunk_size_cuts_the_same_games(
            lines in prop::collection::vec(prop::sample::select(SOUP), 0..60),
            chunk_bytes in 1usize..200,
            game_bytes_max in GAME_BYTES_LEAST..400,
            old_mac in any::<bool>(),
            unit in 0..3usize,
        ) {
            let ends = if old_mac { LineEnds::Cr } else { LineEnds::Lf };
            let unit = [Unit::Games, Unit::Records, Unit::Lines][unit];
            check(&lines.concat(), chunk_bytes, game_bytes_max, Rule { ends, unit });
        }
    }

    /// The smallest limit on the length of games in the property test. Like the real limit, it is larger than
    /// the leading blanks and the first tag of any line together.
    const GAME_BYTES_LEAST: usize = 192;

    const SOUP: &[&[u8]] = &[
        b"\n",
        b"\n\n",
        b"\r\n",
        b"\r",
        b" ",
        b"\t",
        b"\x1A",
        b"\xEF\xBB\xBF",
        b"\xEF",
        b"%",
        b"[",
        b"[Event \"a\"]",
        b"[Event \"",
        b"[Event",
        b"[White \"b\"]\n",
        b"[W \"\"]\n",
        b"\n\n[A \"\"]\n",
        b"[ Event\"a\" ]\n",
        b"[X_1\t\"",
        b" \"",
        b"1. e4 e5",
        b"{ ; }",
        b"%\n",
        b"\n[W \"\"]",
        b"\n\n[W \"\"]",
    ];
}
