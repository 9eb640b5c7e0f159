//! How a graph grows, ply by ply.
//!
//! Where moves lead is found on all threads: most of the time is spent waiting for memory there. Nodes are
//! then added in the order of the positions before them, so that a graph is the same on any number of
//! threads.

use std::ops::Range;

use position::{Key, PackedMove};
use rayon::prelude::*;
use shakmaty::{Chess, Color, Move, Position as _};

use super::{Edge, Graph, KingMove, NONE, Node, turn};

/// Positions that a thread takes at a time.
const POSITIONS_OF_TASK: usize = 256;

/// Which moves are followed.
#[derive(Clone, Copy, Eq, PartialEq)]
enum Follow {
    /// What players of the book can meet: its moves, and all moves that lead back into it of the side that
    /// does not play by it, or has no move there.
    Play { color: Option<Color> },
    /// Any moves to positions that are not reached yet.
    Transpositions,
}

/// What the moves of some positions lead to.
#[derive(Default)]
struct Found {
    arrivals: Vec<Arrival>,
    illegal: Vec<(u32, PackedMove)>,
    king_moves: Vec<KingMove>,
}

/// A move that stays within the book.
struct Arrival {
    /// The node it leaves.
    from: u32,
    m: Move,
    /// The position it leads to, and its number in the book or [`NONE`].
    key: Key,
    known: u32,
}

impl Graph<'_> {
    pub(super) fn grow(&mut self, color: Option<Color>) {
        let known = self.number(Key::START);
        self.add(Node { key: Key::START, parent: 0, mv: PackedMove::TERMINAL, known, ply: 0, end: 0 });
        self.follow(0, vec![Chess::default()], color);
        let mut begin = 0;
        while color.is_none() && begin < self.nodes.len() && self.not_reached().next().is_some() {
            let nodes = begin..self.nodes.len();
            begin = nodes.end;
            let added = self.transpose(nodes);
            self.follow(begin as u32, added, color);
        }
    }

    /// Follows moves from nodes, and from those that they lead to, until none is new. `boards` are those of
    /// the last nodes, which begin at `first`.
    fn follow(&mut self, mut first: u32, mut boards: Vec<Chess>, color: Option<Color>) {
        while !boards.is_empty() {
            let mut new = Vec::new();
            for found in self.leave_all(first, &boards, Follow::Play { color }) {
                let Found { arrivals, illegal, king_moves } = found;
                self.illegal.extend(illegal);
                self.king_moves.extend(king_moves);
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

    /// Lets the moves of nodes without any end where those before them do.
    fn close(&mut self, nodes: Range<usize>) {
        for place in nodes {
            let end = place.checked_sub(1).map_or(0, |before| self.nodes[before].end);
            self.nodes[place].end = self.nodes[place].end.max(end);
        }
    }

    /// Adds the positions to which only moves lead that the book does not have, from the given nodes; their
    /// boards.
    fn transpose(&mut self, nodes: Range<usize>) -> Vec<Chess> {
        let (mut added, mut before) = (Vec::new(), (nodes.start, Vec::new()));
        let mut first = nodes.start;
        while first < nodes.end {
            let ply = self.nodes[first].ply;
            let of_ply = self.nodes[first..nodes.end].iter().take_while(|node| node.ply == ply).count();
            let boards = self.boards(first..first + of_ply, before.0, &before.1);
            let mut new = Vec::new();
            for found in self.leave_all(first as u32, &boards, Follow::Transpositions) {
                for arrival in found.arrivals {
                    self.arrive(&arrival, &mut new);
                }
            }
            added.extend(played(first as u32, &boards, &new));
            before = (first, boards);
            first += of_ply;
        }
        added
    }

    /// The boards of nodes; `before` are boards of nodes from `first` on.
    fn boards(&self, nodes: Range<usize>, first: usize, before: &[Chess]) -> Vec<Chess> {
        let board = |place: usize| {
            let node = &self.nodes[place];
            let parent = (node.parent as usize).checked_sub(first).and_then(|at| before.get(at));
            let Some((board, m)) = parent.and_then(|board| Some((board, node.mv.unpack(board)?))) else {
                return self.board(place as u32);
            };
            after(board, m)
        };
        nodes.into_par_iter().map(board).collect()
    }

    /// Finds the moves that are followed from nodes, which begin at `first`.
    fn leave_all(&self, first: u32, boards: &[Chess], follow: Follow) -> Vec<Found> {
        let tasks = boards.par_chunks(POSITIONS_OF_TASK).enumerate();
        let leave = |(task, boards): (usize, &[Chess])| {
            let places = first + (task * POSITIONS_OF_TASK) as u32..;
            let mut found = Found::default();
            boards.iter().zip(places).for_each(|(board, place)| match follow {
                Follow::Play { color } => self.leave(place, board, color, &mut found),
                Follow::Transpositions => {
                    let transpositions = self.transpositions(place, board);
                    let is_new = |arrival: &Arrival| self.of_book[arrival.known as usize] == NONE;
                    found.arrivals.extend(transpositions.filter(is_new));
                }
            });
            found
        };
        tasks.map(leave).collect()
    }

    /// Finds the moves that players of the book can play.
    fn leave(&self, from: u32, board: &Chess, color: Option<Color>, found: &mut Found) {
        let node = &self.nodes[from as usize];
        let of_book = self.moves_of_book(node);
        if color.map_or(of_book.is_empty(), |color| color != turn(node)) {
            found.arrivals.extend(self.transpositions(from, board));
        }
        for mv in of_book {
            match mv.unpack(board) {
                Some(m) => {
                    let castling = mv.normalized(board);
                    if castling != *mv {
                        found.king_moves.push(KingMove { key: node.key, mv: *mv, castling });
                    }
                    let key = node.key.after(board, m);
                    found.arrivals.push(Arrival { from, m, key, known: self.number(key) });
                }
                None => found.illegal.push((from, *mv)),
            }
        }
    }

    /// The moves that the book does not have, and that lead back into it.
    fn transpositions(&self, from: u32, board: &Chess) -> impl Iterator<Item = Arrival> {
        let node = &self.nodes[from as usize];
        let of_book = self.moves_of_book(node);
        let moves: Vec<_> = board.legal_moves().into_iter().map(|m| (m, node.key.after(board, m))).collect();
        // Asked of all moves first, so that memory is waited for once for several.
        let may_stay: Vec<_> = moves.iter().map(|&(_, key)| self.index.may_have(key)).collect();
        let staying = moves.into_iter().zip(may_stay).filter(|(_, may_stay)| *may_stay);
        let is_of_book = |mv| of_book.iter().any(|known| known.normalized(board) == mv);
        let others = staying.filter(move |((m, _), _)| !is_of_book(PackedMove::pack(*m)));
        others.filter_map(move |((m, key), _)| {
            Some(Arrival { from, m, key, known: self.number(key) }).filter(|arrival| arrival.known != NONE)
        })
    }

    /// The node that a move leads to, which is added if it is new.
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

/// The boards after moves from nodes, whose boards begin at the node `first`.
fn played(first: u32, boards: &[Chess], moves: &[(u32, Move)]) -> Vec<Chess> {
    moves.par_iter().map(|&(from, m)| after(&boards[(from - first) as usize], m)).collect()
}

fn after(board: &Chess, m: Move) -> Chess {
    let mut after = board.clone();
    after.play_unchecked(m);
    after
}
