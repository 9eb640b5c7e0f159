//! The positions of a book as a tree of lines, the most played lines first.
//!
//! A position that several lines lead to is repeated with its moves on each of them. A move that leads back
//! to a position of its own line is the last one there, so lines end.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    rc::Rc,
};

use book::abk::{Node, Record};
use position::{Key, PackedMove, Tally};
use query::{Artefact, LookUps};
use shakmaty::{Chess, Position as _};

use super::{
    UnfoldOptions,
    priority::{DEFAULT, priority_of},
};
use crate::{Error, Result, RunOptions};

/// A book as lines.
#[derive(Default)]
pub(super) struct Unfolded {
    pub(super) nodes: Vec<Node>,
    /// The moves of the start position.
    pub(super) first: Vec<u32>,
    /// The position before each node's move, and the node that leads there.
    places: Vec<(Key, Option<u32>)>,
    pub(super) plies: u32,
    /// Whether a move has another priority than the default one.
    pub(super) has_priorities: bool,
    pub(super) counted: Counted,
}

/// What was written and left out.
#[derive(Default)]
pub(super) struct Counted {
    /// Moves of different positions.
    pub(super) moves: u64,
    /// Moves with too few games, at positions that were reached.
    pub(super) few_games: u64,
    /// Moves at positions that no line leads to, as far as lines were followed.
    pub(super) unreached: u64,
    /// Moves after the last ply.
    pub(super) late: u64,
    /// Moves that there was no room for, of positions that were followed.
    pub(super) no_room: u64,
    /// Positions on lines that were not followed, because there was no room.
    pub(super) not_followed: u64,
    pub(super) illegal: u64,
    /// Positions whose counts were made smaller, in their ratio, to fit 31 bits.
    pub(super) scaled: u64,
}

/// A move of a position as it is written.
struct Known {
    mv: PackedMove,
    games: u64,
    /// White won, drawn, lost.
    tally: [i32; 3],
    priority: u8,
}

/// A line whose last position is not followed yet.
struct Waiting {
    /// Games of its move that was played least.
    games: u64,
    /// The node of its last move.
    node: Option<u32>,
    ply: u32,
    board: Chess,
}

/// Lines that wait, by games and node of their last move: the last one is next.
type Queue = BTreeMap<(u64, Reverse<Option<u32>>), Waiting>;

impl Unfolded {
    /// Follows the lines of a book or a table from the start position.
    pub(super) fn of(mut look_ups: LookUps<'_>, options: &UnfoldOptions, run: &RunOptions) -> Result<Self> {
        let (mut unfolded, mut known, mut queue) = (Self::default(), HashMap::new(), Queue::new());
        unfolded.counted.unreached = look_ups.moves()?;
        Waiting { games: u64::MAX, node: None, ply: 0, board: Chess::default() }.queue(&mut queue);
        while let Some((_, next)) = queue.pop_last() {
            if run.flow().is_break() {
                return Err(Error::Interrupted);
            }
            if unfolded.nodes.len() as u64 >= options.max_records {
                unfolded.counted.not_followed = queue.len() as u64 + 1;
                break;
            }
            let key = Key::of(&next.board);
            let here = match known.get(&key) {
                Some(here) => Rc::clone(here),
                None => Rc::clone(known.entry(key).or_insert(unfolded.known(&mut look_ups, key, options)?)),
            };
            unfolded.follow(&next, key, &here, options, &mut queue);
        }
        unfolded.has_priorities = unfolded.nodes.iter().any(|node| node.record.priority != DEFAULT);
        Ok(unfolded)
    }

    /// The moves of a position that are wanted, the most played one first; counts those that are not.
    fn known(
        &mut self,
        look_ups: &mut LookUps<'_>,
        key: Key,
        options: &UnfoldOptions,
    ) -> Result<Rc<Vec<Known>>> {
        let experience = match look_ups.artefact() {
            Artefact::Book(book) => book.experience_of_moves(key)?,
            _ => HashMap::new(),
        };
        let found = look_ups.at(key)?.map(|found| found.moves).unwrap_or_default();
        let mut moves: Vec<_> =
            found.iter().map(|known| (known.mv, known.tally.unwrap_or_default())).collect();
        let all = moves.len();
        moves.retain(|(_, tally)| tally.games() >= options.min_games.max(1));
        self.counted.few_games += (all - moves.len()) as u64;
        self.counted.moves += moves.len() as u64;
        self.counted.unreached -= all as u64;
        let most = moves.first().map_or(0, |(_, tally)| tally.games());
        let shift = (0..u64::BITS).find(|shift| i32::try_from(most >> shift).is_ok()).unwrap_or(0);
        self.counted.scaled += u64::from(shift > 0);
        let known = moves.into_iter().map(|(mv, tally)| Known {
            mv,
            games: tally.games(),
            tally: scaled(tally, shift),
            priority: priority_of(experience.get(&mv)),
        });
        Ok(Rc::new(known.collect()))
    }

    /// Adds the moves of a line's last position.
    fn follow(
        &mut self,
        at: &Waiting,
        key: Key,
        moves: &[Known],
        options: &UnfoldOptions,
        queue: &mut Queue,
    ) {
        if at.ply >= options.max_ply {
            self.counted.late += moves.len() as u64;
            return;
        }
        let room = options.max_records - self.nodes.len() as u64;
        self.counted.no_room += (moves.len() as u64).saturating_sub(room);
        for known in moves.iter().take(usize::try_from(room).unwrap_or(usize::MAX)) {
            let Some(m) = known.mv.unpack(&at.board) else {
                self.counted.illegal += 1;
                continue;
            };
            let place = self.nodes.len() as u32;
            let record = Record::of(m, at.board.turn().is_white(), known.priority, known.tally);
            self.nodes.push(Node { record, replies: Vec::new() });
            self.places.push((key, at.node));
            match at.node {
                Some(node) => self.nodes[node as usize].replies.push(place),
                None => self.first.push(place),
            }
            let mut board = at.board.clone();
            board.play_unchecked(m);
            self.plies = self.plies.max(at.ply + 1);
            if !self.is_on_line(place, Key::of(&board)) {
                let games = at.games.min(known.games);
                Waiting { games, node: Some(place), ply: at.ply + 1, board }.queue(queue);
            }
        }
    }

    /// Whether the line to a node's move has a position already.
    fn is_on_line(&self, node: u32, key: Key) -> bool {
        let line = std::iter::successors(Some(node), |&node| self.places[node as usize].1);
        line.into_iter().any(|node| self.places[node as usize].0 == key)
    }
}

impl Waiting {
    fn queue(self, queue: &mut Queue) {
        queue.insert((self.games, Reverse(self.node)), self);
    }
}

/// Games as the file counts them.
fn scaled(tally: Tally, shift: u32) -> [i32; 3] {
    [tally.white, tally.draws, tally.black].map(|games| (games >> shift) as i32)
}
