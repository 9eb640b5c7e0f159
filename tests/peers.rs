//! Other people's tools as judges: python-chess, pyarrow, DuckDB, Polars and Debian's polyglot, through
//! `tests/peers/`.
//!
//! They need the Python environment that `make test` makes in `.venv`; without it these tests print a note
//! and pass.

use std::{fs, path::PathBuf, process::Command};

use testing::{corpus, skip};

use crate::workbench::{Workbench, root, sample};

/// One of this many games of a corpus file is judged; `make check-corpus` judges them all.
const SAMPLE: &str = "150";

/// Runs a judge; where it cannot run, prints a note on stderr.
fn judge(script: &str, arguments: &[&str], files: &[PathBuf]) {
    let root = root();
    let python = root.join(".venv/bin/python");
    if !python.exists() {
        skip(format_args!("{script} needs .venv (make test makes it)"));
        return;
    }
    let output = Command::new(python)
        .arg(root.join("tests/peers").join(script))
        .args(arguments)
        .args(files)
        .output()
        .unwrap();
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{script} {files:?}:\n{out}\n{err}");
    let passed_over = out.lines().chain(err.lines()).filter_map(|line| line.trim().strip_prefix("SKIPPED: "));
    passed_over.for_each(skip);
}

fn tabia() -> PathBuf {
    assert_cmd::cargo::cargo_bin!("tabia").to_path_buf()
}

#[test]
fn python_chess_counts_the_sample_alike() {
    judge("check_counts.py", &[&tabia().to_string_lossy()], &[sample()]);
}

#[test]
fn python_chess_reads_stray_brackets_alike() {
    let endings = [
        "}*",
        "} *",
        "}1-0",
        ")1-0",
        "$1-0",
        "$*",
        "{a {b} c}*",
        "{a {b}}1-0",
        "{a}*",
        "{a}1-0",
        ")Nc6 1-0",
        "x*",
        "1-0}",
        "1-0}1-0",
        "* }*",
    ];
    let game = |ending: &&str| {
        ["1-0", "*", "?"]
            .map(|tag| format!("[Event \"a\"]\n[Result \"{tag}\"]\n\n1. e4 e5 2. Nf3 {ending}\n\n"))
    };
    let bench = Workbench::new();
    let games = bench.write("stray.pgn", endings.iter().flat_map(game).collect::<String>());
    judge("check_counts.py", &[&tabia().to_string_lossy()], &[games]);
}

#[test]
fn python_chess_counts_a_sample_of_the_corpus_alike() {
    let Some(folder) = corpus("") else { return };
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files: Vec<PathBuf> = paths.filter(|path| path.extension().is_some_and(|end| end == "zst")).collect();
    judge("check_counts.py", &[&tabia().to_string_lossy(), "--sample", SAMPLE, "--workers", "2"], &files);
}

#[test]
fn analysts_engines_read_a_table() {
    judge("check_engines.py", &["--binary", &tabia().to_string_lossy()], &[sample()]);
}

#[test]
fn analysts_engines_read_exports() {
    judge("check_parquet.py", &["--binary", &tabia().to_string_lossy()], &[]);
}

#[test]
fn duckdb_runs_the_sql_of_tables_and_exports() {
    judge("check_sql.py", &[&tabia().to_string_lossy()], &[sample()]);
}

#[test]
fn every_answer_of_the_cookbook_holds() {
    judge("check_cookbook.py", &["--binary", &tabia().to_string_lossy()], &[]);
}

#[test]
fn polyglots_own_book_is_ours() {
    judge("check_polyglot.py", &[&tabia().to_string_lossy()], &[sample()]);
}

/// `make check-engines` draws ten times as often.
#[test]
fn players_draw_by_the_chances_of_a_policy() {
    judge("check_policies.py", &["--picks", "1000", &tabia().to_string_lossy()], &[sample()]);
}

#[test]
fn python_chess_reads_suites_and_stockfish_plays_them() {
    judge("check_suites.py", &[&tabia().to_string_lossy()], &[sample()]);
}

#[test]
fn python_chess_plays_the_lines_of_an_arena_book() {
    judge("check_abk.py", &[&tabia().to_string_lossy()], &[sample()]);
}

#[test]
fn python_chess_reads_the_lines_of_a_book_alike_in_every_format() {
    judge("check_lines.py", &[&tabia().to_string_lossy()], &[sample()]);
}

/// `make check-repertoire` judges two hundred pages.
#[test]
fn python_chess_finds_every_line_of_a_repertoire_after_its_way_through_a_book() {
    judge("check_repertoire.py", &[&tabia().to_string_lossy(), "12"], &[]);
}
