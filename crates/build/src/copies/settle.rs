//! Of games with the same moves: which are copies of which.

use std::{cmp::Reverse, collections::HashMap};

use position::{Fingerprint, Players};

use super::candidate::Candidate;
use crate::Result;

/// Leaves in `group`, games with the same start, moves and result, those that stay, and gives the others to
/// `copy`, each with the game it is a copy of.
///
/// A game is a copy of one whose players and date are known at least as well and agree in all it knows of
/// its own; and of one that a table counts (`held`), also if less is known of that: what is counted stays.
/// The order in which games come does not matter.
pub(super) fn settle(
    group: &mut Vec<Candidate>,
    held: &[Players],
    mut copy: impl FnMut(&Candidate, Option<&Candidate>) -> Result<()>,
) -> Result<()> {
    if !held.is_empty() {
        leave_out_held(group, held, &mut copy)?;
    }
    if group.len() < 2 {
        return Ok(());
    }
    // One that knows all that another knows has more bits that are known, so it comes first.
    group.sort_unstable_by_key(|game| {
        let known = Reverse((game.players().known().count_ones(), game.known_tags));
        (known, game.text, game.place)
    });
    let mut known: Vec<u128> = group.iter().map(|game| game.players().known()).collect();
    known.dedup();
    let (mut by_knowledge, mut stay) = (HashMap::new(), Vec::new());
    for game in group.drain(..) {
        if let Some(&index) = by_knowledge.get(&(game.players().known(), game.players())) {
            let original: &Candidate = &stay[index];
            copy(&game, Some(original))?;
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

/// Gives those of `group` to `copy` that are copies of games that a table counts.
fn leave_out_held(
    group: &mut Vec<Candidate>,
    held: &[Players],
    copy: &mut impl FnMut(&Candidate, Option<&Candidate>) -> Result<()>,
) -> Result<()> {
    let is_held = |game: &Candidate| {
        let of = |players| Fingerprint { game: game.fingerprint.game, players };
        held.iter().any(|&players| game.fingerprint.is_copy_of(of(players)))
    };
    let (copies, others) = group.drain(..).partition(is_held);
    *group = others;
    let copies: Vec<Candidate> = copies;
    copies.iter().try_for_each(|game| copy(game, None))
}

#[cfg(test)]
mod tests {
    use super::{super::candidate::tests::candidate, *};

    /// The places that stay, and those of copies with the places of what they are copies of.
    fn settled(mut group: Vec<Candidate>) -> (Vec<u64>, Vec<(u64, u64)>) {
        let mut copies = Vec::new();
        settle(&mut group, &[], |copy, original| {
            copies.push((copy.place.offset, original.unwrap().place.offset));
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

    #[test]
    fn what_a_table_counts_stays_even_if_less_is_known_of_it() {
        let mut group = vec![candidate(1, WHITE | BLACK | DAY, 1), candidate(2, BLACK | (DAY + 1), 9)];
        let mut copies = Vec::new();
        let held = [Players(WHITE | YEAR)];
        settle(&mut group, &held, |copy, original| {
            copies.push((copy.place.offset, original.is_some()));
            Ok(())
        })
        .unwrap();
        assert_eq!((copies, group.len()), (vec![(1, false)], 1));
    }
}
