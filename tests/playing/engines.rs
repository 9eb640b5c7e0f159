//! A player between a GUI and an engine: what passes, and what ends it.

use super::{
    gui::{Gui, heard, write_engine},
    small_book,
};

#[test]
fn everything_but_book_positions_passes() {
    let bench = small_book();
    write_engine(
        &bench,
        "engine",
        r#"echo "info depth 5 score cp 12 pv a2a3"; echo "bestmove a2a3 ponder a7a6""#,
    );
    let mut gui = Gui::start(&bench, &["b.tabia", "--engine", "sh engine"]);
    let hello = gui.ask("uci", "uciok");
    assert_eq!(hello[0], "id name Scripted");
    let place = |text: &str| hello.iter().position(|line| line.contains(text)).unwrap();
    assert!(place("option name Score") < place("option name Own Book"), "{hello:#?}");
    gui.say("debug on");
    gui.say("setoption name Score value 7");
    gui.say("setoption name Book Depth value 9");
    gui.say("position startpos");
    assert_eq!(gui.best_move("go depth 1"), "e2e4", "the book");
    gui.say("stop");
    for go in ["go infinite", "go depth 1 searchmoves a2a3", "go ponder wtime 9 btime 9"] {
        assert_eq!(
            gui.ask(go, "bestmove"),
            ["info depth 5 score cp 12 pv a2a3", "bestmove a2a3 ponder a7a6"]
        );
    }
    gui.say("quit");
    assert!(gui.end().0.success());
    let expected = [
        "uci",
        "setoption name OwnBook value false",
        "debug on",
        "setoption name Score value 7",
        "position startpos",
        "go infinite",
        "go depth 1 searchmoves a2a3",
        "go ponder wtime 9 btime 9",
        "quit",
    ];
    assert_eq!(heard(&bench, "engine"), expected);
}

#[test]
fn a_book_cut_short_in_its_place_is_an_error_and_the_engine_plays() {
    let bench = small_book();
    write_engine(&bench, "engine", "echo bestmove a2a3");
    let mut gui = Gui::start(&bench, &["b.tabia", "--engine", "sh engine"]);
    gui.ask("isready", "readyok");
    std::fs::File::options().write(true).open(bench.path("b.tabia")).unwrap().set_len(0).unwrap();
    gui.say("position startpos");
    for _ in 0..2 {
        let heard = gui.ask("go movetime 10", "bestmove");
        assert!(heard[0].starts_with("info string error: ") && heard[0].contains("b.tabia"), "{heard:#?}");
        assert_eq!(heard[1], "bestmove a2a3");
    }
    gui.say("quit");
    assert!(gui.end().0.success());
}

#[test]
fn an_option_of_the_engine_keeps_its_name() {
    let bench = small_book();
    bench.write(
        "engine",
        r#"while read -r word rest; do case "$word" in
             uci) echo "option name Book File type string default own.bin"; echo uciok ;;
             setoption) echo "info string $rest" ;;
             quit) exit ;;
           esac; done"#,
    );
    let mut gui = Gui::start(&bench, &["b.tabia", "--engine", "sh engine"]);
    let hello = gui.ask("uci", "uciok");
    assert!(
        hello.contains(&"option name Tabia Book File type string default b.tabia".to_owned()),
        "{hello:#?}"
    );
    let heard = gui.ask("setoption name Book File value x", "info string name");
    assert_eq!(heard, ["info string name Book File value x"]);
    let heard = gui.ask("setoption name Tabia Book File value none.bin", "info");
    assert!(heard[0].contains("no such file"), "{heard:#?}");
    gui.end();
}

/// Starts a player with an engine that answers `go` so, and that may owe an answer for `timeout` seconds;
/// says lines, and expects the end.
fn ends(answer: &str, timeout: &str, says: &[&str], message: &str) {
    let bench = small_book();
    write_engine(&bench, "engine", answer);
    let mut gui = Gui::start(&bench, &["b.tabia", "--engine", "sh engine", "--engine-timeout", timeout]);
    for line in says {
        gui.say(line);
    }
    let heard = gui.hear("info string error");
    assert!(heard.last().unwrap().contains(message), "{heard:#?}");
    let (status, _, error) = gui.end();
    assert_eq!(status.code(), Some(1), "{error}");
    assert!(
        error.starts_with("tabia: ") && error.contains("the engine `sh engine` ") && error.contains(message),
        "{error}"
    );
}

#[test]
fn an_engine_that_dies_ends_the_player() {
    let search = ["uci", "position startpos moves a2a3", "go wtime 1000 btime 1000"];
    ends("exit 3", "50", &search, "ended (exit status: 3) during a search");
}

#[test]
fn an_engine_that_hangs_ends_the_player() {
    let search = ["position startpos moves a2a3", "go movetime 10"];
    ends(":", "1", &search, "did not print `bestmove` within 1.01 s");
}

#[test]
fn an_engine_that_plays_nonsense_ends_the_player() {
    let search = ["position startpos moves a2a3", "go movetime 10"];
    ends("echo bestmove a2a3", "50", &search, "answered `bestmove a2a3`, which is not a legal move in");
    ends("echo bestmove", "50", &search, "answered `bestmove `, which is not a legal move in");
    ends("head -c 2000000 /dev/zero", "50", &search, "a line has more than 1048576 bytes");
}

#[test]
fn an_engine_that_is_none_ends_the_player() {
    let bench = small_book();
    let error = bench.fails("uci b.tabia --engine nonesuch", 1);
    assert!(error.contains("the engine `nonesuch` cannot be started"), "{error}");
    assert!(bench.fails("uci b.tabia --engine '", 2).contains("--engine: `'` is not a command"));
    let guis = ["cat", "sleep 60"].map(|engine| {
        let mut gui = Gui::start(&bench, &["b.tabia", "--engine", engine, "--engine-timeout", "1"]);
        gui.say("uci");
        gui
    });
    for mut gui in guis {
        gui.hear("info string error");
        let (status, _, error) = gui.end();
        assert!(error.contains("did not print `uciok` within 6 s") && status.code() == Some(1), "{error}");
    }
}

#[test]
fn a_gui_reads_why_a_player_does_not_start() {
    let bench = small_book();
    for (arguments, why) in [
        (&["b.tabia", "--engine", "nonesuch"][..], "the engine `nonesuch` cannot be started"),
        (&["b.tabia", "--engine", "'"], "`'` is not a command"),
        (&["none.tabia"], "none.tabia"),
        (&["b.tabia", "--policies", "terra"], "unexpected argument '--policies'"),
        (&["b.tabia", "--policy", "nonesuch"], "nonesuch"),
        (
            &["b.tabia", "--learn", "x", "--exchange", "http://127.0.0.1:1", "--token-file", "no"],
            "--token-file: no",
        ),
    ] {
        let (status, said, _) = Gui::start(&bench, arguments).end();
        assert!(!status.success(), "{arguments:?}");
        let [said] = &said[..] else { panic!("{arguments:?}: {said:#?}") };
        assert!(said.starts_with("info string error: ") && said.contains(why), "{said}");
    }
}

/// Whether any process runs `sleep` for this number of seconds.
fn sleeps(seconds: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().map_while(Result::ok);
    let mut lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    lines.any(|line| line == format!("sleep\0{seconds}\0").as_bytes())
}

#[test]
fn an_engine_behind_a_shell_ends_with_all_that_the_shell_started() {
    let bench = small_book();
    for (number, signal) in [None, Some("INT"), Some("TERM")].into_iter().enumerate() {
        // A number that no other process sleeps for.
        let seconds = format!("{}.{number}", 100_000 + std::process::id());
        let engine = format!("sh -c 'sleep {seconds}; true'");
        let mut gui = Gui::start(&bench, &["b.tabia", "--engine", &engine]);
        gui.say("position startpos");
        assert_eq!(gui.best_move("go movetime 1"), "e2e4", "it has started");
        while !sleeps(&seconds) {
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let code = match signal {
            None => 0,
            Some(signal) => {
                gui.signal(signal);
                gui.hear("info string error: interrupted");
                130
            }
        };
        assert_eq!(gui.end().0.code(), Some(code));
        assert!(!sleeps(&seconds), "{signal:?}");
    }
}

#[test]
fn a_gui_that_does_not_wait_for_a_stopped_search_gets_answers_in_order() {
    let bench = small_book();
    let answer = r#"case "$rest" in *ponder*) ;; *) echo "bestmove h2h4" ;; esac"#;
    write_engine(&bench, "engine", answer);
    let mut gui = Gui::start(&bench, &["b.tabia", "--engine", "sh engine"]);
    for line in [
        "position startpos moves h2h3 h7h6",
        "go ponder wtime 9 btime 9",
        "stop",
        "position startpos",
        "go wtime 9 btime 9",
        "position startpos moves e2e4 e7e6",
    ] {
        gui.say(line);
    }
    assert_eq!(gui.hear("bestmove"), ["bestmove a2a3"], "the stopped search");
    assert_eq!(gui.hear("bestmove").last().unwrap(), "bestmove e2e4", "the book");
    assert_eq!(gui.best_move("go wtime 9 btime 9"), "h2h4");
    gui.end();
}

#[test]
fn an_engine_that_prints_without_end_or_reads_nothing_is_given_up() {
    let bench = small_book();
    let mut gui = Gui::start(&bench, &["b.tabia", "--engine", "yes", "--engine-timeout", "1"]);
    gui.say("uci");
    gui.hear("info string error");
    assert!(gui.end().2.contains("did not print `uciok` within 6 s"));
    let mut gui = Gui::start(&bench, &["b.tabia", "--engine", "sleep 60", "--engine-timeout", "60"]);
    for _ in 0..300 {
        gui.say(&format!("position startpos moves {}", "g1f3 g8f6 f3g1 f6g8 ".repeat(50)));
    }
    gui.say("quit");
    assert!(gui.end().0.success(), "it is killed");
}

#[test]
fn a_position_that_was_learned_to_be_bad_is_not_entered_again() {
    let bench = small_book();
    write_engine(&bench, "engine", "echo bestmove h2h3");
    // After 1.d4 d5 2.a3 e5 White found itself at -1.20 once.
    let key = bench.probe("b.tabia", "d4 d5 a3 e5")["key"].as_str().unwrap().to_owned();
    let header = r#"# {"format":"tabia-experience","version":2,"table":null,"book":null,"sources":[]}"#;
    let names = "key,move,kind,learn,learn_count,own_wins,own_draws,own_losses,user_value,priority,nag,eval,mate,depth,nodes,sources";
    let learned = |eval: &str| format!("{header}\n{names}\n{key},b1c3,position,,0,0,0,0,,,,{eval},,12,,\n");
    for (eval, is_guarded) in [("-1.2", true), ("-0.7", false)] {
        bench.write("learned.csv", learned(eval));
        bench.ok("import csv learned.csv -o mine.experience.parquet --force");
        let mut gui =
            Gui::start(&bench, &["b.tabia", "--engine", "sh engine", "--learn", "mine.experience.parquet"]);
        gui.say("position startpos moves d2d4 d7d5");
        let said = gui.ask("go movetime 10", "bestmove");
        gui.ask("go infinite", "bestmove");
        gui.say("quit");
        gui.end();
        let heard = heard(&bench, "engine");
        let go = heard.iter().find(|line| line.starts_with("go movetime")).unwrap();
        assert_eq!(said.iter().any(|line| line.contains("position learning")), is_guarded, "{said:#?}");
        assert_eq!(go.contains("searchmoves"), is_guarded, "{go}");
        if is_guarded {
            assert!(go.contains(" a2a4") && go.contains(" b1c3") && !go.contains(" a2a3"), "{go}");
            assert_eq!(go.split(' ').count(), 3 + 1 + 26, "all moves but one: {go}");
        }
        assert!(heard.contains(&"go infinite".to_owned()), "no analysis is changed: {heard:#?}");
        std::fs::remove_file(bench.path("engine.heard")).unwrap();
    }
}
