//! `report`: writes an HTML page about counts.

mod games;

use std::path::{Path, PathBuf};

use clap::Args;
use count::Counts;
use output::prepare_text;
use report::{PLIES, PLIES_MAX, PageRequest, Subject, Work};
use run::{Context, DRAWN, FileFormat, Output, Result, SettingError, StageError};
use serde::{Deserialize, Serialize};
use stage::{Flow, Inputs, Parallelism, Port, Signature, Stage, StageInputs};
use table::SortedRows as _;

use super::known::KnownExperience;
use crate::StartPosition;

/// Settings of `report`.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct Report {
    /// The page to write, an HTML file; `-` is standard output
    #[arg(short, long, value_name = "HTML", help_heading = "Outputs")]
    pub output: PathBuf,
    /// Depth of the opening tree, 1 to 16 plies
    #[arg(long, value_name = "N", default_value_t = PLIES)]
    pub plies: u32,
    /// The page's heading
    #[arg(long, value_name = "TEXT", default_value_t = Report::default().title)]
    pub title: String,
    /// Draw box plots of evaluations and clocks by opening, from games that `tabia export games` wrote
    #[arg(long, value_name = "DIR")]
    pub games: Option<PathBuf>,
    /// The position with which the page begins.
    #[command(flatten)]
    #[serde(flatten)]
    pub start: StartPosition,
}

impl Default for Report {
    fn default() -> Self {
        let title = "Opening report".into();
        Self { output: PathBuf::new(), plies: PLIES, title, games: None, start: StartPosition::default() }
    }
}

impl Stage for Report {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Counts], Port::File, Parallelism::Sequential).and_any(Port::Experience)
    }

    fn note(&self) -> String {
        format!("{}, {} plies", self.output.display(), self.plies)
    }

    fn outputs(&self) -> Vec<Output> {
        FileFormat::Html.at([&self.output])
    }

    fn reads(&self) -> Vec<&Path> {
        self.games.as_deref().into_iter().collect()
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        let expected = format!("1 to {PLIES_MAX}");
        SettingError::new("plies", &expected, self.plies).unless((1..=PLIES_MAX).contains(&self.plies))?;
        self.start.position()?;
        Ok(())
    }

    fn run(&self, context: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let mut inputs = StageInputs::new(inputs);
        let input = inputs.take();
        let known = KnownExperience::of(context, Some(&input), inputs.experience()?, false)?;
        let counts = input.counts(context)?;
        let start = self.start.way().map_err(|error| StageError::of(name)(error.into()))?;
        let wanted = PageRequest { title: &self.title, start: &start, plies: self.plies };
        let table = if let Counts::Table(table) = &*counts { Some(table) } else { None };
        let spreads = self.games.as_deref().map_or_else(|| Ok(Vec::new()), games::spreads)?;
        if self.games.is_some() && spreads.is_empty() {
            context.summary().warnings.push("the exported games have too few evaluations and clocks".into());
        }
        let (sources, games) = (counts.sources(), counts.games());
        let known = |key, mv| known.look_up(key, mv);
        let subject = Subject { rows: &*counts, table, sources, games, known: &known, spreads: &spreads };
        if table.is_none() {
            context.progress().enter("collecting positions", counts.shards());
        }
        let work = Work {
            threads: context.threads,
            check: &|| context.options.flow(),
            on_shard: &|| context.progress().shard_done(),
        };
        let page = report::page(&subject, &wanted, &work)?;
        context.summary().warnings.extend(page.warnings);
        let prepared = prepare_text(&self.output, &page.html, context.existing());
        context.prepared(prepared.map_err(fault::output(&self.output))?);
        context.summary().exported.insert(DRAWN.into(), page.moves);
        Ok(Flow::File)
    }
}
