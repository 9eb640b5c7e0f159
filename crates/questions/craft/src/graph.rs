//! Every position that is reached from the start position and the roots of a book, and where its moves lead.

mod growth;
mod ways;

use std::collections::{HashMap, HashSet};

use position::{Key, PackedMove};
use query::{Artefact, KeyProbe, PositionIndex};
use shakmaty::{Chess, Color};

use self::growth::Players;
use crate::{Error, Result, threads::pool};

/// Moves that a book never plays, with their positions.
pub(crate) type NeverPlayed = HashSet<(Key, PackedMove)>;

/// The number of a position that is not there.
const NONE: u32 = u32::MAX;

/// A position.
pub(crate) struct Node {
    pub(crate) key: Key,
    /// The node before it on the shortest line; the first ones have none.
    parent: u32,
    mv: PackedMove,
    /// Its number in the book, or [`NONE`].
    known: u32,
    pub(crate) ply: u32,
    /// Where its moves end in the list of all; they begin where the moves of the node before it end.
    end: usize,
}

/// A move that leads to another position.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) mv: PackedMove,
    pub(crate) to: u32,
}

/// The positions that players of a book reach, breadth first.
///
/// # Memory
///
/// A graph takes 36 bytes a position, and 8 bytes a move.
pub(crate) struct Graph<'i> {
    index: &'i PositionIndex,
    /// The positions of the first nodes.
    starts: Vec<Chess>,
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    /// The node of each position of the book, or [`NONE`] if it was not reached.
    of_book: Vec<u32>,
    /// The nodes of positions that the book does not have: leaves of Polyglot books.
    others: HashMap<Key, u32>,
    /// Moves of the book that are not legal, with their nodes.
    illegal: HashSet<(u32, PackedMove)>,
    king_moves: u64,
}

/// The positions of a book and their moves.
pub(crate) fn index_of(book: &Artefact) -> query::Result<PositionIndex> {
    let of_book = |found: KeyProbe| (found.key, found.moves.iter().map(|known| known.mv).collect());
    PositionIndex::read(query::positions(book)?.map(|found| found.map(of_book)))
}

/// Refuses a book that needs more than `given_bytes`, by the bytes for each of its positions and moves.
/// `instead` says what to do if there is no more memory.
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
    /// The most bytes that a position takes, with its place in the index and the boards of the widest plies.
    pub(crate) const BYTES_A_POSITION: u64 = 112;
    /// The most bytes that a move takes.
    pub(crate) const BYTES_A_MOVE: u64 = 20;

    /// Walks a book from `starts` on up to `threads` threads. `color` plays by the book alone, but none of
    /// the moves `never`; its opponent also plays any move that leads back into it. Without a colour both
    /// sides play by the book.
    ///
    /// # Errors
    ///
    /// Fails if the system refuses a thread.
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

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The moves that the book has in a position.
    fn moves_of_book(&self, node: &Node) -> &'i [PackedMove] {
        if node.known == NONE { &[] } else { self.index.moves(node.known as usize) }
    }

    /// The moves from a position that players of the book can play.
    pub(crate) fn edges(&self, place: u32) -> &[Edge] {
        let begin = (place as usize).checked_sub(1).map_or(0, |before| self.nodes[before].end);
        &self.edges[begin..self.nodes[place as usize].end]
    }

    /// The node of a position, if it was reached.
    pub(crate) fn place(&self, key: Key) -> Option<u32> {
        self.node_of(key, self.number(key))
    }

    /// A position's number in the book, or [`NONE`].
    fn number(&self, key: Key) -> u32 {
        self.index.place(key).map_or(NONE, |known| known as u32)
    }

    /// The node of a position whose number in the book is known.
    fn node_of(&self, key: Key, known: u32) -> Option<u32> {
        match known {
            NONE => self.others.get(&key).copied(),
            known => Some(self.of_book[known as usize]).filter(|place| *place != NONE),
        }
    }

    /// Whether a move of the book cannot be played.
    pub(crate) fn is_illegal(&self, place: u32, mv: PackedMove) -> bool {
        self.illegal.contains(&(place, mv))
    }

    /// How many moves are castling that a Polyglot book has as the king's two squares, in positions that were
    /// reached.
    pub(crate) fn king_moves(&self) -> u64 {
        self.king_moves
    }

    /// How many positions the book has.
    pub(crate) fn positions(&self) -> u64 {
        self.of_book.len() as u64
    }

    /// How many positions of the book were reached.
    pub(crate) fn reached(&self) -> u64 {
        self.positions() - self.not_reached().count() as u64
    }

    /// The keys of the book that were not reached, ascending.
    pub(crate) fn not_reached(&self) -> impl Iterator<Item = Key> {
        let places = (0..self.of_book.len()).filter(|known| self.of_book[*known] == NONE);
        places.map(|known| self.index.key(known))
    }
}

/// Who is to move.
pub(crate) fn turn(node: &Node) -> Color {
    Color::from_white(node.ply.is_multiple_of(2))
}
