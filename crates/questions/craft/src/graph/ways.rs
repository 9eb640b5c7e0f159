//! Finds the lines that lead to the positions of a graph.

use position::PackedMove;
use query::numbered;
use shakmaty::{Chess, Position as _};

use super::{Graph, NONE};

impl Graph<'_> {
    /// The moves that lead to a position, and the board on which they begin.
    fn moves_to(&self, mut place: u32) -> (&Chess, Vec<PackedMove>) {
        let mut moves = Vec::new();
        while self.nodes[place as usize].parent != NONE {
            let node = &self.nodes[place as usize];
            moves.push(node.mv);
            place = node.parent;
        }
        moves.reverse();
        (&self.starts[place as usize], moves)
    }

    /// The board of a position.
    pub(crate) fn board(&self, place: u32) -> Chess {
        let (start, moves) = self.moves_to(place);
        let mut board = start.clone();
        for m in moves {
            let Some(m) = m.unpack(&board) else { break };
            board.play_unchecked(m);
        }
        board
    }

    /// The line to a position, followed by the moves `more`, in SAN with numbers.
    pub(crate) fn line(&self, place: u32, more: &[PackedMove]) -> String {
        let (start, moves) = self.moves_to(place);
        let (mut board, moves) = (start.clone(), moves.iter().chain(more));
        let sans: Vec<_> = moves.map_while(|mv| Some(mv.play_with_san(&mut board)?.to_string())).collect();
        numbered(start, &sans)
    }
}
