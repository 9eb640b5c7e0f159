//! The order of whole numbers, which follows from the type of their column.

use parquet::{
    basic::{ConvertedType, Type as PhysicalType},
    schema::types::ColumnDescPtr,
};

use crate::Bounds;

/// The order of whole numbers.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Order {
    Unsigned,
    Signed,
}

impl Order {
    /// The order of a column's numbers; `None` if they are no whole numbers.
    pub(crate) fn of(description: &ColumnDescPtr) -> Option<Self> {
        if !matches!(description.physical_type(), PhysicalType::INT32 | PhysicalType::INT64) {
            return None;
        }
        let is_unsigned = matches!(
            description.converted_type(),
            ConvertedType::UINT_8 | ConvertedType::UINT_16 | ConvertedType::UINT_32 | ConvertedType::UINT_64
        );
        Some(if is_unsigned { Order::Unsigned } else { Order::Signed })
    }

    /// Maps a number to a code, or a code to its number.
    #[inline]
    pub(crate) fn code(self, number: u64) -> u64 {
        number ^ if self == Order::Signed { 1 << 63 } else { 0 }
    }
}

/// The order of numbers, and their length in bytes.
impl Bounds for (Order, usize) {
    fn value(&self, code: u64) -> Vec<u8> {
        let (order, width) = *self;
        order.code(code).to_le_bytes()[..width].to_owned()
    }
}
