//! Finds games that form pairs.

use std::collections::HashMap;

use position::Outcome;

use super::MatchGame;

/// Games that are waiting for a partner.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    /// The number assigned to each player's name.
    players: HashMap<Box<str>, u32>,
    /// The waiting games, by opening and by the numbers of White and Black. Games with the same opening and
    /// players are in the order in which they were added.
    waiting: HashMap<(usize, [u32; 2]), Vec<UnpairedGame>>,
}

#[derive(Clone, Copy, Debug)]
struct UnpairedGame {
    round: Option<u64>,
    outcome: Outcome,
}

impl Pairing {
    /// Adds a game. If one of the waiting games forms a pair with it, returns how many half points (0 to 4)
    /// the pair gave to the player whose name sorts first. Otherwise, the new game waits for a partner, and
    /// `None` is returned.
    pub(super) fn take(&mut self, opening: usize, game: &MatchGame<'_>) -> Option<usize> {
        let [white, black] = game.players.map(|name| self.number(name));
        let round = game.round.and_then(number_of);
        let partners = self.waiting.get_mut(&(opening, [black, white]));
        let place = partners.as_deref().and_then(|partners| partner(partners, round));
        let Some((partners, place)) = partners.zip(place) else {
            let waiting = UnpairedGame { round, outcome: game.outcome };
            self.waiting.entry((opening, [white, black])).or_default().push(waiting);
            return None;
        };
        let other = partners.remove(place);
        let whites = 2 - halves(other.outcome) + halves(game.outcome);
        Some(if game.players[0] < game.players[1] { whites } else { 4 - whites })
    }

    /// The number of waiting games.
    pub(super) fn waiting(&self) -> u64 {
        self.waiting.values().map(|games| games.len() as u64).sum()
    }

    fn number(&mut self, name: &str) -> u32 {
        let next = self.players.len() as u32;
        self.players.get(name).copied().unwrap_or_else(|| {
            self.players.insert(name.into(), next);
            next
        })
    }
}

/// The index of the waiting game to pair with a game from this round. The first choice is the first waiting
/// game of the same round, and the second choice is the first waiting game of a neighbouring round. The last
/// choice is the latest waiting game that has no round. A game that itself has no round is paired with the
/// latest waiting game.
fn partner(waiting: &[UnpairedGame], round: Option<u64>) -> Option<usize> {
    let apart = |most: u64| {
        let is_near =
            |other: &UnpairedGame| other.round.zip(round).is_some_and(|(a, b)| a.abs_diff(b) == most);
        waiting.iter().position(is_near)
    };
    let unknown = || waiting.iter().rposition(|other| other.round.is_none() || round.is_none());
    apart(0).or_else(|| apart(1)).or_else(unknown)
}

/// The number that a round begins with: 12 for both `12` and `12.1`.
fn number_of(round: &str) -> Option<u64> {
    round.split('.').next()?.trim().parse().ok()
}

/// White's result in half points.
fn halves(outcome: Outcome) -> usize {
    match outcome {
        Outcome::White => 2,
        Outcome::Draw => 1,
        Outcome::Black => 0,
    }
}
