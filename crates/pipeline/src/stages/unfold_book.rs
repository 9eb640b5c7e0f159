//! `unfold-book`: a book back into counts, for stages that take a table.

use book::Book;
use serde::{Deserialize, Serialize};

use crate::{
    Context, Flow, Result, catalogue::Stage, exporting::unfold, flow::only_input, recipe::read_settings,
};

/// Settings of `unfold-book`: none.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct UnfoldBookSettings {}

/// Unfolds a book.
pub struct UnfoldBook;

impl UnfoldBook {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        read_settings::<UnfoldBookSettings>(section, settings).map(|_| Self)
    }
}

impl Stage for UnfoldBook {
    fn note(&self) -> String {
        "its counts".into()
    }

    fn run(&self, context: &Context, inputs: Vec<Flow>) -> Result<Flow> {
        let book = Book::open(&only_input!(inputs, Book))?;
        Ok(Flow::Table(unfold(context, &book)?.into()))
    }
}
