//! `tabia run` and `tabia plan`: run a recipe file, or print a diagram of what it would do.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    path::{Path, PathBuf},
};

use clap::Args;
use pipeline::recipe::{Cluster, Plan, Recipe};
use run::StageError;

use crate::{
    args::RunArgs,
    execute::execute_plan,
    exit::{self, Usage},
    help::{Short, examples},
    terminal,
};

#[derive(Args)]
#[command(add = Short("counted resume memory threads force dry-run json"))]
#[command(after_help = examples("tabia run pipelines/sample.toml --force"))]
pub(crate) struct RecipeArgs {
    /// The recipe, a TOML file
    recipe: PathBuf,
    /// Use this table, counted on several machines (`tabia cluster`), in place of the recipe's own count
    #[arg(long, value_name = "TABLE")]
    counted: Option<PathBuf>,
    /// Record the progress of counts and searches, so that the same command can continue after being killed
    /// or stopped with Ctrl-C
    #[arg(long, help_heading = "Running")]
    resume: bool,
    #[command(flatten)]
    run: RunArgs,
}

/// `tabia run`.
pub(crate) fn run(args: &RecipeArgs) -> anyhow::Result<()> {
    let mut recipe = read_recipe(&args.recipe)?;
    recipe.limits = args.run.limits().or(recipe.limits);
    if let Some(table) = &args.counted {
        recipe = recipe.after_count(table.clone()).map_err(|error| wrong_recipe(&args.recipe, &error))?;
    } else if recipe.cluster != Cluster::default() {
        exit::warn(&["[cluster] is for tabia-spark: this machine counts alone".into()]);
    }
    let plan = Plan::new(&recipe).map_err(|error| wrong_recipe(&args.recipe, &error))?;
    let resume = plan.outputs().next().filter(|_| args.resume);
    execute_plan(&plan, &args.run, resume).map_err(|error| match error.downcast::<run::Error>() {
        // The user of a recipe does not see flags, so errors name stages and keys instead.
        Ok(error) if error.is::<StageError>() => wrong_recipe(&args.recipe, &error).into(),
        Ok(other) => other.into(),
        Err(other) => other,
    })
}

#[derive(Args)]
#[command(after_help = examples("tabia plan pipelines/sample.toml"))]
pub(crate) struct PlanArgs {
    /// The recipe, a TOML file
    recipe: PathBuf,
}

/// `tabia plan`.
pub(crate) fn plan(args: &PlanArgs) -> anyhow::Result<()> {
    let plan = Plan::new(&read_recipe(&args.recipe)?).map_err(|error| wrong_recipe(&args.recipe, &error))?;
    Ok(write!(terminal::stdout(), "{plan}")?)
}

/// Reads a recipe.
pub(super) fn read_recipe(path: &Path) -> anyhow::Result<Recipe> {
    let text = recipe_text(path).map_err(|error| wrong_recipe(path, &error))?;
    Ok(Recipe::parse(&text).map_err(|error| wrong_recipe(path, &error))?)
}

pub(super) fn wrong_recipe(path: &Path, why: &dyn std::error::Error) -> Usage {
    Usage(format!("{}: {why}", path.display()))
}

/// Reads the text of a recipe. If the file is too long, stops one byte past the limit.
fn recipe_text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(Recipe::BYTES_MAX as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > Recipe::BYTES_MAX {
        // The text may be cut off within a character. This is accepted here, so that the error reports the
        // length of the text instead of invalid UTF-8.
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("not a recipe, which is TOML in UTF-8"))
}
