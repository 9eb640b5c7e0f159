//! The lines of an Arena book, played from the start position.

use book::abk::{AbkMove, Reader, SeenRecords};
use position::{Key, PackedMove, Placement};
use run::{Result, RunOptions};
use shakmaty::{Chess, EnPassantMode, Position as _, fen::Epd};

use crate::{
    abk::value_of,
    import::{ImportedMove, Mark},
};

/// The maximum number of illegal moves that the warning lists; the others are only counted.
const NAMED_MAX: usize = 3;

/// The moves of all lines, and statistics about them.
#[derive(Default)]
pub(super) struct Tree {
    /// The moves of all lines.
    pub(super) moves: Vec<ImportedMove>,
    /// The length of the longest line, in plies.
    pub(super) plies: u32,
    /// Moves that were deleted in Arena.
    pub(super) deleted: u64,
    /// Moves that are illegal in their position.
    pub(super) illegal: u64,
    /// The first illegal moves.
    pub(super) named: Vec<String>,
    /// The number of moves whose wins and losses add up to more than the games of the move.
    pub(super) exceeded: u64,
    /// How many of the file's records are on at least one line.
    pub(super) met: u64,
    /// The number of games on all lines: the sum of the games of their first moves.
    pub(super) games: u64,
}

/// A position on a line, whose moves are still to be read.
struct OpenBranch {
    first: i32,
    board: Chess,
    ply: u32,
}

impl Tree {
    /// Plays all lines of a book.
    ///
    /// # Errors
    ///
    /// Fails with [`book::Error::Abk`], which names the record, if a record has invalid links or numbers.
    pub(super) fn read(reader: &Reader, run: &RunOptions) -> Result<Self> {
        let (mut tree, mut seen) = (Self::default(), reader.unseen());
        let start = |first| OpenBranch { first, board: Chess::default(), ply: 1 };
        let mut waiting: Vec<_> = reader.first().map(start).into_iter().collect();
        while let Some(next) = waiting.pop() {
            run.check_interrupt()?;
            tree.follow(reader, &mut seen, &next, &mut waiting)?;
        }
        tree.met = seen.count();
        Ok(tree)
    }

    /// Adds the moves of a position, and queues the positions that they lead to.
    fn follow(
        &mut self,
        reader: &Reader,
        seen: &mut SeenRecords,
        at: &OpenBranch,
        waiting: &mut Vec<OpenBranch>,
    ) -> Result<()> {
        let (key, placement) = (Key::of(&at.board), Placement::of(&at.board));
        for (number, record) in reader.alternatives(at.first, seen)? {
            let mut board = at.board.clone();
            if record.is_deleted() {
                self.deleted += 1;
                continue;
            }
            let Some(m) = record.legal_move(&at.board) else {
                self.refuse(number, &record, &at.board);
                continue;
            };
            let mv = PackedMove::pack(m);
            let Some((_, step)) = placement.after(at.board.turn(), mv) else { continue };
            let Some((tally, is_exceeded)) = record.tally() else {
                return Err(reader.damaged(number, "a number of games is negative").into());
            };
            self.exceeded += u64::from(is_exceeded);
            self.plies = self.plies.max(at.ply);
            self.games += if at.ply == 1 { tally.games() } else { 0 };
            let mark = Mark { value: Some(value_of(record.priority)), nag: None };
            self.moves.push(ImportedMove { key, mv, step, tally, mark });
            board.play_unchecked(m);
            waiting.extend(record.next_move.map(|first| OpenBranch { first, board, ply: at.ply + 1 }));
        }
        Ok(())
    }

    /// Counts an illegal move.
    fn refuse(&mut self, number: u32, record: &AbkMove, board: &Chess) {
        self.illegal += 1;
        if self.named.len() < NAMED_MAX {
            let epd = Epd::from_position(board, EnPassantMode::Legal);
            self.named.push(format!("record {number}, {} in {epd}", record.name()));
        }
    }

    /// Whether at least one game was won, by either side.
    pub(super) fn has_results(&self) -> bool {
        self.moves.iter().any(|mv| mv.tally.white + mv.tally.black > 0)
    }
}
