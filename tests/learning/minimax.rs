//! Evaluations backed up over a book, and the policy that plays by them.

use serde_json::Value;

use crate::workbench::{Workbench, game};

/// Where games end, with the value for the side to move there, in centipawns, and the depth.
const ENDS: [(&str, i32, u32); 4] = [
    ("e4 e5 Nf3 Nc6", 30, 20),
    ("e4 c5 Nf3 d6", 50, 21),
    ("d4 d5 c4 e6", 20, 22),
    ("Nf3 d5 d4 Nf6 c4 e6", 20, 22),
];

/// A book of the games `ENDS`, and their evaluations. In the last game White plays d4 and c4 too; its end is
/// not that of the third.
fn book() -> Workbench {
    let games = ENDS.iter().map(|(moves, ..)| game(moves, "1-0"));
    let bench = Workbench::with("a.pgn", games.collect::<String>());
    bench.ok("build a.pgn -o a.tabia --table a.table");
    let epd = |(moves, ce, acd): &(&str, i32, u32)| {
        let fen = bench.probe("a.tabia", moves)["fen"].as_str().unwrap().to_owned();
        let fields: Vec<_> = fen.split(' ').take(4).collect();
        format!("{} ce {ce}; acd {acd};\n", fields.join(" "))
    };
    let (first, rest) = ENDS.split_at(2);
    bench.write("first.epd", first.iter().map(epd).collect::<String>());
    bench.write("rest.epd", rest.iter().map(epd).collect::<String>());
    for part in ["first", "rest"] {
        bench.ok(&format!("learn evals {part}.epd -o {part}.parquet"));
    }
    bench
}

const MINIMAX: &str = "experience minimax --book a.tabia first.parquet rest.parquet -o v.parquet --force";

#[test]
fn values_come_back_to_the_start_and_choose_its_moves() {
    let bench = book();
    bench.assert_says(
        MINIMAX,
        ["18 positions valued, by 4 evaluations", "start position: +0.30 by 1. e4 e5 2. Nf3 Nc6", "35 rows"],
    );
    bench.assert_prints(
        "experience show v.parquet --line e4",
        [
            "35 minimax",
            "e4 --  [minimax]",
            "minimax -0.30 at depth 20",
            "minimax -0.50 at depth 21",
            "(minimax)",
        ],
    );
    bench.ok("compact a.table --experience v.parquet --evaluations -o b.tabia");
    let probe = bench.json("probe b.tabia --policy minimax --set temperature=0");
    let e4 = &probe["moves"].as_array().unwrap().iter().find(|mv| mv["san"] == "e4").unwrap()["minimax"];
    assert_eq!((&e4["eval"], &e4["depth"]), (&Value::from(0.3), &Value::from(20)));
    assert_eq!(probe["choice"]["moves"][0]["san"], "e4");
    assert_eq!(probe["choice"]["moves"][0]["scores"]["minimax"], 30.0);
    assert_eq!(probe["beyond"].as_array().unwrap().len(), 1, "the value of the position itself");
    let printed = bench.ok("probe b.tabia --policy minimax --set window=10 --explain");
    assert!(printed.contains("minimax") && printed.contains("+0.20"), "{printed}");
    bench.ok("export polyglot b.tabia --policy minimax --set window=5 -o b.bin");
    assert_eq!(bench.json("probe b.bin")["moves"].as_array().unwrap().len(), 1);
}

#[test]
fn the_order_of_files_and_the_threads_change_nothing() {
    let bench = book();
    bench.ok(MINIMAX);
    let values = bench.read("v.parquet");
    bench.ok("experience minimax rest.parquet first.parquet --book a.tabia -o w.parquet -j 1");
    assert!(bench.read("w.parquet") == values);
    bench.ok("export polyglot a.tabia --counts-only -o a.bin");
    bench.ok("experience minimax rest.parquet first.parquet --book a.bin -o w.parquet --force");
    assert!(bench.read("w.parquet") == values, "a Polyglot book of the same moves has the same values");
}

#[test]
fn a_recipe_makes_a_book_with_its_values() {
    let bench = book();
    bench.write(
        "v.toml",
        "[pipeline]\nformat = 1\nsummary = 'A book with its values'\n\
         [stage.table]\nkind = 'open-table'\npath = 'a.table'\n\
         [stage.draft]\nkind = 'compact'\ninputs = ['table']\n\
         [stage.first]\nkind = 'open-experience'\npath = 'first.parquet'\n\
         [stage.rest]\nkind = 'open-experience'\npath = 'rest.parquet'\n\
         [stage.values]\nkind = 'minimax'\ninputs = ['draft', 'first', 'rest']\nplies = 60\nout_of_book = 'ignore'\n\
         [stage.book]\nkind = 'compact'\ninputs = ['table', 'values']\nevaluations = true\noutput = 'c.tabia'\n",
    );
    let drawing = bench.ok("plan v.toml");
    assert!(
        drawing.contains("values (minimax)") && drawing.contains("60 plies, out of book ignore"),
        "{drawing}"
    );
    bench.ok("run v.toml");
    bench.ok(MINIMAX);
    bench.ok("compact a.table --experience v.parquet --evaluations -o b.tabia");
    assert!(bench.read("b.tabia") == bench.read("c.tabia"));
}

#[test]
fn mistakes_are_named() {
    let bench = book();
    let minimax = |rest: &str| format!("experience minimax {rest} -o v.parquet");
    bench.assert_fails(&minimax("--book first.parquet a.tabia"), 1, ["a.tabia is not an experience file"]);
    bench.assert_fails(&minimax("--book a.table first.parquet"), 2, ["expected a book, but", "a table"]);
    bench.assert_fails(&minimax("--book a.tabia first.parquet --out-of-book all"), 2, ["ignore, evaluation"]);
    bench.assert_fails(&minimax("--book a.tabia first.parquet --plies 0"), 2, ["at least 1"]);
    bench.assert_fails("experience minimax --book a.tabia first.parquet -o -", 2, ["output"]);
    bench.ok("learn set --line e4 --value 75 -o hand.parquet");
    let nothing = "no position that lines of a.tabia reach";
    bench.assert_fails(&minimax("--book a.tabia hand.parquet"), 1, [nothing]);
    bench.assert_fails(&minimax("--book a.tabia first.parquet --min-depth 30"), 1, [nothing]);
    bench.write("mate.pgn", game("f3 e5 g4 Qh4#", "0-1"));
    bench.ok("build mate.pgn -o mate.tabia");
    let of_rules = "--book mate.tabia hand.parquet";
    bench.assert_fails(&minimax(of_rules), 1, ["reach from the start position has an evaluation"]);
    bench.write("empty.parquet", "");
    bench.assert_fails(&minimax("--book a.tabia empty.parquet"), 1, ["empty.parquet"]);
    bench.ok(&minimax("--book a.tabia hand.parquet --allow-empty"));
}
