//! Moves that are never played, by every policy of the catalogue and at every door.

use super::{chance, of};
use crate::{
    playing::gui::Gui,
    workbench::{Workbench, assert_has},
};

fn names(bench: &Workbench) -> Vec<String> {
    let policies = bench.json("policies");
    policies.as_array().unwrap().iter().map(|policy| policy["name"].as_str().unwrap().to_owned()).collect()
}

/// A lesson of 1.e4, which its result lost.
const LOST: &str = "[White \"Crafty 15.17\"]\n[Black \"b\"]\n[Date \"1998.09.01\"]\n e4 {-99900 0 0}\n";

/// The sample, counted, and what bans 1.e4 in one of four ways, as experience files.
fn with_bans() -> (Workbench, [&'static str; 4]) {
    let bench = Workbench::after(["count SAMPLE -o s.table"]);
    bench.write("lost.lrn", LOST);
    bench.ok("learn crafty lost.lrn --table s.table -o learned.parquet");
    for (file, set) in [("value", "--value 0"), ("mark", "--value ?"), ("priority", "--priority 0")] {
        bench.ok_at(&format!("learn set {set} -o {file}.parquet"), "e4");
    }
    (bench, ["value", "mark", "priority", "learned"])
}

#[test]
fn no_policy_plays_a_move_that_is_banned() {
    let (bench, bans) = with_bans();
    for ban in bans {
        bench.ok(&format!("compact s.table --experience {ban}.parquet -o {ban}.tabia"));
        for policy in names(&bench) {
            let of_policy = format!("{ban}.tabia --policy {policy}");
            let choice = bench.choice(&of_policy, "");
            assert!(chance(&choice, "e4") <= 0.0, "{of_policy}: {choice}");
            assert!(of(&choice, "e4")["excluded"]["rule"].is_string(), "{of_policy}: {choice}");
            let walks = bench.json(&format!("simulate {of_policy} --games 50 --max-ply 1 --lines 99"));
            let lines = walks["lines"].as_array().unwrap();
            assert!(
                lines.iter().all(|line| line["moves"][0].is_string() && line["moves"][0] != "e4"),
                "{walks}"
            );
            assert_ne!(bench.ok(&format!("pick {of_policy} --seed 1")), "e4\n");
            bench.ok(&format!("export polyglot {of_policy} -o b.bin --force"));
            let moves = bench.json("probe b.bin")["moves"].take();
            let entries: Vec<_> =
                moves.as_array().unwrap().iter().map(|mv| mv["san"].as_str().unwrap()).collect();
            assert!(!entries.is_empty() && !entries.contains(&"e4"), "{of_policy}: {entries:?}");
        }
    }
    // By counts too, and a seed's bare rule knows of no ban.
    bench.ok("export polyglot mark.tabia -o b.bin --force");
    assert!(!bench.ok("probe b.bin").contains("e4 "));
    let bare = bench.choice("value.tabia --policy polyglot --set honour-bans=false", "");
    assert!(chance(&bare, "e4") > 0.5, "{bare}");
    bench.ok("export polyglot value.tabia -o b.bin --force --policy polyglot --set honour-bans=false");
    assert!(bench.ok("probe b.bin").contains("e4 "));
}

#[test]
fn a_policy_that_ignores_experience_says_so() {
    let (bench, _) = with_bans();
    bench.ok("compact s.table --experience value.parquet -o s.tabia");
    let said = |name: &str| {
        format!("{name} ignores what was learned or set by hand, but never plays a move that is banned")
    };
    let wilson = said("wilson");
    let one_line = |text: &str| text.lines().filter(|line| line.contains(&wilson)).count() == 1;
    assert!(one_line(&bench.ok("probe s.tabia --policy wilson")));
    assert!(one_line(&bench.ok("probe s.tabia --policy wilson --explain")));
    assert!(one_line(&bench.said("pick s.tabia --policy wilson --seed 1")));
    assert!(one_line(&bench.ok("simulate s.tabia --policy wilson --games 2 --against crafty")));
    assert!(one_line(&bench.said("export polyglot s.tabia -o b.bin --policy wilson")));
    let bare = bench.ok("probe s.tabia --policy wilson --set honour-bans=false");
    assert_has(&bare, ["note: wilson ignores what was learned or set by hand\n"]);
    for policy in ["crafty", "crafty-5.1", "crafty-5.2", "terra", "lokasoft"] {
        assert!(!bench.ok(&format!("probe s.tabia --policy {policy}")).contains("ignores"), "{policy}");
    }
    bench.ok("compact s.table -o plain.tabia");
    assert!(!bench.ok("probe plain.tabia --policy wilson").contains("ignores"));
    let mut gui = Gui::start(&bench, &["s.tabia", "--policy", "wilson"]);
    assert!(one_line(&gui.ask("uci", "uciok").join("\n")));
    let heard = gui.ask("setoption name Policy value bayes\nisready", "readyok").join("\n");
    assert_has(&heard, [said("bayes")]);
    gui.end();
}

/// What was learned lies over a Polyglot book as over a book: by default it is chosen by, and no policy plays
/// what is banned. A policy that goes by results has none there.
#[test]
fn experience_lies_over_a_polyglot_book() {
    let (bench, bans) = with_bans();
    bench.ok("compact s.table -o s.tabia");
    bench.ok("export polyglot s.tabia -o s.bin");
    let played = |arguments: &[&str]| {
        let mut gui = Gui::start(&bench, &[&["s.bin"], arguments].concat());
        gui.ask("uci", "uciok");
        let moves: Vec<_> = (0..12).map(|_| gui.best_move("go depth 1")).collect();
        gui.end();
        moves
    };
    assert!(played(&["--seed", "1"]).contains(&"e2e4".to_owned()));
    let mut refused = Vec::new();
    for policy in names(&bench) {
        let fails = bench.run(&format!("uci s.bin --policy {policy}")).status.code() != Some(0);
        if fails {
            let why = bench.fails(&format!("uci s.bin --policy {policy} --learn value.parquet"), 2);
            assert_has(&why, [&*format!("policy `{policy}` chooses by games and results"), "polyglot"]);
            assert_has(&bench.ok(&format!("probe s.bin --policy {policy}")), ["note: policy `"]);
            refused.push(policy);
            continue;
        }
        for ban in bans {
            let file = format!("{ban}.parquet");
            let moves = played(&["--policy", &policy, "--learn", &file, "--seed", "1"]);
            assert!(moves.iter().all(|mv| mv != "e2e4" && mv != "0000"), "{policy} {ban}: {moves:?}");
        }
    }
    assert_eq!(refused, ["postmodernist", "wilson", "bayes"]);
    let mut gui = Gui::start(&bench, &["s.bin", "--learn", "learned.parquet"]);
    gui.ask("uci", "uciok");
    let heard = gui.ask("go depth 1", "bestmove").join("\n");
    assert!(heard.contains("by crafty") && !heard.contains("bestmove e2e4"), "{heard}");
    let heard = gui.ask("setoption name Policy value wilson\nisready", "readyok").join("\n");
    assert_has(&heard, ["error: Policy: policy `wilson` chooses by games and results"]);
    gui.end();
}
