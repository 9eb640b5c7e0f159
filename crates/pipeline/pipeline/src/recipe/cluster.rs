//! Splits a recipe into two parts. Several machines share the work of the first part, which is the count. A
//! single machine then runs the second part, which is the rest of the recipe.

use std::path::PathBuf;

use run::{ByteSize, SettingError, StageError};
use serde::Deserialize;

use super::{AnyStage, Recipe, RecipeError, RecipeStage, builtin::Games};
use crate::stages::{InputKind, Open, SortMerge};

/// The `[cluster]` table of a recipe, which a run on a single machine ignores.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Cluster {
    /// The URL of the engine, such as `spark://host:7077`.
    pub master: Option<String>,
    /// The number of part files in the table, which overrides the count's own setting.
    pub shards: Option<u32>,
    /// The size of a chunk of input, such as `1GiB`.
    pub chunk: Option<String>,
}

impl Cluster {
    /// The keys of `[cluster]` in a recipe.
    pub(crate) const KEYS: [&str; 3] = ["master", "shards", "chunk"];

    /// The size of a chunk of input in bytes.
    ///
    /// # Errors
    ///
    /// Fails with [`RecipeError::Setting`] if the text is not a size.
    pub fn chunk_bytes(&self) -> Result<Option<u64>, RecipeError> {
        let bytes = |text: &String| {
            let size: ByteSize = text.parse().map_err(|_| {
                StageError::of("cluster")(SettingError::new("chunk", "a size such as \"1GiB\"", text))
            })?;
            Ok(size.0)
        };
        self.chunk.as_ref().map(bytes).transpose()
    }
}

/// The part of a recipe whose work several machines share: its count.
#[derive(Clone, Debug)]
pub struct SharedCount {
    /// Which games are counted, and how they are replayed.
    pub games: Games,
    /// How the table is split into part files.
    pub tally: SortMerge,
    /// Where the table is written.
    pub output: PathBuf,
    /// Whether the recipe has stages after the count.
    pub goes_on: bool,
}

impl Recipe {
    /// Returns the recipe's only count, whose work the machines will share.
    ///
    /// # Errors
    ///
    /// Fails with [`RecipeError::SharedCount`] if the recipe does not have exactly one count, and with
    /// [`RecipeError::Setting`] if that count has no output.
    pub fn shared_count(&self) -> Result<SharedCount, RecipeError> {
        let (name, tally, mut games) = self.only_count()?;
        let sorting = &tally.sorting;
        let shards = self.cluster.shards.unwrap_or(sorting.shards);
        let output = tally.output.clone().ok_or_else(|| {
            StageError::of(name)(SettingError::missing("output", "the table that the machines make"))
        })?;
        let sorting = count::Sorting { shards, ..sorting.clone() };
        let goes_on = self.after_count(output.clone())?.stages.len() > 1;
        let filters = &mut games.replay.options.filters;
        *filters = filters.with_expression(tally.expression.as_ref());
        Ok(SharedCount { games, tally: SortMerge { sorting, ..SortMerge::default() }, output, goes_on })
    }

    /// Returns the rest of the recipe, which a single machine runs. In place of the count, this recipe opens
    /// the `table` that the machines made.
    ///
    /// # Errors
    ///
    /// Fails with [`RecipeError::SharedCount`] if the recipe does not have exactly one count.
    pub fn after_count(&self, table: PathBuf) -> Result<Self, RecipeError> {
        let (name, ..) = self.only_count()?;
        let (name, mut rest) = (name.to_owned(), self.clone());
        let open = Open { path: table, expected: InputKind::Table };
        rest.stages.insert(name, RecipeStage { stage: open.into(), inputs: Vec::new() });
        // Stages whose games are no longer used are removed too; otherwise their inputs would be opened for
        // nothing.
        while let Some(idle) = rest.idle_source() {
            rest.stages.remove(&idle);
        }
        Ok(rest)
    }

    /// A stage that reads or replays games but feeds no other stage.
    fn idle_source(&self) -> Option<String> {
        let is_idle = |(name, stage): &(&String, &RecipeStage)| {
            matches!(stage.stage, AnyStage::ReadGames(_) | AnyStage::Replay(_))
                && !self.stages.values().any(|taker| taker.inputs.contains(name))
        };
        self.stages.iter().find(is_idle).map(|(name, _)| name.clone())
    }

    fn only_count(&self) -> Result<(&str, &SortMerge, Games), RecipeError> {
        let mut counts = self.stages.iter().filter_map(|(name, stage)| match &stage.stage {
            AnyStage::SortMerge(tally) => Some((name.as_str(), tally, &stage.inputs)),
            _ => None,
        });
        let found = (counts.next(), counts.next());
        let (Some((name, tally, inputs)), None) = found else {
            return Err(RecipeError::SharedCount(usize::from(found.0.is_some()) * 2));
        };
        let replay = inputs.iter().find_map(|input| match &self.stages.get(input)?.stage {
            AnyStage::Replay(replay) => Some((replay, &self.stages[input].inputs)),
            _ => None,
        });
        let games = replay.and_then(|(replay, inputs)| {
            let read = inputs.iter().find_map(|input| match &self.stages.get(input)?.stage {
                AnyStage::ReadGames(read) => Some(read),
                _ => None,
            })?;
            Some(Games { read: read.clone(), replay: replay.clone() })
        });
        games.map(|games| (name, tally, games)).ok_or(RecipeError::SharedCount(0))
    }
}
