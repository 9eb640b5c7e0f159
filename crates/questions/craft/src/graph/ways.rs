//! The lines that lead to the positions of a graph.

use position::PackedMove;
use query::numbered;
use shakmaty::{Chess, Position as _};

use super::Graph;

impl Graph<'_> {
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

    /// The line of a position and of the moves `more` after it, in SAN with numbers.
    pub(crate) fn line(&self, place: u32, more: &[PackedMove]) -> String {
        let (_, sans) = played(&[self.moves_to(place).as_slice(), more].concat());
        numbered(&Chess::default(), &sans)
    }
}

fn played(moves: &[PackedMove]) -> (Chess, Vec<String>) {
    let mut board = Chess::default();
    let sans = moves.iter().map_while(|mv| Some(mv.play_with_san(&mut board)?.to_string())).collect();
    (board, sans)
}
