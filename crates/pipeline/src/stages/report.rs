//! `report`: counts as one page to look at.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{
    Context, Error, Flow, Result,
    catalogue::Stage,
    choosing::save,
    flow::only_input,
    inspect,
    recipe::read_settings,
    reporting::{PLIES, PLIES_MAX, Wanted, report},
};

/// Settings of `report`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ReportSettings {
    /// The page, an HTML file.
    pub output: PathBuf,
    /// Plies of the tree, 1 to 16.
    #[serde(default = "plies")]
    pub plies: u32,
    /// The page's heading.
    #[serde(default = "title")]
    pub title: String,
    /// Where the tree begins; left out, the start position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// Moves from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
}

fn plies() -> u32 {
    PLIES
}

fn title() -> String {
    "Opening report".into()
}

impl Default for ReportSettings {
    fn default() -> Self {
        Self { output: PathBuf::new(), plies: plies(), title: title(), fen: None, line: None }
    }
}

/// Draws counts.
pub struct Report {
    settings: ReportSettings,
    start: shakmaty::Chess,
}

impl Report {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        let settings: ReportSettings = read_settings(section, settings)?;
        if !(1..=PLIES_MAX).contains(&settings.plies) {
            let plies = settings.plies;
            return Err(Error::Recipe(format!("{section} `plies`: {plies} is not in 1 to {PLIES_MAX}")));
        }
        let start = inspect::position(settings.fen.as_deref(), settings.line.as_deref())
            .map_err(|error| Error::Recipe(format!("{section}: {error}")))?;
        Ok(Self { settings, start })
    }
}

impl Stage for Report {
    fn note(&self) -> String {
        format!("{}, {} plies", self.settings.output.display(), self.settings.plies)
    }

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.settings.output.clone()]
    }

    fn run(&self, context: &Context, inputs: Vec<Flow>) -> Result<Flow> {
        let counts = only_input!(inputs, Table);
        let ReportSettings { output, plies, title, .. } = &self.settings;
        let made = report(context, &counts, &Wanted { title, start: &self.start, plies: *plies })?;
        save(output, &made.html, context.force)?;
        context.wrote(output);
        context.report().exported.insert("moves drawn".into(), made.moves);
        Ok(Flow::File)
    }
}
