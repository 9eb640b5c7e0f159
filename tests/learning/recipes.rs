//! Recipes with learning in them.

use super::{lesson, ruy};

const RECIPE: &str = "\
[pipeline]\nformat = 1\nsummary = 'A book with what Craftys learned'\n\
[stage.table]\nkind = 'open-table'\npath = 'ruy.table'\n\
[stage.learn]\nkind = 'learn-crafty'\ninputs = ['table']\npaths = ['a.lrn']\nmin_games = 1\noutput = 'x.experience.parquet'\n\
[stage.book]\nkind = 'compact'\ninputs = ['table', 'learn']\noutput = 'ruy.tabia'\n";

#[test]
fn a_recipe_learns_draws_and_makes_the_book_of_the_commands() {
    let bench = ruy();
    bench.write("a.lrn", lesson("a", "O-O", -135) + &lesson("b", "d3", -50));
    bench.write("x.toml", RECIPE);
    let drawing = bench.ok("plan x.toml");
    insta::assert_snapshot!(drawing, @r"
    A book with what Craftys learned

    table (open-table)        sequential  Table         ruy.table
    ├─▶ learn (learn-crafty)  sequential  Experience    a.lrn
    └─▶ book (compact)        per shard   Book          ruy.tabia + learn
    ");
    bench.ok("run x.toml");
    let made = ["x.experience.parquet", "ruy.tabia"].map(|name| bench.read(name));
    bench.ok("learn crafty a.lrn --table ruy.table -o x.experience.parquet --force");
    bench.ok("compact ruy.table --experience x.experience.parquet -o ruy.tabia --force");
    assert!(made == ["x.experience.parquet", "ruy.tabia"].map(|name| bench.read(name)));
    // Experience that only this run needs leaves no file.
    bench.write(
        "y.toml",
        RECIPE.replace("output = 'x.experience.parquet'\n", "").replace("ruy.tabia", "other.tabia"),
    );
    bench.ok("run y.toml");
    assert!(bench.read("other.tabia") == made[1]);
    assert_eq!(
        bench.names(),
        [
            "a.lrn",
            "other.tabia",
            "ruy.pgn",
            "ruy.tabia",
            "ruy.table",
            "x.experience.parquet",
            "x.toml",
            "y.toml"
        ]
    );
}

#[test]
fn build_with_records_is_learn_and_compact() {
    let bench = ruy();
    bench.write("a.lrn", lesson("a", "O-O", -135));
    bench.ok("build ruy.pgn -o built.tabia --learn a.lrn --min-games 2");
    bench.ok("learn crafty a.lrn --table ruy.table --min-games 2 -o x.parquet");
    bench.ok("compact ruy.table --experience x.parquet --min-games 2 -o made.tabia");
    assert!(bench.read("built.tabia") == bench.read("made.tabia"));
}

#[test]
fn wrong_learning_is_refused_before_anything_runs() {
    let bench = ruy();
    bench.write("a.lrn", lesson("a", "O-O", -135));
    for (from, to, mentions) in [
        ("paths = ['a.lrn']", "path = ['a.lrn']", "did you mean `paths`?"),
        ("paths = ['a.lrn']", "paths = []", "paths"),
        ("min_games = 1", "family = 'Z'", "`Z`"),
        ("inputs = ['table']\n", "", "learn"),
        ("inputs = ['table', 'learn']", "inputs = ['learn']", "book"),
    ] {
        bench.write("bad.toml", RECIPE.replace(from, to));
        bench.assert_fails("run bad.toml", 2, [mentions]);
    }
    assert_eq!(bench.names(), ["a.lrn", "bad.toml", "ruy.pgn", "ruy.table"]);
}
