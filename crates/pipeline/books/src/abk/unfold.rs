//! Unfolds the positions of a book into a tree of lines, the most played lines first.
//!
//! A position that several lines lead to is continued only once, on the line that is played most often. If
//! repeats are asked for, the first plies of the continuation are repeated on the other lines that lead to
//! the position. The number of records is limited, so repeats are added only after all other moves.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    mem,
};

use book::abk::{AbkMove, Branch};
use position::{Key, PackedMove, Tally};
use query::{Artefact, KeyProbe, LookUps};
use run::{Result, RunOptions};
use shakmaty::{Chess, Color, Move, Position as _};

use super::{
    UnfoldOptions,
    priority::{DEFAULT, REPLY, priority_of},
    waiting::{LineEnd, LineToFollow, MoveToFollow, Queue},
};
use crate::item_counts::ItemCounts;

/// How many bytes a followed move takes: its record with replies, its entry in `places`, and the key of its
/// position in `followed`.
const NODE_BYTES: u64 = size_of::<Branch>() as u64 + 32 + size_of::<(Key, Option<u32>)>() as u64 + 24;

/// A book as lines.
#[derive(Default)]
pub(super) struct LineTree {
    pub(super) nodes: Vec<Branch>,
    /// The moves of the start position.
    pub(super) first: Vec<u32>,
    /// For each node, the key of the position before its move and, unless that is the start position, the
    /// node whose move leads to it.
    places: Vec<(Key, Option<u32>)>,
    pub(super) plies: u32,
    /// Whether any move of the book has a priority other than the default.
    pub(super) has_priorities: bool,
    /// How many records were written, and how many moves were left out for each reason.
    pub(super) counted: ItemCounts,
    /// How many moves were left out because the book had no room for them.
    pub(super) no_room: u64,
}

/// Lines that are being followed.
struct Unfolding<'a, 'o> {
    look_ups: LookUps<'a>,
    options: &'o UnfoldOptions,
    memory_bytes: u64,
    /// The memory used by look-ups in the input, in bytes.
    look_ups_bytes: u64,
    /// The side that has no moves, if the book has only the other side's moves.
    replies_of: Option<Color>,
    /// The number of moves in the book or table.
    moves: u64,
    /// How many of these moves are at positions that some line reaches.
    met: u64,
    queue: Queue,
    /// How many lines have been queued so far.
    waited: u64,
    /// Positions from which a line continues.
    followed: HashSet<Key>,
    /// The positions that only lines of the maximum length have reached so far, each with the number of its
    /// moves in the book.
    late: HashMap<Key, u64>,
    /// Lines that end at a position from which another line continues; the most played lines come first.
    ends: Vec<LineToFollow>,
    unfolded: LineTree,
}

impl LineTree {
    /// Follows the lines of a book or a table from the start position, using at most `memory_bytes` of
    /// memory.
    pub(super) fn of(
        mut look_ups: LookUps<'_>,
        options: &UnfoldOptions,
        memory_bytes: u64,
        run: &RunOptions,
    ) -> Result<Self> {
        let moves = look_ups.moves()?;
        let look_ups_bytes = LookUps::bytes(look_ups.artefact, memory_bytes);
        let replies_of = query::only_side(look_ups.artefact)?.map(|side| !side);
        let mut lines = Unfolding {
            look_ups,
            options,
            memory_bytes,
            look_ups_bytes,
            replies_of,
            moves,
            met: 0,
            queue: Queue::new(),
            waited: 0,
            followed: HashSet::new(),
            late: HashMap::new(),
            ends: Vec::new(),
            unfolded: Self::default(),
        };
        lines.unfold(run)?;
        let mut unfolded = lines.unfolded;
        let counted = &mut unfolded.counted;
        counted.add("moves at positions that no line leads to", moves - lines.met);
        counted.add("moves after the last ply left out", lines.late.values().sum());
        counted.add("moves that had no room left out", unfolded.no_room);
        Ok(unfolded)
    }

    /// Whether the line that ends at `end` passes through the position `key` on the way there.
    fn is_on_line(&self, end: LineEnd, key: Key) -> bool {
        let LineEnd::Branch(node) = end else { return false };
        let mut line = std::iter::successors(Some(node), |&node| self.places[node as usize].1);
        line.any(|node| self.places[node as usize].0 == key)
    }
}

impl Unfolding<'_, '_> {
    fn unfold(&mut self, run: &RunOptions) -> Result<()> {
        let board = Chess::default();
        let repeats = self.options.repeat_plies;
        self.wait(LineToFollow {
            games: u64::MAX,
            end: LineEnd::Start,
            ply: 0,
            key: Key::START,
            board,
            repeats,
        });
        while let Some((_, next)) = self.queue.pop_last() {
            self.check(run)?;
            self.continue_line(next)?;
        }
        for end in mem::take(&mut self.ends) {
            self.wait(end);
            while let Some((_, next)) = self.queue.pop_last() {
                self.check(run)?;
                self.repeat(&next)?;
            }
        }
        Ok(())
    }

    /// Fails if the user has interrupted the run, or if the memory limit is exceeded.
    fn check(&self, run: &RunOptions) -> Result<()> {
        run.check_interrupt()?;
        let [nodes, waiting] = [self.unfolded.nodes.len(), self.queue.len() + self.ends.len()];
        let taken = self.look_ups_bytes + NODE_BYTES * nodes as u64 + LineToFollow::BYTES * waiting as u64;
        if taken <= self.memory_bytes {
            return Ok(());
        }
        let look_ups_bytes = LookUps::bytes(self.look_ups.artefact, u64::MAX);
        let needed_bytes = look_ups_bytes + self.moves * (NODE_BYTES + LineToFollow::BYTES);
        let needed_bytes = needed_bytes.max(self.memory_bytes + 1);
        let instead = "ask for fewer lines: --max-ply, --min-games, --max-records";
        Err(craft::Error::Memory { needed_bytes, given_bytes: self.memory_bytes, instead }.into())
    }

    /// Continues a line, unless another line already continues from its last position.
    fn continue_line(&mut self, at: LineToFollow) -> Result<()> {
        if self.followed.contains(&at.key) {
            if at.repeats > 0 {
                self.ends.push(at);
            }
            return Ok(());
        }
        let is_late = at.ply >= self.options.max_ply;
        if is_late && self.late.contains_key(&at.key) {
            return Ok(());
        }
        let was_late = self.late.remove(&at.key).is_some();
        let moves = self.known(at.key, &at.board, !was_late)?;
        if is_late {
            let of_book = moves.iter().filter(|known| !known.is_reply).count();
            self.late.insert(at.key, of_book as u64);
            return Ok(());
        }
        self.followed.insert(at.key);
        for known in moves {
            let Some(m) = known.mv.unpack(&at.board) else {
                self.unfolded.counted.add("moves that are not legal", 1);
                continue;
            };
            let end = self.add(&at, &known, m);
            let counted = &mut self.unfolded.counted;
            match end {
                LineEnd::NoRoom => self.unfolded.no_room += 1,
                _ if known.is_reply => counted.add("replies of the side that the book has no moves of", 1),
                _ => counted.add("moves", 1),
            }
            self.wait(at.after(&known, m, end, self.options.repeat_plies));
        }
        Ok(())
    }

    /// Extends a line with the moves that another line plays from the same position.
    fn repeat(&mut self, at: &LineToFollow) -> Result<()> {
        let goes_on = at.repeats > 0 && at.ply < self.options.max_ply;
        if !goes_on || self.unfolded.is_on_line(at.end, at.key) {
            return Ok(());
        }
        for known in self.known(at.key, &at.board, false)? {
            let Some(m) = known.mv.unpack(&at.board) else { continue };
            let end = self.add(at, &known, m);
            if let LineEnd::Branch(_) = end {
                self.unfolded.counted.add("records that repeat a move on another line", 1);
                self.wait(at.after(&known, m, end, at.repeats - 1));
            }
        }
        Ok(())
    }

    fn wait(&mut self, line: LineToFollow) {
        self.waited += 1;
        self.queue.insert((line.games, Reverse(self.waited)), line);
    }

    /// Returns those moves of a position that have enough games, the most played first. If the position is
    /// new, the other moves are counted as left out.
    fn known(&mut self, key: Key, board: &Chess, is_new: bool) -> Result<Vec<MoveToFollow>> {
        let experience = match self.look_ups.artefact {
            Artefact::Book(book) => book.experience_of_moves(key)?,
            _ => HashMap::new(),
        };
        let found = self.look_ups.at(key)?.map(|found| found.moves).unwrap_or_default();
        let all = found.len();
        let is_reply = all == 0 && self.replies_of == Some(board.turn());
        let mut moves: Vec<_> =
            found.iter().map(|known| (known.mv, known.tally.unwrap_or_default())).collect();
        if is_reply {
            moves = replies(self.look_ups.artefact, board)?;
        }
        // Moves without games were added by hand, so they are kept unless `min_games` is above 1.
        let least = if self.options.min_games > 1 { self.options.min_games } else { 0 };
        moves.retain(|(_, tally)| tally.games() >= least);
        let most = moves.first().map_or(0, |(_, tally)| tally.games());
        let shift = (0..u64::BITS).find(|shift| i32::try_from(most >> shift).is_ok()).unwrap_or(0);
        if is_new {
            let counted = &mut self.unfolded.counted;
            counted.add("moves with too few games left out", (all as u64).saturating_sub(moves.len() as u64));
            self.met += all as u64;
            counted.add("positions with smaller counts in the same ratio", u64::from(shift > 0));
        }
        let known = moves.into_iter().map(|(mv, tally)| MoveToFollow {
            mv,
            games: tally.games(),
            tally: scaled(tally, shift),
            priority: if is_reply { REPLY } else { priority_of(experience.get(&mv)) },
            is_reply,
        });
        Ok(known.collect())
    }

    /// Adds a record to a line, if there is room.
    fn add(&mut self, at: &LineToFollow, known: &MoveToFollow, m: Move) -> LineEnd {
        let unfolded = &mut self.unfolded;
        let before = match at.end {
            _ if unfolded.nodes.len() as u64 >= self.options.max_records => return LineEnd::NoRoom,
            LineEnd::NoRoom => return LineEnd::NoRoom,
            LineEnd::Start => None,
            LineEnd::Branch(node) => Some(node),
        };
        let place = unfolded.nodes.len() as u32;
        let record = AbkMove::of(m, at.board.turn().is_white(), known.priority, known.tally);
        unfolded.nodes.push(Branch { record, replies: Vec::new() });
        unfolded.places.push((at.key, before));
        match before {
            Some(node) => unfolded.nodes[node as usize].replies.push(place),
            None => unfolded.first.push(place),
        }
        unfolded.plies = unfolded.plies.max(at.ply + 1);
        unfolded.has_priorities |= !known.is_reply && known.priority != DEFAULT;
        LineEnd::Branch(place)
    }
}

/// Returns the replies of the side that has no moves in the book, each with the tally of the position that it
/// leads to. The most frequently played replies come first.
fn replies(artefact: &Artefact, board: &Chess) -> Result<Vec<(PackedMove, Tally)>> {
    let of_reply = |(m, found): (Move, KeyProbe)| (PackedMove::pack(m), found.tally.unwrap_or_default());
    let mut moves: Vec<_> = query::replies(artefact, board)?.into_iter().map(of_reply).collect();
    moves.sort_by_key(|&(mv, tally)| (Reverse(tally.games()), mv));
    Ok(moves)
}

/// Shifts the counts right by `shift` bits, so that they fit in the file.
fn scaled(tally: Tally, shift: u32) -> [i32; 3] {
    [tally.white, tally.draws, tally.black].map(|games| (games >> shift) as i32)
}
