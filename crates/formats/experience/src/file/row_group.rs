//! Turns rows into the columns of a row group.

use std::io::Write;

use parquet::file::writer::SerializedFileWriter;
use position::{Experience, ExperienceRow};

use super::header::ExperienceHeader;

/// The row group that is being filled.
pub(super) struct RowGroup {
    /// The names of the sources, by index.
    names: Vec<String>,
    evaluations: bool,
    pub(super) encoded: pages::RowGroup,
}

impl RowGroup {
    /// Creates an empty row group for a file with this header.
    pub(super) fn new<W: Write + Send>(header: &ExperienceHeader, file: &SerializedFileWriter<W>) -> Self {
        Self {
            names: header.sources.iter().map(|source| source.name.clone()).collect(),
            evaluations: header.evaluations,
            encoded: pages::RowGroup::of_schema(file.schema_descr()),
        }
    }

    /// Adds a row.
    pub(super) fn push(&mut self, row: &ExperienceRow) -> parquet::errors::Result<()> {
        let Experience { learn, learn_count, own, user_value, priority, nag, eval, depth, mate, nodes } =
            row.experience;
        let mut columns = self.encoded.columns.iter_mut();
        let mut next = || {
            let Some(column) = columns.next() else { unreachable!("the columns are the schema's") };
            column
        };
        next().push(row.key.0);
        next().push(row.mv.0.into());
        next().push_named(row.kind as u64, <&str>::from(row.kind));
        next().push_option((learn != 0.0 || learn_count > 0).then_some(learn.to_bits().into()));
        for count in [learn_count, own.wins, own.draws, own.losses] {
            next().push(count.into());
        }
        for value in [user_value, priority, nag] {
            next().push_option(value.map(u64::from));
        }
        next().push_option(eval.map(|eval| eval.to_bits().into()));
        next().push_option(depth.map(u64::from));
        if self.evaluations {
            next().push_option(mate.map(|mate| i64::from(mate).cast_unsigned()));
            next().push_option(nodes);
        }
        let (taught, names) = (&row.taught, &self.names);
        next().push_names(taught.iter().map(|one| (one.source.into(), &names[one.source as usize])));
        next().push_names(taught.iter().map(|one| (one.lesson as u64, <&str>::from(one.lesson))));
        next().push_numbers(taught.iter().map(|one| Some(one.count.into())));
        next().push_numbers(taught.iter().map(|one| (one.last > 0).then_some(one.last.into())));
        self.encoded.end_row().map(|_| ())
    }
}
