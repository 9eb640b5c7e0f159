//! Recipes: pipelines written as TOML or built from a command line. Both kinds of pipelines become a
//! [`Recipe`], so they run in the same way.
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
//! [cluster]                       # optional; for machines that share the count (docs/cluster.md)
//! master     = "spark://host:7077"
//! shards     = 64
//! chunk      = "1GiB"
//! [stage.games]                   # any name; other stages refer to it
//! kind   = "read-games"           # see `recipe/kinds.rs`
//! paths  = ["data/sample.pgn"]    # the settings of its kind: its command's flags, `_` for `-`
//! [stage.replay]
//! kind   = "replay"
//! inputs = ["games"]              # the stages that feed it
//! ```
//!
//! Unknown keys are refused, and the error names the nearest known key.

use std::collections::BTreeMap;

use run::{Limits, MEMORY_MIB_END};
use serde::Deserialize;
use toml::{Table, Value};

use super::{
    AnyStage, Cluster, RecipeError,
    settings::{deserialize, unknown_key},
};

/// The recipe format this version reads.
const FORMAT: u32 = 1;

/// The maximum number of stages in a recipe.
const STAGES_MAX: usize = 256;

/// The named stages of a pipeline and their settings. The connections between stages are not checked yet.
#[derive(Clone, Debug)]
#[must_use]
pub struct Recipe {
    /// A sentence about what the pipeline makes.
    pub summary: String,
    /// The limits of the run.
    pub limits: Limits,
    /// The section `[cluster]` of the recipe, for machines that share the count.
    pub cluster: Cluster,
    /// The stages by name.
    pub stages: BTreeMap<String, RecipeStage>,
}

/// A stage and its inputs.
#[derive(Clone, Debug)]
pub struct RecipeStage {
    /// The stage.
    pub stage: AnyStage,
    /// The names of the stages that feed it.
    pub inputs: Vec<String>,
}

/// The section `[pipeline]` of a recipe.
#[derive(Deserialize)]
struct Header {
    format: u32,
    #[serde(default)]
    summary: String,
}

impl Recipe {
    /// The maximum length in bytes of a string that [`parse`](Self::parse) reads.
    pub const BYTES_MAX: usize = 1 << 20;

    /// A recipe with a summary and no stages.
    pub fn new(summary: &str, limits: Limits) -> Self {
        Self { summary: summary.into(), limits, cluster: Cluster::default(), stages: BTreeMap::new() }
    }

    /// Adds a stage, fed by the stages `inputs`.
    pub fn stage(mut self, name: &str, stage: impl Into<AnyStage>, inputs: &[impl AsRef<str>]) -> Self {
        let inputs = inputs.iter().map(|input| input.as_ref().to_owned()).collect();
        self.stages.insert(name.into(), RecipeStage { stage: stage.into(), inputs });
        self
    }

    /// Reads a recipe.
    ///
    /// # Errors
    ///
    /// Fails if the text is not a recipe of this format; the message says what is wrong and where.
    pub fn parse(text: &str) -> Result<Self, RecipeError> {
        if text.len() > Self::BYTES_MAX {
            return Err(RecipeError::TooLong(Self::BYTES_MAX));
        }
        let mut top: Table = text.parse().map_err(|error| RecipeError::Toml(format!("{error}")))?;
        let [header, limits, cluster, stages] = [
            take_table(&mut top, "pipeline")?,
            take_table(&mut top, "limits")?,
            take_table(&mut top, "cluster")?,
            take_table(&mut top, "stage")?,
        ];
        if stages.len() > STAGES_MAX {
            return Err(RecipeError::TooManyStages { max: STAGES_MAX, got: stages.len() });
        }
        refuse_unknown("the recipe", &top, &["pipeline", "limits", "cluster", "stage"])?;
        refuse_unknown("[pipeline]", &header, &["format", "summary"])?;
        refuse_unknown("[limits]", &limits, &Limits::KEYS)?;
        refuse_unknown("[cluster]", &cluster, &Cluster::KEYS)?;
        let Header { format, summary } = deserialize("[pipeline]", &header)?;
        if format != FORMAT {
            return Err(RecipeError::Format { expected: FORMAT, got: format });
        }
        let limits: Limits = deserialize("[limits]", &limits)?;
        check_memory(&limits)?;
        let cluster = deserialize("[cluster]", &cluster)?;
        let read_stage = |(name, value): (String, Value)| Ok((name.clone(), stage(&name, value)?));
        let stages = stages.into_iter().map(read_stage).collect::<Result<_, RecipeError>>()?;
        Ok(Self { summary, limits, cluster, stages })
    }
}

fn take_table(top: &mut Table, key: &str) -> Result<Table, RecipeError> {
    top.remove(key).map_or_else(|| Ok(Table::new()), |value| table(&format!("`{key}`"), value))
}

fn table(what: &str, value: Value) -> Result<Table, RecipeError> {
    match value {
        Value::Table(table) => Ok(table),
        other => Err(RecipeError::NotATable { what: what.to_owned(), got: other.type_str() }),
    }
}

fn stage(name: &str, value: Value) -> Result<RecipeStage, RecipeError> {
    let section = format!("[stage.{name}]");
    let mut settings = table(&section, value)?;
    let Some(Value::String(kind)) = settings.remove("kind") else {
        return Err(RecipeError::NoKind(section));
    };
    let inputs = match settings.remove("inputs") {
        None => Vec::new(),
        Some(value) => value.try_into().map_err(|_| RecipeError::Inputs(section.clone()))?,
    };
    Ok(RecipeStage { stage: AnyStage::read(&kind, &section, &settings)?, inputs })
}

fn refuse_unknown(section: &str, table: &Table, known: &[&str]) -> Result<(), RecipeError> {
    let unknown = table.keys().find(|key| !known.contains(&key.as_str()));
    unknown.map_or(Ok(()), |key| Err(unknown_key(section, key, known.iter().copied())))
}

/// The candidate nearest to `name`, if it is close enough that the user may have meant it.
pub(super) fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= name.len().div_ceil(3))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Refuses a memory limit that is outside its range.
fn check_memory(limits: &Limits) -> Result<(), RecipeError> {
    match limits.memory_mib {
        Some(mib) if !(1..MEMORY_MIB_END).contains(&mib) => Err(RecipeError::MemoryLimit(mib)),
        _ => Ok(()),
    }
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
        let text = error(&format!("{HEADER}[stage.a]\nkind = 'replay'\nmin_ello = 3\n"));
        assert_eq!(text, "[stage.a]: unknown key `min_ello`; did you mean `min_elo`?");
    }

    #[test]
    fn what_is_too_large_is_refused() {
        let comment = format!("{HEADER}#{}", " ".repeat(Recipe::BYTES_MAX));
        assert_eq!(error(&comment), "the recipe is longer than the maximum of 1048576 bytes");
        let stage = |number: usize| format!("[stage.s{number}]\nkind = 'replay'\n");
        let stages = |count: usize| (0..count).map(stage).collect::<String>();
        assert_eq!(Recipe::parse(&format!("{HEADER}{}", stages(256))).unwrap().stages.len(), 256);
        let many = error(&format!("{HEADER}{}", stages(257)));
        assert_eq!(many, "the recipe has 257 stages, but the maximum is 256: split it into several recipes");
    }

    #[test]
    fn memory_that_no_machine_has_is_refused() {
        let memory = |mib: &str| Recipe::parse(&format!("{HEADER}[limits]\nmemory_mib = {mib}\n"));
        for mib in ["0", "1099511627776", "17592186044416", "9223372036854775807"] {
            let text = memory(mib).unwrap_err().to_string();
            assert!(text.starts_with("[limits] `memory_mib`: must be ") && text.ends_with(mib), "{text}");
        }
        assert_eq!(memory("1099511627775").unwrap().limits.memory_bytes(), ((1 << 40) - 1) << 20);
    }

    #[test]
    fn a_stage_needs_a_kind() {
        assert_eq!(error(&format!("{HEADER}[stage.a]\n")), "[stage.a] needs `kind = \"…\"`");
        assert_eq!(
            error("[pipeline]\nformat = 2\n"),
            "[pipeline] `format` is 2, but this version reads only format 1"
        );
        assert_eq!(
            error(&format!("{HEADER}[stage.a]\nkind = 'read-game'")),
            "[stage.a] has the unknown kind `read-game`; did you mean `read-games`?"
        );
    }

    #[test]
    fn a_value_of_another_type_is_named() {
        let text = error(&format!("{HEADER}[stage.a]\nkind = 'replay'\nmin_elo = 'high'\n"));
        assert!(text.starts_with("[stage.a] `min_elo`: "), "{text}");
        let text = error(&format!("{HEADER}[stage.a]\nkind = 'replay'\nspeed = ['blizt']\nplayer = 'x'\n"));
        assert!(text.starts_with("[stage.a] `speed`: `blizt` is not a speed"), "{text}");
    }
}
