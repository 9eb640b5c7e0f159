//! Of games with the same players and date: which are the beginning of another.

use super::{
    candidate::{Candidate, NO_OUTCOME},
    moves::MovesFile,
};
use crate::Result;

/// Finds the games of `group` that are the beginning of another, each with one of those that stays. The games
/// have the same surnames and the same date; a cut copy has the same result, or none.
///
/// # Memory
///
/// The moves of the group, two bytes each.
pub(super) fn find_beginnings<'g>(
    group: &'g [Candidate],
    moves: &MovesFile,
) -> Result<Vec<(&'g Candidate, &'g Candidate)>> {
    if group.len() < 2 {
        return Ok(Vec::new());
    }
    let (mut bytes, mut games) = (Vec::new(), Vec::new());
    for game in group {
        let start = bytes.len();
        moves.read(game.moves_at, game.moves_bytes, &mut bytes)?;
        games.push((game, start..bytes.len()));
    }
    Ok(beginnings(games.into_iter().map(|(game, at)| Game { game, moves: &bytes[at] }).collect()))
}

/// A game and its moves.
struct Game<'g, 'm> {
    game: &'g Candidate,
    moves: &'m [u8],
}

impl Game<'_, '_> {
    /// Whether it may be this game, cut: `longer` comes after it in the order of moves.
    fn may_be_cut_from(&self, longer: &Self) -> bool {
        let ends_early = longer.moves.len() > self.moves.len() || self.game.outcome == NO_OUTCOME;
        let same_result = self.game.outcome == longer.game.outcome || self.game.outcome == NO_OUTCOME;
        ends_early && same_result && self.game.players().agree_with(longer.game.players())
    }
}

/// The games that are the beginning of another, each with one of those that stays.
fn beginnings<'g>(mut games: Vec<Game<'g, '_>>) -> Vec<(&'g Candidate, &'g Candidate)> {
    // What begins with the moves of a game comes right after it.
    games.sort_unstable_by_key(|it| {
        (it.moves, it.game.outcome != NO_OUTCOME, it.game.known_tags, it.game.text, it.game.place)
    });
    // From the end, so that what a game is the beginning of is settled before.
    let mut originals: Vec<usize> = (0..games.len()).collect();
    for (index, shorter) in games.iter().enumerate().rev() {
        let longer = games.iter().enumerate().skip(index + 1);
        let mut longer = longer.take_while(|(_, longer)| longer.moves.starts_with(shorter.moves));
        if let Some((longer, _)) = longer.find(|(_, longer)| shorter.may_be_cut_from(longer)) {
            originals[index] = originals[longer];
        }
    }
    let found = games.iter().zip(originals).map(|(it, original)| (it.game, games[original].game));
    found.filter(|(game, original)| game.place != original.place).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::candidate::tests::candidate, *};

    /// Which game of `games` (players, outcome, moves) is a cut copy of which.
    fn found(games: &[(u128, u8, &str)]) -> Vec<(u64, u64)> {
        let candidates: Vec<_> = (0..)
            .zip(games)
            .map(|(number, &(players, outcome, _))| Candidate { outcome, ..candidate(number, players, 0) })
            .collect();
        let games = candidates.iter().zip(games);
        let games = games.map(|(game, (.., moves))| Game { game, moves: moves.as_bytes() });
        let mut found: Vec<_> =
            beginnings(games.collect()).iter().map(|(a, b)| (a.place.offset, b.place.offset)).collect();
        found.sort_unstable();
        found
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
