//! `report`: counts as one page to look at.

use std::path::PathBuf;

use clap::Args;
use output::prepare_text;
use position::named_position;
use report::{PLIES, PLIES_MAX, Subject, Wanted, Work};
use serde::{Deserialize, Serialize};
use shakmaty::Chess;
use table::SortedRows as _;

use crate::{
    Context, Error, Result,
    counts::Counts,
    error::SettingError,
    stage::{Flow, Inputs, Port, Signature, Spread, Stage, Taken},
    summary::DRAWN,
};

/// Settings of `report`.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct Report {
    /// The page to write, an HTML file; `-` is standard output
    #[arg(short, long, value_name = "HTML", help_heading = "Outputs")]
    pub output: PathBuf,
    /// Plies of the opening tree, 1 to 16
    #[arg(long, value_name = "N", default_value_t = PLIES)]
    pub plies: u32,
    /// The page's heading
    #[arg(long, value_name = "TEXT", default_value_t = Report::default().title)]
    pub title: String,
    /// The position; the start position if not given
    #[arg(long)]
    pub fen: Option<String>,
    /// Moves from there, in SAN or UCI: "e4 e5" or "1. e4 e5"
    #[arg(long)]
    pub line: Option<String>,
}

impl Default for Report {
    fn default() -> Self {
        let title = "Opening report".into();
        Self { output: PathBuf::new(), plies: PLIES, title, fen: None, line: None }
    }
}

impl Report {
    fn start(&self) -> Result<Chess, SettingError> {
        named_position(self.fen.as_deref(), self.line.as_deref())
            .map_err(|error| SettingError::of_position(&error))
    }
}

impl Stage for Report {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Counts], Port::File, Spread::Sequential)
    }

    fn note(&self) -> String {
        format!("{}, {} plies", self.output.display(), self.plies)
    }

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.output.clone()]
    }

    fn check(&self, _: &Inputs<'_>) -> Result<(), SettingError> {
        if !(1..=PLIES_MAX).contains(&self.plies) {
            return Err(SettingError::new("plies", &format!("1 to {PLIES_MAX}"), self.plies));
        }
        self.start().map(|_| ())
    }

    fn run(&self, context: &Context, name: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let counts = Taken::new(inputs).next().counts(context)?;
        let start = self.start().map_err(|error| Error::setting(name, error))?;
        let wanted = Wanted { title: &self.title, start: &start, plies: self.plies };
        let table = if let Counts::Table(table) = &*counts { Some(table) } else { None };
        let subject = Subject { rows: &*counts, table, sources: counts.sources(), games: counts.games() };
        context.progress.enter("collecting positions", counts.shards());
        let work = Work {
            threads: context.threads,
            check: &|| context.flow(),
            on_shard: &|| context.progress.shard_done(),
        };
        let page = report::page(&subject, &wanted, &work)?;
        context.summary().warnings.extend(page.warnings);
        let prepared = prepare_text(&self.output, &page.html, context.existing());
        context.prepared(prepared.map_err(Error::output(&self.output))?);
        context.summary().exported.insert(DRAWN.into(), page.moves);
        Ok(Flow::File)
    }
}
