//! The binary as a user meets it: what it prints, and how it exits.

use serde_json::Value;

use crate::workbench::Workbench;

const GAMES: &str = "[Event \"Rated Blitz game\"]\n[White \"Ada\"]\n[Black \"Bob\"]\n[WhiteElo \"2450\"]\n[BlackElo \"2300\"]\n\
    [UTCDate \"2014.06.01\"]\n[TimeControl \"180+2\"]\n[ECO \"C20\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n\
    [Event \"Casual Bullet game\"]\n[White \"Bob\"]\n[Black \"Ada\"]\n[Result \"0-1\"]\n\n1. e4 c5 2. Nf3 d6 0-1\n\n\
    [Event \"broken\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke3 1-0\n";

fn with_games() -> Workbench {
    Workbench::with("games.pgn", GAMES)
}

fn summary(bench: &Workbench, arguments: &str) -> Value {
    bench.json(&format!("{arguments} --force"))
}

#[test]
fn a_book_is_built_and_probed() {
    let bench = with_games();
    bench.ok("build games.pgn -o book.tabia");
    let start = bench.ok("probe book.tabia");
    assert_eq!(
        start,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1   key 463b96181691fc9c\n\
         2 visits: White 50.0 %, drawn 0.0 %, Black 50.0 %\n\n\
         move  games    share   White  drawn   Black   score\n\
         e4        2  100.0 %  50.0 %  0.0 %  50.0 %  50.0 %\n"
    );
    bench.assert_prints("probe book.tabia --line e4", ["\nc5 ", "\ne5 "]);
    let mut command = bench.command("probe book.tabia --line");
    let mate = String::from_utf8(command.arg("e4 e5 Qh5 Ke7 Qxe5#").output().unwrap().stdout).unwrap();
    assert!(mate.ends_with("no move of it is kept: a leaf\n"), "{mate}");
}

#[test]
fn a_position_not_in_the_book_is_no_failure() {
    let bench = with_games();
    bench.ok("build games.pgn -o book.tabia");
    let text = bench.ok("probe book.tabia --line a4");
    assert!(text.ends_with("not in the book\n"), "{text}");
    let json = bench.json("probe book.tabia --line a4");
    assert_eq!((&json["found"], &json["moves"]), (&Value::Bool(false), &Value::Array(vec![])));
}

#[test]
fn books_tables_and_polyglot_books_are_all_probed() {
    let bench = with_games();
    bench.ok("build games.pgn -o book.tabia --table games.table --polyglot book.bin");
    let moves = |file: &str| {
        let json = bench.json(&format!("probe {file} --line e4"));
        json["moves"]
            .as_array()
            .unwrap()
            .iter()
            .map(|mv| mv["san"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let expected = ["c5".to_owned(), "e5".to_owned()];
    for file in ["book.tabia", "games.table", "book.bin"] {
        let mut found = moves(file);
        found.sort();
        assert_eq!(found, expected, "{file}");
        bench.ok(&format!("info {file}"));
        bench.ok(&format!("verify {file}"));
    }
}

#[test]
fn the_summary_counts_every_game_once() {
    let bench = with_games();
    let report = summary(&bench, "count games.pgn -o games.table --min-elo 2200");
    assert_eq!(report["games"], 3);
    assert_eq!(report["accepted"], 1);
    assert_eq!(report["filtered"]["min-elo"], 2);
    assert_eq!(report["edges"], 6);
    assert_eq!(report["inputs"][0]["bytes"], GAMES.len());
}

#[test]
fn every_filter_filters() {
    let bench = with_games();
    let accepted = |filter: &[&str]| {
        let mut command = bench.command("count games.pgn -o games.table --json --force --allow-empty");
        let output = command.args(filter).output().unwrap();
        assert!(output.status.success(), "{filter:?}: {}", String::from_utf8_lossy(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).unwrap();
        report["accepted"].as_u64().unwrap()
    };
    for (filter, expected) in [
        (&["--max-elo", "2400"][..], 0),
        (&["--max-elo", "2400", "--elo-any"], 1),
        (&["--since", "2014-06"], 1),
        (&["--until", "2013"], 0),
        (&["--speed", "blitz"], 1),
        (&["--result", "0-1"], 1),
        (&["--min-plies", "5"], 1),
        (&["--player", "ada"], 2),
        (&["--player", "ada", "--player-color", "black"], 1),
        (&["--rated-only"], 1),
        (&["--exclude-bots"], 2),
        (&["--line", "e4 c5"], 1),
        (&["--fen", "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"], 1),
        (&["--eco", "C20..C29"], 1),
        (&["--limit", "1"], 1),
        (&["--where", "WhiteElo >= 2400 and Event !~ \"Bullet\""], 1),
        (&["--illegal-move", "keep-prefix"], 3),
    ] {
        assert_eq!(accepted(filter), expected, "{filter:?}");
    }
}

#[test]
fn a_wrong_expression_is_refused_with_its_place_marked() {
    let bench = with_games();
    let output = bench
        .command("count games.pgn -o games.table")
        .args(["--where", "WhiteElo => 2400"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    let lines: Vec<_> = error.lines().collect();
    assert!(lines[1].ends_with("WhiteElo => 2400") && lines[2].trim() == "^", "{error}");
    assert_eq!(bench.names(), ["games.pgn"]);
}

#[test]
fn rejected_games_are_listed_with_their_places() {
    let bench = with_games();
    bench.ok("count games.pgn -o games.table --rejects rejects.jsonl --rejects-filtered --rated-only");
    let lines = bench.text("rejects.jsonl");
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2);
    assert_eq!((&lines[0]["game"], &lines[0]["filter"]), (&Value::from(2), &Value::from("rated-only")));
    let bench = with_games();
    bench.ok("count games.pgn -o games.table --rejects rejects.jsonl");
    let line: Value = serde_json::from_str(&bench.text("rejects.jsonl")).unwrap();
    let offset = GAMES.find("[Event \"broken\"]").unwrap();
    assert_eq!(
        line,
        serde_json::json!({"input": "games.pgn", "offset": offset, "game": 3, "ply": 3, "reason": "illegal-move", "text": "Ke3"})
    );
}

#[test]
fn strict_fails_on_rejected_games_only() {
    let bench = with_games();
    let error = bench.fails("count games.pgn -o games.table --strict", 1);
    assert!(error.ends_with("--rejects FILE lists the rejected ones\n"), "{error}");
    bench.ok("count games.pgn -o filtered.table --strict --rated-only");
}

#[test]
fn an_output_that_exists_is_kept_unless_forced() {
    let bench = with_games();
    bench.write("book.tabia", "precious");
    let error = bench.fails("build games.pgn -o book.tabia", 2);
    assert_eq!(
        error,
        "tabia: book.tabia already exists; choose another output, or use --force to replace it\n"
    );
    assert_eq!(bench.text("book.tabia"), "precious");
    bench.ok("build games.pgn -o book.tabia --force");
    bench.ok("verify book.tabia");
}

#[test]
fn games_come_from_standard_input_too() {
    let bench = with_games();
    let output = bench.command("build - -o book.tabia").write_stdin(GAMES).output().unwrap();
    assert!(output.status.success());
    bench.ok("build games.pgn -o other.tabia");
    let provenance = |book: &str| bench.ok(&format!("info {book}"));
    let without_name = |text: &str| {
        text.lines().skip(1).filter(|line| !line.contains("sources")).map(str::to_owned).collect::<Vec<_>>()
    };
    let (piped, read) = (provenance("book.tabia"), provenance("other.tabia"));
    let bytes =
        |lines: &[String]| lines.iter().filter(|line| !line.contains("bytes")).cloned().collect::<Vec<_>>();
    assert_eq!(bytes(&without_name(&piped)), bytes(&without_name(&read)));
}

#[test]
fn a_file_named_twice_is_read_once_and_said_so() {
    let bench = with_games();
    let output = bench.run("count games.pgn ./games.pgn -o games.table");
    assert!(output.status.success());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains("given more than once") && error.contains("3 games"), "{error}");
}

#[test]
fn the_same_games_under_two_names_are_pointed_out() {
    let bench = with_games();
    bench.write("copy.pgn", GAMES);
    bench.assert_says("count games.pgn copy.pgn -o games.table", ["same contents as", "6 games"]);
}

#[test]
fn the_sample_makes_a_book() {
    let bench = Workbench::new();
    let report = summary(&bench, "build SAMPLE -o sample.tabia --min-games 2 --strict");
    assert!(report["games"].as_u64().unwrap() >= 2000);
    assert!(report["book_edges"].as_u64().unwrap() > 1000);
    assert!(bench.ok("probe sample.tabia").lines().count() > 5);
}

#[test]
fn help_lists_every_command() {
    let bench = Workbench::new();
    let help = bench.ok("--help");
    for command in [
        "build", "count", "merge", "add", "subtract", "compact", "export", "probe", "info", "verify", "run",
        "plan",
    ] {
        assert!(help.contains(&format!("\n  {command} ")), "{command} in {help}");
        bench.ok(&format!("{command} --help"));
    }
}

/// `--color` is the side the book plays; a player's colour has a flag of its own, and neither is taken for
/// the other.
#[test]
fn colours_of_books_and_players_have_flags_of_their_own() {
    let bench = with_games();
    let error = bench.fails("build games.pgn -o b.tabia --player Ada --color white", 2);
    assert!(error.contains("--player-color") && error.contains("--book-color"), "{error}");
    bench.assert_fails("count games.pgn -o t.table --player Ada --color white", 2, ["--color"]);
    bench.ok("build games.pgn -o white.tabia --color white");
    bench.ok("build games.pgn -o former.tabia --book-color white");
    assert!(bench.read("white.tabia") == bench.read("former.tabia"));
    bench.ok("build games.pgn -o ada.tabia --player Ada --player-color white --book-color white");
}

/// A file's content, not its name, says whether it is a table or a book.
#[test]
fn exports_and_pages_open_tables_and_books_alike() {
    let bench = with_games();
    bench.ok("build games.pgn -o book --table table");
    for input in ["book", "table"] {
        bench.ok(&format!("export parquet {input} -o {input}-parquet"));
        bench.ok(&format!("report {input} -o {input}.html"));
    }
    bench.ok("export polyglot book -o book.bin");
    bench.assert_fails("report book.bin -o x.html", 2, ["Polyglot book"]);
    bench.ok("learn set --line e4 --value 75 -o x.experience.parquet");
    let error = bench.fails("export parquet book -o p --experience x.experience.parquet", 2);
    assert!(error.contains("its own experience"), "{error}");
}

#[test]
fn sql_names_the_files_of_a_table_or_an_export() {
    let bench = with_games();
    bench.ok("count games.pgn -o games.table");
    bench.ok("export parquet games.table -o out");
    let macros = bench.ok("sql");
    assert!(macros.contains("MACRO uci(move) AS") && !macros.contains("VIEW"), "{macros}");
    for (folder, files) in [("games.table", "games.table/*.parquet"), ("out", "out/moves/*.parquet")] {
        let sql = bench.ok(&format!("sql {folder}"));
        let path = bench.path(files);
        assert!(sql.starts_with(&macros) && sql.contains(&format!("('{}')", path.display())), "{sql}");
    }
    let error = bench.fails("sql games.pgn", 2);
    assert!(
        error.contains("games.pgn is neither an export nor a table: give the folder of an export or a table"),
        "{error}"
    );
    assert!(bench.fails("sql nothing", 1).contains("nothing: no such file or folder"));
}
