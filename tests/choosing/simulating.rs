//! `simulate`, on the command line and as a stage, and its picture.

use std::collections::BTreeSet;

use serde_json::Value;

use super::{assert_near, game};
use crate::workbench::Workbench;

fn with_sample() -> Workbench {
    Workbench::after(["build SAMPLE -o s.tabia --min-games 2"])
}

fn sum(values: &Value, name: &str) -> f64 {
    values.as_array().unwrap().iter().map(|value| value[name].as_f64().unwrap()).sum()
}

#[test]
fn walks_do_not_depend_on_threads() {
    let bench = with_sample();
    let walk = |threads: u32, policy: &str| {
        let picture = format!("{policy}{threads}.svg");
        let json = bench.json(&format!(
            "simulate s.tabia --policy {policy} --games 3000 --seed 5 -j {threads} --svg {picture} --force"
        ));
        (json, bench.read(&picture))
    };
    for policy in ["terra", "postmodernist", "wilson"] {
        let one = walk(1, policy);
        assert!(one == walk(2, policy) && one == walk(5, policy), "{policy}");
    }
    let other = bench.json("simulate s.tabia --policy terra --games 3000 --seed 6");
    assert_ne!(other["mean_plies"], walk(1, "terra").0["mean_plies"]);
}

#[test]
fn every_walk_is_reported_once() {
    let bench = with_sample();
    for (lines, most) in [(1, 1), (20, 20), (100_000, 100_000)] {
        let json = bench.json(&format!("simulate s.tabia --policy wilson --games 1500 --lines {lines}"));
        let listed = json["lines"].as_array().unwrap();
        assert!(listed.len() <= most);
        for part in [&json["ends"], &json["plies"]] {
            assert_near(sum(part, "walks"), 1500.0);
            assert!((sum(part, "share") - 1.0).abs() < 1e-9);
        }
        assert_near(sum(&json["lines"], "walks") + json["others"]["walks"].as_f64().unwrap(), 1500.0);
        assert!(
            (sum(&json["lines"], "share") + json["others"]["share"].as_f64().unwrap() - 1.0).abs() < 1e-9
        );
        assert!(listed.is_sorted_by(|a, b| a["walks"].as_u64() >= b["walks"].as_u64()));
        let different: BTreeSet<_> =
            listed.iter().map(|line| (line["text"].to_string(), line["whole"].as_bool())).collect();
        assert_eq!(different.len(), listed.len());
        if lines == 100_000 {
            assert!(listed.iter().all(|line| line["whole"] == true));
            assert_eq!(json["different"].as_u64(), Some(listed.len() as u64));
        }
    }
}

/// The side that a book has no moves of replies with what leads back into it, as often as games met that.
#[test]
fn walks_of_a_book_of_one_side_go_on_over_replies() {
    let bench = Workbench::new();
    let games = game("a", "b", "1-0", "1. e4 e5 2. Nf3").repeat(3) + &game("a", "b", "0-1", "1. e4 c5 2. c3");
    bench.write("t.pgn", games);
    bench.ok("build t.pgn -o t.tabia --color white");
    let walk = "simulate t.tabia --policy wilson --games 4000";
    let json = bench.json(walk);
    let lines = [0, 1].map(|at| &json["lines"][at]);
    assert_eq!(lines.map(|line| line["text"].as_str().unwrap()), ["1. e4 e5 2. Nf3", "1. e4 c5 2. c3"]);
    assert!((lines[0]["share"].as_f64().unwrap() - 0.75).abs() < 0.03, "{json}");
    let note = "note: the book has only moves of White: Black replies with moves that lead to positions";
    bench.assert_prints(walk, [note]);
    bench.ok("export polyglot t.tabia -o t.bin");
    let json = bench.json("simulate t.bin --policy polyglot --games 4000");
    assert!(
        (json["lines"][0]["share"].as_f64().unwrap() - 0.5).abs() < 0.03,
        "weights count no games: {json}"
    );
}

/// Two lines, drawn by how often they were played; the scores are those of their last positions.
#[test]
fn a_small_book_is_walked_as_it_must_be() {
    let bench = Workbench::new();
    let games = game("a", "b", "1-0", "1. e4 e5").repeat(3) + &game("a", "b", "0-1", "1. d4 d5 2. c4");
    bench.write("t.pgn", games);
    bench.ok("build t.pgn -o t.tabia");
    let walks = "simulate t.tabia --policy lokasoft --set move-distribution=times-played --games 4000";
    let json = bench.json(walks);
    let lines = json["lines"].as_array().unwrap();
    let texts: Vec<_> = lines.iter().map(|line| line["text"].as_str().unwrap()).collect();
    assert_eq!(texts, ["1. e4 e5", "1. d4 d5 2. c4"]);
    assert_eq!((lines[0]["score"].as_f64(), lines[1]["score"].as_f64()), (Some(1.0), Some(0.0)));
    let share = lines[0]["share"].as_f64().unwrap();
    assert!((share - 0.75).abs() < 0.03, "{share}");
    assert!((json["score"].as_f64().unwrap() - share).abs() < 1e-12);
    assert!((json["mean_plies"].as_f64().unwrap() - (2.0 * share + 3.0 * (1.0 - share))).abs() < 1e-9);
    assert_eq!(json["ends"][0]["end"], "leaf");
    assert_eq!(json["ends"][0]["share"], 1.0);
    bench.assert_prints(walks, ["last position of the book", "  1. d4 d5 2. c4\n"]);

    let black = bench.json("simulate t.tabia --policy lokasoft --games 10 --line e4");
    assert_eq!(black["lines"][0]["text"], "1... e5");
    let nowhere = bench.json("simulate t.tabia --policy polyglot --games 10 --line a4");
    assert_eq!(nowhere["ends"][1]["end"], "out-of-book");
    assert_eq!(nowhere["ends"][1]["walks"], 10);
    assert_eq!(nowhere["score"], Value::Null);
}

#[test]
fn a_loop_ends_at_the_ply_limit() {
    let bench =
        Workbench::with("t.pgn", game("a", "b", "1/2-1/2", "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8"));
    bench.ok("build t.pgn -o t.tabia");
    let walks = bench.json("simulate t.tabia --policy bayes --games 5 --max-ply 11");
    assert_eq!(walks["mean_plies"], 11.0);
    assert_eq!((&walks["ends"][3]["end"], &walks["ends"][3]["walks"]), (&"max-ply".into(), &5.into()));
    bench.fails("simulate t.tabia --policy bayes --max-ply 0", 2);
    bench.fails("simulate t.tabia --policy bayes --max-ply 1001", 2);
    bench.fails("simulate t.tabia --policy bayes --games 0", 2);
}

#[test]
fn each_side_can_have_a_policy() {
    let bench = Workbench::new();
    let games = game("a", "b", "1-0", "1. e4 e5").repeat(5)
        + &game("a", "b", "1-0", "1. d4 d5").repeat(2)
        + &game("a", "b", "1-0", "1. e4 c5").repeat(2)
        + &game("a", "b", "0-1", "1. e4 c5");
    bench.write("t.pgn", games);
    bench.ok("build t.pgn -o t.tabia");
    let walks = bench.json(
        "simulate t.tabia --policy crafty-5.1 --against wilson --set-against choice=best --set-against min-games=2 --games 50",
    );
    assert_eq!(walks["against"], "wilson, min-games = 2, choice = best");
    assert_eq!(walks["lines"].as_array().unwrap().len(), 1);
    assert_eq!(walks["lines"][0]["text"], "1. e4 c5", "most played, then best for Black");
}

#[test]
fn the_picture_is_sound_xml_and_appears_whole() {
    let bench = with_sample();
    bench.ok("simulate s.tabia --policy terra --set book-limit=20 --games 500 --svg t.svg");
    let svg = bench.text("t.svg");
    let labels = assert_well_formed(&svg);
    assert!(labels.iter().any(|label| label.starts_with("e4 ")), "{labels:?}");
    assert!(
        labels.contains(&"terra, book-limit = 20: 500 walks from the start position".to_owned()),
        "{labels:?}"
    );
    assert!(labels.contains(&"White’s score:".to_owned()));
    bench.assert_fails(
        "simulate s.tabia --policy terra --games 500 --svg t.svg",
        2,
        ["t.svg already exists"],
    );
    assert_eq!(bench.text("t.svg"), svg);
    bench.ok("simulate s.tabia --policy terra --set book-limit=20 --games 500 --svg t.svg --force");
    assert_eq!(bench.text("t.svg"), svg);
    bench.ok("simulate s.tabia --policy terra --games 5 --line a4 --svg nothing.svg");
    assert_well_formed(&bench.text("nothing.svg"));
}

/// Every tag is closed in its turn, every attribute quoted, every `&` an entity; the texts between tags.
fn assert_well_formed(xml: &str) -> Vec<String> {
    let (mut open, mut texts) = (Vec::new(), Vec::new());
    let mut rest = xml;
    while let Some((text, from)) = rest.split_once('<') {
        let (tag, after) = from.split_once('>').unwrap();
        assert!(!text.contains('>'), "{text}");
        assert_eq!(
            text.matches('&').count(),
            ["&amp;", "&lt;", "&gt;", "&quot;"].map(|it| text.matches(it).count()).iter().sum::<usize>()
        );
        texts.extend(Some(text.trim().to_owned()).filter(|text| !text.is_empty()));
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "{tag}");
        } else {
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            let name = tag.split([' ', '/']).next().unwrap();
            if !tag.ends_with('/') {
                open.push(name);
            }
        }
        rest = after;
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
    texts
}

#[test]
fn a_recipe_takes_settings_as_a_table() {
    let bench = with_sample();
    let recipe = |settings: &str| {
        let text = format!(
            "[pipeline]\nformat = 1\n[stage.book]\nkind = 'open-book'\npath = 's.tabia'\n\
             [stage.walks]\nkind = 'simulate'\ninputs = ['book']\noutput = 'w.svg'\nreport = 'w.json'\n\
             policy = 'terra'\ngames = 300\nseed = 4\n{settings}\n"
        );
        bench.write("w.toml", text);
    };
    recipe("settings = { book-limit = 20, random-type = 1 }");
    bench.assert_prints("plan w.toml", ["w.svg, 300 walks by terra, random-type = 1, book-limit = 20"]);
    bench.ok("run w.toml");
    let walks =
        "simulate s.tabia --policy terra --set book-limit=20 --set random-type=1 --games 300 --seed 4";
    let command = bench.json(&format!("{walks} --svg c.svg"));
    let report: Value = serde_json::from_slice(&bench.read("w.json")).unwrap();
    assert_eq!(report, command);
    assert!(bench.read("w.svg") == bench.read("c.svg"));
    for (settings, message) in [
        (
            "settings = { book-limit = 200 }",
            "[stage.walks] `policy`: policy `terra`: setting `book-limit` must be a whole number from 0 to 100, not `200`",
        ),
        ("settings = { book-limt = 20 }", "did you mean `book-limit`?"),
        ("settings = { book-limit = [1] }", "setting `book-limit` has the type array"),
        ("setings = { book-limit = 20 }", "did you mean `settings`?"),
        ("against = 'tera'", "did you mean `terra`?"),
        ("against_settings = { z = 2 }", "needs `against`"),
        ("max_ply = 0", "1 to 1000"),
        ("line = 'e5'", "e5"),
    ] {
        recipe(settings);
        bench.assert_fails("plan w.toml", 2, [message]);
    }
}
