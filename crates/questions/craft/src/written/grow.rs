//! Finds the lines of an artefact by following the moves of one position after another. The next position is
//! always the position that comes up most often among those that have not been followed yet.

use std::{cmp::Reverse, collections::BTreeMap, ops::ControlFlow};

use position::{Key, position_after};
use query::{Artefact, KeyProbe, LookUps, VisitAnswer};
use shakmaty::{Chess, Color, Position as _};

use super::{
    LinesOptions, LinesWork, Written,
    choices::{Choice, Choices},
    tree::{LineTree, Node},
};
use fault::Stop;

use crate::{Error, Result};

/// Lines that are still growing.
struct Growing<'a, 'o> {
    options: &'o LinesOptions,
    look_ups: LookUps<'a>,
    memory: Memory<'a>,
    /// The side for which the book has no moves. This side's replies are followed if they lead back into the
    /// book. `None` if the book has moves for both sides.
    replies_of: Option<Color>,
    nodes: Vec<Node>,
    written: Written,
    /// Positions that have not been followed yet. The last entry is followed next. This is the position that
    /// comes up most often or, in case of a tie, the position that was found first.
    waiting: BTreeMap<(u64, Reverse<u32>), OpenPosition>,
}

/// A position that has not been followed yet.
struct OpenPosition {
    /// The proportion of all games, from 0 to 1, that is expected to reach the position.
    reach: f64,
    ply: u32,
    key: Key,
    board: Chess,
}

/// How much memory the lines may take, and how much they need.
struct Memory<'a> {
    artefact: &'a Artefact,
    given_bytes: u64,
    /// The part of `given_bytes` that the look-ups take.
    look_ups_bytes: u64,
}

impl<'a> Memory<'a> {
    /// Bytes per node, including the entry that records its position as visited.
    const NODE_BYTES: u64 = size_of::<Node>() as u64 + 24;
    /// The number of bytes per waiting position, assuming a B-tree whose nodes are two thirds full.
    const WAITING_BYTES: u64 = (size_of::<OpenPosition>() as u64 + 16) * 3 / 2;
    /// Bytes per move. Only half of `WAITING_BYTES` is included, because in most books only half of the moves
    /// lead to positions that wait almost until the end.
    const MOVE_BYTES: u64 = Self::NODE_BYTES + Self::WAITING_BYTES / 2;

    fn of(artefact: &'a Artefact, given_bytes: u64) -> Self {
        Self { artefact, given_bytes, look_ups_bytes: LookUps::bytes(artefact, given_bytes) }
    }

    /// Returns an upper bound on the number of bytes needed for all lines of the artefact.
    fn needed_bytes(&self) -> u64 {
        let moves = match self.artefact {
            Artefact::Book(book) => book.stats().edges,
            Artefact::Table(table) => table.manifest().rows,
            Artefact::Polyglot(reader) => reader.entries(),
            Artefact::Experience(_) => 0,
        };
        moves * Self::MOVE_BYTES + LookUps::bytes(self.artefact, u64::MAX)
    }

    /// Fails if this many nodes and waiting positions would exceed the memory limit.
    fn check(&self, nodes: usize, waiting: usize) -> Result<()> {
        let taken = Self::NODE_BYTES * nodes as u64 + Self::WAITING_BYTES * waiting as u64;
        if taken + self.look_ups_bytes > self.given_bytes { Err(self.refused().into()) } else { Ok(()) }
    }

    fn refused(&self) -> Error {
        let instead = "ask for fewer lines: --max-ply, --min-games, --min-share, --lines";
        let needed_bytes = self.needed_bytes().max(self.given_bytes + 1);
        Error::Memory { needed_bytes, given_bytes: self.given_bytes, instead }
    }
}

/// Finds the lines of an artefact. If a book has moves for one side only, the other side's replies that lead
/// back into the book are followed as well.
pub(super) fn grow(artefact: &Artefact, options: &LinesOptions, work: LinesWork<'_>) -> Result<LineTree> {
    let is_whole = options.start.moves.is_empty();
    let mut starts = vec![options.start.position.clone()];
    if is_whole && Key::of(&starts[0]) == Key::START {
        starts = query::first_positions(artefact)?;
        starts.truncate(options.lines.map_or(usize::MAX, |most| most.max(1) as usize));
    }
    let growing = Growing {
        options,
        look_ups: LookUps::of(artefact, (work.threads, work.memory_bytes), work.go_on),
        memory: Memory::of(artefact, work.memory_bytes),
        replies_of: query::only_side(artefact)?.map(|side| !side),
        nodes: starts.iter().map(|_| Node::default()).collect(),
        written: Written { lines: starts.len() as u64, ..Written::default() },
        waiting: BTreeMap::new(),
    };
    if options.are_all() && growing.memory.needed_bytes() > work.memory_bytes {
        return Err(growing.memory.refused().into());
    }
    let grown = growing.grow(&starts, work.go_on)?;
    let beginning = (options.start.moves.clone(), starts);
    Ok(LineTree::of(grown.nodes, beginning, grown.written))
}

impl Growing<'_, '_> {
    fn grow(mut self, starts: &[Chess], go_on: &dyn Fn() -> ControlFlow<()>) -> Result<Self> {
        let ply = self.options.start.moves.len() as u32;
        for (board, place) in starts.iter().zip(0..) {
            self.wait(place, OpenPosition { reach: 1.0, ply, key: Key::of(board), board: board.clone() });
        }
        while let Some(((_, Reverse(place)), next)) = self.waiting.pop_last() {
            if go_on().is_break() {
                return Err(Stop.into());
            }
            self.memory.check(self.nodes.len(), self.waiting.len())?;
            match self.look_ups.visit(next.key)? {
                VisitAnswer::First(found) => self.follow(place, found, &next)?,
                VisitAnswer::Again => self.nodes[place as usize].transposes = true,
            }
        }
        self.written.moves = (self.nodes.len() - starts.len()) as u64;
        Ok(self)
    }

    fn wait(&mut self, place: u32, position: OpenPosition) {
        // For nonnegative floating-point numbers, comparing the bit patterns is the same as comparing the
        // numbers.
        self.waiting.insert((position.reach.to_bits(), Reverse(place)), position);
    }

    /// Adds the moves of a position, except for those that the options leave out.
    fn follow(&mut self, place: u32, found: Option<KeyProbe>, at: &OpenPosition) -> Result<()> {
        self.written.positions += 1;
        let mut choices = match found {
            Some(found) => Choices::of(&found, self.look_ups.artefact, &at.board)?,
            None => Choices::default(),
        };
        self.written.illegal += choices.illegal;
        let turn = at.board.turn();
        if choices.moves.is_empty() && self.replies_of == Some(turn) {
            choices.moves = Choices::replies(self.look_ups.artefact, &at.board)?;
        }
        let moves = self.wanted(choices.moves, at.ply);
        let first = self.nodes.len() as u32;
        let node = &mut self.nodes[place as usize];
        (node.tally, node.children) = (choices.tally, first..first + moves.len() as u32);
        for (Choice { m, played }, place) in moves.into_iter().zip(first..) {
            let (reach, key) = (at.reach * played.share, at.key.after(&at.board, m));
            let board = position_after(&at.board, m);
            self.wait(place, OpenPosition { reach, ply: at.ply + 1, key, board });
            self.nodes.push(Node { played: Some(played), ..Node::default() });
        }
        Ok(())
    }

    /// Removes and counts the moves that the options leave out; `ply` is the ply of the position.
    fn wanted(&mut self, mut moves: Vec<Choice>, ply: u32) -> Vec<Choice> {
        let (options, all) = (self.options, moves.len());
        moves.retain(|Choice { played, .. }| {
            let is_played = played.tally.is_none_or(|tally| tally.games() >= options.min_games);
            is_played && played.share >= options.min_share
        });
        if options.max_ply.is_some_and(|last| ply >= last) {
            moves.clear();
        }
        if let Some(most) = options.lines {
            moves.truncate((most - self.written.lines) as usize + 1);
        }
        self.written.left_out += (all - moves.len()) as u64;
        self.written.lines += (moves.len() as u64).saturating_sub(1);
        moves
    }
}
