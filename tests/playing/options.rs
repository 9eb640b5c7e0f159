//! The book, without an engine.

use super::{gui::Gui, small_book};

#[test]
fn a_book_plays_alone() {
    let bench = small_book();
    let mut gui = Gui::start(&bench, &["b.tabia", "--policy", "crafty-5.1"]);
    let hello = gui.ask("uci", "uciok");
    assert!(hello[0].starts_with("id name Tabia "), "{hello:#?}");
    for option in [
        "option name Own Book type check default true",
        "option name Book File type string default b.tabia",
        "option name Book Depth type spin default 1000 min 0 max 1000",
        "option name terra MinBookGames type spin default 4 min 0 max 1000000000",
        "option name crafty Version type combo default 22 var 15.17 var 16 var 18 var 18.10 var 19 var 22",
    ] {
        assert!(hello.iter().any(|line| line == option), "{option} in {hello:#?}");
    }
    assert_eq!(gui.ask("isready", "readyok"), ["readyok"]);
    let answer = gui.ask("go wtime 1000 btime 1000", "bestmove");
    let comment = "info string book e4: 3 games, score 100.0 %, chance 100.0 % by crafty-5.1";
    assert_eq!(answer, [comment, "bestmove e2e4"]);
    gui.say("position startpos moves a2a3");
    let answer = gui.ask("go movetime 10", "bestmove");
    assert!(answer[0].contains("no engine") && answer[1] == "bestmove 0000", "{answer:#?}");
    gui.say("quit");
    assert!(gui.end().0.success());
}

#[test]
fn options_take_effect_at_once() {
    let bench = small_book();
    bench.ok("export polyglot b.tabia -o other.bin --weight games");
    let mut gui = Gui::start(&bench, &["b.tabia", "--policy", "crafty-5.1"]);
    gui.say("position startpos moves e2e4 e7e5");
    for (option, answer) in [
        ("Book Depth value 1", "0000"),
        ("Book Depth value 2", "g1f3"),
        ("Own Book value false", "0000"),
        ("own book value true", "g1f3"),
        ("UCI_AnalyseMode value true", "0000"),
        ("UCI_AnalyseMode value false", "g1f3"),
        ("Policy value wilson", "g1f3"),
        ("wilson MinGames value 4", "0000"),
        ("wilson MinGames value 3", "g1f3"),
        ("Policy value polyglot", "g1f3"),
        ("Book File value other.bin", "g1f3"),
        ("UCI_Variant value atomic", "g1f3"),
    ] {
        gui.say(&format!("setoption name {option}"));
        assert_eq!(gui.best_move("go depth 1"), answer, "{option}");
    }
    for (option, why) in [
        ("Book Depth value deep", "Book Depth: expected a whole number from 0 to 1000"),
        ("Policy value terror", "terra"),
        ("wilson MinGames value -1", "min-games"),
        ("Book File value none.bin", "no such file"),
        ("Nonesuch value 1", "there is no option Nonesuch"),
    ] {
        let answer = gui.ask(&format!("setoption name {option}\ngo depth 1"), "bestmove");
        assert!(
            answer[0].contains(why) && answer.last().unwrap() == "bestmove g1f3",
            "{option}: {answer:#?}"
        );
    }
    assert!(gui.end().0.success(), "a GUI that closes its side has quit");
}

#[test]
fn a_polyglot_book_is_played_by_its_weights() {
    let bench = small_book();
    bench.ok("export polyglot b.tabia -o b.bin");
    let mut gui = Gui::start(&bench, &["b.bin"]);
    gui.say("position startpos moves e2e4 e7e5");
    let answer = gui.ask("go depth 1", "bestmove");
    assert_eq!(answer, ["info string book Nf3: weight 6, chance 100.0 % by polyglot", "bestmove g1f3"]);
    gui.say("setoption name Book File value b.tabia");
    assert!(gui.ask("go depth 1", "bestmove")[0].ends_with("by crafty"));
    gui.end();
}

#[test]
fn a_seed_draws_the_same_moves() {
    let bench = small_book();
    let drawn = |seed: &str| {
        let mut gui = Gui::start(&bench, &["b.tabia", "--policy", "polyglot", "--seed", seed]);
        gui.say("position startpos");
        let moves: Vec<_> = (0..20).map(|_| gui.best_move("go depth 1")).collect();
        gui.end();
        moves
    };
    assert_eq!(drawn("7"), drawn("7"));
    assert_ne!(drawn("7"), drawn("8"));
    assert!(drawn("7").contains(&"e2e4".to_owned()) && drawn("7").contains(&"d2d4".to_owned()));
}

#[test]
fn what_waits_for_the_gui_waits() {
    let bench = small_book();
    let mut gui = Gui::start(&bench, &["b.tabia"]);
    gui.say("position startpos moves e2e4 e7e5");
    gui.say("go infinite");
    assert_eq!(gui.ask("isready", "readyok"), ["readyok"]);
    assert_eq!(gui.best_move("stop"), "0000");
    gui.say("go ponder wtime 1000 btime 1000");
    assert_eq!(gui.ask("isready", "readyok"), ["readyok"]);
    assert_eq!(gui.best_move("ponderhit"), "g1f3");
    gui.say("go depth 3 searchmoves g1f3");
    assert_eq!(gui.hear("bestmove").last().unwrap(), "bestmove 0000");
    gui.end();
}

#[test]
fn chess960_castles_onto_the_rook() {
    let bench = small_book();
    let line = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O 1-0";
    bench.write("castling.pgn", format!("[Result \"1-0\"]\n\n{line}\n"));
    bench.ok("build castling.pgn -o c.tabia");
    let mut gui = Gui::start(&bench, &["c.tabia"]);
    gui.say("position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5");
    assert_eq!(gui.best_move("go depth 1"), "e1g1");
    gui.say("setoption name UCI_Chess960 value true");
    assert_eq!(gui.best_move("go depth 1"), "e1h1");
    gui.end();
}

#[test]
fn what_is_no_book_is_refused() {
    let bench = small_book();
    bench.fails("uci none.tabia", 1);
    assert!(bench.fails("uci b.tabia --policy nonesuch", 2).contains("nonesuch"));
    assert!(bench.fails("uci b.tabia --set min-games=1", 2).contains("min-games"));
    bench.write("lines.pgn", "[Event \"x\"]\n\n1. e4! *\n");
    bench.ok("learn annotations lines.pgn -o x.experience.parquet");
    assert!(bench.fails("uci x.experience.parquet", 2).contains("make a book from a table and this file"));
}
