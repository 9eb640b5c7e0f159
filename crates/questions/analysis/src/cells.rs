//! Gathers the cells of rows into columns.

use std::{io::Write, slice};

use pages::{Column, RowGroup};
use parquet::{errors::Result, file::writer::SerializedFileWriter};
use position::Key;
use shakmaty::san::{San, SanPlus};

use crate::{
    column::{ColumnKind, Spec},
    games::GameMove,
};

/// A page whose strings and lists take more bytes than this is finished early.
const PAGE_BYTES: usize = 4 << 20;

/// An item of a list takes four bytes for its index in the dictionary, and a byte for each of its two levels.
const LIST_ITEM_BYTES: usize = 6;

/// One value in a row. The variant must match the kind of its column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'c> {
    Null,
    Key(Key),
    Integer(i64),
    Real(f64),
    Text(&'c str),
    /// A move in UCI.
    Uci(GameMove),
    /// A move in SAN.
    San(SanPlus),
    /// Moves, which are written as UCI strings or as packed 16-bit numbers, depending on the column's kind.
    Moves(&'c [GameMove]),
    /// A list of numbers, in which unknown numbers are null.
    I32s(&'c [Option<i32>]),
    F32s(&'c [Option<f32>]),
}

impl<'c> Cell<'c> {
    /// A count. When the table was written, it was checked that counts fit into 63 bits.
    pub(crate) fn count(count: u64) -> Self {
        Cell::Integer(count.cast_signed())
    }

    /// The approximate size of a string or list in bytes, before it is compressed.
    #[inline]
    fn list_bytes(self) -> usize {
        match self {
            Cell::Text(text) => text.len(),
            Cell::Moves(moves) => moves.len() * LIST_ITEM_BYTES,
            Cell::I32s(items) => items.len() * LIST_ITEM_BYTES,
            Cell::F32s(items) => items.len() * LIST_ITEM_BYTES,
            Cell::Null | Cell::Key(_) | Cell::Integer(_) | Cell::Real(_) | Cell::Uci(_) | Cell::San(_) => 0,
        }
    }

    pub(crate) fn integer(value: Option<impl Into<i64>>) -> Self {
        value.map_or(Cell::Null, |value| Cell::Integer(value.into()))
    }

    pub(crate) fn real(value: Option<f64>) -> Self {
        value.map_or(Cell::Null, Cell::Real)
    }

    pub(crate) fn text(value: Option<&'c str>) -> Self {
        value.map_or(Cell::Null, Cell::Text)
    }

    pub(crate) fn key(value: Option<Key>) -> Self {
        value.map_or(Cell::Null, Cell::Key)
    }
}

/// The row group that is being filled.
pub(crate) struct CellColumns {
    /// `None` for a column that is left out.
    kinds: Vec<Option<ColumnKind>>,
    pub(crate) row_group: RowGroup,
    /// The approximate size of the strings and lists in the open page.
    list_bytes: usize,
}

impl CellColumns {
    /// The columns of `spec` in a file that is written by `file`.
    pub(crate) fn new<W: Write + Send>(spec: &Spec, file: &SerializedFileWriter<W>) -> Self {
        let kinds = spec.columns.iter().map(|column| spec.has(column).then_some(column.kind)).collect();
        let kept = spec.kept().zip(file.schema_descr().columns());
        let columns = kept.map(|(column, description)| column.encoder(description.clone())).collect();
        Self { kinds, row_group: RowGroup::new(columns), list_bytes: 0 }
    }

    /// Adds a row: `write` must push its cells in the columns' order, one for each column, including those
    /// that are left out. Returns whether a page ended with it.
    ///
    /// # Panics
    ///
    /// Panics if `write` pushes more or fewer cells than there are columns, or a cell that does not fit its
    /// column.
    pub(crate) fn push(&mut self, write: impl FnOnce(&mut RowCells<'_>)) -> Result<bool> {
        let columns = self.row_group.columns.iter_mut();
        let mut cells = RowCells { kinds: self.kinds.iter(), columns, list_bytes: 0 };
        write(&mut cells);
        assert!(cells.kinds.next().is_none(), "a cell for every column");
        self.list_bytes += cells.list_bytes;
        let has_ended = self.row_group.end_row()? || self.list_bytes >= PAGE_BYTES;
        if has_ended {
            self.row_group.end_page()?;
            self.list_bytes = 0;
        }
        Ok(has_ended)
    }
}

/// Receives the cells of a row. Each cell goes straight to its column. Gathering cells first would mean
/// copying them and matching on their kinds a second time.
pub(crate) struct RowCells<'b> {
    kinds: slice::Iter<'b, Option<ColumnKind>>,
    columns: slice::IterMut<'b, Column>,
    list_bytes: usize,
}

#[expect(clippy::inline_always, reason = "the kind of a cell is known where it is made")]
impl RowCells<'_> {
    // Where a cell is created, the compiler knows its variant of `Cell`. When this function is inlined there,
    // only the branches for columns that accept this variant remain. The compiler does not know the variants
    // of cells in an array, so functions that write many rows push cells one by one.
    #[inline(always)]
    pub(crate) fn push(&mut self, cell: Cell<'_>) {
        let Some(kind) = self.kinds.next() else { panic!("more cells than columns") };
        if let Some(kind) = kind
            && let Some(column) = self.columns.next()
        {
            push(column, *kind, cell);
            self.list_bytes += cell.list_bytes();
        }
    }

    pub(crate) fn extend<const N: usize>(&mut self, cells: [Cell<'_>; N]) {
        for cell in cells {
            self.push(cell);
        }
    }
}

/// Adds a cell to a column of this kind.
#[expect(clippy::inline_always, reason = "the kind of a cell is known where it is made")]
#[inline(always)]
fn push(column: &mut Column, kind: ColumnKind, cell: Cell<'_>) {
    match (cell, kind) {
        (Cell::Null, _) => column.push_null(),
        (Cell::Key(key), ColumnKind::Key) => column.push(key.0),
        (Cell::Integer(value), kind) if kind.is_integer() => column.push(value.cast_unsigned()),
        (Cell::Real(value), ColumnKind::F32) => column.push((value as f32).to_bits().into()),
        (Cell::Real(value), ColumnKind::F64) => column.push(value.to_bits()),
        (Cell::Text(text), ColumnKind::Text) => column.push_text(text),
        (Cell::Uci(played), ColumnKind::Text) => column.push_named(played.code(), played.uci()),
        (Cell::San(san), ColumnKind::Text) => column.push_named(san_code(san), san),
        (Cell::Moves(moves), ColumnKind::Texts) => {
            column.push_names(moves.iter().map(|played| (played.code(), played.uci())));
        }
        (Cell::Moves(moves), ColumnKind::U16s) => {
            column.push_numbers(moves.iter().map(|played| Some(played.packed.0.into())));
        }
        (Cell::I32s(items), ColumnKind::I32s) => {
            column.push_numbers(items.iter().map(|item| item.map(|item| i64::from(item).cast_unsigned())));
        }
        (Cell::F32s(items), ColumnKind::F32s) => {
            column.push_numbers(items.iter().map(|item| item.map(|item| item.to_bits().into())));
        }
        _ => panic!("a column of another kind is given {cell:?}"),
    }
}

/// A number that no other SAN has.
fn san_code(SanPlus { san, suffix }: SanPlus) -> u64 {
    let code = match san {
        San::Normal { role, file, rank, capture, to, promotion } => {
            let parts = [
                (role as u64, 3),
                (file.map_or(0, |file| file as u64 + 1), 4),
                (rank.map_or(0, |rank| rank as u64 + 1), 4),
                (capture.into(), 1),
                (u64::from(u32::from(to)), 6),
                (promotion.map_or(0, |role| role as u64), 3),
            ];
            parts.into_iter().fold(0, |code, (part, bits)| code << bits | part)
        }
        // No normal move has role 0.
        San::Castle(side) => side as u64,
        San::Put { .. } | San::Null => unreachable!("no move of chess"),
    };
    code << 2 | suffix.map_or(0, |suffix| suffix as u64 + 1)
}
