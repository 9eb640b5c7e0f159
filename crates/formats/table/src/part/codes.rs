//! What group columns hold: a code a row, and the values that codes stand for.
//!
//! A code has sixteen bits. 0 is what is unknown, which a part file has as null; the others ascend as the
//! values do.

use position::{Group, Speed};
use shakmaty::Color;

use crate::part::schema::Column;

impl Column {
    /// The code of a group in this column of groups.
    #[inline]
    pub(crate) fn code(self, group: Group) -> u16 {
        match self {
            Column::Speed => group.speed().map_or(0, |speed| speed as u16),
            Column::RatingBand => group.rating_band().map_or(0, |band| band.lower_bound() + 1),
            Column::Month => group.month().map_or(0, |(year, month)| year << 4 | u16::from(month)),
            Column::PlayerColor => group.player_color().map_or(0, |color| color.fold_wb(2, 1)),
            _ => unreachable!("{self:?} is not a column of groups"),
        }
    }

    /// The number that stands for a code in this column; a month is `yyyymm`. In columns that are not of
    /// groups, numbers stand for themselves.
    pub(crate) fn number(self, code: u64) -> u64 {
        match self {
            Column::RatingBand => code - 1,
            Column::Month => (code >> 4) * 100 + (code & 15),
            _ => code,
        }
    }

    /// The text that stands for a code in this column of texts.
    pub(crate) fn text(self, code: u64) -> &'static str {
        match self {
            Column::Speed => Speed::from_repr(code as u8).map_or("", Speed::name),
            _ => color_name(Color::from_white(code == 2)),
        }
    }
}

/// `white` or `black`.
pub(crate) fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}
