//! A game of the engine's own that waits for the book.

use learn::games::{self, OwnGame};
use pgn::{
    annotated::{AnnotatedGame, AnnotatedPly, Evaluation},
    input::Place,
};
use position::{Key, Outcome, PackedMove};
use shakmaty::Color;

use crate::spool::{Decoder, Encoder};

/// What a mate is worth, pawns: more than any evaluation, and still a number that averages.
const MATE_PAWNS: f32 = 100.0;

/// A game, with what the engine's searches said of its own moves.
pub(super) struct SpooledGame {
    pub(super) place: Place,
    pub(super) identity: u64,
    pub(super) date: u32,
    pub(super) own: Color,
    pub(super) outcome: Outcome,
    /// The engine's rating less its opponent's; 0 if not known.
    pub(super) rating_difference: i32,
    /// 1 if Black moves first, so that even plies are White's after all.
    pub(super) pad: usize,
    pub(super) plies: Vec<(Key, PackedMove)>,
    searches: Vec<Searched>,
}

/// What a comment says of the search for a move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Searched {
    /// Value, the engine's view.
    pub(super) pawns: Option<f32>,
    /// Plies.
    pub(super) depth: Option<u16>,
}

impl SpooledGame {
    pub(super) fn write(game: &AnnotatedGame<'_>, own: &OwnGame, date: u32, entry: &mut Encoder<'_>) {
        let names = ["White", "Black"].map(|name| game.tag(name).unwrap_or_default());
        let moves = game.plies.iter().map(|ply| ply.mv);
        let difference = own.own_elo.zip(own.opponent_elo).map_or(0, |(a, b)| i64::from(a) - i64::from(b));
        let black_first = game.plies.first().is_some_and(|ply| ply.step.mover().is_black());
        entry.place(game.place, game.number);
        entry.number(games::identity(&names[0], &names[1], date, moves, own.outcome));
        entry.number(u64::from(date));
        entry.number(u64::from(own.own.is_white()));
        entry.number(own.outcome as u64);
        entry.signed(difference);
        entry.number(u64::from(black_first));
        entry.plies(game.plies.iter().map(|ply| (ply.key, ply.mv)));
        for ply in game.plies {
            entry.number(packed(ply, own.own));
        }
    }

    pub(super) fn read(entry: &mut Decoder<'_>) -> Self {
        let (place, _) = entry.place();
        let (identity, date) = (entry.number(), entry.number() as u32);
        let own = Color::from_white(entry.number() == 1);
        let outcome = match entry.number() {
            0 => Outcome::White,
            1 => Outcome::Draw,
            _ => Outcome::Black,
        };
        let (rating_difference, pad) = (entry.signed() as i32, entry.number() as usize);
        let mut plies = Vec::new();
        entry.plies(&mut plies);
        let searches = plies.iter().map(|_| unpacked(entry.number())).collect();
        Self { place, identity, date, own, outcome, rating_difference, pad, plies, searches }
    }

    /// What is known of the search at a ply, the pad counted.
    pub(super) fn search(&self, ply: usize) -> Searched {
        ply.checked_sub(self.pad).and_then(|ply| self.searches.get(ply)).copied().unwrap_or_default()
    }
}

/// Value bits 32, depth 16, and a bit for each that is there.
fn packed(ply: &AnnotatedPly, own: Color) -> u64 {
    let white_view = ply.notes.evaluation.map(|evaluation| match evaluation {
        Evaluation::Pawns(pawns) => pawns,
        Evaluation::Mate(moves) if moves < 0 => -MATE_PAWNS,
        Evaluation::Mate(_) => MATE_PAWNS,
    });
    let pawns = white_view.map(|pawns| own.fold_wb(pawns, -pawns));
    let depth = ply.notes.depth;
    u64::from(pawns.unwrap_or(0.0).to_bits())
        | u64::from(depth.unwrap_or(0)) << 32
        | u64::from(pawns.is_some()) << 48
        | u64::from(depth.is_some()) << 49
}

fn unpacked(bits: u64) -> Searched {
    Searched {
        pawns: (bits >> 48 & 1 == 1).then(|| f32::from_bits(bits as u32)),
        depth: (bits >> 49 & 1 == 1).then_some((bits >> 32) as u16),
    }
}
