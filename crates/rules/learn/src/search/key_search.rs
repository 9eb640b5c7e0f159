//! The key search: among the first ten searches out of book, the search that provides the value to learn.

/// The maximum number of searches that are considered (Crafty's `LEARN_INTERVAL`).
pub const SEARCHES_MAX: usize = 10;

/// With fewer searches than this, nothing is learned.
pub const SEARCHES_MIN: usize = 2;

/// Chooses one of the first ten searches out of book as the key search, the search whose value is learned.
/// `searches` contains a (value, depth) pair for each search, in order; pairs after the tenth are ignored.
///
/// If the values keep rising or keep falling, the key search is the last search. If the values fall and then
/// rise at least to the first value again, the key search is the search with the best value. If the values
/// fall and then rise without reaching the first value, the key search is the search with the worst value. A
/// single rule covers all these cases: the largest value is used unless its last occurrence comes before the
/// first occurrence of the smallest value; in that case, the smallest value is used. Crafty's own code has a
/// third branch, an average, which no sequence of values can reach. The returned depth is the greatest among
/// the searches with the chosen value. The result is `None` if there are fewer than two searches.
///
/// Source: Crafty 11.15–22.10, `LearnBook` in `learn.c` (Crafty: key search).
///
/// ```
/// use learn::search::key_search;
/// // An accepted gambit: good at first, then bad.
/// assert_eq!(key_search(&[(60, 8), (40, 8), (-10, 9), (-70, 9)]), Some((-70, 9)));
/// // An offered gambit: the pawn is won back, and more.
/// assert_eq!(key_search(&[(-50, 8), (-60, 8), (20, 9), (90, 8)]), Some((90, 8)));
/// assert_eq!(key_search(&[(30, 8)]), None);
/// ```
#[must_use]
pub fn key_search(searches: &[(i32, i32)]) -> Option<(i32, i32)> {
    let searches = &searches[..searches.len().min(SEARCHES_MAX)];
    if searches.len() < SEARCHES_MIN {
        return None;
    }
    let values = || searches.iter().map(|&(value, _)| value);
    let (smallest, largest) = (values().min()?, values().max()?);
    let largest_last = values().rposition(|value| value == largest)?;
    let smallest_first = values().position(|value| value == smallest)?;
    let value = if largest_last >= smallest_first { largest } else { smallest };
    let depth = searches.iter().filter(|search| search.0 == value).map(|search| search.1).max()?;
    Some((value, depth))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Crafty's own form of the key search. If the best value occurs at or after the first occurrence of the
    /// worst value, Crafty uses the best value. Otherwise, if the worst value occurs at or after the first
    /// occurrence of the best value, Crafty uses the worst value.
    fn as_the_program_does(values: &[i32]) -> Option<i32> {
        let (mut best, mut worst) = (0, 0);
        for (at, &value) in values.iter().enumerate() {
            best = if value > values[best] { at } else { best };
            worst = if value < values[worst] { at } else { worst };
        }
        let best_after_worst = *values[worst..].iter().max()?;
        let worst_after_best = *values[best..].iter().min()?;
        if values[best] == best_after_worst {
            Some(values[best])
        } else if values[worst] == worst_after_best {
            Some(values[worst])
        } else {
            None
        }
    }

    proptest! {
        #[test]
        fn prop_one_rule_equals_the_programs_steps(values in prop::collection::vec(-4..4, 2..=10)) {
            let searches: Vec<_> = values.iter().map(|&value| (value, 1)).collect();
            let expected = as_the_program_does(&values);
            prop_assert!(expected.is_some(), "the average is never taken");
            prop_assert_eq!(key_search(&searches).map(|search| search.0), expected);
        }

        #[test]
        fn prop_only_ten_count(values in prop::collection::vec(-90..90, 0..30)) {
            let all: Vec<_> = values.iter().map(|&value| (value, value)).collect();
            prop_assert_eq!(key_search(&all), key_search(&all[..all.len().min(SEARCHES_MAX)]));
        }
    }
}
