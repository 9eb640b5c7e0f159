//! Every position that is reached from the start position, and what leads where.

use std::{collections::HashMap, ops::Range};

use position::{Key, PackedMove};
use query::{Artefact, numbered, probe_key};
use shakmaty::{Chess, Color, Position as _, san::SanPlus};

use crate::Result;

/// A position.
pub(crate) struct Node {
    pub(crate) key: Key,
    /// The node before it on the shortest line; the first one is its own.
    parent: u32,
    mv: PackedMove,
    pub(crate) ply: u32,
    /// Whether the book has the position.
    pub(crate) is_known: bool,
    /// Whether the book has moves there.
    pub(crate) has_moves: bool,
    /// Its moves, in the list of all.
    moves: Range<usize>,
}

/// A move that leads to another position.
#[derive(Clone, Copy)]
pub(crate) struct Edge {
    pub(crate) mv: PackedMove,
    pub(crate) to: u32,
}

/// The positions that a book's moves reach, and the replies that lead back into it, breadth first.
#[derive(Default)]
pub(crate) struct Graph {
    nodes: Vec<Node>,
    edges: Vec<Edge>,
    places: HashMap<Key, u32>,
    keys: Keys,
}

/// The keys of a book. Most positions that a legal move leads to are none of it: a bit for the last bits of
/// each key tells so without a search.
#[derive(Default)]
struct Keys {
    ascending: Vec<Key>,
    /// A power of two of words; at least eight bits a key.
    bits: Vec<u64>,
}

impl Keys {
    fn new(ascending: Vec<Key>) -> Self {
        let mut keys = Self { bits: vec![0; (ascending.len() / 8 + 1).next_power_of_two()], ascending };
        for at in 0..keys.ascending.len() {
            let (word, bit) = keys.place(keys.ascending[at]);
            keys.bits[word] |= bit;
        }
        keys
    }

    /// The word of a key's bit, and the bit in it.
    fn place(&self, key: Key) -> (usize, u64) {
        ((key.0 / 64) as usize & (self.bits.len() - 1), 1 << (key.0 % 64))
    }

    fn contains(&self, key: Key) -> bool {
        let (word, bit) = self.place(key);
        self.bits[word] & bit != 0 && self.ascending.binary_search(&key).is_ok()
    }
}

impl Graph {
    /// Walks a book.
    pub(crate) fn of(book: &Artefact) -> Result<Self> {
        let keys = query::positions(book)?.map(|found| found.map(|found| found.key));
        let keys = Keys::new(keys.collect::<query::Result<_>>()?);
        let mut graph = Self { keys, ..Self::default() };
        graph.add(Key::START, (0, PackedMove::TERMINAL), 0);
        let mut frontier = vec![(0, Chess::default())];
        while !frontier.is_empty() {
            let mut next = Vec::new();
            for (place, board) in &frontier {
                graph.open(book, *place, board, &mut next)?;
            }
            frontier = next;
        }
        Ok(graph)
    }

    fn add(&mut self, key: Key, (parent, mv): (u32, PackedMove), ply: u32) -> u32 {
        let place = self.nodes.len() as u32;
        self.nodes.push(Node { key, parent, mv, ply, is_known: false, has_moves: false, moves: 0..0 });
        self.places.insert(key, place);
        place
    }

    /// Follows the moves of a position.
    fn open(
        &mut self,
        book: &Artefact,
        place: u32,
        board: &Chess,
        next: &mut Vec<(u32, Chess)>,
    ) -> Result<()> {
        let key = Key::of(board);
        let found = probe_key(book, key)?;
        let (ply, first) = (self.nodes[place as usize].ply, self.edges.len());
        let mut is_known = found.is_some();
        for m in board.legal_moves() {
            let mut after = board.clone();
            after.play_unchecked(m);
            let (child, mv) = (Key::of(&after), PackedMove::pack(m));
            let is_of_book = found.iter().flat_map(|found| &found.moves).any(|known| known.mv == mv);
            // A leaf of a Polyglot book has no entry, and is in the book by the move that leads there.
            is_known |= is_of_book;
            if !is_of_book && !self.keys.contains(child) {
                continue;
            }
            let to = self.places.get(&child).copied().unwrap_or_else(|| {
                let to = self.add(child, (place, mv), ply + 1);
                next.push((to, after));
                to
            });
            self.edges.push(Edge { mv, to });
        }
        let node = &mut self.nodes[place as usize];
        (node.is_known, node.moves) = (is_known, first..self.edges.len());
        node.has_moves = found.is_some_and(|found| !found.moves.is_empty());
        Ok(())
    }

    pub(crate) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The moves of a position that stay within the book.
    pub(crate) fn edges(&self, place: u32) -> &[Edge] {
        &self.edges[self.nodes[place as usize].moves.clone()]
    }

    /// The place of a position, if it was reached.
    pub(crate) fn place(&self, key: Key) -> Option<u32> {
        self.places.get(&key).copied()
    }

    /// The keys of the book, ascending.
    pub(crate) fn keys(&self) -> &[Key] {
        &self.keys.ascending
    }

    /// Whether a position was reached.
    pub(crate) fn reaches(&self, key: Key) -> bool {
        self.places.contains_key(&key)
    }

    /// Positions of the book that were reached.
    pub(crate) fn known(&self) -> u64 {
        self.nodes.iter().filter(|node| node.is_known).count() as u64
    }

    /// Whether the book has moves of that side.
    pub(crate) fn has_moves_of(&self, color: Color) -> bool {
        self.nodes.iter().any(|node| node.has_moves && turn(node) == color)
    }

    /// The only side that has moves.
    pub(crate) fn only_side(&self) -> Option<Color> {
        position::only_side(|color| self.has_moves_of(color))
    }

    /// The moves that lead to a position, from the start position on.
    fn moves_to(&self, mut place: u32) -> Vec<PackedMove> {
        let mut moves = Vec::new();
        while place != 0 {
            let node = &self.nodes[place as usize];
            moves.push(node.mv);
            place = node.parent;
        }
        moves.reverse();
        moves
    }

    /// The board of a position.
    pub(crate) fn board(&self, place: u32) -> Chess {
        let mut board = Chess::default();
        for m in self.moves_to(place) {
            let Some(m) = m.unpack(&board) else { break };
            board.play_unchecked(m);
        }
        board
    }

    /// The board of a position, and the moves that lead there, in SAN.
    pub(crate) fn way(&self, place: u32) -> (Chess, Vec<String>) {
        Self::play(&self.moves_to(place))
    }

    /// The line of a position: SAN with numbers, `more` moves after it included.
    pub(crate) fn line(&self, place: u32, more: &[PackedMove]) -> String {
        let (_, sans) = Self::play(&[self.moves_to(place).as_slice(), more].concat());
        numbered(&Chess::default(), &sans)
    }

    fn play(moves: &[PackedMove]) -> (Chess, Vec<String>) {
        let (mut board, mut sans) = (Chess::default(), Vec::new());
        for mv in moves {
            let Some(m) = mv.unpack(&board) else { break };
            sans.push(SanPlus::from_move_and_play_unchecked(&mut board, m).to_string());
        }
        (board, sans)
    }
}

/// Who is to move.
pub(crate) fn turn(node: &Node) -> Color {
    Color::from_white(node.ply.is_multiple_of(2))
}
