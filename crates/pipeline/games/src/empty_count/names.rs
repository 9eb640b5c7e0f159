//! Finds players' names that are spelled much like a given one.

/// The maximum number of names that are returned.
const NAMES_MAX: usize = 3;

/// Returns the names most similar to `asked`, nearest first. They contain the words of `asked` in any order,
/// perhaps shortened or misspelled. A word that matches exactly is nearer than a shortened one, which is
/// nearer than a misspelled one. Other words in a name only break ties.
pub(super) fn alike<'n>(asked: &str, names: impl Iterator<Item = &'n str>) -> Vec<&'n str> {
    let asked = words(asked);
    let mut near: Vec<_> =
        names.filter_map(|name| Some((distance(&asked, words(name))?, name.len(), name))).collect();
    near.sort_unstable();
    near.into_iter().take(NAMES_MAX).map(|(_, _, name)| name).collect()
}

/// The words of a name, in lower case.
fn words(name: &str) -> Vec<String> {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// How different two names are. The first number is the sum of the [`word_distance`] between each word of
/// `asked` and its match in the name; the second counts the words in the name that have no match. `None` if
/// some word of `asked` has no match, or if the only matches are initials.
fn distance(asked: &[String], mut name: Vec<String>) -> Option<(usize, usize)> {
    let (mut sum, mut has_word) = (0, false);
    for word in asked {
        let likeness = |(at, other): (usize, &String)| Some((word_distance(word, other)?, at));
        let (distance, at) = name.iter().enumerate().filter_map(likeness).min()?;
        has_word |= name.remove(at).len() > 1 || word.len() == 1;
        sum += distance;
    }
    has_word.then_some((sum, name.len()))
}

/// How different two words are. Words are alike if they are equal, if one is the beginning of the other
/// (`m` of `magnus`), or if they differ in a few letters.
fn word_distance(a: &str, b: &str) -> Option<usize> {
    if a == b {
        return Some(0);
    }
    if a.starts_with(b) || b.starts_with(a) {
        return Some(1);
    }
    let distance = strsim::damerau_levenshtein(a, b);
    let letters = a.chars().count().min(b.chars().count());
    (distance <= letters / 3).then_some(1 + distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_initials_and_letters() {
        let names = ["Carlsen, M", "Carlsen, Magnus", "Carlsen, Henrik", "Caruana, Fabiano", "Magnus"];
        let like = |asked| alike(asked, names.into_iter());
        assert_eq!(like("Magnus Carlsen"), ["Carlsen, Magnus", "Carlsen, M"]);
        assert_eq!(like("M. Carlsen"), ["Carlsen, M", "Carlsen, Magnus"]);
        assert_eq!(like("Fabiano Carauna"), ["Caruana, Fabiano"]);
        assert_eq!(like("carlsen"), ["Carlsen, M", "Carlsen, Henrik", "Carlsen, Magnus"]);
        assert!(like("Kasparov").is_empty() && like("/.*/").is_empty());
        let names = ["Beim,V", "Plat,V", "Vallejo Pons,F", "Vallejos,F", "Anand,V"];
        let like = |asked| alike(asked, names.into_iter());
        assert_eq!(like("Vallejo"), ["Vallejo Pons,F", "Vallejos,F"], "an initial alone is no likeness");
        assert_eq!(like("Valejo"), ["Vallejo Pons,F", "Vallejos,F"]);
    }
}
