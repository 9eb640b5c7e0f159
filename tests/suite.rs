//! `tabia suite`: openings that fit what is asked for, the same bytes every time, and what is left out said.

use std::collections::{BTreeMap, BTreeSet};

use position::{Key, PackedMove, named_position};
use serde_json::{Value, json};
use shakmaty::{Chess, Position as _, fen::Fen, san::San};

use crate::workbench::Workbench;

fn with_table() -> Workbench {
    Workbench::after(["count SAMPLE -o games.table --max-ply 30"])
}

/// An opcode's operand in a line of EPD.
fn operand<'l>(line: &'l str, name: &str) -> &'l str {
    let start = line.find(&format!(" {name} ")).unwrap_or_else(|| panic!("no {name}: {line}"));
    line[start + name.len() + 2..].split(';').next().unwrap().trim_matches('"')
}

fn key(line: &str) -> Key {
    let fields: Vec<_> = line.split(' ').take(4).collect();
    Key::of(&named_position(Some(&fields.join(" ")), None).unwrap())
}

#[test]
fn openings_are_what_was_asked_for() {
    let bench = with_table();
    let json =
        bench.ok("suite games.table -o s.epd --plies 6..10 --min-games 4 --score 0.4..0.6 --lines 60 --json");
    let text = bench.text("s.epd");
    let report: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(report["suite"]["openings"], text.lines().count());
    assert!(text.lines().count() > 20, "{text}");
    let mut keys = BTreeSet::new();
    for line in text.lines() {
        let moves = operand(line, "c1");
        let board = named_position(None, Some(moves)).unwrap();
        assert!((6..=10).contains(&moves.split(' ').count()) && !board.is_game_over(), "{line}");
        assert!(keys.insert(key(line)) && Key::of(&board) == key(line), "{line}");
        assert_eq!(operand(line, "fmvn"), board.fullmoves().to_string(), "{line}");
        let probe = bench.probe("games.table", moves);
        let count = |name: &str| probe["tally"][name].as_u64().unwrap();
        let games = count("white") + count("draws") + count("black");
        let half_points = 2 * count("white") + count("draws");
        assert!(games >= 4 && (8 * games..=12 * games).contains(&(10 * half_points)), "{line}: {probe}");
        assert!(operand(line, "c0").starts_with(&format!("games {games}, ")), "{line}");
    }
}

#[test]
fn a_suite_is_the_same_for_any_threads_and_memory_and_another_for_another_seed() {
    let bench = with_table();
    let make = |name: &str, flags: &str| {
        bench.ok(&format!("suite games.table -o {name} --plies 4..8 --min-games 2 {flags}"));
        bench.read(name)
    };
    let first = make("a.epd", "--lines 50 -j 1");
    assert_eq!(make("b.epd", "--lines 50 -j 2 --memory 64MiB"), first);
    assert_ne!(make("c.epd", "--lines 50 --seed 1"), first);
    // The first openings are those of a smaller suite.
    let fewer = make("d.epd", "--lines 20").len();
    assert!(first.starts_with(&bench.read("d.epd")) && fewer < first.len());
}

#[test]
fn no_two_openings_are_near_a_position_that_both_come_from() {
    let bench = with_table();
    bench.ok("suite games.table -o s.epd --plies 8 --min-games 1 --lines 400 --apart 3");
    let text = bench.text("s.epd");
    let mut beginnings = BTreeSet::new();
    for line in text.lines() {
        let moves: Vec<_> = operand(line, "c1").split(' ').collect();
        assert!(beginnings.insert(moves[..5].join(" ")), "{line}");
    }
    assert!(beginnings.len() > 30);
}

#[test]
fn codes_are_drawn_evenly_where_asked() {
    let bench = with_table();
    bench.ok("suite games.table -o s.epd --plies 4..8 --min-games 1 --lines 200 --spread even --apart 0");
    let text = bench.text("s.epd");
    let mut codes = BTreeMap::<_, u64>::new();
    for line in text.lines().filter(|line| line.contains(" id ")) {
        *codes.entry(operand(line, "id")[..3].to_owned()).or_default() += 1;
    }
    // A code that has positions left is at most one behind: many have the most.
    let most = codes.values().max().unwrap();
    assert!(codes.len() > 40 && codes.values().filter(|count| *count + 1 >= *most).count() > 15, "{codes:?}");
}

#[test]
fn boards_are_what_was_asked_for() {
    let bench = with_table();
    let suite = "suite games.table --plies 4..12 --min-games 2 --lines 100000 --apart 0";
    bench.ok(&format!("{suite} -o all.epd"));
    let all = bench.text("all.epd");
    let kept = |name: &str, flags: &str| -> BTreeSet<Key> {
        bench.ok(&format!("{suite} -o {name} {flags}"));
        bench.text(name).lines().map(key).collect()
    };
    let of = |fits: &dyn Fn(&Chess) -> bool| -> BTreeSet<Key> {
        let board = |line: &str| named_position(None, Some(operand(line, "c1"))).unwrap();
        all.lines().filter(|line| fits(&board(line))).map(key).collect()
    };
    let quiet = kept("q.epd", "--no-check --no-tactics");
    assert!(quiet.is_subset(&of(&|board| !board.is_check())) && quiet.len() > 100);
    assert_eq!(kept("w.epd", "--turn white"), of(&|board| board.turn().is_white()));
    assert_eq!(kept("p.epd", "--pieces 2..30"), of(&|board| board.board().occupied().count() <= 30));
    let others = kept("x.epd", "--exclude w.epd p.epd");
    assert_eq!(others, of(&|board| board.turn().is_black() && board.board().occupied().count() > 30));
    // The most visited positions that have half of all visits, and none with fewer than any of them.
    let visits = |line: &str| operand(line, "c0").split([' ', ',']).nth(1).unwrap().parse::<u64>().unwrap();
    let popular = kept("m.epd", "--popular 0.5");
    let (inside, outside): (Vec<_>, Vec<_>) = all.lines().partition(|line| popular.contains(&key(line)));
    let (inside, outside) = (inside.into_iter().map(visits), outside.into_iter().map(visits));
    let (sum, least) = (inside.clone().sum::<u64>(), inside.min().unwrap());
    assert!(outside.clone().all(|games| games < least), "{least}");
    assert!(sum >= outside.sum(), "{sum}");
    for (flags, error) in [
        ("--pieces 0..40", "`0..40` is not a number of men"),
        ("--turn red", "white or black is needed"),
        ("--new-after 0", "expected a number of 1 or more"),
        ("--eval-view black", "expected one of white, mover"),
    ] {
        bench.assert_fails(&format!("{suite} -o n.epd {flags}"), 2, [error]);
    }
}

#[test]
fn evaluations_choose_openings() {
    let bench = with_table();
    let white = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    bench.write("e.csv", format!("fen,cp,depth\n\"{white}\",-50,20\n"));
    bench.ok("learn evals e.csv -o e.experience.parquet");
    let suite = "suite games.table --experience e.experience.parquet -o s.epd --plies 1 --min-games 1";
    let openings = |flags: &str| -> Vec<String> {
        bench.ok(&format!("{suite} --force --allow-empty {flags}"));
        bench.text("s.epd").lines().map(|line| operand(line, "c1").to_owned()).collect()
    };
    assert_eq!(openings("--eval 0.4..0.6"), ["e4"]);
    assert_eq!(openings("--eval 0.4..0.6 --eval-view mover").len(), 0);
    assert_eq!(openings("--eval -0.6..-0.4 --eval-view mover"), ["e4"]);
    // Stockfish 17.1 prints 145, 850 and 5 of a thousand at +0.50 and this material.
    assert_eq!(openings("--model-draws 0.848..0.852"), ["e4"]);
    assert_eq!(openings("--model-draws 0.86..1").len(), 0);
}

#[test]
fn every_line_is_a_source() {
    let bench = Workbench::new();
    bench.ok("suite --every-line 3 -o s.epd --lines 100000 --apart 0");
    let text = bench.text("s.epd");
    // So many positions are reached by three plies and by none fewer.
    let keys: BTreeSet<_> = text.lines().map(key).collect();
    assert_eq!((keys.len(), text.lines().count()), (5362, 5362));
    assert!(operand(text.lines().next().unwrap(), "c0").starts_with("1 in "), "{text:.300}");
    bench.assert_fails("suite --every-line 7 -o n.epd", 2, ["1 to 6"]);
    bench.assert_fails(
        "suite --every-line 3 -o n.epd --score 0.4..0.6",
        2,
        ["lines of legal moves have no games or results"],
    );
    bench.assert_fails("suite -o n.epd", 2, ["<FILE>"]);
}

/// A game of a match from a position, as match runners write it.
fn played(fen: &str, (white, black): (&str, &str), round: usize, result: &str) -> String {
    format!(
        "[Event \"m\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\
         [SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. Nf3 Nf6 {result}\n\n"
    )
}

#[test]
fn openings_that_did_badly_are_left_out() {
    let quiet = "rnbqkbnr/pppp1ppp/4p3/8/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2";
    let sharp = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let mut games = String::new();
    for round in 1..=12 {
        for players in [("a", "b"), ("b", "a")] {
            games += &played(quiet, players, round, "1/2-1/2");
            games += &played(sharp, players, round, if players.0 == "a" { "1-0" } else { "1/2-1/2" });
        }
    }
    let bench = Workbench::with("m.pgn", games);
    bench.write("old.epd", format!("{quiet} id \"quiet\";\n{sharp}\n"));
    let refine = "suite --refine old.epd --games m.pgn --match-draws 0..0.9";
    let files = "--parquet o.parquet --svg o.svg --json";
    let json: Value = serde_json::from_str(&bench.ok(&format!("{refine} -o new.epd {files}"))).unwrap();
    assert_eq!(bench.text("new.epd"), format!("{sharp}\n"));
    let report = &json["refined"];
    assert_eq!((&report["kept"], &report["left_out"]), (&json!(1), &json!({"draws": 1})));
    // Of each pair from the sharp one, a has a point and a half.
    assert_eq!((&report["pairs"], &report["unpaired"]), (&json!([0, 0, 12, 12, 0]), &json!(0)));
    assert!(bench.text("o.svg").contains("1 of 2 openings stay"));
    // With too few pairs an opening stays; so it does if no game counts.
    bench.ok(&format!("{refine} -o few.epd --min-pairs 13"));
    assert_eq!(bench.text("few.epd"), bench.text("old.epd"));
    bench.assert_says(
        &format!("{refine} -o few.epd --force --min-pairs 13"),
        ["2 openings have too few pairs"],
    );
    bench.write("other.epd", "4k3/8/8/8/8/8/8/4K3 w - -\n");
    for (arguments, error) in [
        ("suite --refine other.epd --games m.pgn -o n.epd", "(other-opening 48)"),
        ("suite --refine old.epd --games m.pgn -o n.epd --match-bias 0.4..0.5", "no opening stays"),
    ] {
        bench.assert_fails(arguments, 1, [error]);
    }
    for (arguments, error) in [
        ("suite --refine old.epd -o n.epd", "--games"),
        ("suite --refine old.epd --games m.pgn --plies 8 -o n.epd", "cannot be used with"),
        ("suite --every-line 3 --plies 4 -o n.epd", "cannot be used with"),
        ("suite --games m.pgn -o n.epd b.table", "--refine"),
        ("suite --refine old.epd --games m.pgn -o n.epd --match-bias -1..1", "within -0.5..0.5"),
        ("suite b.table --refine old.epd --games m.pgn -o n.epd", "cannot be used with"),
    ] {
        bench.assert_fails(arguments, 2, [error]);
    }
}

#[test]
fn each_format_has_the_same_openings() {
    let bench = with_table();
    for name in ["s.epd", "s.fen", "s.pgn"] {
        bench.ok(&format!("suite games.table -o {name} --lines 30 --min-games 2"));
    }
    let [epd, fen, pgn] = ["s.epd", "s.fen", "s.pgn"].map(|name| bench.text(name));
    let keys: Vec<_> = epd.lines().map(key).collect();
    assert_eq!(fen.lines().map(key).collect::<Vec<_>>(), keys);
    assert!(fen.lines().all(|line| line.parse::<Fen>().is_ok() && line.split(' ').count() == 6));
    assert_eq!(pgn.matches("[Result \"*\"]").count(), keys.len());
    assert!(pgn.lines().all(|line| line.starts_with('[') || line.len() < 80));
    // Our own reader takes every game.
    let counted = bench.run("count s.pgn -o again.table --json");
    let summary: Value = serde_json::from_slice(&counted.stdout).unwrap_or_default();
    assert_eq!(summary["games"].as_u64().unwrap_or(keys.len() as u64), keys.len() as u64);
    let said = bench.said("suite games.table -o t.epd --lines 30 --min-games 2 --compare s.epd s.fen");
    let all = keys.len();
    assert_eq!(
        said.matches(&format!("{all} shared of its {all} positions, 100.0 % of these")).count(),
        2,
        "{said}"
    );
}

#[test]
fn a_book_has_suites_of_its_lines_and_evaluations_come_from_experience() {
    let bench = with_table();
    bench.ok("compact games.table -o book.tabia --min-games 3");
    bench.ok("suite book.tabia -o s.epd --plies 4 --lines 20");
    assert!(bench.text("s.epd").lines().count() >= 10);
    let error = bench.fails("suite games.table -o e.epd --plies 2 --eval 0.1..0.9", 1);
    assert!(
        error.contains("no position qualifies; left out: ") && error.contains("no evaluation"),
        "{error}"
    );
    assert!(error.contains("--allow-empty"), "{error}");
    bench.ok("suite games.table -o e.epd --plies 2 --eval 0.1..0.9 --allow-empty");
    assert_eq!(bench.text("e.epd"), "");
}

#[test]
fn an_evaluation_is_whites_and_ce_the_movers() {
    let bench = with_table();
    bench.write(
        "own.pgn",
        "[Event \"?\"]\n[White \"Mine\"]\n[Black \"Other\"]\n[Date \"2024.01.01\"]\n[Result \"1-0\"]\n\n\
         1. e4 {+0.50/12} e5 2. Nf3 {+0.40/12} Nc6 1-0\n",
    );
    let learned =
        bench.run("learn games own.pgn --player Mine --search --table games.table -o x.experience.parquet");
    assert!(learned.status.success(), "{}", String::from_utf8_lossy(&learned.stderr));
    bench.ok("suite games.table --experience x.experience.parquet -o s.epd --plies 1..3 --eval 0.3..0.6");
    let text = bench.text("s.epd");
    let of =
        |moves: &str| text.lines().find(|line| operand(line, "c1") == moves).map(|line| operand(line, "ce"));
    assert_eq!((of("e4"), of("e4 e5 Nf3")), (Some("-50"), Some("-40")), "{text}");
}

#[test]
fn wrong_arguments_are_named() {
    let bench = with_table();
    for (arguments, expected) in [
        ("games.table -o s.txt", "--format: must be given, because the output's name does not end in"),
        ("games.table -o s.epd --plies 9..8", "is not a number of plies"),
        ("games.table -o s.epd --plies 0..8", "--plies: must be at least 1"),
        ("games.table -o s.epd --score 0.6", "is not a range"),
        ("games.table -o s.epd --score 0.5..1.5", "--score: must be within 0..1"),
        ("games.table -o s.epd --plies 2 --line e4,e5", "--line: "),
        ("games.table -o s.epd --spread all", "expected one of games, even, any"),
        ("games.table -o s.epd --lines 0", "--lines: must be at least 1"),
    ] {
        bench.assert_fails(&format!("suite {arguments}"), 2, [expected]);
    }
    bench.assert_fails("suite s.epd -o t.epd", 1, ["s.epd"]);
    bench.write("other.epd", "rubbish\n");
    let error = bench.fails("suite games.table -o s.epd --compare other.epd", 1);
    assert!(error.contains("other.epd, line 1: no position"), "{error}");
    let error = bench.fails("suite games.table -o s.epd --min-share 0.1", 2);
    assert!(error.contains("--min-share: is for Polyglot books"), "{error}");
    assert_eq!(bench.names(), ["games.table", "other.epd"]);
}

/// A Polyglot book with the moves of these lines, each with its weight.
fn polyglot(lines: &[(&str, u16)]) -> Vec<u8> {
    let mut entries = Vec::new();
    for &(line, weight) in lines {
        let (before, last) = line.rsplit_once(' ').unwrap_or(("", line));
        let board = named_position(None, Some(before)).unwrap();
        let m = last.parse::<San>().unwrap().to_move(&board).unwrap();
        let (key, mv) = (Key::of(&board), PackedMove::pack(m));
        entries.push((
            key,
            [&key.0.to_be_bytes()[..], &mv.0.to_be_bytes(), &weight.to_be_bytes(), &[0; 4]].concat(),
        ));
    }
    entries.sort();
    entries.into_iter().flat_map(|(_, entry)| entry).collect()
}

#[test]
fn a_polyglot_book_has_suites_of_its_own_play() {
    let bench = Workbench::new();
    let lines = [
        ("e4", 3),
        ("d4", 1),
        ("a3", 0),
        ("e4 e5", 1),
        ("e4 c5", 9),
        ("d4 d5", 2),
        ("e4 e5 Nf3", 1),
        ("e4 c5 Nf3", 4),
        ("e4 c5 d4", 4),
        ("d4 d5 e4", 5),
        // 1.e4 d5 2.d4 is not played, and 1.d4 d5 2.e4 is the same position.
    ];
    bench.write("book.bin", polyglot(&lines));
    let suite = |flags: &str| {
        bench.ok(&format!("suite book.bin -o s.epd --force --apart 0 --spread any {flags}"));
        let text = bench.text("s.epd");
        let openings = text.lines().map(|line| format!("{}: {}", operand(line, "c1"), operand(line, "c0")));
        openings.collect::<BTreeSet<_>>()
    };
    let meets = |one_in: &[(&str, u64)]| {
        let text =
            |&(line, games): &(&str, u64)| format!("{line}: 1 in {games} games by the weights of the book");
        one_in.iter().map(text).collect::<BTreeSet<_>>()
    };
    let all = [("e4 e5 Nf3", 13), ("e4 c5 Nf3", 3), ("e4 c5 d4", 3), ("d4 d5 e4", 4)];
    assert_eq!(suite("--plies 3"), meets(&all));
    assert_eq!(
        suite("--plies 3 --min-share 0.2"),
        meets(&[("e4 c5 Nf3", 3), ("e4 c5 d4", 3), ("d4 d5 e4", 4)])
    );
    assert_eq!(suite("--plies 1..2 --line e4"), meets(&[("e4", 1), ("e4 e5", 10), ("e4 c5", 1)]));
    let report = bench.json("suite book.bin -o t.pgn --plies 2");
    assert_eq!((&report["suite"]["score"], &report["suite"]["openings"]), (&json!([]), &json!(2)));
    assert!(bench.text("t.pgn").contains("1. d4 d5 {1 in 4 games by the weights"));
    for flag in ["--min-games 5", "--score 0.4..0.6", "--draws 0..1"] {
        let error = bench.fails(&format!("suite book.bin -o x.epd {flag}"), 2);
        let name = flag.split(' ').next().unwrap();
        assert!(error.contains(&format!("{name}: a Polyglot book has weights")), "{error}");
    }
    assert!(bench.fails("suite book.bin -o x.epd --plies 4", 1).contains("no position qualifies"));
    assert!(bench.fails("report book.bin -o x.html", 2).contains("weights but no counts"));
    assert!(!bench.path("x.epd").exists());
}

#[test]
fn suites_of_a_polyglot_book_are_the_same_for_any_threads_and_moves_that_cannot_be_played_are_counted() {
    let bench = with_table();
    bench.ok("compact games.table -o book.tabia --min-games 2");
    bench.ok("export polyglot book.tabia -o book.bin");
    let make = |name: &str, flags: &str| {
        bench.ok(&format!("suite book.bin -o {name} --plies 4..8 --lines 60 {flags}"));
        bench.read(name)
    };
    let first = make("a.epd", "-j 1");
    assert_eq!(make("b.epd", "-j 2 --memory 64MiB"), first);
    assert_eq!(String::from_utf8(first).unwrap().lines().count(), 60);
    let [mut bytes, illegal] = [polyglot(&[("e4", 1)]), polyglot(&[("e4 e5", 1)])];
    bytes.extend(bytes.clone());
    bytes[24..26].copy_from_slice(&illegal[8..10]);
    bench.write("odd.bin", bytes);
    let said = bench.said("suite odd.bin -o odd.epd --plies 1");
    assert!(said.contains("illegal moves of the book that were not followed: 1 "), "{said}");
}
