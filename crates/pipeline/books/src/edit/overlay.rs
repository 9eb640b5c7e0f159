//! Overlays the items of a book with changes; both are in ascending order.

use std::cmp::Ordering;

use run::Result;

/// Merges items and the changes to them, both in ascending order. An item whose change is `None` is removed.
pub(super) fn laid_over<K: Ord, T>(
    old: impl Iterator<Item = Result<T>>,
    key: impl Fn(&T) -> K,
    changes: impl IntoIterator<Item = (K, Option<T>)>,
) -> impl Iterator<Item = Result<T>> {
    let (mut old, mut changes) = (old.peekable(), changes.into_iter().peekable());
    // `Some(None)` stands for a removed item.
    let mut next = move || -> Option<Option<Result<T>>> {
        let order = match (old.peek(), changes.peek()) {
            (None, None) => return None,
            (Some(Err(_)), _) | (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(Ok(item)), Some((place, _))) => key(item).cmp(place),
        };
        match order {
            Ordering::Less => return Some(old.next()),
            Ordering::Equal => drop(old.next()),
            Ordering::Greater => {}
        }
        Some(changes.next().and_then(|(_, item)| item).map(Ok))
    };
    std::iter::from_fn(move || {
        loop {
            if let Some(item) = next()? {
                return Some(item);
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_replace_add_and_take_away() {
        let old = [1, 3, 5, 7].map(|key| Ok((key, "old")));
        let changes =
            [(0, Some((0, "new"))), (3, None), (4, None), (5, Some((5, "new"))), (9, Some((9, "new")))];
        let all = laid_over(old.into_iter(), |item| item.0, changes);
        let all: Vec<_> = all.map(Result::unwrap).collect();
        assert_eq!(all, [(0, "new"), (1, "old"), (5, "new"), (7, "old"), (9, "new")]);
    }
}
