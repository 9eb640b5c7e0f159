//! Builds a graph of the positions that can be reached from the start position and the roots by following a
//! book, and of the moves that connect them.

mod growth;
mod ways;

use std::collections::{HashMap, HashSet};

use position::{Key, PackedMove};
use query::{Artefact, KeyProbe, PositionIndex};
use shakmaty::{Chess, Color};

use self::growth::Players;
use crate::{Error, Result, threads::pool};

/// The moves that a book never plays, with the keys of their positions.
pub(crate) type NeverPlayed = HashSet<(Key, PackedMove)>;

/// Stands for "no node", or for "not a position of the book".
const NONE: u32 = u32::MAX;

/// A position.
pub(crate) struct Node {
    pub(crate) key: Key,
    /// The node before this one on the shortest line, or [`NONE`] if the line begins here.
    parent: u32,
    mv: PackedMove,
    /// The position's number in the book, or [`NONE`] if the book does not have it.
    known: u32,
    pub(crate) ply: u32,
    /// Where in `edges` this node's edges end. They begin where the previous node's edges end.
    end: usize,
}

/// A move that leads to another node.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) mv: PackedMove,
    pub(crate) to: u32,
}

/// The positions that can be reached by following a book, in breadth-first order.
///
/// # Memory
///
/// A graph takes 36 bytes for each position, and 8 bytes for each move.
pub(crate) struct Graph<'i> {
    index: &'i PositionIndex,
    /// The boards on which lines begin; their nodes come first.
    starts: Vec<Chess>,
    pub(crate) nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// For each position of the book, its node, or [`NONE`] if it was not reached.
    of_book: Vec<u32>,
    /// The nodes of positions that the book does not have: the leaves of a Polyglot book.
    others: HashMap<Key, u32>,
    /// The book's illegal moves, with the nodes of their positions.
    illegal: HashSet<(u32, PackedMove)>,
    /// How many castling moves in reached positions are written in a Polyglot book as a king moving two
    /// squares.
    pub(crate) king_moves: u64,
}

/// The positions of a book and their moves.
pub(crate) fn index_of(book: &Artefact) -> query::Result<PositionIndex> {
    let of_book = |found: KeyProbe| (found.key, found.moves.iter().map(|known| known.mv).collect());
    PositionIndex::read(query::positions(book)?.map(|found| found.map(of_book)))
}

/// Fails if the book might need more than `given_bytes`. A position counts as `a_position` bytes and a move
/// as `a_move` bytes. `instead` tells the user what else to try.
pub(crate) fn check_memory(
    book: &Artefact,
    (a_position, a_move): (u64, u64),
    given_bytes: u64,
    instead: &'static str,
) -> Result<()> {
    let (positions, moves) = match book {
        Artefact::Book(book) => (book.stats().positions, book.stats().edges),
        Artefact::Polyglot(reader) => (reader.verify()?, reader.entries()),
        Artefact::Table(_) | Artefact::Experience(_) => (0, 0),
    };
    let needed_bytes = a_position * positions + a_move * moves;
    if needed_bytes > given_bytes {
        return Err(Error::Memory { needed_bytes, given_bytes, instead }.into());
    }
    Ok(())
}

impl<'i> Graph<'i> {
    /// The maximum number of bytes that a position takes, including its entry in the index and its share of
    /// the boards. Only the boards of the newest plies are in memory.
    pub(crate) const BYTES_A_POSITION: u64 = 112;
    /// The maximum number of bytes that a move takes.
    pub(crate) const BYTES_A_MOVE: u64 = 20;

    /// Walks a book from `starts`, with up to `threads` threads. The side `color` plays only the book's
    /// moves, and none of those in `never`. Its opponent may also play any move that leads back into the
    /// book. If `color` is `None`, both sides play only the book's moves.
    ///
    /// # Errors
    ///
    /// Fails if the system cannot start a thread.
    pub(crate) fn of(
        (index, starts): (&'i PositionIndex, Vec<Chess>),
        color: Option<Color>,
        never: &NeverPlayed,
        threads: usize,
    ) -> Result<Self> {
        let mut graph = Self {
            index,
            starts,
            nodes: Vec::new(),
            edges: Vec::new(),
            of_book: vec![NONE; index.len()],
            others: HashMap::new(),
            illegal: HashSet::new(),
            king_moves: 0,
        };
        pool(threads)?.install(|| graph.grow(Players { color, never }));
        Ok(graph)
    }

    /// The moves that the book has in a position.
    fn moves_of_book(&self, node: &Node) -> &'i [PackedMove] {
        if node.known == NONE { &[] } else { self.index.moves(node.known as usize) }
    }

    /// The moves from a position to other positions of the graph.
    pub(crate) fn edges(&self, place: u32) -> &[Edge] {
        let begin = (place as usize).checked_sub(1).map_or(0, |before| self.nodes[before].end);
        &self.edges[begin..self.nodes[place as usize].end]
    }

    /// The node of a position, if it was reached.
    pub(crate) fn place(&self, key: Key) -> Option<u32> {
        self.node_of(key, self.number(key))
    }

    /// A position's number in the book, or [`NONE`] if the book does not have it.
    fn number(&self, key: Key) -> u32 {
        self.index.place(key).map_or(NONE, |known| known as u32)
    }

    /// The node of a position; `known` is the position's number in the book, or [`NONE`] if the book does not
    /// have it. Returns `None` if the position was not reached.
    fn node_of(&self, key: Key, known: u32) -> Option<u32> {
        match known {
            NONE => self.others.get(&key).copied(),
            known => Some(self.of_book[known as usize]).filter(|place| *place != NONE),
        }
    }

    /// Whether this move of the book is illegal in the position at `place`.
    pub(crate) fn is_illegal(&self, place: u32, mv: PackedMove) -> bool {
        self.illegal.contains(&(place, mv))
    }

    /// The number of positions in the book.
    pub(crate) fn positions(&self) -> u64 {
        self.of_book.len() as u64
    }

    /// The number of the book's positions that were reached.
    pub(crate) fn reached(&self) -> u64 {
        self.positions() - self.not_reached().count() as u64
    }

    /// The keys of the book's positions that were not reached, ascending.
    pub(crate) fn not_reached(&self) -> impl Iterator<Item = Key> {
        let places = (0..self.of_book.len()).filter(|known| self.of_book[*known] == NONE);
        places.map(|known| self.index.key(known))
    }
}

/// The side to move.
pub(crate) fn turn(node: &Node) -> Color {
    Color::from_white(node.ply.is_multiple_of(2))
}
