//! Checks rows before they go into a part file.

use std::path::Path;

use position::{Key, Tally};

use crate::{Counting, Error, RatingSums, Result, Row, order};

/// The maximum number of rows in a batch. The sum of this many counts that are below 2^56 is less than 2^64.
const BATCH_ROWS_MAX: usize = 256;

/// Counts below this are summed without checking for overflow after every row.
const SUMMED_UNCHECKED: u64 = 1 << 56;

/// Checks rows batch by batch: their order, keys, groups, counts and ratings; also adds up the counts and the
/// ratings.
///
/// The loops over a batch have no branches; the offending row is searched for only after a check has failed.
pub(super) struct Checks {
    /// The first and the last key of the shard.
    range: (Key, Key),
    /// The group bits that the table may use: those of the dimensions by which it is grouped.
    mask: u32,
    /// The identity of the last row that was checked.
    last: Option<u128>,
    pub(super) rows: u64,
    pub(super) tally: Tally,
    /// The sums of the rows' ratings, if the table has ratings.
    pub(super) ratings: Option<RatingSums>,
}

impl Checks {
    pub(super) fn new(counting: &Counting, range: (Key, Key)) -> Self {
        Self {
            range,
            mask: counting.groups.mask(),
            last: None,
            rows: 0,
            tally: Tally::default(),
            ratings: counting.ratings.then_some(RatingSums::NONE),
        }
    }

    /// Checks the next rows, at most 256, and returns the bitwise OR of all counts in these rows. `path` is
    /// used only in errors.
    pub(super) fn check(&mut self, rows: &[Row], path: &Path) -> Result<u64> {
        assert!(rows.len() <= BATCH_ROWS_MAX, "{} rows at a time", rows.len());
        if rows.is_empty() {
            return Ok(0);
        }
        self.check_order(rows, path)?;
        self.check_range(rows, path)?;
        self.check_groups(rows);
        let bits = rows.iter().fold(0, |bits, row| bits | counts(row));
        self.sum_counts(rows, bits < SUMMED_UNCHECKED)?;
        self.sum_ratings(rows)?;
        self.rows += rows.len() as u64;
        Ok(bits)
    }

    fn check_order(&mut self, rows: &[Row], path: &Path) -> Result<()> {
        let mut previous = rows[0].id();
        let mut ascending = self.last.is_none_or(|last| last < rows[0].id());
        for row in &rows[1..] {
            let id = row.id();
            ascending &= previous < id;
            previous = id;
        }
        if !ascending {
            return Err(self.out_of_order(rows, path));
        }
        self.last = Some(previous);
        Ok(())
    }

    #[cold]
    fn out_of_order(&self, rows: &[Row], path: &Path) -> Error {
        let mut previous = self.last.unwrap_or_default();
        for (index, id) in (self.rows..).zip(rows.iter().map(Row::id)) {
            if previous >= id && index > 0 {
                return order::out_of_order(path, index, previous, id);
            }
            previous = id;
        }
        unreachable!("the rows do not ascend")
    }

    /// Checks that all rows are in the shard's range of keys. Since rows are in ascending order, it is enough
    /// to check the first and the last row.
    fn check_range(&self, rows: &[Row], path: &Path) -> Result<()> {
        let is_out = |row: &Row| row.key < self.range.0 || row.key > self.range.1;
        if !rows.first().is_some_and(is_out) && !rows.last().is_some_and(is_out) {
            return Ok(());
        }
        let found = (self.rows..).zip(rows).find(|(_, row)| is_out(row));
        found.map_or(Ok(()), |(index, row)| Err(order::out_of_range(path, index, row.key, self.range)))
    }

    fn check_groups(&self, rows: &[Row]) {
        let groups = rows.iter().fold(0, |groups, row| groups | row.group.bits());
        assert!(groups & !self.mask == 0, "rows grouped by more than their table: {groups:#x}");
    }

    fn sum_counts(&mut self, rows: &[Row], small: bool) -> Result<()> {
        for rows in rows.chunks(if small { BATCH_ROWS_MAX } else { 1 }) {
            let too_large = || Error::CountTooLarge { key: rows[0].key, mv: rows[0].mv };
            if !small && counts(&rows[0]) >> 63 == 1 {
                return Err(too_large());
            }
            let mut sum = Tally::default();
            for row in rows {
                sum += row.tally;
            }
            self.tally = self.tally.checked_add(sum).ok_or_else(too_large)?;
        }
        Ok(())
    }

    fn sum_ratings(&mut self, rows: &[Row]) -> Result<()> {
        let Some(sums) = &mut self.ratings else { return Ok(()) };
        let (fit, bits) = rows.iter().fold((true, 0), |(fit, bits), row| {
            (fit & row.ratings.fit(row.tally), bits | rating_bits(&row.ratings))
        });
        assert!(fit, "ratings of other games: {:?}", rows.iter().find(|row| !row.ratings.fit(row.tally)));
        for rows in rows.chunks(if bits < SUMMED_UNCHECKED { BATCH_ROWS_MAX } else { 1 }) {
            let mut sum = RatingSums::NONE;
            for row in rows {
                sum += row.ratings;
            }
            let sum = sums.checked_add(sum).filter(|sum| rating_bits(sum) >> 63 == 0);
            *sums = sum.ok_or_else(|| Error::CountTooLarge { key: rows[0].key, mv: rows[0].mv })?;
        }
        Ok(())
    }
}

/// The bitwise OR of the sums.
fn rating_bits(sums: &RatingSums) -> u64 {
    sums.mover_elo | sums.opponent_elo | sums.rated_games
}

/// The bitwise OR of a row's counts.
fn counts(row: &Row) -> u64 {
    row.tally.white | row.tally.draws | row.tally.black
}
