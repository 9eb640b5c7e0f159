//! Every position of an artefact, in the order of keys, as a probe finds each.

use book::{
    Positions,
    polyglot::{PolyglotEntry, Reader},
};
use position::Key;
use table::{PositionRows, ShardRows, Table};

use crate::{
    Artefact, Error, KeyProbe, Result,
    by_key::{RowsOfKey, of_entries, of_entry, of_rows},
};

/// The positions of a book, a table or a Polyglot book, ascending by key. A Polyglot book's header is passed
/// over.
///
/// # Memory
///
/// A batch of rows or entries, and a position.
pub struct AllPositions<'a>(From<'a>);

enum From<'a> {
    Book(Positions<'a>),
    Table(Box<TableRows<'a>>),
    Polyglot(Box<Entries<'a>>),
}

/// Looks at every position.
///
/// # Errors
///
/// [`Error::NoBookToChooseFrom`] for an experience file.
pub fn positions(artefact: &Artefact) -> Result<AllPositions<'_>> {
    Ok(AllPositions(match artefact {
        Artefact::Book(book) => From::Book(book.positions()),
        Artefact::Table(table) => From::Table(Box::new(TableRows { table, shard: 0, rows: None })),
        Artefact::Polyglot(reader) => From::Polyglot(Box::new(Entries::of(reader))),
        Artefact::Experience(file) => {
            return Err(Error::NoBookToChooseFrom(file.path().into()));
        }
    }))
}

impl Iterator for AllPositions<'_> {
    type Item = Result<KeyProbe>;

    fn next(&mut self) -> Option<Result<KeyProbe>> {
        match &mut self.0 {
            From::Book(positions) => {
                let entry = positions.next()?;
                Some(entry.map(|entry| of_entry(&entry)).map_err(Into::into))
            }
            From::Table(rows) => rows.next_position().transpose(),
            From::Polyglot(entries) => entries.next_position().transpose(),
        }
    }
}

/// The rows of all shards.
struct TableRows<'a> {
    table: &'a Table,
    /// The shard that is opened next.
    shard: u32,
    rows: Option<PositionRows<ShardRows>>,
}

impl TableRows<'_> {
    fn next_position(&mut self) -> Result<Option<KeyProbe>> {
        let mut of_key = RowsOfKey::default();
        loop {
            if let Some(rows) = &mut self.rows
                && rows.next_into(&mut of_key)?
            {
                return Ok(of_rows(&of_key.0));
            }
            if self.shard as usize == self.table.shards().len() {
                return Ok(None);
            }
            self.rows = Some(PositionRows::new(self.table.shard_rows(self.shard)?));
            self.shard += 1;
        }
    }
}

/// The entries of a Polyglot book, in the order of the file.
struct Entries<'a> {
    entries: Box<dyn Iterator<Item = book::Result<PolyglotEntry>> + 'a>,
    /// The first entry of the next position.
    first: Option<PolyglotEntry>,
}

impl<'a> Entries<'a> {
    fn of(reader: &'a Reader) -> Self {
        let is_of_header =
            |entry: &book::Result<PolyglotEntry>| entry.as_ref().is_ok_and(|entry| entry.key == Key(0));
        Self { entries: Box::new(reader.iter().skip_while(is_of_header)), first: None }
    }

    fn next_position(&mut self) -> Result<Option<KeyProbe>> {
        let mut of_key: Vec<_> = self.first.take().into_iter().collect();
        for entry in self.entries.by_ref() {
            let entry = entry?;
            if of_key.first().is_some_and(|first| first.key != entry.key) {
                self.first = Some(entry);
                break;
            }
            of_key.push(entry);
        }
        Ok(of_key.first().map(|first| first.key).and_then(|key| of_entries(key, &of_key)))
    }
}

#[cfg(test)]
mod tests {
    use position::{PackedMove, Tally};
    use table::{Counting, Row, TableWriter};

    use super::*;
    use crate::probe_key;

    /// Every position is found as a probe of its key finds it.
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
    }
}
