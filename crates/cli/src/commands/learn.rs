//! `tabia learn`.

use pipeline::{
    builtin,
    learning::{self, CraftyExport, SetOptions},
};

use super::{
    pipelines::{execute, finish, with_progress},
    tables::refuse_dry_run,
};
use crate::args::{Learn, LearnExport, LearnSetArgs};

/// `tabia learn …`.
pub(crate) fn learn(teacher: &Learn) -> anyhow::Result<()> {
    match teacher {
        Learn::Crafty(args) => {
            let recipe = builtin::learn_crafty(args.table.clone(), &args.settings(), args.run.limits())?;
            execute(&recipe, &args.run)
        }
        Learn::Games(args) => {
            let (games, replay) = (args.games.read_games(), args.games.replay());
            let (table, limits) = (args.table.clone(), args.run.limits());
            let recipe = builtin::learn_games((&games, &replay), table, &args.settings(), limits)?;
            execute(&recipe, &args.run)
        }
        Learn::Annotations(args) => {
            let (games, replay) = (args.games.read_games(), args.games.replay());
            let recipe = builtin::learn_annotations((&games, &replay), &args.settings(), args.run.limits())?;
            execute(&recipe, &args.run)
        }
        Learn::Set(args) => set(args),
        Learn::Export(args) => export(&args.what),
    }
}

fn set(args: &LearnSetArgs) -> anyhow::Result<()> {
    refuse_dry_run(&args.run)?;
    let options = SetOptions {
        fen: args.fen.clone(),
        line: args.line.clone(),
        value: args.value.clone(),
        priority: args.priority,
        old: args.experience.old.clone(),
    };
    let output = &args.experience.output;
    let report = with_progress(&args.run, |run| learning::learn_set(&options, output, &run))?;
    finish(&report, &args.run)
}

fn export(what: &LearnExport) -> anyhow::Result<()> {
    let LearnExport::Crafty(args) = what;
    refuse_dry_run(&args.run)?;
    let export = CraftyExport { file: args.file.clone(), version: args.version.clone() };
    let report = with_progress(&args.run, |run| learning::export_crafty(&export, &args.output, &run))?;
    finish(&report, &args.run)
}
