//! A recipe checked: kinds known, settings read, edges of fitting types, no cycles, no output written twice.

use std::{collections::BTreeMap, path::PathBuf};

use crate::{
    Error, Result,
    catalogue::{self, Entry, Stage, list},
    limits::Limits,
    recipe::{Recipe, StageText, hint, nearest},
};

/// A pipeline ready to run: stages in an order in which each comes after its inputs.
pub struct Plan {
    /// What it makes, in a sentence.
    pub summary: String,
    /// Resources.
    pub limits: Limits,
    /// The stages.
    pub nodes: Vec<Node>,
}

/// A stage of a plan.
pub struct Node {
    /// Its name in the recipe.
    pub name: String,
    /// Its kind.
    pub entry: &'static Entry,
    /// The stage with its settings.
    pub stage: Box<dyn Stage>,
    /// Which earlier nodes feed it, one for each port it takes.
    pub inputs: Vec<usize>,
}

impl Plan {
    /// Checks a recipe. Nothing is read or written, so a plan can be drawn where its inputs are not.
    ///
    /// # Errors
    ///
    /// [`Error::Recipe`] with the stage and what is wrong with it.
    pub fn new(recipe: &Recipe) -> Result<Self> {
        if recipe.stages.is_empty() {
            return Err(Error::Recipe("the recipe has no stages".into()));
        }
        let mut nodes: Vec<Node> = Vec::new();
        let mut placed = BTreeMap::new();
        for name in order(recipe)? {
            let node = node(name, &recipe.stages[name], &nodes, &placed)?;
            placed.insert(name.to_owned(), nodes.len());
            nodes.push(node);
        }
        let plan = Self { summary: recipe.pipeline.summary.clone(), limits: recipe.limits.clone(), nodes };
        plan.check_outputs()?;
        Ok(plan)
    }

    /// Everything the plan will write.
    pub fn outputs(&self) -> impl Iterator<Item = PathBuf> {
        self.nodes.iter().flat_map(|node| node.stage.outputs())
    }

    fn check_outputs(&self) -> Result<()> {
        let mut writers: BTreeMap<PathBuf, &str> = BTreeMap::new();
        for node in &self.nodes {
            for path in node.stage.outputs() {
                if let Some(other) = writers.insert(path.clone(), &node.name) {
                    let path = path.display();
                    return Err(Error::Recipe(format!("`{other}` and `{}` both write {path}", node.name)));
                }
            }
        }
        let overwritten =
            self.nodes.iter().flat_map(|node| node.stage.reads()).find(|path| writers.contains_key(*path));
        overwritten
            .map_or(Ok(()), |path| Err(Error::Recipe(format!("{} is both read and written", path.display()))))
    }
}

/// Names of the stages such that inputs come first; alphabetical where the graph leaves it open.
fn order(recipe: &Recipe) -> Result<Vec<&str>> {
    let mut ordered: Vec<&str> = Vec::new();
    while ordered.len() < recipe.stages.len() {
        let ready = |(name, stage): &(&String, &StageText)| {
            !ordered.contains(&name.as_str())
                && stage.inputs.iter().all(|input| ordered.contains(&input.as_str()))
        };
        match recipe.stages.iter().find(ready) {
            Some((name, _)) => ordered.push(name),
            None => return Err(unplaced(recipe, &ordered)),
        }
    }
    Ok(ordered)
}

/// Why the stages left over cannot be placed: an input that does not exist, or a cycle.
fn unplaced(recipe: &Recipe, ordered: &[&str]) -> Error {
    let left: Vec<_> = recipe.stages.iter().filter(|(name, _)| !ordered.contains(&name.as_str())).collect();
    for (name, stage) in &left {
        if let Some(missing) = stage.inputs.iter().find(|input| !recipe.stages.contains_key(*input)) {
            let hint = hint(nearest(missing, recipe.stages.keys().map(String::as_str)));
            return Error::Recipe(format!("[stage.{name}] takes from `{missing}`, which is no stage{hint}"));
        }
    }
    let names: Vec<_> = left.iter().map(|(name, _)| name.as_str()).collect();
    Error::Recipe(format!("the stages {} feed each other in a circle", names.join(", ")))
}

fn node(name: &str, text: &StageText, nodes: &[Node], placed: &BTreeMap<String, usize>) -> Result<Node> {
    let section = format!("[stage.{name}]");
    let entry = catalogue::find(&text.kind).map_err(|near| {
        let hint = hint(near);
        Error::Recipe(format!("{section} has the unknown kind `{}`{hint}", text.kind))
    })?;
    let inputs: Vec<usize> = text.inputs.iter().map(|input| placed[input]).collect();
    let given: Vec<_> = inputs.iter().map(|&input| nodes[input].entry.gives).collect();
    if !entry.fits(&given) {
        return Err(Error::Recipe(format!(
            "{section} is a `{}`, which takes {}; its inputs give {}",
            entry.kind,
            entry.takes_text(),
            list(given.iter().map(ToString::to_string))
        )));
    }
    let stage = (entry.read)(&section, text.settings.clone())?;
    Ok(Node { name: name.into(), entry, stage, inputs })
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
            error("[stage.a]\nkind = 'read-game'"),
            "[stage.a] has the unknown kind `read-game`; did you mean `read-games`?"
        );
        assert_eq!(
            error(&format!("{GAMES}[stage.r]\nkind = 'replay'\ninputs = ['game']")),
            "[stage.r] takes from `game`, which is no stage; did you mean `games`?"
        );
        assert_eq!(
            error(&format!("{GAMES}[stage.t]\nkind = 'sort-merge'\ninputs = ['games']")),
            "[stage.t] is a `sort-merge`, which takes Observations; its inputs give Games"
        );
        assert_eq!(
            error("[stage.a]\nkind = 'replay'\ninputs = ['b']\n[stage.b]\nkind = 'replay'\ninputs = ['a']"),
            "the stages a, b feed each other in a circle"
        );
    }

    #[test]
    fn one_output_has_one_writer() {
        let book = "[stage.t]\nkind = 'open-table'\npath = 'x.table'\n\
                    [stage.a]\nkind = 'compact'\ninputs = ['t']\noutput = 'x.tabia'\n\
                    [stage.b]\nkind = 'compact'\ninputs = ['t']\noutput = 'x.tabia'";
        assert_eq!(error(book), "`a` and `b` both write x.tabia");
    }
}
