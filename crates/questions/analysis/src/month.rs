//! Writes the files of `moves/`, either to a single folder or to one folder per month.

use std::{collections::BTreeMap, path::Path};

use position::Key;

use crate::{
    ExportOptions, Result,
    column::Spec,
    moves::{MoveRow, month},
    part::{PartInfo, ShardParts},
};

/// The maximum number of rows in unfinished row groups, over all months.
const OPEN_ROWS_MAX: usize = 1 << 20;

/// The files that take the rows of one shard of `moves/`.
///
/// # Memory
///
/// Without month folders, only one row group is open at a time. With month folders, each month has its own
/// open row group. Together, these row groups contain at most about a million rows: when they contain more,
/// the largest row groups are finished early. Which row groups are finished early depends only on the rows,
/// so the same rows always produce identical files.
pub(crate) struct MoveFiles<'s> {
    dir: &'s Path,
    spec: &'s Spec,
    shards: u32,
    has_months: bool,
    /// The files by month. Without month folders, there is one entry for all rows, with the key `None`.
    by_month: BTreeMap<Option<i32>, ShardParts<'s>>,
    rows_since_check: usize,
}

impl<'s> MoveFiles<'s> {
    pub(crate) fn new(dir: &'s Path, spec: &'s Spec, shards: u32, options: &ExportOptions) -> Self {
        let has_months = options.month_folders;
        let all = (!has_months).then(|| (None, ShardParts::new(dir, spec.file.to_owned(), spec, shards)));
        let by_month = all.into_iter().collect();
        Self { dir, spec, shards, has_months, by_month, rows_since_check: 0 }
    }

    /// Ends the files. Without month folders, at least one file is always written: if there are no rows, an
    /// empty file is written for the part that the key `first` would belong to.
    pub(crate) fn finish(self, first: Key) -> Result<Vec<PartInfo>> {
        let files = self.by_month.into_values().map(|parts| parts.finish(first));
        Ok(files.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
    }

    pub(crate) fn push(&mut self, row: &MoveRow<'_>) -> Result<()> {
        let month = if self.has_months { month(row.row.group) } else { None };
        let (dir, spec, shards) = (self.dir, self.spec, self.shards);
        let parts = self.by_month.entry(month).or_insert_with(|| {
            ShardParts::new(dir, format!("{}/{}", spec.file, folder(month)), spec, shards)
        });
        parts.of_key(row.row.key)?.push(|cells| row.write(cells), row.row.tally)?;
        self.rows_since_check += 1;
        if self.rows_since_check == OPEN_ROWS_MAX / 16 {
            self.rows_since_check = 0;
            self.end_largest()?;
        }
        Ok(())
    }

    /// Finishes row groups, the largest first, until the open ones hold at most [`OPEN_ROWS_MAX`] rows.
    fn end_largest(&mut self) -> Result<()> {
        let mut open: Vec<_> = self.by_month.values_mut().filter_map(ShardParts::open_part).collect();
        open.sort_by_key(|part| std::cmp::Reverse(part.open_rows()));
        let mut rows: usize = open.iter().map(|part| part.open_rows()).sum();
        for part in open {
            if rows <= OPEN_ROWS_MAX {
                break;
            }
            rows -= part.open_rows();
            part.end_row_group()?;
        }
        Ok(())
    }
}

/// The name of a month's folder, in Hive's style for partitioned columns.
fn folder(month: Option<i32>) -> String {
    month.map_or_else(
        || "month=__HIVE_DEFAULT_PARTITION__".to_owned(),
        |month| format!("month={:04}-{:02}", month / 100, month % 100),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_are_hives() {
        assert_eq!(folder(Some(202_407)), "month=2024-07");
        assert_eq!(folder(None), "month=__HIVE_DEFAULT_PARTITION__");
    }
}
