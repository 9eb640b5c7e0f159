//! Collects the rows of one row group, column by column, before they are written to a file.

use std::{fmt::Debug, io::Write};

use bytes::Bytes;
use parquet::{
    data_type::{ByteArray, ByteArrayType, FloatType, Int32Type, Int64Type},
    errors::Result,
    file::writer::SerializedFileWriter,
};
use position::{Experience, ExperienceKind, ExperienceRow, Lesson};

use super::{
    chunks::{Chunks, Entries, KeptChunks},
    header::ExperienceHeader,
};

/// A nullable column: the values that are not null and, for each row, a level, which is 1 if the row has a
/// value and 0 if it has none.
struct Nullable<S> {
    values: Vec<S>,
    definitions: Vec<i16>,
}

impl<S> Default for Nullable<S> {
    fn default() -> Self {
        Self { values: Vec::new(), definitions: Vec::new() }
    }
}

impl<S: PartialEq + Debug> Nullable<S> {
    #[inline]
    fn push(&mut self, value: Option<S>) {
        self.definitions.push(i16::from(value.is_some()));
        self.values.extend(value);
    }

    fn entries(&self) -> Entries<'_, S> {
        Entries { values: &self.values, definitions: Some(&self.definitions), repetitions: None }
    }

    fn clear(&mut self) {
        self.values.clear();
        self.definitions.clear();
    }
}

/// The column `sources`, with the fields of every row's sources. A row without sources has the definition
/// level 0.
#[derive(Default)]
struct Sources {
    /// The repetition level of each entry: 0 for the first entry in a row, 1 for the others.
    repetitions: Vec<i16>,
    definitions: Vec<i16>,
    source: Vec<u32>,
    lesson: Vec<Lesson>,
    count: Vec<u32>,
    last: Vec<u32>,
    /// The definition levels of `last`, which is nullable.
    last_definitions: Vec<i16>,
}

impl Sources {
    fn push(&mut self, row: &ExperienceRow) {
        for (number, taught) in row.taught.iter().enumerate() {
            self.repetitions.push(i16::from(number > 0));
            self.definitions.push(1);
            self.source.push(taught.source);
            self.lesson.push(taught.lesson);
            self.count.push(taught.count);
            self.last_definitions.push(1 + i16::from(taught.last > 0));
            self.last.extend(Some(taught.last).filter(|last| *last > 0));
        }
        if row.taught.is_empty() {
            self.repetitions.push(0);
            self.definitions.push(0);
            self.last_definitions.push(0);
        }
    }

    fn entries<'c, S>(&'c self, values: &'c [S]) -> Entries<'c, S> {
        Entries { values, definitions: Some(&self.definitions), repetitions: Some(&self.repetitions) }
    }

    fn clear(&mut self) {
        for levels in [&mut self.repetitions, &mut self.definitions, &mut self.last_definitions] {
            levels.clear();
        }
        for values in [&mut self.source, &mut self.count, &mut self.last] {
            values.clear();
        }
        self.lesson.clear();
    }
}

/// Columns that grow row by row.
#[derive(Default)]
struct Columns {
    key: Vec<u64>,
    mv: Vec<u16>,
    kind: Vec<ExperienceKind>,
    learn: Nullable<f32>,
    counts: [Vec<u32>; 4],
    set: [Nullable<u8>; 3],
    eval: Nullable<f32>,
    depth: Nullable<u16>,
    mate: Nullable<i16>,
    nodes: Nullable<u64>,
    sources: Sources,
}

impl Columns {
    /// Removes all rows but keeps the memory, because allocating new memory would cost more than filling it.
    fn clear(&mut self) {
        self.key.clear();
        self.mv.clear();
        self.kind.clear();
        self.counts.iter_mut().for_each(Vec::clear);
        self.set.iter_mut().for_each(Nullable::clear);
        self.learn.clear();
        self.eval.clear();
        self.depth.clear();
        self.mate.clear();
        self.nodes.clear();
        self.sources.clear();
    }
}

/// The rows of one row group.
pub(super) struct RowGroup {
    /// The names of the sources, by index.
    names: Vec<ByteArray>,
    evaluations: bool,
    columns: Columns,
    kept: KeptChunks,
}

impl RowGroup {
    /// Creates an empty row group for a file with this header.
    pub(super) fn new<W: Write + Send>(header: &ExperienceHeader, file: &SerializedFileWriter<W>) -> Self {
        Self {
            names: header.sources.iter().map(|source| source.name.as_str().into()).collect(),
            evaluations: header.evaluations,
            columns: Columns::default(),
            kept: KeptChunks::of(file.schema_descr()),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.columns.key.len()
    }

    pub(super) fn push(&mut self, row: &ExperienceRow) {
        let (columns, known) = (&mut self.columns, &row.experience);
        let Experience { learn, learn_count, own, user_value, priority, nag, .. } = *known;
        columns.key.push(row.key.0);
        columns.mv.push(row.mv.0);
        columns.kind.push(row.kind);
        columns.learn.push((learn != 0.0 || learn_count > 0).then_some(learn));
        for (column, count) in columns.counts.iter_mut().zip([learn_count, own.wins, own.draws, own.losses]) {
            column.push(count);
        }
        for (column, value) in columns.set.iter_mut().zip([user_value, priority, nag]) {
            column.push(value);
        }
        columns.eval.push(known.eval);
        columns.depth.push(known.depth);
        columns.mate.push(known.mate);
        columns.nodes.push(known.nodes);
        columns.sources.push(row);
    }

    /// Writes the rows and removes them.
    pub(super) fn write<W: Write + Send>(&mut self, file: &mut SerializedFileWriter<W>) -> Result<()> {
        let text = |name: &'static str| ByteArray::from(Bytes::from_static(name.as_bytes()));
        let columns = &self.columns;
        let mut chunks = Chunks::new(file, &mut self.kept)?;
        chunks.add::<Int64Type, _>(&Entries::required(&columns.key), |key| key.cast_signed())?;
        chunks.add::<Int32Type, _>(&Entries::required(&columns.mv), |mv| i32::from(*mv))?;
        chunks.add::<ByteArrayType, _>(&Entries::required(&columns.kind), |kind| text(kind.into()))?;
        chunks.add::<FloatType, _>(&columns.learn.entries(), |learn| *learn)?;
        for counts in &columns.counts {
            chunks.add::<Int32Type, _>(&Entries::required(counts), |count| count.cast_signed())?;
        }
        for set in &columns.set {
            chunks.add::<Int32Type, _>(&set.entries(), |value| i32::from(*value))?;
        }
        chunks.add::<FloatType, _>(&columns.eval.entries(), |eval| *eval)?;
        chunks.add::<Int32Type, _>(&columns.depth.entries(), |depth| i32::from(*depth))?;
        if self.evaluations {
            chunks.add::<Int32Type, _>(&columns.mate.entries(), |mate| i32::from(*mate))?;
            chunks.add::<Int64Type, _>(&columns.nodes.entries(), |nodes| nodes.cast_signed())?;
        }
        let sources = &columns.sources;
        chunks.add::<ByteArrayType, _>(&sources.entries(&sources.source), |at| {
            self.names[*at as usize].clone()
        })?;
        chunks.add::<ByteArrayType, _>(&sources.entries(&sources.lesson), |lesson| text(lesson.into()))?;
        chunks.add::<Int32Type, _>(&sources.entries(&sources.count), |count| count.cast_signed())?;
        let last = Entries { definitions: Some(&sources.last_definitions), ..sources.entries(&sources.last) };
        chunks.add::<Int32Type, _>(&last, |last| last.cast_signed())?;
        chunks.finish()?;
        self.columns.clear();
        Ok(())
    }
}
