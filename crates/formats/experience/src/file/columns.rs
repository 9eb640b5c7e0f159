//! Turns Arrow columns of an experience file into rows.

use arrow_array::{
    Array, ArrayRef, Float32Array, Int16Array, Int32Array, ListArray, RecordBatch, StringArray, StructArray,
    UInt8Array, UInt16Array, UInt32Array, UInt64Array, cast::AsArray,
};
use position::{Contribution, Experience, ExperienceRow, Key, OwnResults, PackedMove};

use super::header::ExperienceHeader;

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
    /// The columns of a batch that has the right schema.
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

    /// Reads a row; fails with a message that states what is wrong with it.
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

/// Checks that values are in range.
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

fn taught(items: &ArrayRef, header: &ExperienceHeader) -> Result<Vec<Contribution>, &'static str> {
    let items: &StructArray = items.as_struct();
    let (names, lessons) = (items.column(0).as_string::<i32>(), items.column(1).as_string::<i32>());
    let counts: &UInt32Array = items.column(2).as_primitive();
    let lasts: &Int32Array = items.column(3).as_primitive();
    let item = |at: usize| -> Result<Contribution, &'static str> {
        let lesson = lessons.value(at).parse().ok();
        Ok(Contribution {
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
