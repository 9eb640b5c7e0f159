//! Reads all positions of an artefact in the order of their keys. For each position, returns what a probe of
//! its key would return.

use std::{iter, ops::Range};

use book::polyglot::ByPosition;
use position::Key;
use table::{PositionRows, SortedRows as _, Table};

use crate::{
    Artefact, Error, KeyProbe, Result,
    by_key::{RowsOfKey, of_entries, of_entry, of_rows},
};

/// The positions of a book, a table or a Polyglot book, ascending by key. The header entries of a Polyglot
/// book are skipped. The iterator keeps only one position and one batch of rows or entries in memory.
pub type AllPositions<'a> = Box<dyn Iterator<Item = Result<KeyProbe>> + 'a>;

/// The positions of an artefact.
///
/// # Errors
///
/// Fails with [`Error::NoBookToChooseFrom`] for an experience file.
pub fn positions(artefact: &Artefact) -> Result<AllPositions<'_>> {
    Ok(match artefact {
        Artefact::Book(book) => Box::new(book.positions().map(|entry| Ok(of_entry(&entry?)))),
        Artefact::Table(table) => {
            let (mut shards, mut open) = (0..table.shards().len() as u32, None);
            Box::new(iter::from_fn(move || next_of_table(table, &mut shards, &mut open).transpose()))
        }
        Artefact::Polyglot(reader) => {
            let mut positions = reader.by_position();
            Box::new(iter::from_fn(move || next_of_polyglot(&mut positions).transpose()))
        }
        Artefact::Experience(file) => {
            return Err(Error::NoBookToChooseFrom(file.path().into()));
        }
    })
}

/// The next position of a table, from the open shard or from the next one that has any positions.
fn next_of_table<'t>(
    table: &'t Table,
    shards: &mut Range<u32>,
    open: &mut Option<PositionRows<'t>>,
) -> Result<Option<KeyProbe>> {
    let mut of_key = RowsOfKey::default();
    loop {
        if let Some(rows) = open
            && rows.next_into(&mut of_key)?
        {
            return Ok(of_rows(&of_key.0));
        }
        let Some(shard) = shards.next() else { return Ok(None) };
        *open = Some(PositionRows::new(table.shard(shard)?));
    }
}

/// The next position of a Polyglot book, skipping the header.
fn next_of_polyglot(positions: &mut ByPosition<'_>) -> Result<Option<KeyProbe>> {
    let mut entries = Vec::new();
    while let Some(key) = positions.next_into(&mut entries)? {
        if key != Key(0) {
            return Ok(of_entries(key, &entries));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use position::{PackedMove, Tally};
    use table::{Counting, Row, TableWriter};

    use super::*;
    use crate::probe_key;

    /// Checks that every position equals what a probe of its key returns.
    fn check(artefact: &Artefact, keys: &[u64]) {
        let found: Vec<_> = positions(artefact).unwrap().map(Result::unwrap).collect();
        assert_eq!(found.iter().map(|probe| probe.key.0).collect::<Vec<_>>(), keys);
        for probe in found {
            assert_eq!(probe_key(artefact, probe.key).unwrap(), Some(probe));
        }
    }

    #[test]
    fn positions_come_as_probes_find_them() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.table");
        let counted = TableWriter::create(&path, Counting::default(), 2, false).unwrap();
        let tally = Tally { white: 1, draws: 2, black: 0 };
        let row = |key, mv| Row { key: Key(key), mv: PackedMove(mv), tally, ..Row::default() };
        let shards = [vec![row(3, 0), row(3, 796), row(5, 0)], vec![row(1 << 63, 796), row(1 << 63, 797)]];
        let shards = (0..).zip(shards).map(|(number, rows)| {
            let mut shard = counted.shard(number).unwrap();
            for row in &rows {
                shard.push(row).unwrap();
            }
            shard.finish().unwrap()
        });
        let shards: Vec<_> = shards.collect();
        counted.finish(shards, Vec::new()).unwrap();
        check(&Artefact::open(&path).unwrap(), &[3, 5, 1 << 63]);
        let path = folder.path().join("book.bin");
        let entry =
            |key: u64, mv: u16| [&key.to_be_bytes()[..], &mv.to_be_bytes(), &[0, 1, 0, 0, 0, 0]].concat();
        std::fs::write(&path, [entry(0, 0), entry(3, 796), entry(3, 797), entry(9, 796)].concat()).unwrap();
        check(&Artefact::open(&path).unwrap(), &[3, 9]);
        let unsorted: Vec<_> = (1..10).chain([3]).map(|key| entry(key, 796)).collect();
        std::fs::write(&path, unsorted.concat()).unwrap();
        let book = Artefact::open(&path).unwrap();
        let mut found = positions(&book).unwrap().map(|found| found.is_ok());
        assert_eq!((found.by_ref().take(9).all(|is_read| is_read), found.next()), (true, Some(false)));
    }
}
