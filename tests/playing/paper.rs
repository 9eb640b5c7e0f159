//! The paper's games (Crafty: section 5.1), played: 4.Nc3 is played, lost, and avoided the next time.

use super::{games::ROOK, gui::Gui};
use crate::{learning::ruy, workbench::Workbench};

/// What the paper's games have in common, in UCI.
const RUY: [&str; 10] = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b1c3", "a6b5", "c3b5", "g8f6"];

/// Plays White's book moves against the paper's Black, then three moves of the rook; the book moves.
fn play(gui: &mut Gui, value: i32, result: &str) -> Vec<String> {
    gui.say("ucinewgame");
    gui.say(&format!("setoption name Score value {value}"));
    let (mut moves, mut from_book) = (Vec::new(), Vec::new());
    let mut out_of_book = 0;
    while out_of_book < 3 {
        gui.say(&format!("position startpos moves {}", moves.join(" ")));
        let heard = gui.ask("go wtime 60000 btime 60000", "bestmove");
        let mv = heard.last().unwrap()["bestmove ".len()..].to_owned();
        if heard.iter().any(|line| line.starts_with("info string book")) {
            from_book.push(mv.clone());
        } else {
            out_of_book += 1;
        }
        moves.push(mv);
        if from_book.last().is_some_and(|mv| mv == "b5a4") {
            break;
        }
        let rook = if moves.len() % 4 == 3 { "a8a7" } else { "a7a8" };
        let black = RUY.get(moves.len()).map_or(rook, |mv| mv);
        moves.push(black.to_owned());
    }
    gui.ask(&format!("setoption name Result value {result}"), "info string game");
    from_book
}

/// A player of the paper's book that learns.
fn player(bench: &Workbench) -> Gui {
    bench.ok("compact ruy.table -o ruy.tabia");
    let arguments = ["ruy.tabia", "--policy", "crafty-5.1", "--learn", "x.experience.parquet"];
    Gui::with_engine(bench, "engine", ROOK, &arguments)
}

/// Searches alone, as the paper has it: each of the three moves is tried once.
#[test]
fn the_papers_games_are_played_as_it_has_them() {
    let bench = ruy();
    let mut gui = player(&bench);
    let mut sixth = Vec::new();
    for value in [-135, -139, -139] {
        let from_book = play(&mut gui, value, "*");
        assert_eq!(from_book[3], "b1c3", "4.Nc3: {from_book:?}");
        sixth.push(from_book[5].clone());
    }
    let mut different = sixth.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), 3, "each of the three moves is tried once: {sixth:?}");
    let from_book = play(&mut gui, 0, "*");
    assert_eq!(from_book.last().unwrap(), "b5a4", "4.Ba4 in its place: {from_book:?}");
    gui.say("quit");
    assert!(gui.end().0.success());
}

/// With its results: a lost game's last choice is punished besides, so that the line goes sooner.
#[test]
fn a_line_that_loses_is_avoided_the_next_time() {
    let bench = ruy();
    let mut gui = player(&bench);
    let fourth: Vec<_> = (0..3).map(|_| play(&mut gui, -139, "0-1")[3].clone()).collect();
    assert_eq!(fourth, ["b1c3", "b1c3", "b5a4"]);
    gui.end();
}
