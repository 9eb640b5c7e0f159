//! A property that exactly one side has.

use shakmaty::Color;

/// The side that has a property; `None` if both sides have it or neither has it.
#[must_use]
pub fn only_side(is_true_of: impl FnMut(Color) -> bool) -> Option<Color> {
    match [Color::White, Color::Black].map(is_true_of) {
        [true, false] => Some(Color::White),
        [false, true] => Some(Color::Black),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_is_the_only_one_or_none() {
        assert_eq!(only_side(Color::is_white), Some(Color::White));
        assert_eq!(only_side(Color::is_black), Some(Color::Black));
        assert_eq!(only_side(|_| true), None);
        assert_eq!(only_side(|_| false), None);
    }
}
