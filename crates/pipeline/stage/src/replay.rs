//! `replay` decides which games count, replays them, and passes on their moves.

use std::sync::Arc;

use games::{GameStream, Replay, driver::source::StageNames};
use pgn::replay::ReplayOptions;
use run::{Context, FileFormat, Output, Result, SettingError};

use crate::{Flow, Inputs, Parallelism, Port, Signature, Stage, StageInputs};

impl Stage for Replay {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Games], Port::Observations, Parallelism::Parallel)
    }

    fn replays(&self) -> Option<&ReplayOptions> {
        Some(&self.options)
    }

    fn note(&self) -> String {
        let limit = match self.options.counting.max_ply {
            0 => "whole games".into(),
            plies => format!("{plies} plies"),
        };
        let filters = self.options.filters.describe();
        let dedup = self.dedup.dedup_games;
        let copies = if dedup.is_off() { String::new() } else { format!("without copies ({dedup})") };
        let lines = if self.options.counting.repertoire { "lines of a repertoire" } else { "" };
        let parts =
            [lines.to_owned(), limit, filters, copies].into_iter().filter(|part: &String| !part.is_empty());
        parts.collect::<Vec<_>>().join(", ")
    }

    fn outputs(&self) -> Vec<Output> {
        FileFormat::Json.at(&self.list.rejects)
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        Replay::check(self)
    }

    fn run(&self, _: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let games = StageInputs::new(inputs).take().games()?;
        let stages = StageNames { source: Some(games.0.clone()), operator: Some(name.to_owned()) };
        let stream = GameStream { read: games.1.clone(), replay: self.clone(), stages };
        Ok(Flow::Observations(Arc::new(stream)))
    }
}
