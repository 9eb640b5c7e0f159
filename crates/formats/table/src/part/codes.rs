//! The codes of group columns, and the values that part files store for them.
//!
//! Each group column stores one dimension of the rows' groups. A code is what [`Group::number`] returns for
//! that dimension. Code 0 means that the value is unknown, which is null in a part file.

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

    /// The number that this column stores for a code: `yyyymm` for a month, and the lower bound for a rating
    /// band. A column that is not a group column has no codes; it stores the given number unchanged.
    pub(crate) fn number(self, code: u64) -> u64 {
        match self {
            Column::RatingBand => RatingBand::LOWER_BOUNDS[code as usize - 1].into(),
            Column::Month => (code >> 4) * 100 + (code & 15),
            _ => code,
        }
    }

    /// The string that is stored for a code in this column, which must be a string column.
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
