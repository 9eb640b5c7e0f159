//! Games that are played and learned from.

use super::{gui::Gui, small_book};
use crate::workbench::Workbench;

/// White's rook goes to and fro.
pub(super) const ROOK: &str =
    r#"echo "info depth 10 score cp $score"; [ $((n % 2)) = 0 ] && echo bestmove a1b1 || echo bestmove b1a1"#;

/// After the book: 1.e4 e5 2.Nf3 a6 3.Nc3 a5 is left, and the rook can move.
const AFTER: &str = "position startpos moves e2e4 e7e5 g1f3 a7a6 b1c3 a6a5";

/// A player that learns, with its rook's engine.
fn learner(bench: &Workbench, more: &[&str]) -> Gui {
    let arguments = ["b.tabia", "--policy", "crafty-5.1", "--learn", "x.experience.parquet"];
    Gui::with_engine(bench, "engine", ROOK, &[&arguments, more].concat())
}

/// Plays 1.e4 and 2.Nf3 from the book and three moves of the rook.
pub(super) fn play(gui: &mut Gui) {
    gui.say("ucinewgame");
    for (line, mv) in [("position startpos", "e2e4"), ("position startpos moves e2e4 e7e5", "g1f3")] {
        gui.say(line);
        assert_eq!(gui.best_move("go wtime 9000 btime 9000"), mv);
    }
    for (moves, mv) in [("", "a1b1"), (" a1b1 a8a7", "b1a1"), (" a1b1 a8a7 b1a1 a7a8", "a1b1")] {
        gui.say(&format!("{AFTER}{moves}"));
        assert_eq!(gui.best_move("go wtime 9000 btime 9000"), mv);
    }
}

fn known(bench: &Workbench) -> String {
    bench.ok("experience show x.experience.parquet")
}

#[test]
fn a_lost_game_teaches_what_it_teaches_as_pgn() {
    let bench = small_book();
    let mut gui = learner(&bench, &["--name", "Me", "--own-rating", "2000"]);
    gui.say("setoption name UCI_Opponent value none 2300 computer Other 1.0");
    gui.say("setoption name Score value -90");
    play(&mut gui);
    let said = gui.ask("setoption name Result value 0-1", "info string game");
    assert!(said.last().unwrap().starts_with("info string game 1, 0-1: learned, "), "{said:#?}");
    let journal = bench.text("x.journal");
    for part in [
        "source=Me",
        "[White \"Me\"]\n[Black \"Other 1.0\"]\n[Result \"0-1\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2300\"]\n",
        "1. e4 e5 2. Nf3 a6 3. Nc3 a5 4. Rb1 {-0.90/10} Ra7 5. Ra1 {-0.90/10} Ra8 6. Rb1\n{-0.90/10} 0-1\n",
    ] {
        assert!(journal.contains(part), "{part} in {journal}");
    }
    gui.say("quit");
    assert!(gui.end().0.success());
    bench.write("played.pgn", &journal);
    bench.ok("learn games played.pgn --player Me --table t.table --search -o y.experience.parquet");
    let diff = bench.ok("experience diff x.experience.parquet y.experience.parquet");
    assert!(diff.starts_with("0 differences, "), "{diff}");
    assert_eq!(bench.text("x.journal").lines().count(), 1, "it is in the file now");
    bench.assert_prints("experience show x.experience.parquet", ["Me: 1 of 1 record used (games)"]);
}

#[test]
fn an_unknown_result_is_none_and_mate_is_one() {
    let bench = small_book();
    let mut gui = learner(&bench, &["--rule", "terra"]);
    gui.say("position startpos moves e2e4 e7e5");
    assert_eq!(gui.best_move("go wtime 9 btime 9"), "g1f3");
    let said = gui.ask("ucinewgame", "info string game");
    assert!(said.last().unwrap().starts_with("info string game 1, unknown result: "), "{said:#?}");
    gui.say("position startpos");
    gui.best_move("go wtime 9 btime 9");
    gui.say("position startpos moves e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7");
    let said = gui.ask("quit", "info string game");
    assert!(said.last().unwrap().starts_with("info string game 2, 1-0: learned, "), "{said:#?}");
    assert!(gui.end().0.success());
    assert!(bench.names().contains(&"x.experience.parquet".to_owned()));
}

#[test]
fn a_killed_player_loses_no_finished_game() {
    let bench = small_book();
    let mut gui = learner(&bench, &["--rule", "terra"]);
    play(&mut gui);
    gui.ask("setoption name Result value 1-0", "info string game 1");
    play(&mut gui);
    gui.kill();
    assert_eq!(bench.ok("experience show x.experience.parquet --json"), "", "not in the file yet");
    let gui = learner(&bench, &["--rule", "terra"]);
    assert!(gui.end().0.success());
    let rows = known(&bench);
    assert!(rows.contains("Scripted: 1 of 1 record used (games)"), "{rows}");
    gui_learns_no_game_twice(&bench);
}

/// Starting again with the journal that was there teaches nothing more.
fn gui_learns_no_game_twice(bench: &Workbench) {
    let before = bench.ok("experience show x.experience.parquet --json");
    let gui = learner(bench, &["--rule", "terra"]);
    assert!(gui.end().0.success());
    assert_eq!(bench.ok("experience show x.experience.parquet --json"), before);
}

#[test]
fn players_share_what_they_learn() {
    let bench = small_book();
    let mut one = learner(&bench, &["--rule", "terra", "--name", "One"]);
    let mut other = learner(&bench, &["--rule", "terra", "--name", "Other"]);
    play(&mut one);
    one.ask("setoption name Result value 1-0", "info string game 1");
    other.say("ucinewgame");
    other.say("position startpos");
    let answer = other.ask("go wtime 9 btime 9", "bestmove");
    assert!(answer[0].contains("own 1-0-0"), "{answer:#?}");
    assert!(one.end().0.success() && other.end().0.success());
    assert!(known(&bench).contains("One: 1 of 1 record used"));
}

/// So no value is learned, and the same moves are played again.
const ONLY_RESULTS: [&str; 4] = ["--family", "m", "--trust", "never"];

/// The own results of 1.e4, as `experience show` has them.
fn own_results(bench: &Workbench) -> String {
    let rows = bench.ok("experience show x.experience.parquet --json");
    let rows = rows.lines().map(|row| serde_json::from_str::<serde_json::Value>(row).unwrap());
    let first = rows.into_iter().find(|row| row["san"] == "e4" && row["line"] == "").unwrap();
    ["wins", "draws", "losses"].map(|of| first["known"]["own"][of].to_string()).join("-")
}

#[test]
fn a_game_lost_again_and_again_teaches_each_time_and_its_record_once() {
    let bench = small_book();
    let rules = [&["--rule", "terra", "--name", "Me"], &ONLY_RESULTS[..]].concat();
    let mut gui = learner(&bench, &rules);
    for number in 1..=5 {
        play(&mut gui);
        let said = gui.ask("setoption name Result value 0-1", "info string game");
        let expected = format!("info string game {number}, 0-1: learned, ");
        assert!(said.last().unwrap().starts_with(&expected), "{said:#?}");
    }
    let journal = bench.text("x.journal");
    assert_eq!(journal.matches("[UTCDate \"").count(), 5, "{journal}");
    assert_eq!(journal.matches("[UTCTime \"").count(), 5, "{journal}");
    gui.kill();
    bench.write("copy.journal", &journal);
    let arguments = "learn games copy.journal copy.journal --player Me --table t.table --rule terra --search";
    let arguments = format!("{arguments} {}", ONLY_RESULTS.join(" "));
    bench.ok(&format!("{arguments} -o y.experience.parquet"));
    assert!(learner(&bench, &rules).end().0.success());
    assert_eq!(own_results(&bench), "0-0-5", "five games, by the journal that a kill left");
    let diff = bench.ok("experience diff x.experience.parquet y.experience.parquet");
    assert!(diff.starts_with("0 differences, "), "{diff}");
    bench.ok(&format!("{arguments} --continue x.experience.parquet -o z.experience.parquet"));
    let diff = bench.ok("experience diff x.experience.parquet z.experience.parquet");
    assert!(diff.starts_with("0 differences, "), "a record given twice teaches once: {diff}");
}

/// The engine's score, then the rook's move.
fn scored(score: &str) -> String {
    ROOK.replace("cp $score", score)
}

#[test]
fn a_last_score_of_mate_is_a_loss_and_bans_no_move() {
    let bench = small_book();
    let arguments = ["b.tabia", "--policy", "crafty-5.1", "--name", "Me", "--learn", "x.experience.parquet"];
    let mut gui = Gui::with_engine(&bench, "engine", &scored("mate -2"), &arguments);
    play(&mut gui);
    let said = gui.ask("ucinewgame", "info string game");
    let expected = "info string game 1, 0-1 by the engine's last score: learned, ";
    assert!(said.last().unwrap().starts_with(expected), "{said:#?}");
    let journal = bench.text("x.journal");
    assert!(journal.contains("[Result \"0-1\"]"), "{journal}");
    assert!(journal.contains("[Termination \"adjudication by own score\"]"), "{journal}");
    assert!(gui.end().0.success());
    assert_eq!(own_results(&bench), "0-0-1");
    let rows = bench.ok("experience show x.experience.parquet --json");
    assert!(rows.contains("\"learn\":-6.0") && !rows.contains("-999"), "as the search says: {rows}");
    bench.write("played.pgn", &journal);
    bench.ok("learn games played.pgn --player Me --table t.table --search -o y.experience.parquet");
    let diff = bench.ok("experience diff x.experience.parquet y.experience.parquet");
    assert!(diff.starts_with("0 differences, "), "{diff}");
}

#[test]
fn other_scores_decide_nothing_unless_they_are_asked_for() {
    let bench = small_book();
    for (more, result) in
        [(&[][..], "unknown result"), (&["--adjudicate", "-5.0"], "0-1 by the engine's last score")]
    {
        let arguments = ["b.tabia", "--policy", "crafty-5.1", "--learn", "x.experience.parquet"];
        let arguments = [&arguments[..], more, &ONLY_RESULTS].concat();
        let mut gui = Gui::with_engine(&bench, "engine", &scored("cp -600"), &arguments);
        play(&mut gui);
        let said = gui.ask("ucinewgame", "info string game");
        assert!(said.last().unwrap().contains(&format!(", {result}: ")), "{said:#?}");
        play(&mut gui);
        let said = gui.ask("setoption name Result value *", "info string game");
        assert!(said.last().unwrap().contains(", unknown result: "), "{said:#?}");
        assert!(gui.end().0.success());
    }
    let error = bench.fails("uci b.tabia --learn x.experience.parquet --adjudicate 5", 2);
    assert!(error.contains("below 0"), "{error}");
}

#[test]
fn a_file_that_is_no_experience_is_refused() {
    let bench = small_book();
    bench.write("x.experience.parquet", "no Parquet");
    assert!(bench.fails("uci b.tabia --learn x.experience.parquet", 1).contains("x.experience.parquet"));
    assert!(bench.fails("uci b.tabia --rule terra", 2).contains("--learn"));
}
