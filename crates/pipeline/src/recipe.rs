//! Recipes: a pipeline written down as TOML, or built from a command line. Both come here and take the same path on.
//!
//! # Format
//!
//! ```toml
//! [pipeline]
//! format  = 1                     # of this file
//! summary = "what it makes"
//! [limits]                        # all optional
//! memory_mib = 4096               # shared by all sorters; past it they spill
//! threads    = 2
//! temp_dir   = "/var/tmp"
//! [stage.games]                   # any name; other stages refer to it
//! kind   = "read-games"           # see the catalogue
//! paths  = ["data/sample.pgn"]    # the settings of its kind
//! [stage.replay]
//! kind   = "replay"
//! inputs = ["games"]              # draws the edges of the graph
//! ```
//!
//! Unknown keys are refused, with the nearest known one.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use toml::{Table, Value};

use crate::{Error, Result, limits::Limits};

/// The recipe format this version reads.
const FORMAT: u32 = 1;

/// A pipeline as written: named stages, not yet checked.
#[derive(Clone, Debug, Serialize)]
pub struct Recipe {
    /// What the recipe says of itself.
    pub pipeline: Header,
    /// Resources.
    pub limits: Limits,
    /// The stages by name.
    #[serde(rename = "stage")]
    pub stages: BTreeMap<String, StageText>,
}

/// What a recipe says of itself.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Version of the recipe format.
    pub format: u32,
    /// What the pipeline makes, in a sentence.
    #[serde(default)]
    pub summary: String,
}

/// One stage as written: its kind, where its inputs come from, and settings only its kind understands.
#[derive(Clone, Debug, Serialize)]
pub struct StageText {
    /// A kind of the catalogue.
    pub kind: String,
    /// Names of the stages it takes its inputs from.
    pub inputs: Vec<String>,
    /// Everything else.
    #[serde(flatten)]
    pub settings: Table,
}

impl Recipe {
    /// An empty recipe with a summary.
    #[must_use]
    pub fn new(summary: &str, limits: Limits) -> Self {
        let pipeline = Header { format: FORMAT, summary: summary.into() };
        Self { pipeline, limits, stages: BTreeMap::new() }
    }

    /// Adds a stage; `settings` is the settings struct of its kind.
    ///
    /// # Errors
    ///
    /// If the settings cannot be written as TOML (a number past 2^63).
    pub fn stage(
        mut self,
        name: &str,
        kind: &str,
        inputs: &[&str],
        settings: &impl Serialize,
    ) -> Result<Self> {
        let settings =
            Table::try_from(settings).map_err(|error| Error::Recipe(format!("{name}: {error}")))?;
        let inputs = inputs.iter().map(ToString::to_string).collect();
        self.stages.insert(name.into(), StageText { kind: kind.into(), inputs, settings });
        Ok(self)
    }

    /// Reads a recipe.
    ///
    /// # Errors
    ///
    /// On anything that is not a recipe of this format; the message says what and where.
    pub fn parse(text: &str) -> Result<Self> {
        let mut top: Table = text.parse().map_err(|error| Error::Recipe(format!("not TOML: {error}")))?;
        let [header, limits, stages] = [
            take_table(&mut top, "pipeline")?,
            take_table(&mut top, "limits")?,
            take_table(&mut top, "stage")?,
        ];
        refuse_leftover("the recipe", &top, &["pipeline", "limits", "stage"])?;
        let pipeline: Header = read_settings("[pipeline]", header)?;
        if pipeline.format != FORMAT {
            return Err(Error::Recipe(format!(
                "[pipeline] format is {}; this tabia reads format {FORMAT}",
                pipeline.format
            )));
        }
        let limits = read_settings("[limits]", limits)?;
        let read_stage = |(name, value): (String, Value)| Ok((name.clone(), stage_text(&name, value)?));
        let stages = stages.into_iter().map(read_stage).collect::<Result<_>>()?;
        Ok(Self { pipeline, limits, stages })
    }
}

/// Reads the settings of one section into its struct, naming the section and the nearest known key on failure.
pub(crate) fn read_settings<T: DeserializeOwned>(section: &str, settings: Table) -> Result<T> {
    read_settings_besides(section, settings, &[])
}

/// As [`read_settings`], where keys of `others` were known and have been taken out already.
pub(crate) fn read_settings_besides<T: DeserializeOwned>(
    section: &str,
    settings: Table,
    others: &[&'static str],
) -> Result<T> {
    settings.try_into().map_err(|error: toml::de::Error| {
        let message = error.message();
        let hint = hint(nearest_known_key(message, others));
        Error::Recipe(format!("{section}: {message}{hint}"))
    })
}

fn take_table(top: &mut Table, key: &str) -> Result<Table> {
    match top.remove(key) {
        None => Ok(Table::new()),
        Some(Value::Table(table)) => Ok(table),
        Some(other) => Err(Error::Recipe(format!("`{key}` must be a table, not {}", other.type_str()))),
    }
}

fn stage_text(name: &str, value: Value) -> Result<StageText> {
    let Value::Table(mut settings) = value else {
        return Err(Error::Recipe(format!("[stage.{name}] must be a table")));
    };
    let Some(Value::String(kind)) = settings.remove("kind") else {
        return Err(Error::Recipe(format!("[stage.{name}] needs `kind = \"…\"`")));
    };
    let inputs = match settings.remove("inputs") {
        None => Vec::new(),
        Some(value) => value
            .try_into()
            .map_err(|_| Error::Recipe(format!("[stage.{name}] `inputs` must be a list of stage names")))?,
    };
    Ok(StageText { kind, inputs, settings })
}

fn refuse_leftover(section: &str, table: &Table, known: &[&str]) -> Result<()> {
    let Some(key) = table.keys().next() else { return Ok(()) };
    let hint = hint(nearest(key, known.iter().copied()));
    Err(Error::Recipe(format!("{section}: unknown key `{key}`{hint}")))
}

/// The known key nearest to the unknown one that serde names: "unknown field `a`, expected one of `b`, `c`".
fn nearest_known_key<'m>(message: &'m str, others: &[&'static str]) -> Option<&'m str> {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let unknown = quoted.next().filter(|_| message.starts_with("unknown field"))?;
    nearest(unknown, quoted.chain(others.iter().copied()))
}

/// How a message ends that knows what was perhaps meant.
pub(crate) fn hint(near: Option<&str>) -> String {
    near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// The candidate nearest to `name`, if any is near enough to be meant.
pub(crate) fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= name.len().div_ceil(3))
        .min()
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "[pipeline]\nformat = 1\n";

    fn error(text: &str) -> String {
        Recipe::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn unknown_keys_name_the_nearest_known_one() {
        assert_eq!(error("[limit]\n"), "the recipe: unknown key `limit`; did you mean `limits`?");
        let text = error(&format!("{HEADER}[limits]\nmemory_mb = 3\n"));
        assert!(text.ends_with("did you mean `memory_mib`?"), "{text}");
    }

    #[test]
    fn a_stage_needs_a_kind() {
        assert_eq!(error(&format!("{HEADER}[stage.a]\n")), "[stage.a] needs `kind = \"…\"`");
        assert_eq!(error("[pipeline]\nformat = 2\n"), "[pipeline] format is 2; this tabia reads format 1");
    }

    #[test]
    fn built_recipes_read_back() {
        let settings = BTreeMap::from([("output", "x.table")]);
        let recipe =
            Recipe::new("s", Limits::default()).stage("tally", "sort-merge", &["replay"], &settings).unwrap();
        let text = toml::to_string(&recipe).unwrap();
        let back = Recipe::parse(&text).unwrap();
        assert_eq!(back.stages["tally"].inputs, ["replay"]);
        assert_eq!(toml::to_string(&back).unwrap(), text);
    }
}
