//! Has an engine evaluate the candidates of a suite.

use std::path::PathBuf;

use clap::Args;
use craft::{Spread, Suite, SuiteOptions};
use run::{Context, Result, SettingError};
use serde::{Deserialize, Serialize};
use teach::{SearchSettings, SearchedBoards};

use super::super::known::KnownExperience;

/// The engine that evaluates the positions that pass all other conditions.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct SuiteEngine {
    /// The program and arguments of a UCI engine; for --eval and --model-draws, it evaluates the positions
    /// that pass all other conditions
    #[arg(long, value_name = "COMMAND", requires = "evals", help_heading = "Engine")]
    pub engine: Option<String>,
    /// Write the evaluations that the engine found to an experience file
    #[arg(long, value_name = "FILE", requires = "engine", help_heading = "Engine")]
    pub evals: Option<PathBuf>,
    /// How the engine searches.
    #[command(flatten, next_help_heading = "Engine")]
    #[serde(flatten)]
    pub search: SearchSettings,
}

impl SuiteEngine {
    pub(super) fn check(&self, is_needed: bool) -> Result<(), SettingError> {
        let Some(command) = &self.engine else { return Ok(()) };
        let what = "evaluates positions for --eval or --model-draws: give one of them";
        SettingError::because("engine", what).unless(is_needed)?;
        self.evals.as_deref().map_or(Ok(()), |evals| SettingError::check_not_stdout("evals", evals))?;
        self.search.check(command)
    }

    /// Has the engine search the positions that meet all other conditions but have no evaluation, and adds
    /// the values to `known`. `make` builds a suite from experience and options.
    pub(super) fn evaluate(
        &self,
        (context, stage): (&Context, &str),
        options: &SuiteOptions,
        known: &mut KnownExperience,
        make: impl Fn(&KnownExperience, &SuiteOptions) -> Result<Suite>,
    ) -> Result<()> {
        let (Some(command), Some(evals)) = (&self.engine, &self.evals) else { return Ok(()) };
        let everything = SuiteOptions {
            eval: None,
            model_draws: None,
            apart: 0,
            spread: Spread::Any,
            lines: usize::MAX,
            ..options.clone()
        };
        let passing = make(known, &everything)?.openings;
        let boards: Vec<_> = passing
            .into_iter()
            .filter(|opening| opening.eval.is_none())
            .map(|opening| opening.board)
            .collect();
        let searched = SearchedBoards::search(context, stage, (command, &self.search), &boards)?;
        known.add_evaluations(searched.scores());
        searched.write(context, evals)
    }
}
