//! A game that waits in a spool, once for each side that it may teach.

use games::spool::{Decoder, Encoder};
use lessons::{PlayedGame, SearchResult};
use position::Outcome;
use shakmaty::Color;

/// Flags of a game. The bits above them hold its outcome: 0 if unknown, else 1 more than its number.
const OWN_IS_WHITE: u64 = 1;
const BLACK_FIRST: u64 = 2;
const TIMED: u64 = 4;
const SERIOUS: u64 = 8;
const ADJUDICATED: u64 = 16;
const OUTCOME_SHIFT: u32 = 5;

/// Writes the sides of a game.
pub(super) fn write(sides: &[PlayedGame], entry: &mut Encoder<'_>) {
    for side in sides {
        write_side(side, entry);
    }
}

/// Reads the sides of a game, which has at least one.
pub(super) fn read(entry: &mut Decoder<'_>) -> Vec<PlayedGame> {
    let mut sides = Vec::with_capacity(2);
    while !entry.is_empty() {
        sides.push(read_side(entry));
    }
    sides
}

fn write_side(game: &PlayedGame, entry: &mut Encoder<'_>) {
    let moves: Vec<_> = game.moves().collect();
    let pad = game.plies().len() - moves.len();
    entry.number(u64::from(game.source));
    entry.number(game.identity);
    entry.number(game.untimed_identity);
    entry.number(u64::from(game.date));
    entry.number(flags(game, pad > 0));
    entry.number(optional(game.own_elo));
    entry.number(optional(game.opponent_elo));
    entry.number(u64::from(game.length_plies));
    let plies = moves.len();
    entry.plies(moves.into_iter());
    for ply in pad..pad + plies {
        entry.number(packed(game.search(ply)));
    }
}

fn read_side(entry: &mut Decoder<'_>) -> PlayedGame {
    let source = entry.number() as u32;
    let (identity, untimed_identity, date) = (entry.number(), entry.number(), entry.number() as u32);
    let flags = entry.number();
    let outcome = match flags >> OUTCOME_SHIFT {
        0 => None,
        1 => Some(Outcome::White),
        2 => Some(Outcome::Draw),
        _ => Some(Outcome::Black),
    };
    let mut game = PlayedGame::new(Color::from_white(flags & OWN_IS_WHITE != 0), outcome);
    (game.source, game.date) = (source, date);
    (game.timed, game.serious) = (flags & TIMED != 0, flags & SERIOUS != 0);
    game.adjudicated = flags & ADJUDICATED != 0;
    (game.own_elo, game.opponent_elo) = (of_optional(entry.number()), of_optional(entry.number()));
    let length_plies = entry.number() as u32;
    if flags & BLACK_FIRST != 0 {
        game.begin_with_black();
    }
    let mut plies = Vec::new();
    entry.plies(&mut plies);
    for (key, mv) in plies {
        game.push(key, mv, unpacked(entry.number()));
    }
    (game.identity, game.untimed_identity, game.length_plies) = (identity, untimed_identity, length_plies);
    game
}

fn flags(game: &PlayedGame, black_first: bool) -> u64 {
    let outcome = game.outcome.map_or(0, |outcome| outcome as u64 + 1);
    let flag = |set: bool, flag| if set { flag } else { 0 };
    flag(game.own.is_white(), OWN_IS_WHITE)
        | flag(black_first, BLACK_FIRST)
        | flag(game.timed, TIMED)
        | flag(game.serious, SERIOUS)
        | flag(game.adjudicated, ADJUDICATED)
        | outcome << OUTCOME_SHIFT
}

/// Encodes a missing number as 0 and any other as one more than itself.
fn optional(number: Option<u16>) -> u64 {
    number.map_or(0, |number| u64::from(number) + 1)
}

fn of_optional(number: u64) -> Option<u16> {
    Some(number.checked_sub(1)? as u16)
}

/// Packs value (32 bits) and depth (16 bits) with a bit that says whether each is present.
fn packed(SearchResult { pawns, depth }: SearchResult) -> u64 {
    u64::from(pawns.unwrap_or(0.0).to_bits())
        | u64::from(depth.unwrap_or(0)) << 32
        | u64::from(pawns.is_some()) << 48
        | u64::from(depth.is_some()) << 49
}

fn unpacked(bits: u64) -> SearchResult {
    SearchResult {
        pawns: (bits >> 48 & 1 == 1).then(|| f32::from_bits(bits as u32)),
        depth: (bits >> 49 & 1 == 1).then_some((bits >> 32) as u16),
    }
}

#[cfg(test)]
mod tests {
    use position::{Key, PackedMove};

    use super::*;

    #[test]
    fn games_come_back_as_they_were() {
        for (outcome, black_first) in [
            (None, false),
            (Some(Outcome::White), true),
            (Some(Outcome::Draw), false),
            (Some(Outcome::Black), true),
        ] {
            let mut game = PlayedGame::new(Color::from_white(!black_first), outcome);
            (game.source, game.date, game.timed, game.serious) = (7, 20_260_102, black_first, !black_first);
            (game.own_elo, game.opponent_elo) = (Some(0), black_first.then_some(u16::MAX));
            if black_first {
                game.begin_with_black();
            }
            game.push(Key::START, PackedMove(0x31c), SearchResult { pawns: Some(-0.25), depth: None });
            game.push(Key(3), PackedMove(0xd24), SearchResult { pawns: None, depth: Some(12) });
            game.length_plies += 40;
            game.adjudicated = black_first;
            game.identify(["a", "b"], Some("3"), None);
            let sides = [game.clone(), game];
            let mut bytes = Vec::new();
            write(&sides, &mut Encoder::new(&mut bytes));
            assert_eq!(read(&mut Decoder::new(&bytes)), sides);
        }
    }
}
