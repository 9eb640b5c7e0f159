//! The contents of group columns: the code of each row, and the value behind each code.
//!
//! A code is a group's [number](Group::number) in the dimension of the column; 0 stands for an unknown value,
//! which is null in a part file.

use position::{Group, GroupField, RatingBand, Speed};
use shakmaty::Color;

use crate::part::schema::Column;

impl Column {
    /// The field of a group that holds the codes of this column.
    pub(crate) fn codes(self) -> GroupField {
        match self {
            Column::Speed => Group::SPEED,
            Column::RatingBand => Group::RATING_BAND,
            Column::Month => Group::MONTH,
            Column::PlayerColor => Group::PLAYER_COLOR,
            _ => unreachable!("{self:?} is not a column of groups"),
        }
    }

    /// The number that is stored for a code in this column; a month is `yyyymm`. In a column that is not
    /// a group column, a number is its own code.
    pub(crate) fn number(self, code: u64) -> u64 {
        match self {
            Column::RatingBand => RatingBand::LOWER_BOUNDS[code as usize - 1].into(),
            Column::Month => (code >> 4) * 100 + (code & 15),
            _ => code,
        }
    }

    /// The string that is stored for a code in this column, which must hold strings.
    pub(crate) fn text(self, code: u64) -> &'static str {
        match self {
            Column::Speed => Speed::from_repr(code as u8).map_or("", Into::into),
            _ => color_name(Color::from_white(code == 2)),
        }
    }
}

/// `white` or `black`.
pub(crate) fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}
