//! Searches the candidates for a suite with an engine.

use std::{collections::BTreeMap, path::Path};

use experience::{Base, ExperienceSource};
use position::{Key, PackedMove, Score};
use run::{Context, LearningReport, Result, StageError};
use shakmaty::Chess;
use stage::FlowFile;

use super::{
    SearchSettings, by_reason, changes,
    positions::Target,
    search::{MoveValues, Search},
    source,
};

/// The boards that an engine searched, and the values that it found.
pub struct SearchedBoards {
    searched: BTreeMap<Key, MoveValues>,
    source: ExperienceSource,
}

impl SearchedBoards {
    /// Searches these boards with the engine that `command` starts. The summary counts the boards that the
    /// engine fails to search. `stage` names the stage in errors.
    pub fn search(
        context: &Context,
        stage: &str,
        (command, settings): (&str, &SearchSettings),
        boards: &[Chess],
    ) -> Result<Self> {
        let limit = settings.limit().map_err(StageError::of(stage))?;
        let search = Search::begin(context, settings.searchers(command, context), limit, false)?;
        let wanted: Vec<_> = boards.iter().map(Target::of).collect();
        let (searched, rejected) = if wanted.is_empty() {
            Default::default()
        } else {
            search.all(&wanted, None, settings.jobs.unwrap_or(context.threads))?
        };
        let report = LearningReport {
            records: boards.len() as u64,
            taught: searched.len() as u64,
            rejected: by_reason(&rejected),
            ..LearningReport::default()
        };
        let source = source(format!("{} at {limit}", search.engine_name), &report);
        context.summary().learning = Some(report);
        Ok(Self { searched, source })
    }

    /// The score of each board, for the side to move.
    pub fn scores(&self) -> impl Iterator<Item = (Key, Score)> + '_ {
        let of_board = |values: &MoveValues| {
            values.iter().find(|(mv, _)| *mv == PackedMove::TERMINAL).map(|(_, value)| value.score)
        };
        self.searched.iter().filter_map(move |(key, values)| Some((*key, of_board(values)?)))
    }

    /// Writes the values as an experience file.
    pub fn write(self, context: &Context, output: &Path) -> Result<()> {
        let base = Base { sources: vec![self.source], evaluations: true, ..Base::default() };
        FlowFile::of_changes(context, Some(output), &base, changes(self.searched)).map(drop)
    }
}
