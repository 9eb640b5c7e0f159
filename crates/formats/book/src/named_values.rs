//! Parses lists of named values, such as `white=3,black=1`.

use std::str::FromStr;

/// Returns the values in the order of `names`, with `None` for each name that is left out. Each name may
/// occur once; the order does not matter. Returns `None` if the text has any other form.
pub(crate) fn named_values<T: FromStr, const N: usize>(
    text: &str,
    names: [&str; N],
) -> Option<[Option<T>; N]> {
    let mut values = [const { None }; N];
    for part in text.split(',') {
        let (name, value) = part.split_once('=')?;
        let at = names.iter().position(|known| *known == name)?;
        if values[at].replace(value.parse().ok()?).is_some() {
            return None;
        }
    }
    Some(values)
}
