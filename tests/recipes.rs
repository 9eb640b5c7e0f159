//! Recipes: every one in `pipelines/` plans and draws as its golden drawing; the commands are recipes too.

use std::{fs, path::Path};

use build::recipe::{KINDS, Plan, Recipe};
use serde_json::Value;

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

/// The graph is in the crate's first line, in the list of kinds and in what `plan` prints; they agree.
#[test]
fn the_stage_graph_is_the_same_everywhere() {
    let doc = fs::read_to_string(root().join("crates/build/src/lib.rs")).unwrap();
    let line = doc.lines().next().unwrap();
    let graph: Vec<_> = line.split('`').nth(1).unwrap().split("─▶").map(str::trim).collect();
    let mut rest = KINDS.iter();
    assert!(graph.iter().all(|kind| rest.any(|known| known == kind)), "{graph:?} against {KINDS:?}");
    let golden = fs::read_to_string(root().join("pipelines/sample.txt")).unwrap();
    assert!(graph.iter().all(|kind| golden.contains(&format!("({kind})"))), "{graph:?} in sample.txt");
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

/// Every book of a recipe is reported, not the last one alone.
#[test]
fn a_recipe_with_two_books_reports_both() {
    let bench = Workbench::new();
    fs::copy(sample(), bench.path("sample.pgn")).unwrap();
    bench.write(
        "two.toml",
        "[pipeline]\nformat = 1\n[stage.games]\nkind = 'read-games'\npaths = ['sample.pgn']\n\
         [stage.replay]\nkind = 'replay'\ninputs = ['games']\nmax_ply = 10\n\
         [stage.tally]\nkind = 'sort-merge'\ninputs = ['replay']\n\
         [stage.all]\nkind = 'compact'\ninputs = ['tally']\noutput = 'all.tabia'\n\
         [stage.few]\nkind = 'compact'\ninputs = ['tally']\noutput = 'few.tabia'\nmin_games = 50\n",
    );
    let summary: Value = serde_json::from_str(&bench.ok("run two.toml --json")).unwrap();
    let books = summary["books"].as_array().unwrap();
    let paths: Vec<_> = books.iter().map(|book| book["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["all.tabia", "few.tabia"]);
    let positions: Vec<_> = books.iter().map(|book| book["positions"].as_u64().unwrap()).collect();
    assert!(positions[0] > positions[1] && positions[1] > 0, "{positions:?}");
    assert_eq!(summary["book_positions"].as_u64().unwrap(), positions.iter().sum::<u64>());
    for (path, positions) in paths.iter().zip(&positions) {
        let info: Value = serde_json::from_str(&bench.ok(&format!("info {path} --json"))).unwrap();
        assert_eq!(info["details"]["positions"].as_u64().unwrap(), *positions, "{path}");
    }
    let printed = String::from_utf8(bench.run("run two.toml --force").stderr).unwrap();
    assert!(printed.contains("all.tabia: ") && printed.contains("few.tabia: "), "{printed}");
}

/// Time is recorded where it is spent: the source and the operator have their share of a reading.
#[test]
fn every_stage_that_runs_has_its_seconds() {
    let bench = Workbench::new();
    fs::copy(sample(), bench.path("sample.pgn")).unwrap();
    let build = "build sample.pgn -o b.tabia --polyglot b.bin --json";
    let summary: Value = serde_json::from_str(&bench.ok(build)).unwrap();
    for stage in ["games", "replay", "tally", "book", "polyglot"] {
        assert!(summary["seconds"][stage].as_f64().unwrap() > 0.0, "{stage}: {}", summary["seconds"]);
    }
}

/// A recipe of an earlier version names the player's colour `color`; the flag is `--player-color`.
#[test]
fn the_former_key_of_a_players_colour_is_read() {
    let bench = Workbench::new();
    let recipe = |key: &str| {
        format!(
            "[pipeline]\nformat = 1\n[stage.games]\nkind = 'read-games'\npaths = ['x.pgn']\n\
             [stage.replay]\nkind = 'replay'\ninputs = ['games']\nplayer = 'Ada'\n{key} = 'white'\n\
             [stage.tally]\nkind = 'sort-merge'\ninputs = ['replay']\noutput = 'x.table'\n"
        )
    };
    bench.write("former.toml", recipe("color"));
    bench.write("now.toml", recipe("player_color"));
    assert_eq!(bench.ok("plan former.toml"), bench.ok("plan now.toml"));
}
