//! The positions of a ChessBase book, found by following its moves from the start position.
//!
//! Such a book does not record which side is to move, because a position and its mirror image with colours
//! swapped share one entry. Moves are therefore followed from the start position, and each position is looked
//! up in the form that the book uses.

use std::collections::{HashMap, HashSet, VecDeque};

use book::ctg::{CtgEntry, EntryMove, NormalForm, Reader};
use position::{Key, PackedMove, Placement, Tally};
use run::{Result, RunOptions};
use shakmaty::{Chess, Color, EnPassantMode, Move, Position as _, fen::Epd, uci::UciMove};

use crate::{
    import::{ImportedMove, Mark, Visits},
    item_counts::ItemCounts,
};

/// The maximum number of illegal moves that the warning lists.
const NAMED_MAX: usize = 3;
/// A recommendation of this value or higher, but lower than [`PREFERRED`], advises against the move.
const AVOIDED: u8 = 0x40;
/// A recommendation of this value or higher marks a preferred move.
const PREFERRED: u8 = 0x80;

/// The moves and positions that a walk found, and counts of those that it left out.
#[derive(Default)]
pub(super) struct CtgMoves {
    pub(super) moves: Vec<ImportedMove>,
    pub(super) visits: Vec<Visits>,
    pub(super) plies: u32,
    pub(super) counted: ItemCounts,
    /// Moves that are not legal.
    pub(super) illegal: u64,
    /// The first illegal moves.
    pub(super) named: Vec<String>,
    /// Whether any game in the file has a result; if not, each game counts as a draw.
    pub(super) has_results: bool,
    /// The number of games in the start position's entry.
    pub(super) games: u64,
    /// How many of the start position's games have a result.
    pub(super) accepted: u64,
}

/// The entries of a book, indexed by key. The key of a position is computed from the form in which the book
/// stores the position.
struct Index<'r> {
    reader: &'r Reader,
    offsets: HashMap<Key, u64>,
    /// The keys of the entries that the walk has reached.
    used: HashSet<Key>,
    /// Whether any game has a result.
    has_results: bool,
}

impl<'r> Index<'r> {
    /// Reads all entries. If a position has several entries, the one with the most games is used.
    fn of(reader: &'r Reader, run: &RunOptions, counted: &mut ItemCounts) -> Result<Self> {
        let (mut offsets, mut has_results) = (HashMap::new(), false);
        for found in reader.entries() {
            let (key, entry) = found?;
            counted.add("positions", 1);
            has_results |= entry.tally.games() > 0;
            run.check_interrupt()?;
            let Some(key) = key else {
                counted.add("positions that are not legal left out", 1);
                continue;
            };
            let before = offsets.get(&key).map(|&offset| reader.entry(offset)).transpose()?;
            counted.add("older copies of positions left out", u64::from(before.is_some()));
            if before.is_none_or(|before| before.games < entry.games) {
                offsets.insert(key, entry.offset);
            }
        }
        Ok(Self { reader, offsets, used: HashSet::new(), has_results })
    }

    /// Returns the tally of an entry for a position in which `turn` is to move. Only games with a result
    /// count. If no game in the file has a result, each game counts as a draw.
    fn tally(&self, entry: &CtgEntry<'_>, turn: Color) -> Tally {
        let Tally { white, draws, black } = entry.tally;
        match turn {
            _ if !self.has_results => Tally { draws: entry.games, ..Tally::default() },
            Color::White => Tally { white, draws, black },
            Color::Black => Tally { white: black, draws, black: white },
        }
    }

    /// The entry for a position, which must be in the form that the book uses.
    fn entry(&self, normal: &NormalForm) -> Result<Option<CtgEntry<'r>>> {
        Ok(self.offsets.get(&normal.key()).map(|&offset| self.reader.entry(offset)).transpose()?)
    }
}

/// A position whose moves are still to be followed.
struct OpenPosition {
    board: Chess,
    ply: u32,
}

/// Follows all moves from the start position, passing through each position once.
pub(super) fn walk(reader: &Reader, run: &RunOptions) -> Result<CtgMoves> {
    let mut walked = CtgMoves::default();
    let mut index = Index::of(reader, run, &mut walked.counted)?;
    walked.has_results = index.has_results;
    let mut waiting = VecDeque::from([OpenPosition { board: Chess::default(), ply: 0 }]);
    let mut known: HashMap<Key, u32> = [(Key::START, 0)].into();
    while let Some(at) = waiting.pop_front() {
        run.check_interrupt()?;
        walked.follow(&mut index, &at, &mut known, &mut waiting)?;
    }
    let unreached = index.offsets.len() - index.used.len();
    walked.counted.add("positions that no line leads to", unreached as u64);
    let shared = known.values().filter(|moves| **moves > 1).map(|moves| u64::from(*moves)).sum();
    walked.counted.add("moves that share their games with other moves to a position", shared);
    Ok(walked)
}

impl CtgMoves {
    /// Adds a position and its moves. `known` maps each position found so far to the number of moves that
    /// lead to it.
    fn follow(
        &mut self,
        index: &mut Index<'_>,
        at: &OpenPosition,
        known: &mut HashMap<Key, u32>,
        waiting: &mut VecDeque<OpenPosition>,
    ) -> Result<()> {
        let Some(normal) = NormalForm::of(&at.board) else { return Ok(()) };
        let Some(entry) = index.entry(&normal)? else { return Ok(()) };
        self.count(&entry, at, index);
        if index.used.insert(normal.key()) {
            self.count_results(&entry);
        } else {
            self.counted.add("positions that share their games with a mirror image", 1);
        }
        for mv in entry.moves() {
            let Some(m) = legal(mv, &normal, &at.board) else {
                self.refuse(mv, &normal, &at.board);
                continue;
            };
            let (mut board, placement) = (at.board.clone(), Placement::of(&at.board));
            board.play_unchecked(m);
            let (key, mv_packed) = (Key::of(&at.board), PackedMove::pack(m));
            let Some((_, step)) = placement.after(at.board.turn(), mv_packed) else { continue };
            let after = NormalForm::of(&board).map(|normal| index.entry(&normal)).transpose()?.flatten();
            let Some(after) = after else {
                self.counted.add("moves to positions that the file does not have left out", 1);
                continue;
            };
            let mark = self.mark(mv, &after);
            let tally = index.tally(&after, board.turn());
            self.moves.push(ImportedMove { key, mv: mv_packed, step, tally, mark });
            self.plies = self.plies.max(at.ply + 1);
            let moves = known.entry(Key::of(&board)).or_default();
            *moves += 1;
            if *moves == 1 && Key::of(&board) != Key::START {
                waiting.push_back(OpenPosition { board, ply: at.ply + 1 });
            }
        }
        Ok(())
    }

    /// Records the number of visits to a position. For the start position, also records how many games there
    /// are, and how many of them have a result.
    fn count(&mut self, entry: &CtgEntry<'_>, at: &OpenPosition, index: &Index<'_>) {
        let (key, turn) = (Key::of(&at.board), at.board.turn());
        if at.ply == 0 {
            (self.games, self.accepted) = (entry.games, entry.tally.games());
        }
        self.visits.push(Visits { key, turn, tally: index.tally(entry, turn) });
    }

    /// Counts the entry if it has more results than games. If any game in the file has a result, visits
    /// without a result are left out of tallies, so the entry's visits without a result are counted too.
    fn count_results(&mut self, entry: &CtgEntry<'_>) {
        let results = entry.tally.games();
        self.counted.add("positions with more results than games", u64::from(results > entry.games));
        if self.has_results {
            self.counted
                .add("visits of positions without a result left out", entry.games.saturating_sub(results));
        }
    }

    /// The value and the annotation that the book has for a move.
    fn mark(&mut self, mv: EntryMove, after: &CtgEntry<'_>) -> Mark {
        let nag = match mv.annotation {
            0 => None,
            nag @ 1..=6 => Some(nag),
            8 => Some(7),
            _ => {
                self.counted.add("annotations without a NAG left out", 1);
                None
            }
        };
        let value = match after.recommendation {
            PREFERRED.. => Some(100),
            AVOIDED.. => Some(0),
            _ => None,
        };
        Mark { value, nag }
    }

    /// Counts an illegal move.
    fn refuse(&mut self, mv: EntryMove, normal: &NormalForm, board: &Chess) {
        self.illegal += 1;
        if self.named.len() < NAMED_MAX {
            let name = mv.uci(normal.position()).map_or_else(String::new, |uci| format!(" ({uci})"));
            let epd = Epd::from_position(board, EnPassantMode::Legal);
            self.named.push(format!("byte {:#04x}{name} in {epd}", mv.code));
        }
    }
}

/// Converts a move of an entry to a move on `board`, if it is legal there.
fn legal(mv: EntryMove, normal: &NormalForm, board: &Chess) -> Option<Move> {
    let UciMove::Normal { from, to, promotion } = mv.uci(normal.position())? else { return None };
    let (from, to) = (normal.square(from), normal.square(to));
    UciMove::Normal { from, to, promotion }.to_move(board).ok()
}
