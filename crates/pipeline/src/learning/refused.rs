//! Records of learned PGN that are rejected: some when they are read, some when they should teach.

use std::path::Path;

use pgn::input::{Place, Sources};

use crate::{
    Context, Result,
    rejects::{Fate, Line, Number, RejectList},
};

/// Where rejected records go: into a list, or nowhere.
pub(super) struct RefusedRecords(Option<RejectList>);

impl RefusedRecords {
    pub(super) fn create(context: &Context, path: Option<&Path>) -> Result<Self> {
        path.map(|path| RejectList::create(path, context.existing())).transpose().map(Self)
    }

    pub(super) fn push(
        &mut self,
        sources: &Sources,
        (place, number): (Place, u64),
        fate: Fate<'_>,
    ) -> Result<()> {
        let Some(list) = &mut self.0 else { return Ok(()) };
        let (start, number) = (sources.locate(place), Number::Record(number));
        list.push(&Line { input: &start.name, offset: start.offset, number, fate })
    }

    pub(super) fn finish(self, context: &Context) -> Result<()> {
        if let Some(list) = self.0 {
            context.wrote(&list.finish()?);
        }
        Ok(())
    }
}
