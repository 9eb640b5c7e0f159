//! The roulette wheel itself, move after move, as Terra's text describes it, and its random order.

use policy::Rng;

/// Takes moves in `order`, adds their `values`, and returns the first with which the sum reaches or
/// exceeds `drawn` (Terra: roulette).
///
/// `order` holds indices into `values`, each once; `drawn` is from 1 to the sum of the values. The
/// answer is an index into `values`; `None` if the sum of the ordered values stays below `drawn`.
///
/// The policy `terra` computes probabilities directly: in any order, a move's chance is its value's share
/// of the sum. This function follows Terra's procedure step by step.
pub(crate) fn roulette(order: &[usize], values: &[u64], drawn: u64) -> Option<usize> {
    let mut reached: u128 = 0;
    order.iter().copied().find(|&at| {
        reached += u128::from(values.get(at).copied().unwrap_or(0));
        reached >= u128::from(drawn)
    })
}

/// Shuffles `items`, each order equally likely.
pub(crate) fn shuffle<T>(rng: &mut Rng, items: &mut [T]) {
    for end in (1..items.len()).rev() {
        let other = rng.below(end as u64 + 1) as usize;
        items.swap(end, other);
    }
}

#[test]
fn every_order_gives_each_move_its_value() {
    let values = [5, 1, 0, 4];
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1], [1, 3, 0, 2]] {
        let mut wins = [0; 4];
        for drawn in 1..=10 {
            wins[roulette(&order, &values, drawn).unwrap()] += 1;
        }
        assert_eq!(wins, values, "{order:?}");
    }
}

#[test]
fn what_cannot_be_reached_is_nothing() {
    assert_eq!(roulette(&[], &[], 0), None);
    assert_eq!(roulette(&[0, 1], &[1, 2], 4), None);
    assert_eq!(roulette(&[0, 1], &[u64::MAX, u64::MAX], u64::MAX), Some(0));
}

/// e5 60, e6 63, d6 1: with 113 drawn and the order e6, d6, e5 the sums are 63, 64, 124.
#[test]
fn the_sum_reaches_what_is_drawn() {
    assert_eq!(roulette(&[1, 2, 0], &[60, 63, 1], 113), Some(0));
}

#[test]
fn a_shuffle_keeps_every_item() {
    let mut items: Vec<u8> = (0..50).collect();
    shuffle(&mut Rng::new(4), &mut items);
    assert_ne!(items, (0..50).collect::<Vec<u8>>());
    items.sort_unstable();
    assert_eq!(items, (0..50).collect::<Vec<u8>>());
}
