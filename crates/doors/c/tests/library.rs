//! The header is what cbindgen writes, and C programs that are built with it and the static library do what
//! they say.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use pipeline::{recipe::Plan, recipe::Recipe, recipe::run};
use run::RunOptions;
use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// With `UPDATE_HEADER=1` it is written.
#[test]
fn the_header_is_cbindgens() {
    let config = cbindgen::Config::from_file(root().join("cbindgen.toml")).unwrap();
    let mut written = Vec::new();
    cbindgen::generate_with_config(root(), config).unwrap().write(&mut written);
    let (written, path) = (String::from_utf8(written).unwrap(), root().join("include/tabia.h"));
    if env::var_os("UPDATE_HEADER").is_some() {
        fs::write(&path, &written).unwrap();
    }
    assert_eq!(fs::read_to_string(path).unwrap(), written);
}

/// The static library: built, unless it was, and found as cargo reports it.
fn library() -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--release", "--locked", "--message-format", "json"]).current_dir(root());
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let lines = String::from_utf8(output.stdout).unwrap();
    let messages = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let files = messages.flat_map(|message| message["filenames"].as_array().cloned().unwrap_or_default());
    let mut paths = files.map(|file| PathBuf::from(file.as_str().unwrap()));
    paths.find(|path| path.file_name().is_some_and(|name| name == "libtabia.a")).unwrap()
}

/// A program of C, compiled with every warning as an error.
fn compiled(source: &str, folder: &Path) -> PathBuf {
    let program = folder.join("program");
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-I"]);
    cc.arg(root().join("include")).arg(root().join(source)).arg(library());
    let output = cc.args(["-lm", "-lpthread", "-ldl", "-o"]).arg(&program).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

/// A book of the sample games.
fn book(folder: &Path) -> PathBuf {
    let (book, sample) = (folder.join("book.tabia"), root().join("../../../data/sample.pgn"));
    let text = format!(
        "[pipeline]\nformat = 1\n[limits]\nmemory_mib = 64\nthreads = 1\n\
         [stage.games]\nkind = 'read-games'\npaths = ['{}']\n\
         [stage.replay]\nkind = 'replay'\ninputs = ['games']\n\
         [stage.tally]\nkind = 'sort-merge'\ninputs = ['replay']\n\
         [stage.book]\nkind = 'compact'\ninputs = ['tally']\nmin_games = 3\noutput = '{}'\n",
        sample.display(),
        book.display()
    );
    run(&Plan::new(&Recipe::parse(&text).unwrap()).unwrap(), RunOptions::default()).unwrap();
    book
}

fn printed(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_example_probes_and_picks() {
    let folder = tempfile::tempdir().unwrap();
    let (book, program) = (book(folder.path()), compiled("examples/pick.c", folder.path()));
    let pick = |arguments: &[&str]| Command::new(&program).arg(&book).args(arguments).output().unwrap();
    let start = pick(&["polyglot", "7"]);
    let text = printed(&start);
    assert!(start.status.success(), "{text}");
    assert!(text.starts_with("e2e4  +660 =300 -632 weight 1620 score 0.509\nd2d4  "), "{text}");
    assert!(text.lines().last().unwrap().starts_with("picked "), "{text}");
    assert_eq!(printed(&pick(&["polyglot", "7"])), text);
    let castling = "r1bqkb1r/pppp1ppp/2n2n2/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
    assert!(printed(&pick(&["polyglot", "7", castling])).contains("e1g1 "));
    let bare = pick(&["polyglot", "7", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"]);
    assert_eq!(printed(&bare), "the position is not in the book\nnothing to pick\n");
    let unknown = pick(&["nothing", "7"]);
    assert!(!unknown.status.success() && String::from_utf8_lossy(&unknown.stderr).contains("nothing"));
    let missing = Command::new(&program).args(["/nothing/here", "polyglot", "7"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&missing.stderr), "/nothing/here: no such file or folder\n");
}

#[test]
fn threads_read_one_book_and_misuse_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let (book, program) = (book(folder.path()), compiled("tests/threads.c", folder.path()));
    let output = Command::new(program).arg(book).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
