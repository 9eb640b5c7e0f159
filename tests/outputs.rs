//! Outputs: all of a command's or none, what may be replaced, standard output, and what killed runs leave.

use std::{fs, io::Write as _, os::unix::fs::symlink, process::Command, thread, time::Duration};

use crate::{
    processes::send,
    workbench::{Workbench, sample},
};

/// Two games, one of them with an illegal move.
const GAMES: &str = "[Event \"a\"]\n\n1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. e4 Ke3 1-0\n";

fn with_games() -> Workbench {
    Workbench::with("games.pgn", GAMES)
}

fn wait_for(mut found: impl FnMut() -> bool) {
    for _ in 0..600 {
        if found() {
            return;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("it does not happen");
}

fn has_temporary(bench: &Workbench) -> bool {
    bench.names().iter().any(|name| name.ends_with(".partial"))
}

#[test]
fn strict_decides_before_anything_is_replaced() {
    let bench = with_games();
    bench.ok("count games.pgn -o games.table");
    let before = bench.part_bytes("games.table");
    for name in ["book.tabia", "book.bin", "list.jsonl"] {
        bench.write(name, "precious");
    }
    let outputs = "-o book.tabia --table games.table --polyglot book.bin";
    let error = bench.fails(&format!("build games.pgn {outputs} --force --strict --quiet"), 1);
    assert!(error.contains("1 games or records were rejected") && error.contains("no output was written"));
    let error =
        bench.fails(&format!("build games.pgn {outputs} --rejects list.jsonl --force --strict --quiet"), 1);
    assert!(error.contains("no output was written but their list"), "{error}");
    for name in ["book.tabia", "book.bin"] {
        assert_eq!(bench.text(name), "precious", "{name}");
    }
    assert!(bench.text("list.jsonl").contains("Ke3"));
    bench.fails("add games.table games.pgn --force --strict", 1);
    assert_eq!(bench.part_bytes("games.table"), before);
    assert_eq!(bench.names(), ["book.bin", "book.tabia", "games.pgn", "games.table", "list.jsonl"]);
}

/// The table is written first and is smaller than the limit; the book comes after it and is larger.
#[test]
fn a_command_that_cannot_write_its_last_output_replaces_none() {
    let bench = Workbench::new();
    for name in ["book.tabia", "list.jsonl"] {
        bench.write(name, "precious");
    }
    fs::copy(sample(), bench.path("games.pgn")).unwrap();
    bench.ok("count games.pgn -o games.table");
    let before = bench.part_bytes("games.table");
    let command = "ulimit -f 80; trap '' XFSZ; \"$TABIA\" build games.pgn -o book.tabia --table games.table --shards 64 \
                   --rejects list.jsonl --force --quiet";
    for command in [command.to_owned(), command.replace("trap '' XFSZ;", "")] {
        let output = bench.start(&command).wait_with_output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains("book.tabia") && error.contains("File too large"), "{error}");
        for name in ["book.tabia", "list.jsonl"] {
            assert_eq!(bench.text(name), "precious", "{name}");
        }
        assert_eq!(bench.part_bytes("games.table"), before);
        assert_eq!(bench.names(), ["book.tabia", "games.pgn", "games.table", "list.jsonl"]);
    }
}

#[test]
fn the_end_of_a_terminal_interrupts_a_run_unless_it_is_ignored() {
    let bench = Workbench::new();
    let text = fs::read(sample()).unwrap();
    let count = "count - -o games.table --rejects list.jsonl";
    for (prefix, code) in [("", 130), ("trap '' HUP; ", 0)] {
        let command = format!("{prefix}exec \"$TABIA\" {count}");
        let mut child = bench.start(&command);
        let mut input = child.stdin.take().unwrap();
        input.write_all(&text).unwrap();
        wait_for(|| has_temporary(&bench));
        send(&child, "-HUP");
        // A run that goes on ends with its input; one that stops looks at the flag with its next chunk.
        let mut feeding = || (0..200).all(|_| code == 130 && input.write_all(&text).is_ok());
        feeding();
        drop(input);
        let output = child.wait_with_output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{error}");
        if code == 130 {
            assert!(error.contains("interrupted; no output was written"), "{error}");
            assert_eq!(bench.names(), [""; 0]);
        }
    }
    assert_eq!(bench.names(), ["games.table", "list.jsonl"]);
}

#[test]
fn only_regular_files_and_folders_of_ours_are_replaced() {
    let bench = with_games();
    bench.ok("build games.pgn -o book.tabia");
    assert!(Command::new("mkfifo").arg(bench.path("fifo")).status().unwrap().success());
    fs::create_dir(bench.path("site")).unwrap();
    bench.write("site/manifest.json", "{\"name\": \"a web page\"}");
    bench.write("site/export.json", "{}");
    bench.write("notes", "of mine");
    let before = bench.names();
    for (command, what) in [
        ("build games.pgn -o /dev/full --force", "a device"),
        ("build games.pgn -o new.tabia --rejects /dev/null --force", "a device"),
        ("export polyglot book.tabia -o fifo --force", "a FIFO"),
        ("report book.tabia -o site --force", "a folder"),
        ("build games.pgn -o site --force", "a folder"),
        ("count games.pgn -o new.table --rejects site --force", "a folder"),
        ("count games.pgn -o site --force", "only a table is replaced"),
        ("count games.pgn -o notes --force", "only a table is replaced"),
        ("export parquet book.tabia -o site --force", "site"),
        ("simulate book.tabia --policy wilson --svg /dev/null --force", "a device"),
    ] {
        let error = bench.fails(command, 1);
        assert!(error.contains(what) && error.lines().count() == 1, "{command}: {error}");
    }
    assert_eq!(bench.names(), before);
    assert_eq!(bench.text("site/export.json"), "{}");
}

#[test]
fn a_link_stays_and_what_it_leads_to_is_replaced() {
    let bench = with_games();
    fs::create_dir(bench.path("data")).unwrap();
    bench.write("data/book.tabia", "precious");
    bench.ok("count games.pgn -o data/games.table");
    symlink("data/book.tabia", bench.path("book.tabia")).unwrap();
    symlink("data/games.table", bench.path("games.table")).unwrap();
    bench.fails("build games.pgn -o book.tabia", 2);
    bench.ok("build games.pgn -o book.tabia --table games.table --force");
    bench.ok("add games.table games.pgn --force");
    for name in ["book.tabia", "games.table"] {
        assert!(bench.path(name).is_symlink(), "{name}");
        assert!(!bench.path("data").join(name).is_symlink(), "{name}");
        bench.ok(&format!("verify data/{name}"));
    }
    assert!(bench.ok("info games.table").contains("games.table"));
}

#[test]
fn standard_output_takes_what_can_be_read_there() {
    let bench = with_games();
    let list = bench.ok("build games.pgn -o book.tabia --rejects - --quiet");
    assert!(list.contains("\"reason\":\"illegal-move\"") && list.lines().count() == 1, "{list}");
    bench.ok("export polyglot book.tabia -o book.bin");
    let said = bench.said("export polyglot book.tabia -o -");
    assert!(said.starts_with("wrote to standard output\n"), "{said}");
    let streamed = bench.run("export polyglot book.tabia -o - --quiet");
    assert!(streamed.status.success());
    assert_eq!(streamed.stdout, bench.read("book.bin"));
    assert!(bench.ok("report book.tabia -o - --quiet").starts_with("<!"));
    let before = bench.names();
    for command in [
        "build games.pgn -o -",
        "build games.pgn -o new.tabia --table -",
        "count games.pgn -o -",
        "export parquet book.tabia -o -",
        "export games games.pgn -o -",
        "learn annotations games.pgn -o -",
        "learn set -o - --line e4 --value 5",
        "build games.pgn -o new.tabia --rejects - --polyglot -",
        "build games.pgn -o new.tabia --rejects - --json",
        "export polyglot book.tabia -o - --json",
        "simulate book.tabia --policy wilson --svg -",
    ] {
        bench.fails(command, 2);
    }
    assert_eq!(bench.names(), before);
    bench.ok("export polyglot book.tabia -o ./-");
    assert_eq!(bench.read("-"), streamed.stdout);
}

#[test]
fn what_a_killed_run_leaves_is_removed_by_the_next_in_that_folder() {
    let bench = with_games();
    let mut child = bench.start_tabia("build - -o book.tabia --table games.table --polyglot book.bin");
    let mut input = child.stdin.take().unwrap();
    input.write_all(GAMES.as_bytes()).unwrap();
    wait_for(|| has_temporary(&bench));
    bench.ok("build games.pgn -o other.tabia");
    assert!(has_temporary(&bench), "what a living run writes stays");
    send(&child, "-KILL");
    child.wait().unwrap();
    assert!(has_temporary(&bench));
    bench.ok("build games.pgn -o other.tabia --force");
    assert_eq!(bench.names(), ["games.pgn", "other.tabia"]);
    drop(input);
}

/// As a crash between the two renames of an older version leaves it, or one where the kernel cannot exchange
/// names.
#[test]
fn every_command_finds_a_table_that_is_between_two_renames() {
    let bench = Workbench::new();
    fs::copy(sample(), bench.path("games.pgn")).unwrap();
    bench.ok("count games.pgn -o games.table --max-ply 8");
    bench.ok("count games.pgn -o more.table --max-ply 8");
    bench.write("more.pgn", "[Event \"more\"]\n\n1. e4 e5 1-0\n");
    for command in [
        "info games.table",
        "verify games.table",
        "probe games.table",
        "pick games.table --policy wilson",
        "simulate games.table --policy wilson --games 10",
        "merge games.table -o merged.table",
        "compact games.table -o book.tabia",
        "export parquet games.table -o moves",
        "report games.table -o page.html",
        "add games.table more.pgn",
        "subtract games.table more.pgn",
        "count games.pgn -o games.table --max-ply 8 --force",
    ] {
        fs::rename(bench.path("games.table"), bench.path(".games.table.previous")).unwrap();
        bench.ok(command);
        assert!(bench.path("games.table").is_dir(), "{command}");
        let hidden: Vec<_> = bench.names().into_iter().filter(|name| name.starts_with('.')).collect();
        assert_eq!(hidden, [""; 0], "{command}");
    }
    fs::rename(bench.path("moves"), bench.path(".moves.previous")).unwrap();
    bench.fails("export parquet games.table -o moves", 2);
    assert!(bench.path("moves/export.json").is_file(), "exports come back, too");
}
