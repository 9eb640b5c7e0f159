//! How a graph grows, ply by ply.
//!
//! All threads share the work of finding the positions that moves lead to, because most of this work is time
//! spent waiting for memory. New nodes are then added in the order of their parents, so that the graph does
//! not depend on the number of threads.

use std::ops::Range;

use position::{Key, PackedMove, position_after};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Move, Position as _};

use super::{Edge, Graph, NONE, NeverPlayed, Node, turn};

/// The number of positions that a thread processes at a time.
const POSITIONS_OF_TASK: usize = 256;

/// Which sides play only the book's moves.
#[derive(Clone, Copy)]
pub(super) struct Players<'g> {
    /// The side that plays by the book; `None` if both sides do.
    pub(super) color: Option<Color>,
    /// The book's moves that this side never plays.
    pub(super) never: &'g NeverPlayed,
}

/// The moves that a thread found in the positions assigned to it.
#[derive(Default)]
struct Found {
    arrivals: Vec<Arrival>,
    illegal: Vec<(u32, PackedMove)>,
    king_moves: u64,
}

/// A move to follow: one of the book's moves, or a reply that leads back into the book.
struct Arrival {
    /// The node that the move is played from.
    from: u32,
    m: Move,
    /// The key of the position that the move leads to; the next field is that position's number in the book,
    /// or [`NONE`].
    key: Key,
    known: u32,
}

impl Graph<'_> {
    pub(super) fn grow(&mut self, players: Players<'_>) {
        let starts = self.starts.clone();
        for start in &starts {
            let (key, ply) = (Key::of(start), start.turn().fold_wb(0, 1));
            let known = self.number(key);
            self.add(Node { key, parent: NONE, mv: PackedMove::TERMINAL, known, ply, end: 0 });
        }
        self.follow(0, starts, players);
    }

    /// Follows moves, ply by ply, until no new nodes are reached. `boards` holds the boards of the newest
    /// nodes, starting with node `first`.
    fn follow(&mut self, mut first: u32, mut boards: Vec<Chess>, players: Players<'_>) {
        while !boards.is_empty() {
            let mut new = Vec::new();
            for found in self.leave_all(first, &boards, players) {
                let Found { arrivals, illegal, king_moves } = found;
                self.illegal.extend(illegal);
                self.king_moves += king_moves;
                for arrival in arrivals {
                    let to = self.arrive(&arrival, &mut new);
                    self.edges.push(Edge { mv: PackedMove::pack(arrival.m), to });
                    self.nodes[arrival.from as usize].end = self.edges.len();
                }
            }
            self.close(first as usize..first as usize + boards.len());
            let next = played(first, &boards, &new);
            (first, boards) = (first + boards.len() as u32, next);
        }
    }

    /// Sets the field `end` of each node without edges to the `end` of the previous node.
    fn close(&mut self, nodes: Range<usize>) {
        for place in nodes {
            let end = place.checked_sub(1).map_or(0, |before| self.nodes[before].end);
            self.nodes[place].end = self.nodes[place].end.max(end);
        }
    }

    /// Finds the moves to follow from a range of nodes that begins with node `first`. `boards` contains the
    /// boards of these nodes.
    fn leave_all(&self, first: u32, boards: &[Chess], players: Players<'_>) -> Vec<Found> {
        let tasks = boards.par_chunks(POSITIONS_OF_TASK).enumerate();
        let leave = |(task, boards): (usize, &[Chess])| {
            let places = first + (task * POSITIONS_OF_TASK) as u32..;
            let mut found = Found::default();
            boards
                .iter()
                .zip(places)
                .for_each(|(board, place)| self.leave(place, board, players, &mut found));
            found
        };
        tasks.map(leave).collect()
    }

    /// Finds the moves to follow from a position: the book's moves and, for a side that does not play by the
    /// book, all moves that lead back into it.
    fn leave(&self, from: u32, board: &Chess, players: Players<'_>, found: &mut Found) {
        let node = &self.nodes[from as usize];
        let of_book = self.moves_of_book(node);
        let is_own = players.color.is_none_or(|color| color == turn(node));
        if !is_own {
            let replies = self.index.replies(node.key, board, of_book);
            let arrival = |(m, key, known)| Arrival { from, m, key, known: known as u32 };
            found.arrivals.extend(replies.map(arrival));
        }
        for mv in of_book.iter().filter(|mv| !is_own || !players.never.contains(&(node.key, **mv))) {
            match mv.unpack(board) {
                Some(m) => {
                    found.king_moves += u64::from(mv.normalized(board) != *mv);
                    let key = node.key.after(board, m);
                    found.arrivals.push(Arrival { from, m, key, known: self.number(key) });
                }
                None => found.illegal.push((from, *mv)),
            }
        }
    }

    /// Returns the node that a move leads to, and adds it if it is new.
    fn arrive(&mut self, arrival: &Arrival, new: &mut Vec<(u32, Move)>) -> u32 {
        let &Arrival { from, m, key, known } = arrival;
        self.node_of(key, known).unwrap_or_else(|| {
            new.push((from, m));
            let ply = self.nodes[from as usize].ply + 1;
            self.add(Node { key, parent: from, mv: PackedMove::pack(m), known, ply, end: 0 })
        })
    }

    fn add(&mut self, node: Node) -> u32 {
        let place = self.nodes.len() as u32;
        match node.known {
            NONE => _ = self.others.insert(node.key, place),
            known => self.of_book[known as usize] = place,
        }
        self.nodes.push(node);
        place
    }
}

/// The boards after `moves`. Each move is paired with the node that it is played from, and `boards[0]` is the
/// board of node `first`.
fn played(first: u32, boards: &[Chess], moves: &[(u32, Move)]) -> Vec<Chess> {
    moves.par_iter().map(|&(from, m)| position_after(&boards[(from - first) as usize], m)).collect()
}
