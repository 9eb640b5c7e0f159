//! Finds copies among games with the same moves.

use std::collections::{HashMap, HashSet};

use position::Players;
use run::Result;

use super::candidate::Candidate;

/// Removes the copies from `group`, and calls `copy` with each copy and its original. All games in `group`
/// must have the same start, moves and result.
///
/// A game is a copy of another game if every fact that is known about its players and date is also known
/// about the other game, with the same value. The order of the games does not matter.
pub(super) fn settle(
    group: &mut Vec<Candidate>,
    mut copy: impl FnMut(&Candidate, &Candidate) -> Result<()>,
) -> Result<()> {
    if group.len() < 2 {
        return Ok(());
    }
    group.sort_unstable_by_key(Candidate::rank);
    let mut known: Vec<u128> = group.iter().map(|game| game.players().known()).collect();
    known.dedup();
    let (mut by_knowledge, mut stay) = (HashMap::new(), Vec::new());
    for game in group.drain(..) {
        if let Some(&index) = by_knowledge.get(&(game.players().known(), game.players())) {
            let original: &Candidate = &stay[index];
            copy(&game, original)?;
            continue;
        }
        let all = game.players().known();
        for &part in known.iter().filter(|&&part| part & all == part) {
            by_knowledge.entry((part, game.players() & part)).or_insert(stay.len());
        }
        stay.push(game);
    }
    *group = stay;
    Ok(())
}

/// The games that a table already counts and that have the same moves as a group of new games. A new game is
/// left out if it is a copy of a game in the table. It is also left out if the game in the table is a copy of
/// the new game, about which more is known, because games that are already counted are kept.
///
/// # Memory
///
/// For each mask of known facts that occurs in the new games, uses twenty bytes for each of the table's
/// games.
#[derive(Default)]
pub(super) struct TableGames {
    games: Vec<Players>,
    /// For a mask of facts: all games in the table about which at least these facts are known, each reduced
    /// to these facts. A mask is added when the first new game about which exactly these facts are known is
    /// compared.
    cut: HashMap<u128, HashSet<Players>>,
    /// The games in the table, grouped by the mask of the facts that are known about them.
    whole: HashMap<u128, HashSet<Players>>,
}

impl TableGames {
    /// Replaces the current games with the games that `read` adds.
    pub(super) fn replace(&mut self, read: impl FnOnce(&mut Vec<Players>) -> Result<()>) -> Result<()> {
        *self = Self { games: std::mem::take(&mut self.games), ..Self::default() };
        self.games.clear();
        read(&mut self.games)?;
        for game in &self.games {
            self.whole.entry(game.known()).or_default().insert(*game);
        }
        Ok(())
    }

    /// Calls `copy` with every game in `group` that is a copy of one of the table's games, and leaves the
    /// others in `group`.
    pub(super) fn leave_out(
        &mut self,
        group: &mut Vec<Candidate>,
        copy: impl FnMut(&Candidate) -> Result<()>,
    ) -> Result<()> {
        if self.games.is_empty() {
            return Ok(());
        }
        let (copies, others): (Vec<Candidate>, _) =
            group.drain(..).partition(|game| self.has_copy_of(game.players()));
        *group = others;
        copies.iter().try_for_each(copy)
    }

    fn has_copy_of(&mut self, game: Players) -> bool {
        let known = game.known();
        let Self { games, cut, whole } = self;
        let cut = cut.entry(known).or_insert_with(|| {
            games.iter().filter(|held| held.known() & known == known).map(|&held| held & known).collect()
        });
        cut.contains(&game)
            || whole.iter().any(|(&part, held)| part & known == part && held.contains(&(game & part)))
    }
}

#[cfg(test)]
mod tests {
    use position::Fingerprint;
    use proptest::prelude::*;

    use super::*;
    use crate::copies::testing::{candidate, plainly, players};

    /// Returns the places of the kept games, and a pair of places for each copy: that of the copy and that of
    /// its original.
    fn settled(mut group: Vec<Candidate>) -> (Vec<u64>, Vec<(u64, u64)>) {
        let mut copies = Vec::new();
        settle(&mut group, |copy, original| {
            copies.push((copy.place.offset, original.place.offset));
            Ok(())
        })
        .unwrap();
        let mut stay: Vec<u64> = group.iter().map(|game| game.place.offset).collect();
        stay.sort_unstable();
        copies.sort_unstable();
        (stay, copies)
    }

    const WHITE: u128 = 3 << 80;
    const BLACK: u128 = 5 << 26;
    const YEAR: u128 = 2013 << 9;
    const DAY: u128 = YEAR | 11 << 5 | 9;

    #[test]
    fn of_equal_games_the_one_with_most_tags_stays_then_the_smallest_text() {
        let all = WHITE | BLACK | DAY;
        let group = [candidate(1, all, 7), candidate(3, all, 9), candidate(2, all, 9)];
        for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
            let group = order.map(|index| group[index]).to_vec();
            assert_eq!(settled(group), (vec![2], vec![(1, 2), (3, 2)]));
        }
    }

    #[test]
    fn less_known_games_are_copies_of_fuller_ones_that_agree() {
        let group = vec![
            candidate(1, WHITE | BLACK | DAY, 1),
            candidate(2, WHITE | YEAR, 9),
            candidate(3, 0, 9),
            candidate(4, WHITE | BLACK | YEAR | 12 << 5, 9),
            candidate(5, (WHITE << 1) | BLACK, 9),
        ];
        assert_eq!(settled(group), (vec![1, 4, 5], vec![(2, 1), (3, 1)]));
    }

    #[test]
    fn games_of_others_are_no_copies() {
        let group = vec![candidate(1, WHITE | DAY, 1), candidate(2, BLACK | DAY, 1)];
        assert_eq!(settled(group), (vec![1, 2], vec![]));
        assert_eq!(settled(vec![candidate(1, 0, 0)]), (vec![1], vec![]));
    }

    /// Each element of `players` stands for a new game, and each element of `held` for a game in a table.
    /// Returns the numbers of the new games that are left out as copies.
    fn left_out(players: &[u128], held: &[u128]) -> Vec<u64> {
        let mut group: Vec<_> = (0..).zip(players).map(|(number, &of)| candidate(number, of, 0)).collect();
        let (mut table, mut copies) = (TableGames::default(), Vec::new());
        let add = |games: &mut Vec<Players>| {
            games.extend(held.iter().copied().map(Players));
            Ok(())
        };
        table.replace(add).unwrap();
        let note = |copy: &Candidate| {
            copies.push(copy.place.offset);
            Ok(())
        };
        table.leave_out(&mut group, note).unwrap();
        assert_eq!(group.len() + copies.len(), players.len());
        copies
    }

    #[test]
    fn what_a_table_counts_stays_even_if_less_is_known_of_it() {
        assert_eq!(left_out(&[WHITE | BLACK | DAY, BLACK | (DAY + 1)], &[WHITE | YEAR]), [0]);
    }

    proptest! {
        #[test]
        fn verdicts_are_those_of_the_definition(
            group in prop::collection::vec((players(), 0..3_u16), 0..60),
            held in prop::collection::vec(players(), 0..6),
        ) {
            let players: Vec<_> = group.iter().map(|(players, _)| *players).collect();
            let of = |players| Fingerprint { game: 1, players: Players(players) };
            let is_held = |game: u128| held.iter().any(|&held| of(game).is_copy_of(of(held)));
            let expected: Vec<_> = (0..).zip(&players).filter(|(_, game)| is_held(**game)).map(|(n, _)| n).collect();
            prop_assert_eq!(left_out(&players, &held), expected);
            let group: Vec<_> =
                (0..).zip(group).map(|(number, (players, tags))| candidate(number, players, tags)).collect();
            prop_assert_eq!(settled(group.clone()), plainly(group));
        }
    }
}
