//! Finds the rows of one key without reading the rest of its part.

use std::sync::Arc;

use position::Key;

use crate::{
    Result, Row,
    file_bytes::FileBytes,
    part::{
        decode::RowGroupColumns,
        file::{Part, guarded},
    },
};

impl Part {
    /// Returns the rows of `key` in ascending order. Uses row-group statistics and the page index to read
    /// only the pages that may contain the key.
    pub(crate) fn rows_of(&self, bytes: &Arc<FileBytes>, key: Key) -> Result<Vec<Row>> {
        let mut found = Vec::new();
        // Row groups are in ascending order. The row groups that end before the key are skipped, and the
        // search stops at the first row group that starts after the key.
        let bounds = |row_group: &usize| self.keys(*row_group).unwrap_or(self.range);
        let count = self.row_groups().len();
        for row_group in
            (0..count).skip_while(|group| bounds(group).1 < key).take_while(|group| bounds(group).0 <= key)
        {
            let rows = self.rows_that_may_hold(row_group, key);
            if rows.is_empty() {
                continue;
            }
            let held = guarded(&self.path, || bytes.holding(self.bytes_of(row_group)))?;
            let mut columns = RowGroupColumns::open(self, &held, row_group, 0)?;
            columns.skip(rows.start, self)?;
            columns.read_key(rows.len(), key, self, &mut found)?;
        }
        Ok(found)
    }
}
