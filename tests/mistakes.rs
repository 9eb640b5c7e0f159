//! Mistakes of users: each ends with one line that says what is wrong and what to do, and nothing is written.

use std::{
    fs::{self, OpenOptions},
    os::unix::fs::symlink,
    process::Command,
};

use crate::workbench::Workbench;

const GAMES: &str = "[Event \"a\"]\n[White \"Carlsen, Magnus\"]\n[Black \"Anand, Viswanathan\"]\n[WhiteElo \"2863\"]\n\
    [Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n\n[Event \"b\"]\n[White \"Svidler, Peter\"]\n[Black \"Carlsen, Magnus\"]\n\
    [Result \"0-1\"]\n\n1. d4 Nf6 0-1\n";

fn with_games() -> Workbench {
    Workbench::with("games.pgn", GAMES)
}

/// The one line of an error, after the name of the program; only `left` is in the folder.
fn refused(bench: &Workbench, arguments: &str, code: i32, left: &[&str]) -> String {
    let error = bench.fails(arguments, code);
    assert_eq!(error.lines().count(), 1, "{arguments}: {error}");
    assert_eq!(bench.names(), left, "{arguments}: {error}");
    error.strip_prefix("tabia: ").unwrap().trim_end().to_owned()
}

/// The arguments after `--` are not split.
fn refused_with(bench: &Workbench, arguments: &str, last: &str) -> String {
    let output = bench.command(arguments).arg(last).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_filter_that_no_game_passes_is_explained() {
    let bench = with_games();
    for (arguments, last, says) in [
        (
            "build games.pgn -o b.tabia --where",
            "WhitElo > 2400",
            "filtered (where 2); no game has the tag `WhitElo` (nearest: `WhiteElo`)",
        ),
        (
            "build games.pgn -o b.tabia --player",
            "Magnus Carlsen",
            "filtered (player 2); there are players with names similar to `Magnus Carlsen`: `Carlsen, Magnus`",
        ),
        ("count games.pgn -o t.table --speed", "blitz", "no game has the tag `TimeControl`"),
        ("export games games.pgn -o g --min-elo", "2900", "none of the 2 games counts: filtered (min-elo 2)"),
        ("learn annotations games.pgn -o x --eco", "B20", "no game has the tag `ECO`"),
    ] {
        let error = refused_with(&bench, arguments, last);
        assert!(error.starts_with("tabia: none of the 2 games counts") && error.contains(says), "{error}");
        assert!(error.contains("--allow-empty") && error.lines().count() == 1, "{error}");
        assert_eq!(bench.names(), ["games.pgn"]);
    }
    let mut piped = bench.command("build - -o b.tabia --min-elo 2900");
    let output = piped.write_stdin(GAMES).output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && error.contains("cannot be read again"), "{error}");
    assert_eq!(bench.names(), ["games.pgn"]);
}

#[test]
fn inputs_without_a_game_that_counts_are_no_success() {
    let bench = with_games();
    bench.write("empty.pgn", "");
    bench.write("letter.txt", "Dear Sir,\nno game is in here.\n");
    let left = ["empty.pgn", "games.pgn", "letter.txt"];
    let error = refused(&bench, "build empty.pgn -o b.tabia", 1, &left);
    assert!(error.starts_with("no game was read from empty.pgn;"), "{error}");
    let error = refused(&bench, "count games.pgn -o t.table --limit 0", 1, &left);
    assert!(error.contains("the limit is 0 games"), "{error}");
    let error = refused(&bench, "build letter.txt -o b.tabia --rejects r.jsonl", 1, &left);
    assert!(error.starts_with("the only game does not count: rejected (fragment 1)"), "{error}");
    assert!(error.contains("letter.txt looks like a text, but PGN was expected"), "{error}");
    let error = refused(&bench, "learn annotations games.pgn -o x.parquet", 1, &left);
    assert!(error.starts_with("none of the 2 games counts: not used (no-mark 2)"), "{error}");
    bench.ok("count games.pgn -o t.table");
    let table = bench.ok("info t.table");
    for change in ["add", "subtract"] {
        bench.assert_fails(&format!("{change} t.table empty.pgn"), 1, ["no game was read from empty.pgn"]);
    }
    assert_eq!(bench.ok("info t.table"), table);
}

/// Where few games are rejected, the summary says which and why; a list says it of all.
#[test]
fn few_rejected_games_are_named() {
    let bench = with_games();
    let bad = "[Event \"c\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Ke4 1-0\n\n[Event \"d\"]\n\n1. e4 *\n";
    bench.write("bad.pgn", format!("{GAMES}\n{bad}"));
    let said = bench.said("count games.pgn bad.pgn -o t.table -j 2");
    let lines = ["  bad.pgn, game 3, ply 3: illegal-move `Ke4`\n", "  bad.pgn, game 4: result-unknown"];
    assert!(lines.iter().all(|line| said.contains(line)), "{said}");
    let named = bench.json("count games.pgn bad.pgn -o u.table")["few_rejected"].clone();
    let first = serde_json::json!(
        { "input": "bad.pgn", "game": 3, "ply": 3, "reason": "illegal-move", "text": "Ke4" });
    assert_eq!((named.as_array().unwrap().len(), &named[0]), (2, &first));
    let said = bench.said("count bad.pgn -o v.table --rejects r.jsonl");
    assert!(!said.contains("game 3"), "{said}");
    bench.write("many.pgn", bad.repeat(3));
    let said = bench.said("count games.pgn many.pgn -o w.table");
    assert!(
        said.contains("(illegal-move 3, result-unknown 3)") && !said.contains("many.pgn, game"),
        "{said}"
    );
}

/// What is typed wrongly is answered with what was meant.
#[test]
fn typing_errors_are_answered_with_what_was_meant() {
    let bench = with_games();
    for (arguments, says) in [
        ("build games.pgn -o b.tabia --min-rating 2000", "tip: use --min-elo"),
        ("build games.pgn -o b.tabia --min-elo twothousand", "tip: expected a whole number"),
        (
            "build games.pgn",
            "tip: name the output with -o, for example: tabia build games.pgn.zst -o book.tabia",
        ),
        ("probe b.tabia 1. e4 e5", "tabia probe b.tabia --line \"1. e4 e5\""),
        ("export b.tabia", "tip: one of these words must come first: polyglot, abk, json"),
        ("version", "tip: use `tabia --version` for that"),
    ] {
        let error = bench.fails(arguments, 2);
        assert!(error.contains(says), "{arguments}: {error}");
    }
    assert_eq!(bench.names(), ["games.pgn"]);
    let help = bench.ok("probe -h");
    let options = help.split("Choosing:").next().unwrap();
    assert!(options.contains("--json") && !help.contains("Game weights:\n      --json"), "{help}");
    bench.assert_prints("build -h", ["--player <NAME>", "--since <DATE>"]);
}

#[test]
fn a_book_without_a_move_is_no_success() {
    let bench = with_games();
    bench.ok("count games.pgn -o t.table");
    let error = refused(&bench, "compact t.table -o b.tabia --min-games 9", 1, &["games.pgn", "t.table"]);
    assert!(error.starts_with("no move is kept: the book filter is min-games=9"), "{error}");
    assert!(error.contains("no move has more than 1 games"), "{error}");
    bench.ok("compact t.table -o b.tabia --min-games 9 --allow-empty");
    let left = ["b.tabia", "games.pgn", "t.table"];
    let error = refused(&bench, "export polyglot b.tabia -o b.bin", 1, &left);
    assert!(error.starts_with("no move is kept: b.tabia holds none"), "{error}");
}

#[test]
fn what_is_empty_on_purpose_is_allowed() {
    let bench = with_games();
    bench.write("empty.pgn", "");
    bench.ok("count empty.pgn -o t.table --allow-empty");
    bench.ok("build games.pgn -o b.tabia --min-elo 2900 --polyglot b.bin --rejects r.jsonl --allow-empty");
    bench.ok("export games empty.pgn -o g --allow-empty");
    bench.ok("learn annotations games.pgn -o x.parquet --allow-empty");
    bench.ok("add t.table empty.pgn --allow-empty --force");
    bench.ok("verify t.table b.tabia x.parquet");
    assert_eq!(bench.read("b.bin"), b"");
}

#[test]
fn outputs_and_inputs_are_kept_apart() {
    let bench = with_games();
    bench.ok("count games.pgn -o t.table");
    bench.ok("learn set --line e4 --value 75 -o x.parquet");
    symlink("t.table", bench.path("link")).unwrap();
    fs::hard_link(bench.path("games.pgn"), bench.path("same.pgn")).unwrap();
    let (left, table) = (bench.names(), bench.part_bytes("t.table"));
    let left: Vec<&str> = left.iter().map(String::as_str).collect();
    for (arguments, says) in [
        ("compact t.table -o t.table/part-00000.parquet", "t.table/part-00000.parquet is inside t.table"),
        ("compact t.table -o link/../link/b.tabia", "b.tabia is inside t.table"),
        ("export parquet link -o t.table", "t.table is both read and written"),
        ("count games.pgn -o new.table --rejects same.pgn", "same.pgn is both read and written"),
        ("count games.pgn -o new.table --rejects new.table/r", "new.table/r is inside new.table"),
        ("count t.table/_manifest.json -o t.table", "t.table/_manifest.json is inside t.table"),
        ("build games.pgn -o b.tabia --table ./b.tabia", "two outputs have the same path, b.tabia"),
        ("compact t.table -o b.tabia --temp-dir t.table", "t.table is inside t.table"),
        ("report t.table -o t.table/page.html", "t.table/page.html is inside t.table"),
        ("merge t.table -o t.table/new", "t.table/new is inside t.table"),
        ("add t.table t.table", "t.table is both read and written"),
        ("add t.table games.pgn --rejects t.table/r", "t.table/r is inside t.table"),
        ("add t.table games.pgn --temp-dir t.table", "t.table is inside t.table"),
        (
            "learn annotations games.pgn --continue x.parquet -o x.parquet",
            "x.parquet is both read and written",
        ),
    ] {
        let error = refused(&bench, &format!("{arguments} --force"), 2, &left);
        assert!(error.contains(says), "{arguments}: {error}");
    }
    assert!(bench.part_bytes("t.table") == table);
    bench.ok("add t.table games.pgn --temp-dir . --force");
}

/// A name that ends as that of another format is refused before anything is read, and what writes that format
/// is named.
#[test]
fn outputs_are_not_named_as_another_format() {
    let bench = with_games();
    bench.ok("build games.pgn -o b.tabia --table t.table --polyglot p.bin --min-games 1");
    bench.ok("learn set --line e4 --value 75 -o x.parquet");
    bench.write("head.jsonl", "");
    bench.write("edits.txt", "add h4\n");
    let left = bench.names();
    let left: Vec<&str> = left.iter().map(String::as_str).collect();
    for (arguments, says) in [
        ("build missing.pgn -o n.bin", "`tabia build --polyglot n.bin` writes one beside a book"),
        ("build missing.pgn -o n.pgn", "`tabia export pgn BOOK -o n.pgn`"),
        ("build missing.pgn -o n.table", "`tabia build --table n.table`"),
        ("build missing.pgn -o n.ABK", "`tabia export abk BOOK -o n.ABK`"),
        ("build missing.pgn -o n.tabia --table n.bin", "but a table (NAME.table) would be written there"),
        ("build missing.pgn -o n.tabia --polyglot q.tabia", "but a Polyglot book (NAME.bin) would be"),
        ("build missing.pgn -o n.tabia --rejects r.pgn", "but JSON lines (NAME.json) would be"),
        ("count missing.pgn -o x.tabia", "`tabia build` and `tabia compact` write one with -o x.tabia"),
        ("cluster plan missing.pgn -o x.tabia", "the ending .tabia is that of a book"),
        ("compact missing.table -o n.bin", "`tabia export polyglot BOOK -o n.bin`"),
        ("merge b.tabia -o n.table", "the ending .table is that of a table"),
        ("merge t.table -o n.bin", "the ending .bin is that of a Polyglot book"),
        ("merge p.bin -o n.tabia", "but a Polyglot book (NAME.bin) would be written there"),
        ("edit p.bin -o n.tabia --script edits.txt", "the ending .tabia is that of a book"),
        ("edit b.tabia -o n.bin --script edits.txt", "the ending .bin is that of a Polyglot book"),
        ("import abk missing.abk -o n.bin", "expected NAME.table (a table of counts)"),
        ("import json head.jsonl -o n.abk", "the ending .abk is that of an Arena book"),
        ("export polyglot b.tabia -o n.tabia", "the ending .tabia is that of a book"),
        ("export json b.tabia -o n.bin", "the ending .bin is that of a Polyglot book"),
        ("export parquet b.tabia -o n.csv", "`tabia export csv BOOK -o n.csv`"),
        ("export epd b.tabia -o n.pgn", "`tabia export pgn BOOK -o n.pgn`"),
        ("export games missing.pgn -o n.pgn", "`tabia filter -o n.pgn`"),
        ("filter missing.pgn -o n.tabia", "the ending .tabia is that of a book"),
        ("report b.tabia -o n.csv", "but a page (NAME.html) would be written there"),
        ("suite b.tabia --format pgn -o n.epd", "but PGN (NAME.pgn) would be written there"),
        ("simulate b.tabia --policy wilson --svg n.html", "but a picture (NAME.svg) would be written there"),
        ("learn set --line e4 --value 75 -o n.tabia", "but experience (NAME.parquet) would be"),
        ("learn games missing.pgn --player x --table t.table -o n.pgn", "`tabia filter -o n.pgn`"),
        ("learn export crafty x.parquet -o n.bin", "but learned PGN (NAME.lrn) would be"),
        ("experience merge x.parquet -o n.csv", "but experience (NAME.parquet) would be"),
        ("uci b.tabia --learn n.tabia", "but experience (NAME.parquet) would be"),
    ] {
        let error = refused(&bench, arguments, 2, &left);
        assert!(error.contains(says), "{arguments}: {error}");
    }
    let mut commit = bench.command("cluster commit -o n.tabia");
    assert_eq!(commit.write_stdin("").output().unwrap().status.code(), Some(2));
    bench.ok("export pgn b.tabia -o lines");
    bench.ok("count games.pgn -o counts.parquet");
}

#[test]
#[cfg(not(feature = "object-store"))]
fn a_url_is_refused_by_a_program_without_object_stores() {
    let bench = with_games();
    for (arguments, code, says) in [
        ("info s3://games/t.table", 2, "built without support for object stores"),
        ("sql s3://games/t.table", 2, "built without support for object stores"),
        ("probe s3a://games/t.table", 2, "write s3://"),
        ("build games.pgn -o s3://games/b.tabia", 1, "built without support for object stores"),
        ("count games.pgn -o s3://games/t.table", 1, "name a folder on disk"),
    ] {
        let error = refused(&bench, arguments, code, &["games.pgn"]);
        assert!(error.contains("s3://") && error.contains(says), "{arguments}: {error}");
    }
}

#[test]
fn files_of_other_programs_are_named() {
    let bench = with_games();
    bench.write("book.abk", b"\x03ABK\0\0\0\0........");
    bench.write("book.ctg", [0; 8192]);
    bench.write("README", "Sixteen bytes...".repeat(4));
    bench.ok("count games.pgn -o t.table");
    for (file, says) in [
        ("book.abk", "book.abk is an Arena book (ABK); "),
        ("book.ctg", "book.ctg is a part of a ChessBase book (CTG, CTO and CTB); "),
        ("README", "README is a text; "),
        ("games.pgn", "games.pgn is PGN; build a book of it"),
        ("/dev/null", "/dev/null is neither a file nor a folder"),
        ("nothing", "nothing: no such file or folder"),
    ] {
        for command in ["info FILE", "probe FILE", "verify FILE", "compact FILE -o x.tabia"] {
            let error = bench.fails(&command.replace("FILE", file), 1);
            assert!(error.contains(says) && error.lines().count() == 1, "{command}: {error}");
        }
    }
    bench.assert_fails("why t.table e4", 2, ["t.table is a table, not a tabia book: make a book from it"]);
    bench.ok("compact t.table -o b.tabia");
    bench.assert_fails("merge t.table b.tabia -o x.table", 2, ["b.tabia is a book, but t.table is a table"]);
    for command in ["compact b.tabia -o x.tabia", "add b.tabia games.pgn"] {
        bench.assert_fails(command, 2, ["b.tabia is a book, not a table"]);
    }
    bench.ok("learn set --line e4 --value 75 -o x.parquet");
    let error = bench.fails("report x.parquet -o x.html", 2);
    assert!(error.contains("expected a table or a book, but an experience file was given"), "{error}");
}

#[test]
fn one_bad_file_does_not_hide_the_others() {
    let bench = with_games();
    bench.ok("build games.pgn -o b.tabia --table t.table");
    for command in ["verify", "info"] {
        let output = bench.run(&format!("{command} games.pgn b.tabia nothing t.table"));
        let (text, error) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(text.contains("b.tabia") && text.contains("t.table"), "{text}");
        let lines: Vec<_> = error.lines().collect();
        assert!(lines[0].contains("games.pgn is PGN") && lines[1].contains("nothing"), "{error}");
        assert_eq!(lines[2..], ["tabia: 2 of 4 files failed"]);
    }
}

#[test]
fn control_characters_reach_no_terminal() {
    let bench = Workbench::new();
    let name = "a\u{1b}[31m\u{9b}2J\u{7}\u{7f}\r\nb.pgn";
    bench.write(name, GAMES.replace("1. e4", "1. e4 $1"));
    let run = |arguments: &[&str]| {
        let output = bench.command("").args(arguments).output().unwrap();
        let text = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{arguments:?}: {text:?}");
        text
    };
    run(&["learn", "annotations", name, "-o", "x.parquet"]);
    run(&["build", name, name, "-o", "b.tabia", "--table", "t.table"]);
    for (arguments, says) in [
        (&["info", "b.tabia"][..], r"sources            a\u{1b}[31m\u{9b}2J\u{7}\u{7f}\r\nb.pgn"),
        (&["info", "t.table"], r"\u{1b}[31m"),
        (&["info", name], r"\u{1b}[31m"),
        (&["info", "x.parquet"], r"\r\nb.pgn: 1 of 2"),
        (&["experience", "show", "x.parquet"], r"\r\nb.pgn: 1 of 2"),
        (&["why", "b.tabia", "e4"], r"counted from a\u{1b}[31m"),
        (&["verify", name], r"\u{7f}"),
        (&["add", "t.table", name], r"\u{1b}[31m"),
        (&["build", name, "-o", "c.tabia", "--dry-run"], r"\u{1b}[31m"),
        (&["count", name, "-o", "x", "--eco", "\u{1b}[31m"], "invalid value"),
    ] {
        let text = run(arguments);
        assert!(text.contains(says), "{arguments:?}: {text:?}");
    }
}

#[test]
fn a_help_that_cannot_be_printed_is_a_failure() {
    let bench = Workbench::new();
    for arguments in ["--help", "build -h", "--version", "policies"] {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("tabia"));
        let output = command.args(arguments.split(' ')).stdout(full).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{arguments}: {error}");
        assert!(error.starts_with("tabia: cannot write to standard output: "), "{arguments}: {error}");
    }
    assert!(bench.ok("--version").starts_with("tabia "));
    assert_eq!(bench.fails("", 2).lines().next().unwrap(), "Turns chess game dumps into opening books");
}

#[test]
fn a_closed_output_is_a_failure_and_a_closed_pipe_is_none() {
    let bench = with_games();
    bench.ok("build games.pgn -o b.tabia");
    let tabia = |arguments: &str| bench.ended(&arguments.replace("tabia", "\"$TABIA\""));
    for arguments in ["tabia -h >&-", "tabia info b.t >&-", "tabia policies --json >&-"] {
        let (code, error) = tabia(&arguments.replace("b.t", "b.ta?ia"));
        assert_eq!(code, Some(1), "{arguments}: {error}");
        assert!(error.contains("cannot write to standard output: "), "{arguments}: {error}");
    }
    assert_eq!(tabia("tabia count games.pgn -o t -q >&-"), (Some(0), String::new()), "it prints nothing");
    let (code, error) = tabia("echo uci | tabia uci b.ta?ia >/dev/full");
    assert!(code == Some(1) && error.contains("cannot write to the GUI: "), "{code:?}: {error}");
    let (_, error) = tabia("(sleep 1; echo uci) | (tabia uci b.ta?ia; echo $? >&2) | true");
    assert_eq!(error, "0\n", "a GUI that has ended");
    for arguments in ["tabia -h", "tabia simulate -h"] {
        let (_, error) = tabia(&format!("({arguments}; echo $? >&2) | true"));
        assert!(error == "0\n", "{arguments}: {error}");
    }
}

/// Part files that wait to be synced are open, so only a few may wait.
#[test]
fn a_table_of_many_parts_needs_few_open_files() {
    let bench = with_games();
    let tabia = |arguments: &str, files: u32| {
        bench.ended(&format!("ulimit -n {files}; exec \"$TABIA\" {arguments} -j 2"))
    };
    let few = 64;
    for arguments in [
        "count games.pgn -o t.table --shards 512",
        "add t.table games.pgn --force",
        "compact t.table -o b.tabia",
        "merge t.table -o u.table",
    ] {
        let (code, error) = tabia(arguments, few);
        assert_eq!(code, Some(0), "{arguments}: {error}");
    }
    let (code, error) = tabia("count games.pgn -o v.table --shards 512", 16);
    assert_eq!(code, Some(1), "{error}");
    assert!(error.contains("raise the limit on open files, now 16"), "{error}");
}

#[test]
fn a_subtraction_that_fails_names_the_move_and_the_position() {
    let bench = with_games();
    bench.write("other.pgn", "[Event \"c\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 d6 1-0\n");
    bench.ok("count games.pgn -o t.table");
    let error = bench.fails("subtract t.table other.pgn", 1);
    let after = "after 1. e4 e5 2. Nf3 (rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2)";
    let deeper = "that end after 1. e4 e5 2. Nf3 d6 (";
    assert!(error.contains(&format!("that play d6 {after}")) || error.contains(deeper), "{error}");
    assert!(
        error.contains("t.table has only 0/0/0") && error.contains("cannot subtract 1/0/0 games"),
        "{error}"
    );
}

#[test]
fn a_table_says_what_it_holds_after_a_subtraction() {
    let bench = with_games();
    bench.write("more.pgn", GAMES.replace("1. d4 Nf6", "1. d4 d5"));
    bench.ok("count games.pgn more.pgn -o t.table");
    bench.ok("subtract t.table more.pgn");
    let text = bench.ok("info t.table");
    for says in ["games counted      2\n", "games read         2\n", "sources            games.pgn\n"] {
        assert!(text.contains(says), "{text}");
    }
    assert!(!text.contains("more.pgn"), "{text}");
    bench.ok("subtract t.table games.pgn --limit 1");
    bench.assert_prints("info t.table", ["sources            games.pgn\n  without            games.pgn\n"]);
}

#[test]
fn a_recipe_that_is_too_large_is_refused() {
    let bench = with_games();
    let stage = |number: usize| format!("[stage.s{number}]\nkind = 'replay'\ninputs = ['s{}']\n", number + 1);
    let stages: String = (0..4000).map(stage).collect();
    bench.write("many.toml", format!("[pipeline]\nformat = 1\n{stages}"));
    bench.write("long.toml", " ".repeat(3 << 20));
    bench.write("memory.toml", "[pipeline]\nformat = 1\n[limits]\nmemory_mib = 17592186044417\n");
    bench.write("binary.toml", b"\xff\xfe");
    for (recipe, says) in [
        ("many", "many.toml: the recipe has 4000 stages, but the maximum is 256"),
        ("long", "long.toml: the recipe is longer than the maximum of 1048576 bytes"),
        ("memory", "memory.toml: [limits] `memory_mib`: must be "),
        ("binary", "binary.toml: not a recipe, which is TOML in UTF-8"),
    ] {
        for command in ["run", "plan"] {
            bench.assert_fails(&format!("{command} {recipe}.toml"), 2, [says]);
        }
    }
}
