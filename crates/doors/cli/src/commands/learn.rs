//! `tabia learn`.

use std::path::Path;

use count::kept_moves_of;
use experience::{BookOf, CraftyExport, KeptMovesOf, SetOptions, Setting, Settings};
use pipeline::recipe::builtin;
use run::{FileFormat, SamePath, check_paths};

use super::pipelines::{execute, set_side, write_experience, write_rows};
use crate::args::{Learn, LearnExport, LearnGamesArgs, LearnSetArgs};

/// `tabia learn …`.
pub(crate) fn learn(teacher: &Learn) -> anyhow::Result<()> {
    match teacher {
        Learn::Crafty(args) => {
            let (table, learn) = (args.table.clone(), args.learn.clone());
            execute(&builtin::learn_crafty(table, learn, args.run.limits()), &args.run)
        }
        Learn::Games(args) => games(args),
        Learn::Annotations(args) => {
            let (mut games, learn) = (args.games.games(), args.learn.clone());
            games.replay.options.counting.repertoire = args.repertoire;
            execute(&builtin::learn_annotations(games, learn, args.run.limits()), &args.run)
        }
        Learn::Set(args) => set(args),
        Learn::Export(args) => export(&args.what),
    }
}

fn games(args: &LearnGamesArgs) -> anyhow::Result<()> {
    let (table, mut learn) = (args.table.clone(), args.learn.clone());
    set_side(&mut learn.book, &args.book_side, args.games.names_a_player())?;
    execute(&builtin::learn_games(args.games.games(), table, learn, args.run.limits()), &args.run)
}

fn set(args: &LearnSetArgs) -> anyhow::Result<()> {
    let one = Setting {
        line: args.line.clone().unwrap_or_default(),
        value: args.value.clone(),
        priority: args.priority,
    };
    let options = SetOptions {
        fen: args.fen.clone(),
        settings: args.from.clone().map_or(Settings::One(one), Settings::From),
        old: args.experience.old.clone(),
    };
    let output = &args.experience.output;
    if let Some(list) = &args.from {
        check_paths(&[list], &[(output, FileFormat::Experience)], SamePath::Refused)?;
    }
    let old: Vec<&Path> = options.old.as_deref().into_iter().collect();
    write_experience(&args.run, &old, output, |job| experience::set(&options, output, job))
}

fn export(what: &LearnExport) -> anyhow::Result<()> {
    let LearnExport::Crafty(args) = what;
    let export =
        CraftyExport { file: args.file.clone(), version: args.version.clone(), positions: args.positions };
    let read: Vec<&Path> =
        [Some(&args.file), args.table.as_ref()].into_iter().flatten().map(AsRef::as_ref).collect();
    check_paths(&read, &[(&args.output, FileFormat::Learned)], SamePath::Refused)?;
    let kept_moves: &KeptMovesOf<'_> = &|table, keys| kept_moves_of(table, &args.book, keys);
    write_rows(&args.run, &args.output, |job| {
        let book = args.table.as_deref().map(|table| BookOf { table, kept_moves });
        experience::export_crafty(&export, book, &args.output, job)
    })
}
