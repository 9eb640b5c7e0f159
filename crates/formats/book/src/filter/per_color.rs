//! A setting with a value for each side to move.

use std::{fmt, str::FromStr};

use shakmaty::Color;

use super::Ratio;
use crate::{Error, named_values::named_values};

/// One value for positions with White to move, and one for positions with Black to move.
///
/// # Format
///
/// As text, it is one value for both colours, such as `5`, or it names the colours in any order, such as
/// `white=5,black=3`. A colour that is left out gets the default.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct PerColor<T> {
    /// The value with White to move.
    pub white: T,
    /// The value with Black to move.
    pub black: T,
}

impl<T: Copy> PerColor<T> {
    /// The same value for both colours.
    pub fn both(value: T) -> Self {
        Self { white: value, black: value }
    }

    /// The value for one colour.
    pub fn of(&self, color: Color) -> T {
        color.fold_wb(self.white, self.black)
    }
}

impl FromStr for PerColor<u64> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        parse(text).ok_or_else(|| Error::setting(text, "a whole number, or white=…,black=…"))
    }
}

impl FromStr for PerColor<Ratio> {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        parse(text).ok_or_else(|| Error::setting(text, "a decimal number from 0 to 1, or white=…,black=…"))
    }
}

fn parse<T: Copy + Default + FromStr>(text: &str) -> Option<PerColor<T>> {
    if !text.contains('=') {
        return text.parse().ok().map(PerColor::both);
    }
    let [white, black] = named_values(text, ["white", "black"])?.map(Option::unwrap_or_default);
    Some(PerColor { white, black })
}

impl<T: fmt::Display + PartialEq> fmt::Display for PerColor<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.white == self.black {
            return self.white.fmt(f);
        }
        write!(f, "white={},black={}", self.white, self.black)
    }
}
