//! Finds the moves that may continue a line.

use position::{PackedMove, Tally, ratio};
use query::{Artefact, ComparedMove, KeyProbe};
use shakmaty::{Chess, Move};

use super::tree::Played;
use crate::Result;

/// The moves that an artefact has in a position.
#[derive(Default)]
pub(super) struct Choices {
    pub(super) tally: Option<Tally>,
    /// The legal moves in descending order of their shares; moves with equal shares are sorted by move.
    pub(super) moves: Vec<Choice>,
    /// The number of moves that are not legal.
    pub(super) illegal: u64,
}

/// A move that may continue a line.
pub(super) struct Choice {
    pub(super) m: Move,
    pub(super) played: Played,
}

impl Choices {
    /// Makes choices from `found`, the moves that the artefact has in the position `board`.
    pub(super) fn of(found: &KeyProbe, artefact: &Artefact, board: &Chess) -> Result<Self> {
        let shares = found.shares();
        let all = shares.len();
        let mut moves: Vec<_> =
            shares.into_iter().filter_map(|(mv, shown)| choice(found, mv, &shown, board)).collect();
        let illegal = (all - moves.len()) as u64;
        if let Artefact::Book(book) = artefact {
            let mut known = book.experience_of_moves(found.key)?;
            for Choice { played, .. } in &mut moves {
                played.known = known.remove(&played.mv).map(Box::new);
            }
        }
        by_share(&mut moves);
        Ok(Self { tally: found.tally, moves, illegal })
    }

    /// For a position in which the book has no moves for the side to move, returns the replies that lead back
    /// into the book.
    pub(super) fn replies(artefact: &Artefact, board: &Chess) -> Result<Vec<Choice>> {
        let reply = |(m, found): (Move, KeyProbe)| {
            let (mv, tally) = (PackedMove::pack(m), found.tally);
            Choice { m, played: Played { mv, tally, share: 0.0, weight: None, known: None } }
        };
        let mut replies: Vec<_> = query::replies(artefact, board)?.into_iter().map(reply).collect();
        let part = |reply: &Choice| reply.played.tally.map_or(1, Tally::games);
        let all = replies.iter().map(part).sum::<u64>().max(1);
        for reply in &mut replies {
            reply.played.share = ratio(part(reply), all);
        }
        by_share(&mut replies);
        Ok(replies)
    }
}

fn choice(found: &KeyProbe, mv: PackedMove, shown: &ComparedMove, board: &Chess) -> Option<Choice> {
    let m = mv.unpack(board)?;
    let tally = found.moves.iter().find(|known| known.mv == mv).and_then(|known| known.tally);
    let (share, weight) = (shown.share, shown.weight);
    Some(Choice { m, played: Played { mv: PackedMove::pack(m), tally, share, weight, known: None } })
}

fn by_share(moves: &mut [Choice]) {
    moves.sort_by(|Choice { played: a, .. }, Choice { played: b, .. }| {
        b.share.total_cmp(&a.share).then(a.mv.cmp(&b.mv))
    });
}
