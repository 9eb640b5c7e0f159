//! Finds truncated copies: games that are only the beginning of another game with the same players and date.

use std::collections::{BTreeSet, HashMap};

use position::Players;
use run::Result;

use super::{
    candidate::{Candidate, NO_OUTCOME},
    moves::MovesFile,
};

/// The number of games between two checks for an interrupt.
const CHECK_GAMES: usize = 1 << 12;

/// Finds the games in `group` that are truncated copies, and returns each of them with its original, which is
/// kept. All games in `group` must have the same surnames and the same date. A truncated copy has the same
/// result as its original, or no result. `check_stop` is called from time to time.
///
/// # Memory
///
/// Uses two bytes for each move of the games in `group`.
pub(super) fn find_beginnings<'g>(
    group: &'g [Candidate],
    moves: &MovesFile,
    check_stop: impl Fn() -> Result<()>,
) -> Result<Vec<(&'g Candidate, &'g Candidate)>> {
    if group.len() < 2 {
        return Ok(Vec::new());
    }
    let (mut bytes, mut games) = (Vec::new(), Vec::new());
    for (number, game) in group.iter().enumerate() {
        if number % CHECK_GAMES == 0 {
            check_stop()?;
        }
        let start = bytes.len();
        moves.read(game.moves_at, game.moves_bytes, &mut bytes)?;
        games.push((game, start..bytes.len()));
    }
    let games = games.into_iter().map(|(game, at)| Game { game, moves: &bytes[at] }).collect();
    beginnings(games, check_stop)
}

/// A game and its moves.
struct Game<'g, 'm> {
    game: &'g Candidate,
    moves: &'m [u8],
}

/// Returns the truncated copies, each paired with its original, which is kept. Games are sorted by their
/// moves. The original of a copy is the first game after it of which the copy may be the beginning. If that
/// game is itself a truncated copy, its own original is used instead. A game with a result can be a truncated
/// copy only of a longer game. A game without a result may also be a complete copy that merely lacks the
/// result.
fn beginnings<'g>(
    mut games: Vec<Game<'g, '_>>,
    check_stop: impl Fn() -> Result<()>,
) -> Result<Vec<(&'g Candidate, &'g Candidate)>> {
    // In this order, a game is directly followed by the games that begin with the same moves.
    games.sort_unstable_by_key(|it| {
        (it.moves, it.game.outcome != NO_OUTCOME, it.game.known_tags, it.game.text, it.game.place)
    });
    let mut followers = Followers::of(&games);
    // The loop runs backwards, so that a longer game is settled before its truncated copies.
    let mut originals: Vec<usize> = (0..games.len()).collect();
    // The games that have the same moves as the current game. A game with a result cannot be a truncated copy
    // of a game with the same moves.
    let mut equals = Vec::new();
    for (index, shorter) in games.iter().enumerate().rev() {
        if index % CHECK_GAMES == 0 {
            check_stop()?;
        }
        let is_next = games.get(index + 1).is_none_or(|next| next.moves != shorter.moves);
        if is_next || shorter.game.outcome == NO_OUTCOME {
            equals.drain(..).for_each(|equal| followers.add(equal, games[equal].game));
        }
        let longer = followers.first(shorter.game);
        if let Some(longer) = longer.filter(|&longer| games[longer].moves.starts_with(shorter.moves)) {
            originals[index] = originals[longer];
        }
        equals.push(index);
    }
    let found = games.iter().zip(originals).map(|(it, original)| (it.game, games[original].game));
    Ok(found.filter(|(game, original)| game.place != original.place).collect())
}

/// The games that follow the current game when all games are sorted by their moves. They are indexed by the
/// facts that a game would share with its truncated copies.
///
/// # Memory
///
/// Uses a few entries for each combination of initials and result.
struct Followers {
    /// For each game, the mask of the facts that are known about its players and date. Only a few different
    /// masks occur.
    known: BTreeSet<u128>,
    /// For each set of shared facts, the index of the first game that can be the original of a copy with
    /// these facts.
    first: HashMap<Agreement, usize>,
}

/// The facts that a truncated copy shares with the longer game: facts about the players and the date, and the
/// result.
#[derive(Eq, Hash, PartialEq)]
struct Agreement {
    /// The mask of the facts that are known about the longer game.
    known: u128,
    /// The values of the facts that are known about both games, and the mask of these facts. Each of these
    /// facts has the same value for both games.
    players: Players,
    both: u128,
    /// The result of the truncated copy. `None` if the copy has no result; the longer game may then have any
    /// result.
    outcome: Option<u8>,
}

impl Followers {
    fn of(games: &[Game<'_, '_>]) -> Self {
        Self { known: games.iter().map(|it| it.game.players().known()).collect(), first: HashMap::new() }
    }

    /// Adds the game at `index`. When sorted by moves, this game must come before all games that were added
    /// earlier.
    fn add(&mut self, index: usize, game: &Candidate) {
        let known = game.players().known();
        let shared: BTreeSet<u128> = self.known.iter().map(|others| others & known).collect();
        for both in shared {
            for outcome in [None, Some(game.outcome)] {
                self.first.insert(Agreement { known, players: game.players() & both, both, outcome }, index);
            }
        }
    }

    /// Returns the index of the first game whose players and date agree with those of the game `cut`. If
    /// `cut` has a result, the returned game has the same result.
    fn first(&self, cut: &Candidate) -> Option<usize> {
        let outcome = (cut.outcome != NO_OUTCOME).then_some(cut.outcome);
        let of = |&known: &u128| {
            let both = cut.players().known() & known;
            self.first.get(&Agreement { known, players: cut.players() & both, both, outcome }).copied()
        };
        self.known.iter().filter_map(of).min()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::copies::testing::{candidate, players};

    /// Each element of `games` contains the players, the outcome and the moves of a game. Returns a pair of
    /// indexes for each truncated copy: the index of the copy, and that of its original.
    fn found(games: &[(u128, u8, &str)]) -> Vec<(u64, u64)> {
        let candidates: Vec<_> = (0..)
            .zip(games)
            .map(|(number, &(players, outcome, _))| Candidate { outcome, ..candidate(number, players, 0) })
            .collect();
        let games = candidates.iter().zip(games);
        let games = games.map(|(game, (.., moves))| Game { game, moves: moves.as_bytes() });
        places(&beginnings(games.collect(), || Ok(())).unwrap())
    }

    fn places(found: &[(&Candidate, &Candidate)]) -> Vec<(u64, u64)> {
        let mut found: Vec<_> = found.iter().map(|(a, b)| (a.place.offset, b.place.offset)).collect();
        found.sort_unstable();
        found
    }

    /// Applies the definition directly, by comparing each game with all games after it.
    fn plainly<'g>(mut games: Vec<Game<'g, '_>>) -> Vec<(&'g Candidate, &'g Candidate)> {
        games.sort_unstable_by_key(|it| {
            (it.moves, it.game.outcome != NO_OUTCOME, it.game.known_tags, it.game.text, it.game.place)
        });
        let may_be_cut = |cut: &Game<'_, '_>, longer: &Game<'_, '_>| {
            let has_none = cut.game.outcome == NO_OUTCOME;
            let is_longer = longer.moves.len() > cut.moves.len();
            (has_none || is_longer && cut.game.outcome == longer.game.outcome)
                && cut.game.players().agree_with(longer.game.players())
                && longer.moves.starts_with(cut.moves)
        };
        let mut originals: Vec<usize> = (0..games.len()).collect();
        for (index, cut) in games.iter().enumerate().rev() {
            let longer = (index + 1..games.len()).find(|&longer| may_be_cut(cut, &games[longer]));
            originals[index] = longer.map_or(index, |longer| originals[longer]);
        }
        let found = games.iter().zip(originals).map(|(it, original)| (it.game, games[original].game));
        found.filter(|(game, original)| game.place != original.place).collect()
    }

    proptest! {
        #[test]
        fn verdicts_are_those_of_the_definition(
            games in prop::collection::vec(("[ab]{0,4}", 0..4_u8, players(), 0..3_u16), 0..60),
        ) {
            let games: Vec<_> = (0..).zip(games).map(|(number, (moves, outcome, players, tags))| {
                (Candidate { outcome, ..candidate(number, players, tags) }, moves)
            }).collect();
            let of = || games.iter().map(|(game, moves)| Game { game, moves: moves.as_bytes() }).collect();
            prop_assert_eq!(places(&beginnings(of(), || Ok(())).unwrap()), places(&plainly(of())));
        }
    }

    /// Comparing every game with every other would take hours here.
    #[test]
    fn many_games_that_agree_in_nothing_are_no_trouble_and_can_be_stopped() {
        let one = |number: u64| Candidate {
            outcome: (number % 2) as u8,
            ..candidate(number, u128::from(number / 2 + 1) << 80, 0)
        };
        let games: Vec<_> = (0..400_000).map(one).collect();
        let of = || games.iter().map(|game| Game { game, moves: b"same" }).collect();
        assert!(beginnings(of(), || Ok(())).unwrap().is_empty());
        assert!(beginnings(of(), || Err(fault::Interrupt.into())).unwrap_err().is::<fault::Interrupt>());
    }

    #[test]
    fn a_beginning_with_the_same_result_or_none_is_a_copy() {
        let games = [(1, 0, "e4e5Nf3"), (1, 0, "e4"), (1, NO_OUTCOME, "e4e5"), (1, 2, "e4e5")];
        assert_eq!(found(&games), [(1, 0), (2, 3)]);
        assert_eq!(found(&[(1, 0, "e4"), (1, 0, "d4d5"), (1, 0, "")]), [(2, 1)]);
        assert_eq!(
            found(&[(1, NO_OUTCOME, "e4"), (1, 1, "e4")]),
            [(0, 1)],
            "no move is missing, only the result"
        );
    }

    #[test]
    fn others_and_equals_are_no_beginnings() {
        assert_eq!(found(&[(1, 0, "e4"), (2, 0, "e4e5")]), []);
        assert_eq!(found(&[(1, 0, "e4"), (1, 1, "e4")]), []);
        assert_eq!(found(&[(1, 0, "e4")]), []);
    }
}
