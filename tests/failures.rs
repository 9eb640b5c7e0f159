//! What goes wrong: one clear line, the right exit code, no file left over, no earlier file damaged.

use std::{fs, io::Write as _, os::unix::fs::PermissionsExt as _, process::Command, thread, time::Duration};

use testing::skip;

use crate::{
    processes::send,
    workbench::{Workbench, sample},
};

/// One line that names the file, and only the inputs left in the folder.
fn check(bench: &Workbench, error: &str, mentions: &[&str], left: &[&str]) {
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(error.starts_with("tabia: "), "{error}");
    for text in mentions {
        assert!(error.contains(text), "{text} in {error}");
    }
    assert_eq!(bench.names(), left);
}

#[test]
fn a_truncated_file() {
    let bench = Workbench::new();
    let bytes = zstd::encode_all(&*fs::read(sample()).unwrap(), 3).unwrap();
    bench.write("games.pgn.zst", &bytes[..bytes.len() / 2]);
    bench.write("book.tabia", "precious");
    let error = bench.fails("build games.pgn.zst -o book.tabia --force", 1);
    check(&bench, &error, &["games.pgn.zst", "byte"], &["book.tabia", "games.pgn.zst"]);
    assert_eq!(bench.read("book.tabia"), b"precious");
}

#[test]
fn a_folder_without_pgn() {
    let bench = Workbench::new();
    fs::create_dir(bench.path("empty")).unwrap();
    let error = bench.fails("build empty -o book.tabia", 1);
    check(&bench, &error, &["empty"], &["empty"]);
    let error = bench.fails("build nothing.pgn -o book.tabia", 1);
    check(&bench, &error, &["nothing.pgn"], &["empty"]);
}

#[test]
fn a_polyglot_book_given_as_pgn() {
    let bench = Workbench::after(["build SAMPLE -o book.tabia --polyglot book.bin"]);
    let error = bench.fails("build book.bin -o other.tabia", 1);
    check(&bench, &error, &["book.bin", "not PGN"], &["book.bin", "book.tabia"]);
}

#[test]
fn an_output_folder_that_is_not_there() {
    let bench = Workbench::with("games.pgn", fs::read(sample()).unwrap());
    for command in ["build games.pgn -o no/book.tabia", "count games.pgn -o no/games.table"] {
        let error = bench.fails(command, 1);
        check(&bench, &error, &["no"], &["games.pgn"]);
    }
}

#[test]
fn damaged_artefacts_are_distinguished_from_whole_ones() {
    let bench = Workbench::after(["build SAMPLE -o book.tabia --table games.table --min-games 5"]);
    let whole = bench.read("book.tabia");
    for at in (0..whole.len()).step_by(whole.len() / 40) {
        let mut damaged = whole.clone();
        damaged[at] ^= 1 << (at % 8);
        bench.write("book.tabia", damaged);
        bench.fails("verify book.tabia", 1);
    }
    let part = bench.path("games.table/part-00003.parquet");
    let mut bytes = fs::read(&part).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&part, bytes).unwrap();
    bench.assert_fails("verify games.table", 1, ["part-00003.parquet"]);
}

/// An empty file is a Polyglot book without positions, but nothing in it shows that it is whole.
/// A damaged book is a failure of the file (1), not of the command line (2).
#[test]
fn a_damaged_book_is_not_wrong_usage() {
    let bench = Workbench::with_sample();
    bench.ok("build sample.pgn -o book.tabia --max-ply 20");
    let whole = bench.read("book.tabia");
    let mut flipped = whole.clone();
    flipped[20] ^= 1;
    for (name, damaged) in [("cut.tabia", &whole[..whole.len() / 2]), ("flipped.tabia", &flipped)] {
        bench.write(name, damaged);
        for command in ["probe NAME", "why NAME e4", "info NAME", "pick NAME --policy wilson", "verify NAME"]
        {
            let error = bench.fails(&command.replace("NAME", name), 1);
            assert!(error.contains(name) && error.lines().count() == 1, "{command}: {error}");
        }
    }
    bench.fails("probe book.tabia --line Ke3", 2);
    bench.fails("pick book.tabia --policy wilsn", 2);
}

#[test]
fn an_empty_file_is_not_called_sound() {
    let bench = Workbench::new();
    bench.ok("build SAMPLE -o none.tabia --polyglot none.bin --min-games 1000000 --allow-empty");
    bench.write("copied.tabia", "");
    for file in ["none.bin", "copied.tabia"] {
        let error = bench.fails(&format!("verify {file}"), 1);
        check(&bench, &error, &[file, "is empty"], &["copied.tabia", "none.bin", "none.tabia"]);
    }
    bench.ok("verify none.tabia");
    let text = bench.ok("probe none.bin");
    assert!(text.ends_with("not in the Polyglot book\n"), "{text}");
}

/// A file system of a quarter MiB for what spills.
#[test]
fn a_full_disk() {
    let bench = Workbench::new();
    let small = bench.path("small");
    fs::create_dir(&small).unwrap();
    let mounted =
        Command::new("mount").args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).arg(&small).status();
    if !mounted.is_ok_and(|status| status.success()) {
        skip("mounting a small tmpfs needs root");
        return;
    }
    bench.write("book.tabia", "precious");
    let games = fs::read(sample()).unwrap().repeat(12);
    let arguments = "build - -o book.tabia --force --max-ply 0 --threads 2 --memory 32MiB --temp-dir small";
    let output = bench.command(arguments).write_stdin(games).output().unwrap();
    let left = fs::read_dir(&small).unwrap().count();
    Command::new("umount").arg(&small).status().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    check(&bench, &error, &["not enough disk space in small", "--temp-dir"], &["book.tabia", "small"]);
    assert_eq!(left, 0, "files left in the temporary folder");
    assert_eq!(bench.read("book.tabia"), b"precious");
}

#[test]
fn an_interrupt_leaves_nothing() {
    let bench = Workbench::new();
    let text = fs::read(sample()).unwrap();
    let mut child = bench.start_tabia("build - -o book.tabia --table games.table");
    let mut input = child.stdin.take().unwrap();
    let feeding = thread::spawn(move || while input.write_all(&text).is_ok() {});
    thread::sleep(Duration::from_millis(300));
    send(&child, "-INT");
    let output = child.wait_with_output().unwrap();
    feeding.join().unwrap();
    assert_eq!(output.status.code(), Some(130));
    check(&bench, &String::from_utf8(output.stderr).unwrap(), &["interrupted"], &[]);
}

#[test]
fn a_broken_pipe_ends_quietly() {
    let bench = Workbench::after(["build SAMPLE -o book.tabia"]);
    let mut child = bench.start_tabia("probe book.tabia");
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[test]
fn an_unreadable_input() {
    let bench = Workbench::with("games.pgn", "[Event \"x\"]\n\n1. e4 1-0\n");
    fs::set_permissions(bench.path("games.pgn"), fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(bench.path("games.pgn")).is_ok() {
        skip("permissions do not bind root");
        return;
    }
    let error = bench.fails("count games.pgn -o games.table", 1);
    check(&bench, &error, &["games.pgn", "ermission"], &["games.pgn"]);
}
