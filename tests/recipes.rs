//! Recipes: every one in `pipelines/` plans and draws as its golden drawing; the commands are recipes too.

use std::{fs, path::Path};

use pipeline::{Plan, Recipe, catalogue::CATALOGUE};

use crate::workbench::{Workbench, sample};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_recipe_plans_and_draws_as_its_golden_drawing() {
    let recipes = fs::read_dir(root().join("pipelines")).unwrap().map(|entry| entry.unwrap().path());
    let mut drawn = 0;
    for path in recipes.filter(|path| path.extension().is_some_and(|extension| extension == "toml")) {
        let recipe = Recipe::parse(&fs::read_to_string(&path).unwrap()).unwrap();
        let drawing = Plan::new(&recipe).unwrap().to_string();
        let golden = fs::read_to_string(path.with_extension("txt")).unwrap();
        assert_eq!(drawing, golden, "{}", path.display());
        drawn += 1;
    }
    assert!(drawn > 0, "no recipes in pipelines/");
}

/// `pipelines/sample.toml` is what `tabia build` runs, written out: the same drawing, and the same bytes.
#[test]
fn the_sample_recipe_is_the_build_command() {
    let bench = Workbench::new();
    fs::create_dir_all(bench.path("data")).unwrap();
    fs::copy(sample(), bench.path("data/sample.pgn")).unwrap();
    fs::copy(root().join("pipelines/sample.toml"), bench.path("sample.toml")).unwrap();
    let build =
        "build data/sample.pgn -o sample.tabia --table sample.table --polyglot sample.bin --min-games 3";
    let stages = |drawing: &str| drawing.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(stages(&bench.ok("plan sample.toml")), stages(&bench.ok(&format!("{build} --dry-run"))));

    bench.ok("run sample.toml");
    let made = ["sample.tabia", "sample.bin"].map(|name| fs::read(bench.path(name)).unwrap());
    let parts = bench.part_bytes("sample.table");
    bench.ok(&format!("{build} --force"));
    assert!(made == ["sample.tabia", "sample.bin"].map(|name| fs::read(bench.path(name)).unwrap()));
    assert!(parts == bench.part_bytes("sample.table"));
}

/// The graph stands in the crate's first line, in the catalogue and in what `plan` prints; they tell the same story.
#[test]
fn the_stage_graph_is_told_once() {
    let doc = fs::read_to_string(root().join("crates/pipeline/src/lib.rs")).unwrap();
    let line = doc.lines().next().unwrap();
    let told: Vec<_> = line.split('`').nth(1).unwrap().split("─▶").map(str::trim).collect();
    let kinds: Vec<_> = CATALOGUE.iter().map(|entry| entry.kind).collect();
    let mut rest = kinds.iter();
    assert!(told.iter().all(|kind| rest.any(|known| known == kind)), "{told:?} against {kinds:?}");
    let golden = fs::read_to_string(root().join("pipelines/sample.txt")).unwrap();
    assert!(told.iter().all(|kind| golden.contains(&format!("({kind})"))), "{told:?} in sample.txt");
}

#[test]
fn wrong_recipes_are_refused_before_anything_runs() {
    let bench = Workbench::new();
    bench.write(
        "typo.toml",
        "[pipeline]\nformat = 1\n[stage.games]\nkind = 'read-games'\npaths = ['x.pgn']\n\
         [stage.replay]\nkind = 'replay'\ninputs = ['games']\nmin_ello = 2400\n",
    );
    let error = bench.fails("run typo.toml", 2);
    assert!(error.contains("[stage.replay]") && error.contains("did you mean `min_elo`?"), "{error}");
    let error = bench.fails("build x.pgn -o b.tabia --line e5", 2);
    assert!(error.contains("line") && error.contains("e5"), "{error}");
}
