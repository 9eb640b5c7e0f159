//! Recipes: every one in `pipelines/` plans and draws as its golden drawing; the commands are recipes too.

use std::{fs, path::Path};

use pipeline::recipe::{Plan, Recipe, kinds};
use serde_json::Value;

use crate::workbench::{Workbench, root, sample};

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
    let made = ["sample.tabia", "sample.bin"].map(|name| bench.read(name));
    let parts = bench.part_bytes("sample.table");
    bench.ok(&format!("{build} --force"));
    assert!(made == ["sample.tabia", "sample.bin"].map(|name| bench.read(name)));
    assert!(parts == bench.part_bytes("sample.table"));
}

/// The graph is in the crate's first line, in the list of kinds and in what `plan` prints; they agree.
#[test]
fn the_stage_graph_is_the_same_everywhere() {
    let doc = fs::read_to_string(root().join("crates/pipeline/pipeline/src/lib.rs")).unwrap();
    let line = doc.lines().next().unwrap();
    let graph: Vec<_> = line.split('`').nth(1).unwrap().split("─▶").map(str::trim).collect();
    let mut rest = kinds();
    assert!(graph.iter().all(|kind| rest.any(|known| known == *kind)), "{graph:?}");
    let golden = fs::read_to_string(root().join("pipelines/sample.txt")).unwrap();
    assert!(graph.iter().all(|kind| golden.contains(&format!("({kind})"))), "{graph:?} in sample.txt");
}

#[test]
fn wrong_recipes_are_refused_before_anything_runs() {
    let bench = Workbench::with(
        "typo.toml",
        "[pipeline]\nformat = 1\n[stage.games]\nkind = 'read-games'\npaths = ['x.pgn']\n\
         [stage.replay]\nkind = 'replay'\ninputs = ['games']\nmin_ello = 2400\n",
    );
    bench.assert_fails("run typo.toml", 2, ["[stage.replay]", "did you mean `min_elo`?"]);
    bench.assert_fails("build x.pgn -o b.tabia --line e5", 2, ["line", "e5"]);
}

/// Every book of a recipe is reported, not the last one alone.
#[test]
fn a_recipe_with_two_books_reports_both() {
    let bench = Workbench::with_sample();
    bench.write(
        "two.toml",
        "[pipeline]\nformat = 1\n[stage.games]\nkind = 'read-games'\npaths = ['sample.pgn']\n\
         [stage.replay]\nkind = 'replay'\ninputs = ['games']\nmax_ply = 10\n\
         [stage.tally]\nkind = 'sort-merge'\ninputs = ['replay']\n\
         [stage.all]\nkind = 'compact'\ninputs = ['tally']\noutput = 'all.tabia'\n\
         [stage.few]\nkind = 'compact'\ninputs = ['tally']\noutput = 'few.tabia'\nmin_games = 50\n",
    );
    let summary = bench.json("run two.toml");
    let books = summary["books"].as_array().unwrap();
    let paths: Vec<_> = books.iter().map(|book| book["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["all.tabia", "few.tabia"]);
    let positions: Vec<_> = books.iter().map(|book| book["positions"].as_u64().unwrap()).collect();
    assert!(positions[0] > positions[1] && positions[1] > 0, "{positions:?}");
    assert_eq!(summary["book_positions"].as_u64().unwrap(), positions.iter().sum::<u64>());
    for (path, positions) in paths.iter().zip(&positions) {
        let info = bench.json(&format!("info {path}"));
        assert_eq!(info["details"]["positions"].as_u64().unwrap(), *positions, "{path}");
    }
    bench.assert_says("run two.toml --force", ["all.tabia: ", "few.tabia: "]);
}

/// Time is recorded where it is spent: the source and the operator have their share of a reading.
#[test]
fn every_stage_that_runs_has_its_seconds() {
    let bench = Workbench::with_sample();
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

/// A stage that reads every move of a game refuses what only a count looks at.
#[test]
fn settings_of_counts_are_refused_where_nothing_is_counted() {
    let bench = Workbench::new();
    let recipe = |setting: &str, kind: &str| {
        format!(
            "[pipeline]\nformat = 1\n[stage.games]\nkind = 'read-games'\npaths = ['x.pgn']\n\
             [stage.replay]\nkind = 'replay'\ninputs = ['games']\n{setting}\n\
             [stage.read]\nkind = '{kind}'\ninputs = ['replay']\noutput = 'x.experience.parquet'\n"
        )
    };
    bench.write("plain.toml", recipe("", "learn-annotations"));
    bench.ok("plan plain.toml");
    for setting in ["by = ['speed']", "ratings = true"] {
        bench.write("set.toml", recipe(setting, "learn-annotations"));
        let key = setting.split(' ').next().unwrap();
        bench.assert_fails("plan set.toml", 2, [key, "has no meaning here: each move of a game is read"]);
    }
}

/// A recipe of counts on one replay: each a name and its settings.
fn counts(replay: &str, counts: &[(&str, &str)]) -> String {
    let head = "[pipeline]\nformat = 1\n[stage.games]\nkind = 'read-games'\npaths = ['sample.pgn']\n";
    let replay = format!("[stage.replay]\nkind = 'replay'\ninputs = ['games']\n{replay}\n");
    let count = |(name, settings): &(&str, &str)| {
        let kind = "kind = 'sort-merge'\ninputs = ['replay']";
        format!("[stage.{name}]\n{kind}\noutput = '{name}.table'\n{settings}\n")
    };
    [head.to_owned(), replay].into_iter().chain(counts.iter().map(count)).collect()
}

fn with_sample() -> Workbench {
    Workbench::with_sample()
}

/// Every file of a folder.
fn files(folder: &Path) -> Vec<(std::ffi::OsString, Vec<u8>)> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let mut files: Vec<_> =
        entries.map(|entry| (entry.file_name(), fs::read(entry.path()).unwrap())).collect();
    files.sort();
    files
}

#[test]
fn counts_on_one_replay_are_those_of_counts_alone() {
    let bench = with_sample();
    let wanted = [("strong", "WhiteElo>=2400"), ("weak", "WhiteElo<2400"), ("black", "Black=~\"Stockfish\"")];
    let settings = wanted.map(|(name, only)| (name, format!("where = '{only}'")));
    let mut parts: Vec<_> = settings.iter().map(|(name, text)| (*name, text.as_str())).collect();
    parts.push(("all", "shards = 4"));
    let replay = "max_ply = 50\nmin_elo = 1900\nby = ['rating-band']\nratings = true";
    bench.write("several.toml", counts(replay, &parts));
    let alone = "--max-ply 50 --min-elo 1900 --by rating-band --ratings --quiet";
    for (name, only) in wanted {
        bench.ok(&format!("count sample.pgn -o {name}-alone.table {alone} --where {only}"));
    }
    bench.ok(&format!("count sample.pgn -o all-alone.table {alone} --shards 4"));
    for limits in ["--threads 1", "--threads 3 --memory 64MiB"] {
        bench.ok(&format!("run several.toml --force {limits}"));
        for name in ["strong", "weak", "black", "all"] {
            let (together, alone) =
                (bench.path(&format!("{name}.table")), bench.path(&format!("{name}-alone.table")));
            assert!(files(&together) == files(&alone), "{name} {limits}");
        }
    }
    let summary = bench.json("run several.toml --force");
    let games = |part: &Value| part["games"].as_u64().unwrap();
    let parts = summary["parts"].as_array().unwrap();
    let of = |name: &str| games(parts.iter().find(|part| part["stage"] == name).unwrap());
    assert_eq!(of("strong") + of("weak"), of("all"));
    assert_eq!(summary["accepted"].as_u64(), Some(of("all")));
}

#[test]
fn a_count_of_a_recipe_takes_the_games_of_its_expression() {
    let bench = with_sample();
    bench.write("one.toml", counts("min_elo = 2000", &[("one", "where = 'WhiteElo >= 2300'")]));
    bench.ok("run one.toml");
    bench.ok("count sample.pgn -o alone.table --min-elo 2000 --where WhiteElo>=2300");
    assert!(files(&bench.path("one.table")) == files(&bench.path("alone.table")));
    assert!(bench.ok("plan one.toml").contains("where WhiteElo >= 2300"));
}

#[test]
fn several_counts_refuse_what_they_cannot_do() {
    let bench = with_sample();
    bench.write("none.toml", counts("", &[("some", ""), ("none", "where = 'WhiteElo >= 9000'")]));
    bench.assert_fails("run none.toml", 1, ["[stage.none]", "where 2,400"]);
    assert!(!bench.path("some.table").exists() && !bench.path("none.table").exists());
    bench.ok("run none.toml --allow-empty");

    let copies = "dedup_games = 'exact'";
    bench.write("copies.toml", counts(copies, &[("all", ""), ("strong", "where = 'WhiteElo >= 2400'")]));
    bench.assert_fails("run copies.toml", 2, ["[stage.strong]", "dedup_games"]);
    bench.write("both.toml", counts(copies, &[("more", ""), ("most", "shards = 2")]));
    bench.ok("run both.toml");
    assert!(files(&bench.path("more.table")).iter().any(|(name, _)| name == "_fingerprints"));
}
