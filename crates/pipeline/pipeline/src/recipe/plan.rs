//! Checks that a recipe's connected ports match, its settings are valid, its stages form no cycle, and no two
//! outputs have the same path.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

use run::{Collisions, Limits, Output, SettingError, StageError, resolved};
use stage::{Port, Signature, Stage, list};

use super::{AnyStage, Recipe, RecipeError, RecipeStage, text::nearest};

/// A pipeline that is ready to run. Each stage comes after its inputs.
#[derive(Clone, Debug)]
pub struct Plan {
    /// A short description of the pipeline's results.
    pub summary: String,
    /// The limits of the run.
    pub limits: Limits,
    /// The stages.
    pub nodes: Vec<Step>,
}

/// A stage of a plan.
#[derive(Clone, Debug)]
pub struct Step {
    /// The stage's name in the recipe.
    pub name: String,
    /// The stage with its settings.
    pub stage: AnyStage,
    /// The indices of the earlier stages that feed it, one for each input port.
    pub inputs: Vec<usize>,
}

impl Step {
    /// The stage's input ports and its output port.
    pub fn signature(&self) -> Signature {
        self.stage().signature()
    }

    pub(super) fn stage(&self) -> &dyn Stage {
        self.stage.stage()
    }
}

impl Plan {
    /// Checks a recipe. Paths are resolved, but no files are read or written, so a plan can be drawn even
    /// on a machine that lacks the inputs.
    ///
    /// # Errors
    ///
    /// Fails with an error that names the refused stage and the reason.
    pub fn new(recipe: &Recipe) -> Result<Self, RecipeError> {
        if recipe.stages.is_empty() {
            return Err(RecipeError::NoStages);
        }
        let mut nodes: Vec<Step> = Vec::new();
        let mut placed = BTreeMap::new();
        for name in order(recipe)? {
            let node = node(name, &recipe.stages[name], &nodes, &placed)?;
            placed.insert(name.to_owned(), nodes.len());
            nodes.push(node);
        }
        let plan = Self { summary: recipe.summary.clone(), limits: recipe.limits.clone(), nodes };
        plan.check_outputs()?;
        plan.check_purpose()?;
        Ok(plan)
    }

    /// All outputs of the plan.
    pub fn outputs(&self) -> impl Iterator<Item = PathBuf> {
        self.nodes.iter().flat_map(|node| node.stage().outputs()).map(|output| output.path)
    }

    fn check_outputs(&self) -> Result<(), RecipeError> {
        let (mut collisions, mut writers) = (Collisions::default(), BTreeMap::new());
        for node in &self.nodes {
            for Output { path, .. } in node.stage().outputs() {
                let place = resolved(&path);
                if !collisions.add_output(&path) {
                    let first = writers.remove(&place).unwrap_or_default();
                    return Err(RecipeError::TwoWriters { first, second: node.name.clone(), path });
                }
                writers.insert(place, node.name.clone());
            }
        }
        let reads: Vec<&Path> = self.nodes.iter().flat_map(|node| node.stage().reads()).collect();
        collisions.check(&reads, self.limits.temp_dir.as_deref())?;
        let mut outputs = self.nodes.iter().flat_map(|node| node.stage().outputs());
        Ok(outputs.try_for_each(|Output { path, format }| format.check_ending(&path))?)
    }

    /// Refuses a stage that makes a book if the book is neither written to a file nor used by another stage.
    /// A count whose result is not used is accepted, because a machine that shares a count leaves the merging
    /// to another machine.
    fn check_purpose(&self) -> Result<(), RecipeError> {
        let is_taken = |place: usize| self.nodes.iter().any(|node| node.inputs.contains(&place));
        let is_idle = |(place, node): &(usize, &Step)| {
            let Signature { takes, gives, .. } = node.signature();
            let is_made = gives == Port::Book && !takes.is_empty();
            is_made && node.stage().outputs().is_empty() && !is_taken(*place)
        };
        self.nodes.iter().enumerate().find(is_idle).map_or(Ok(()), |(_, node)| {
            let error = SettingError::missing("output", "what to write");
            Err(StageError::of(&node.name)(error).into())
        })
    }
}

/// The stages' names in topological order, inputs first. Ties are broken alphabetically.
fn order(recipe: &Recipe) -> Result<Vec<&str>, RecipeError> {
    let mut takers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut missing: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, stage) in &recipe.stages {
        missing.insert(name, stage.inputs.len());
        stage.inputs.iter().for_each(|input| takers.entry(input).or_default().push(name));
    }
    let mut ready: BTreeSet<&str> =
        missing.iter().filter(|(_, missing)| **missing == 0).map(|(name, _)| *name).collect();
    let mut ordered: Vec<&str> = Vec::new();
    while let Some(name) = ready.pop_first() {
        ordered.push(name);
        for taker in takers.remove(name).unwrap_or_default() {
            let left = missing.entry(taker).or_default();
            *left -= 1;
            if *left == 0 {
                ready.insert(taker);
            }
        }
    }
    if ordered.len() == recipe.stages.len() { Ok(ordered) } else { Err(unplaced(recipe, &ordered)) }
}

/// The reason why the remaining stages cannot be ordered: an input does not exist, or there is a cycle.
fn unplaced(recipe: &Recipe, ordered: &[&str]) -> RecipeError {
    let placed: BTreeSet<&str> = ordered.iter().copied().collect();
    let left: Vec<_> = recipe.stages.iter().filter(|(name, _)| !placed.contains(name.as_str())).collect();
    for (name, stage) in &left {
        if let Some(input) = stage.inputs.iter().find(|input| !recipe.stages.contains_key(*input)) {
            let near = nearest(input, recipe.stages.keys().map(String::as_str)).map(str::to_owned);
            return RecipeError::UnknownInput { stage: (*name).clone(), input: input.clone(), near };
        }
    }
    RecipeError::Circle(left.iter().map(|(name, _)| (*name).clone()).collect())
}

fn node(
    name: &str,
    recipe_stage: &RecipeStage,
    nodes: &[Step],
    placed: &BTreeMap<String, usize>,
) -> Result<Step, RecipeError> {
    let inputs: Vec<usize> = recipe_stage.inputs.iter().map(|input| placed[input]).collect();
    let node = Step { name: name.into(), stage: recipe_stage.stage.clone(), inputs };
    let given: Vec<Port> = node.inputs.iter().map(|&input| nodes[input].signature().gives).collect();
    if !node.signature().fits(&given) {
        return Err(RecipeError::Ports {
            stage: name.to_owned(),
            kind: node.stage.kind(),
            expected: node.signature().takes_text(),
            got: list(given.iter().map(ToString::to_string)),
        });
    }
    let unnamed = |path: &Path| path.as_os_str().is_empty();
    let missing = if node.stage().outputs().iter().any(|output| unnamed(&output.path)) {
        Err(SettingError::missing("output", "what to write"))
    } else if node.stage().reads().into_iter().any(unnamed) {
        Err(SettingError::missing("path", "what to open"))
    } else {
        Ok(())
    };
    let feeding: Vec<&dyn Stage> = node.inputs.iter().map(|&input| nodes[input].stage()).collect();
    let checked = missing.and_then(|()| node.stage().check(&feeding));
    checked.map_err(|error| StageError::of(name)(error))?;
    Ok(node)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(stages: &str) -> String {
        let recipe = Recipe::parse(&format!("[pipeline]\nformat = 1\n{stages}")).unwrap();
        Plan::new(&recipe).map(|_| ()).unwrap_err().to_string()
    }

    const GAMES: &str = "[stage.games]\nkind = 'read-games'\npaths = ['x.pgn']\n";

    #[test]
    fn mistakes_are_named() {
        assert_eq!(
            error(&format!("{GAMES}[stage.r]\nkind = 'replay'\ninputs = ['game']")),
            "[stage.r] `inputs`: there is no stage `game`; did you mean `games`?"
        );
        assert_eq!(
            error(&format!("{GAMES}[stage.t]\nkind = 'sort-merge'\ninputs = ['games']")),
            "[stage.t] is a `sort-merge`, which takes Observations, but its inputs give Games"
        );
        assert_eq!(
            error("[stage.a]\nkind = 'replay'\ninputs = ['b']\n[stage.b]\nkind = 'replay'\ninputs = ['a']"),
            "the inputs of the stages a, b form a cycle"
        );
        assert_eq!(
            error("[stage.a]\nkind = 'read-games'\n"),
            "[stage.a] `paths`: must be given: files, folders or globs of PGN"
        );
    }

    #[test]
    fn readers_of_annotations_refuse_settings_they_would_ignore() {
        let learn = |replay: &str| {
            error(&format!(
                "{GAMES}[stage.replay]\nkind = 'replay'\ninputs = ['games']\n{replay}\n\
                 [stage.learn]\nkind = 'learn-annotations'\ninputs = ['replay']\n"
            ))
        };
        for (key, setting) in
            [("repeats", "repeats = 'once'"), ("by", "by = ['speed']"), ("ratings", "ratings = true")]
        {
            let text = learn(setting);
            assert!(text.starts_with(&format!("[stage.learn] `{key}`")), "{text}");
        }
    }

    #[test]
    fn one_output_has_one_writer() {
        let book = "[stage.t]\nkind = 'open-table'\npath = 'x.table'\n\
                    [stage.a]\nkind = 'compact'\ninputs = ['t']\noutput = 'x.tabia'\n\
                    [stage.b]\nkind = 'compact'\ninputs = ['t']\noutput = 'x.tabia'";
        assert_eq!(error(book), "`a` and `b` both write to x.tabia");
        assert_eq!(error(&book.replacen("x.tabia", "./x.tabia", 1)), "`a` and `b` both write to x.tabia");
        let missing = error("[stage.a]\nkind = 'open-table'\n");
        assert_eq!(missing, "[stage.a] `path`: must be given: what to open");
        let missing = error(&book.replace("output = 'x.tabia'", ""));
        assert_eq!(missing, "[stage.a] `output`: must be given: what to write");
    }
}
