//! Reads several experience files as one: rows of the same edge become one row, and all sources become one
//! list.
//!
//! If two files were made by adding to the same older file, both contain the lessons of the older file. To
//! find lessons that both files contain, this module compares the sources of the files, and the identities of
//! the games or records from each source, which are stored in rows of kind `seen`. If two files learned from
//! the same games of a source, lessons from this source that both files have for a move are counted only
//! once.

mod shared;

use std::{
    collections::{BTreeMap, HashSet},
    iter::Peekable,
    path::Path,
};

use crate::{ExperienceFile, ExperienceHeader, ExperienceRows, ExperienceSource};
use position::{Contribution, ExperienceKind, ExperienceRow};

use crate::{Result, evaluation::better};

/// Several experience files, merged. If two files have the same edge, the mean of the learned values is
/// taken, weighted by their counts; the results of the engine's own games are added up; and values set by
/// hand are taken from the later file ([`learn::experience::merge`]). Lessons that both files contain are
/// counted once.
pub struct Union {
    files: Vec<ExperienceFile>,
    header: ExperienceHeader,
    /// For each file, the indexes of its sources in `header`.
    places: Vec<Vec<u32>>,
}

impl Union {
    /// Opens the files, the newest last.
    ///
    /// # Errors
    ///
    /// Fails if a file is not an experience file.
    pub fn open<'p>(paths: impl Iterator<Item = &'p Path>) -> Result<Self> {
        let files: Vec<_> = paths.map(ExperienceFile::open).collect::<std::result::Result<_, _>>()?;
        let headers: Vec<_> = files.iter().map(ExperienceFile::header).collect();
        let (sources, names) =
            join_sources(&headers.iter().map(|header| header.sources.as_slice()).collect::<Vec<_>>(), same);
        let header = ExperienceHeader::new(
            common(headers.iter().map(|header| header.table.as_ref())),
            common(headers.iter().map(|header| header.book.as_ref())),
            sources,
        );
        let positions = headers.iter().flat_map(|header| header.positions.clone());
        let evaluations = headers.iter().any(|header| header.evaluations);
        let header = header.with_positions(positions).with_evaluations(evaluations);
        let place = |name: &String| header.source(name).unwrap_or_default();
        let places = names.iter().map(|names| names.iter().map(place).collect()).collect();
        Ok(Self { files, header, places })
    }

    /// The header of the merged files.
    pub fn header(&self) -> &ExperienceHeader {
        &self.header
    }

    /// Returns a warning for each file whose experience was learned with a table whose digest is not
    /// `digest`, and for each file whose experience was learned with a book whose filters are not `book`. If
    /// `digest` is `None`, tables are not compared.
    #[must_use]
    pub fn warnings(&self, digest: Option<&str>, book: &str) -> Vec<String> {
        self.files.iter().flat_map(|file| warnings_of(file, digest, Some(book))).collect()
    }

    /// The rows of all files, in ascending order.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read.
    pub fn rows(&self) -> Result<UnionRows<'_>> {
        let open = |file: &ExperienceFile| Ok(file.read()?.peekable());
        Ok(UnionRows {
            places: &self.places,
            shared: shared::sources(&self.files, &self.places, &self.header)?,
            files: self.files.iter().map(open).collect::<Result<_>>()?,
            seen_twice: 0,
            estimates: 0,
        })
    }
}

/// Returns a warning if the experience in `file` was learned with a table whose digest is not `digest`, and a
/// warning if it was learned with a book whose filters are not `book`. An argument that is `None` is not
/// compared, nor is a table or a book that the file's header does not state.
#[must_use]
pub fn warnings_of(file: &ExperienceFile, digest: Option<&str>, book: Option<&str>) -> Vec<String> {
    let (path, header) = (file.path().display(), file.header());
    let mut warnings = Vec::new();
    if let (Some(learned), Some(digest)) = (header.table.as_deref(), digest)
        && learned != digest
    {
        warnings.push(format!(
            "the experience in {path} was learned with another table ({learned}, but this table is {digest})"
        ));
    }
    if let (Some(learned), Some(book)) = (header.book.as_deref(), book)
        && learned != book
    {
        let [learned, book] = [learned, book].map(|text| if text.is_empty() { "every move" } else { text });
        warnings.push(format!(
            "the experience in {path} was learned with a book that keeps {learned}, but this book keeps {book}"
        ));
    }
    warnings
}

/// Returns the value that all items have in common, if there is one.
fn common<'a>(mut values: impl Iterator<Item = Option<&'a String>>) -> Option<String> {
    let first = values.next().flatten()?;
    values.all(|value| value == Some(first)).then(|| first.clone())
}

/// Merges lists of sources. Returns the merged list and, for each list passed in, the names that its sources
/// have in the merged list. Sources with the same name, kind and content become one source; if the kind or
/// the content differs, the later source gets another name.
///
/// `together` combines the counts of a source with the counts of the same source in an earlier list.
pub(crate) fn join_sources(
    lists: &[&[ExperienceSource]],
    together: fn(&mut ExperienceSource, &ExperienceSource),
) -> (Vec<ExperienceSource>, Vec<Vec<String>>) {
    let mut joined: BTreeMap<String, ExperienceSource> = BTreeMap::new();
    let mut names = Vec::new();
    for list in lists {
        let rename = |source: &ExperienceSource| {
            let mut name = source.name.clone();
            while let Some(known) = joined.get_mut(&name) {
                if (&known.xxh3, &known.teacher) == (&source.xxh3, &source.teacher) {
                    together(known, source);
                    return name;
                }
                name = another_name(&name, &source.xxh3);
            }
            joined.insert(name.clone(), ExperienceSource { name: name.clone(), ..source.clone() });
            name
        };
        names.push(list.iter().map(rename).collect());
    }
    (joined.into_values().collect(), names)
}

/// Returns a new name for a source whose name is taken: `@` and the first digits of the source's hash are
/// added. If the source has no hash, or the name already ends with these digits, a `+` is added instead.
fn another_name(name: &str, xxh3: &str) -> String {
    match xxh3.get(..8) {
        Some(digits) if !name.ends_with(digits) => format!("{name}@{digits}"),
        _ => format!("{name}+"),
    }
}

/// Combines the counts of one source in two lists. If the source has a hash, it is a file that was read
/// twice, so only the counts from one reading are kept: the reading that learned from more records or games.
/// If the source has no hash, the counts are added.
fn same(known: &mut ExperienceSource, other: &ExperienceSource) {
    if known.xxh3.is_empty() {
        add(known, other);
    } else if (other.taught, other.records) > (known.taught, known.records) {
        *known = ExperienceSource { name: known.name.clone(), ..other.clone() };
    }
}

/// Adds the counts in `more`, which come from another reading of the same source.
pub(crate) fn add(known: &mut ExperienceSource, more: &ExperienceSource) {
    known.records += more.records;
    known.taught += more.taught;
    for (counts, more) in [(&mut known.idle, &more.idle), (&mut known.rejected, &more.rejected)] {
        for (name, count) in more {
            *counts.entry(name.clone()).or_default() += count;
        }
    }
}

/// The rows of a [`Union`].
pub struct UnionRows<'u> {
    places: &'u [Vec<u32>],
    /// For each file, the sources that share games with an earlier file.
    shared: Vec<HashSet<u32>>,
    files: Vec<Peekable<ExperienceRows>>,
    /// The number of games and records that several files learned from, each file under a different source.
    pub seen_twice: u64,
    /// The number of values that are only estimates, because two files have some lessons in common and each
    /// file also has other lessons.
    pub estimates: u64,
}

impl UnionRows<'_> {
    /// Returns warnings about the rows read so far. `inputs` is the noun that the warnings use for the
    /// inputs, such as "files".
    #[must_use]
    pub fn warnings(&self, inputs: &str) -> Vec<String> {
        let mut warnings = Vec::new();
        if self.seen_twice > 0 {
            let games = self.seen_twice;
            warnings.push(format!(
                "{games} games or records were learned by more than one of these {inputs}, each time from a different source, so their lessons count more than once"
            ));
        }
        if self.estimates > 0 {
            let values = self.estimates;
            warnings.push(format!(
                "{values} values are estimates, because two {inputs} have some of their lessons in common; to get exact values, learn from all sources in one run"
            ));
        }
        warnings
    }

    fn next_row(&mut self) -> Result<Option<ExperienceRow>> {
        let mut lowest = None;
        for file in &mut self.files {
            match file.peek() {
                Some(Err(_)) => return file.next().transpose().map_err(Into::into),
                Some(Ok(row)) => lowest = lowest.into_iter().chain([row.id()]).min(),
                None => {}
            }
        }
        let Some(id) = lowest else { return Ok(None) };
        let mut joined: Option<ExperienceRow> = None;
        for ((file, places), shared) in self.files.iter_mut().zip(self.places).zip(&self.shared) {
            let same = |row: &table::Result<ExperienceRow>| row.as_ref().is_ok_and(|row| row.id() == id);
            let Some(mut row) = file.next_if(same).transpose()? else { continue };
            for taught in &mut row.taught {
                taught.source = places[taught.source as usize];
            }
            joined = Some(match joined {
                None => with_sorted_sources(row),
                Some(first) if first.kind.is_evaluation() => better(first, row),
                Some(first) => {
                    let row = with_sorted_sources(row);
                    let is_seen = row.kind == ExperienceKind::Seen;
                    let joined = shared::join(&first, &row, shared);
                    self.seen_twice += u64::from(is_seen && joined.shared == 0);
                    self.estimates += joined.estimates;
                    joined.row
                }
            });
        }
        Ok(joined)
    }
}

fn with_sorted_sources(mut row: ExperienceRow) -> ExperienceRow {
    row.taught.sort();
    row
}

/// Merges two lists of sources. If both lists contain a source with the same kind of lesson, the two counts
/// are added and the later day is kept.
#[must_use]
pub fn join_taught(first: &[Contribution], second: &[Contribution]) -> Vec<Contribution> {
    let mut joined: BTreeMap<_, Contribution> = BTreeMap::new();
    for taught in first.iter().chain(second) {
        joined
            .entry((taught.source, taught.lesson))
            .and_modify(|known| {
                known.count = known.count.saturating_add(taught.count);
                known.last = known.last.max(taught.last);
            })
            .or_insert(*taught);
    }
    joined.into_values().collect()
}

impl Iterator for UnionRows<'_> {
    type Item = Result<ExperienceRow>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_row().transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(xxh3: &str, [records, taught]: [u64; 2], idle: u64) -> ExperienceSource {
        ExperienceSource {
            name: "book.lrn".into(),
            xxh3: xxh3.into(),
            records,
            taught,
            idle: [("no-result".into(), idle)].into(),
            ..ExperienceSource::default()
        }
    }

    #[test]
    fn of_two_readings_of_a_file_the_one_that_taught_more_counts_and_else_the_first() {
        let same_of = |other: &ExperienceSource| {
            let mut known = source("0123456789abcdef", [9, 5], 4);
            same(&mut known, other);
            (known.records, known.taught, known.idle["no-result"])
        };
        assert_eq!(same_of(&source("0123456789abcdef", [9, 6], 3)), (9, 6, 3));
        assert_eq!(same_of(&source("0123456789abcdef", [9, 4], 5)), (9, 5, 4));
        assert_eq!(same_of(&source("0123456789abcdef", [9, 5], 7)), (9, 5, 4), "as much, otherwise");
        let mut several = source("", [9, 5], 4);
        same(&mut several, &source("", [1, 1], 0));
        assert_eq!((several.records, several.taught, several.idle["no-result"]), (10, 6, 4));
    }
}
