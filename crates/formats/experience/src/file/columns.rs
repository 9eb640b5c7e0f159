//! Turns rows of an experience file into Arrow columns and back.

use std::sync::Arc;

use arrow_array::{
    Array, ArrayRef, Float32Array, Int16Array, Int32Array, ListArray, RecordBatch, StringArray, StructArray,
    UInt8Array, UInt16Array, UInt32Array, UInt64Array,
    builder::{
        ArrayBuilder, Float32Builder, Int16Builder, Int32Builder, ListBuilder, StringBuilder, StructBuilder,
        UInt8Builder, UInt16Builder, UInt32Builder, UInt64Builder,
    },
    cast::AsArray,
};
use arrow_schema::Schema;
use position::{Experience, ExperienceRow, Key, OwnResults, PackedMove, Taught};

use super::{header::ExperienceHeader, schema};

/// Columns that grow row by row.
pub(crate) struct ColumnsBuilder {
    schema: &'static Arc<Schema>,
    /// Names of the sources, by place.
    names: Vec<String>,
    key: UInt64Builder,
    mv: UInt16Builder,
    kind: StringBuilder,
    learn: Float32Builder,
    counts: [UInt32Builder; 4],
    set: [UInt8Builder; 3],
    eval: Float32Builder,
    depth: UInt16Builder,
    /// The columns that only files with evaluations have.
    mate: Int16Builder,
    nodes: UInt64Builder,
    sources: ListBuilder<StructBuilder>,
}

impl ColumnsBuilder {
    pub(crate) fn new(header: &ExperienceHeader) -> Self {
        let item = StructBuilder::from_fields(schema::source_fields(), 0);
        Self {
            schema: schema::of(header),
            names: header.sources.iter().map(|source| source.name.clone()).collect(),
            key: UInt64Builder::new(),
            mv: UInt16Builder::new(),
            kind: StringBuilder::new(),
            learn: Float32Builder::new(),
            counts: Default::default(),
            set: Default::default(),
            eval: Float32Builder::new(),
            depth: UInt16Builder::new(),
            mate: Int16Builder::new(),
            nodes: UInt64Builder::new(),
            sources: ListBuilder::new(item).with_field(schema::source_item()),
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.key.len()
    }

    pub(crate) fn push(&mut self, row: &ExperienceRow) {
        let known = row.experience;
        let Experience { learn, learn_count, own, user_value, priority, nag, .. } = known;
        self.key.append_value(row.key.0);
        self.mv.append_value(row.mv.0);
        self.kind.append_value(row.kind.name());
        self.learn.append_option((learn != 0.0 || learn_count > 0).then_some(learn));
        for (builder, count) in self.counts.iter_mut().zip([learn_count, own.wins, own.draws, own.losses]) {
            builder.append_value(count);
        }
        for (builder, value) in self.set.iter_mut().zip([user_value, priority, nag]) {
            builder.append_option(value);
        }
        self.eval.append_option(known.eval);
        self.depth.append_option(known.depth);
        self.mate.append_option(known.mate);
        self.nodes.append_option(known.nodes);
        for taught in &row.taught {
            self.push_source(taught);
        }
        self.sources.append(true);
    }

    fn push_source(&mut self, taught: &Taught) {
        let item = self.sources.values();
        let name = &self.names[taught.source as usize];
        let last = (taught.last > 0).then_some(taught.last.cast_signed());
        field::<StringBuilder>(item, 0).append_value(name);
        field::<StringBuilder>(item, 1).append_value(taught.lesson.name());
        field::<UInt32Builder>(item, 2).append_value(taught.count);
        field::<Int32Builder>(item, 3).append_option(last);
        item.append(true);
    }

    /// Takes the rows so far, and starts again without rows.
    pub(crate) fn take(&mut self) -> RecordBatch {
        let mut columns: Vec<ArrayRef> =
            vec![Arc::new(self.key.finish()), Arc::new(self.mv.finish()), Arc::new(self.kind.finish())];
        columns.push(Arc::new(self.learn.finish()));
        columns.extend(self.counts.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef));
        columns.extend(self.set.iter_mut().map(|builder| Arc::new(builder.finish()) as ArrayRef));
        columns.push(Arc::new(self.eval.finish()));
        columns.push(Arc::new(self.depth.finish()));
        let only_with_evaluations: [ArrayRef; 2] =
            [Arc::new(self.mate.finish()), Arc::new(self.nodes.finish())];
        if columns.len() + 1 < self.schema.fields().len() {
            columns.extend(only_with_evaluations);
        }
        columns.push(Arc::new(self.sources.finish()));
        match RecordBatch::try_new(self.schema.clone(), columns) {
            Ok(batch) => batch,
            Err(error) => unreachable!("the builders are those of the schema: {error}"),
        }
    }
}

fn field<B: ArrayBuilder>(item: &mut StructBuilder, index: usize) -> &mut B {
    let Some(builder) = item.field_builder(index) else { unreachable!("the item's fields are the schema's") };
    builder
}

/// A batch's columns, typed.
pub(crate) struct Columns {
    key: UInt64Array,
    mv: UInt16Array,
    kind: StringArray,
    learn: Float32Array,
    counts: [UInt32Array; 4],
    set: [UInt8Array; 3],
    eval: Float32Array,
    depth: UInt16Array,
    /// The columns that only files with evaluations have.
    search: Option<(Int16Array, UInt64Array)>,
    sources: ListArray,
}

impl Columns {
    /// The columns of a batch of the right schema.
    pub(crate) fn of(batch: &RecordBatch) -> Self {
        let column = |index: usize| batch.column(index);
        let sources = batch.num_columns() - 1;
        Self {
            key: column(0).as_primitive().clone(),
            mv: column(1).as_primitive().clone(),
            kind: column(2).as_string().clone(),
            learn: column(3).as_primitive().clone(),
            counts: [4, 5, 6, 7].map(|index| column(index).as_primitive().clone()),
            set: [8, 9, 10].map(|index| column(index).as_primitive().clone()),
            eval: column(11).as_primitive().clone(),
            depth: column(12).as_primitive().clone(),
            search: (sources > 13)
                .then(|| (column(13).as_primitive().clone(), column(14).as_primitive().clone())),
            sources: column(sources).as_list().clone(),
        }
    }

    pub(crate) fn rows(&self) -> usize {
        self.key.len()
    }

    /// A row, or what is wrong with it.
    pub(crate) fn row(&self, at: usize, header: &ExperienceHeader) -> Result<ExperienceRow, &'static str> {
        let kind = self.kind.value(at).parse().ok();
        let counts = [0, 1, 2, 3].map(|column: usize| self.counts[column].value(at));
        let set = [0, 1, 2].map(|column: usize| option(&self.set[column], at, UInt8Array::value));
        let experience = Experience {
            learn: option(&self.learn, at, Float32Array::value).unwrap_or(0.0),
            learn_count: counts[0],
            own: OwnResults { wins: counts[1], draws: counts[2], losses: counts[3] },
            user_value: set[0],
            priority: set[1],
            nag: set[2],
            eval: option(&self.eval, at, Float32Array::value),
            mate: self.search.as_ref().and_then(|(mate, _)| option(mate, at, Int16Array::value)),
            nodes: self.search.as_ref().and_then(|(_, nodes)| option(nodes, at, UInt64Array::value)),
            depth: option(&self.depth, at, UInt16Array::value),
        };
        check_values(&experience)?;
        Ok(ExperienceRow {
            key: Key(self.key.value(at)),
            mv: PackedMove(self.mv.value(at)),
            kind: kind.ok_or("an unknown kind")?,
            experience,
            taught: taught(&self.sources.value(at), header)?,
        })
    }
}

fn option<A: Array, T>(array: &A, at: usize, value: impl Fn(&A, usize) -> T) -> Option<T> {
    array.is_valid(at).then(|| value(array, at))
}

/// Checks that values are in their ranges.
pub(crate) fn check_values(experience: &Experience) -> Result<(), &'static str> {
    let finite = experience.learn.is_finite() && experience.eval.is_none_or(f32::is_finite);
    match experience {
        _ if !finite => Err("a value that is not a number"),
        Experience { eval: Some(_), mate: Some(_), .. } => Err("a search with two values"),
        Experience { user_value: Some(101..), .. } => Err("a user value above 100"),
        Experience { priority: Some(6..), .. } => Err("a priority above 5"),
        _ => Ok(()),
    }
}

fn taught(items: &ArrayRef, header: &ExperienceHeader) -> Result<Vec<Taught>, &'static str> {
    let items: &StructArray = items.as_struct();
    let (names, lessons) = (items.column(0).as_string::<i32>(), items.column(1).as_string::<i32>());
    let counts: &UInt32Array = items.column(2).as_primitive();
    let lasts: &Int32Array = items.column(3).as_primitive();
    let item = |at: usize| -> Result<Taught, &'static str> {
        let lesson = lessons.value(at).parse().ok();
        Ok(Taught {
            source: header.source(names.value(at)).ok_or("a source that the file's metadata do not list")?,
            lesson: lesson.ok_or("an unknown lesson")?,
            count: counts.value(at),
            last: option(lasts, at, Int32Array::value).unwrap_or(0).cast_unsigned(),
        })
    };
    let taught: Vec<_> = (0..items.len()).map(item).collect::<Result<_, &str>>()?;
    let ascend = taught.windows(2).all(|two| (two[0].source, two[0].lesson) < (two[1].source, two[1].lesson));
    ascend.then_some(taught).ok_or("sources that do not ascend")
}
