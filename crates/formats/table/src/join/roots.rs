//! The roots of joined tables.

use std::iter::Peekable;

use position::{Key, PackedMove, Tally};

use crate::{Error, Result, RootRow, Table};

/// Those roots of a table that have keys in a given range.
type RootsBetween<'t> = Peekable<Box<dyn Iterator<Item = Result<RootRow>> + 't>>;

/// Those roots of joined tables that have keys in a given range, in ascending order of key. Each root has the
/// sum of its games in the added tables, minus its games in the subtracted table, if there is one.
pub(super) struct JoinedRoots<'t> {
    added: Vec<RootsBetween<'t>>,
    taken: Option<(&'t Table, RootsBetween<'t>)>,
}

impl<'t> JoinedRoots<'t> {
    /// Opens the roots. If the added tables have no roots, they were counted before roots were stored; in
    /// this case, no roots are subtracted either.
    pub(super) fn open(added: &[&'t Table], taken: Option<&'t Table>, range: (Key, Key)) -> Result<Self> {
        let has_roots = added.iter().any(|table| table.manifest().roots().0 > 0);
        let added = added.iter().map(|table| between(table, range)).collect::<Result<_>>()?;
        let taken = match taken.filter(|_| has_roots) {
            Some(table) => Some((table, between(table, range)?)),
            None => None,
        };
        Ok(Self { added, taken })
    }

    /// Calls `each` with every root that still has games.
    pub(super) fn for_each(mut self, mut each: impl FnMut(RootRow) -> Result<()>) -> Result<()> {
        while let Some(key) = self.least()? {
            let mut sum: Option<RootRow> = None;
            for roots in &mut self.added {
                let Some(row) = of_key(roots, key)? else { continue };
                let tally = row.tally.checked_add(sum.map_or(Tally::default(), |sum| sum.tally));
                let tally = tally.ok_or(Error::CountTooLarge { key, mv: PackedMove::TERMINAL })?;
                sum = Some(RootRow { tally, ..sum.unwrap_or(row) });
            }
            if let Some((table, roots)) = &mut self.taken
                && let Some(taken) = of_key(roots, key)?
            {
                let held = sum.map_or(Tally::default(), |sum| sum.tally);
                let left = held.checked_sub(taken.tally);
                let tally = left.ok_or_else(|| {
                    Error::below_zero(table.path(), (key, PackedMove::TERMINAL), [held, taken.tally])
                })?;
                sum = Some(RootRow { tally, ..taken });
            }
            sum.filter(|sum| sum.tally != Tally::default()).map_or(Ok(()), &mut each)?;
        }
        Ok(())
    }

    /// The smallest key among the next roots of all tables.
    fn least(&mut self) -> Result<Option<Key>> {
        let mut least = None;
        for roots in self.added.iter_mut().chain(self.taken.iter_mut().map(|(_, roots)| roots)) {
            if let Some(Ok(row)) = roots.peek() {
                let key = Some(row.root.key);
                least = if least.is_none() { key } else { least.min(key) };
            } else if let Some(error) = roots.next() {
                return error.map(|row| Some(row.root.key));
            }
        }
        Ok(least)
    }
}

/// Returns those roots of a table that have keys in a given range, from all shards.
fn between(table: &Table, (first, last): (Key, Key)) -> Result<RootsBetween<'_>> {
    let shards = table.shards().iter().zip(0..);
    let wanted = shards.filter(|(shard, _)| shard.last >= first && shard.first <= last);
    let opened = wanted.map(|(_, shard)| table.roots(shard)).collect::<Result<Vec<_>>>()?;
    let inside =
        move |row: &Result<RootRow>| row.as_ref().map_or(true, |row| (first..=last).contains(&row.root.key));
    let roots: Box<dyn Iterator<Item = _>> = Box::new(opened.into_iter().flatten().flatten().filter(inside));
    Ok(roots.peekable())
}

/// Takes the next root if its key is `key`.
fn of_key(roots: &mut RootsBetween<'_>, key: Key) -> Result<Option<RootRow>> {
    roots.next_if(|row| row.as_ref().map_or(true, |row| row.root.key == key)).transpose()
}
