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
        .env("PYTHONPATH", root.join("tests"))
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
fn python_chess_reads_misspelled_games_alike() {
    let spellings = [
        "1. e2e4 d7d5 2. e4d5 d8d5 3. b1-c3 d5-a5 4. g1f3 g8f6 5. f1e2 c8g4 6. e1g1",
        "1.e4 d52.e:d5 Q×d5 3.♘c3± ♛a5 4…♘f3 Nf6\u{a0}5.Be2 Bg4 6.O–O",
        "a4 b5 ab5 a6 ba6 Bb7 ab7 h6 ba8Q e5 e4 f5 ef5 g5 fg6/ep Ne7 Ke1e2 Nc6 Kd3 d5 Kc3",
        "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1h1 g8f6 Re1 Kg8 O-O",
        "Nf3 e5 Nc3 d6 d4 ed4 Nb5 a6 Nd4",
        "e4 d5 e4xd5 d8xd5 d1xd5",
        "e4e5 e5",
        "e4 d5 d5",
        "e4 d5 N-d5",
        "e4 e5 Nf3 Nc6 Kg1",
        "e4 e5 Nf3 Nc6 Bc4 Bc5 Kg1 Ke8e7",
        "e4 ♥ e5",
        "e4e52.Nf3 Nf3Nc63.Bb5",
    ];
    let game = |spelling: &&str| {
        let of = |end: &str| format!("[Event \"a]\n[Result \"1-0\"]\n\n{spelling}{end}\n\n");
        [" 1-0", "1-0", "", " 1–0", "1–0", " 0-1", "½-½"].map(of).concat()
    };
    let bench = Workbench::new();
    let games = bench.write("misspelled.pgn", spellings.iter().map(game).collect::<String>());
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
fn python_chess_keeps_the_same_evaluations() {
    judge("check_evals.py", &[&tabia().to_string_lossy()], &[]);
}

/// `make check-engines` compares other people's books too.
#[test]
fn python_backs_the_same_values_up() {
    judge("check_minimax.py", &[&tabia().to_string_lossy()], &[]);
}

#[test]
fn files_of_engines_are_read_and_written_alike() {
    judge("check_exp.py", &[&tabia().to_string_lossy(), "--games", "60"], &[]);
}

#[test]
fn analysts_engines_read_a_table() {
    judge("check_engines.py", &[&tabia().to_string_lossy()], &[sample()]);
}

#[test]
fn analysts_engines_read_exports() {
    judge("check_parquet.py", &[&tabia().to_string_lossy()], &[]);
}

#[test]
fn duckdb_runs_the_sql_of_tables_and_exports() {
    judge("check_sql.py", &[&tabia().to_string_lossy()], &[sample()]);
}

#[test]
fn every_answer_of_the_cookbook_holds() {
    judge("check_cookbook.py", &[&tabia().to_string_lossy()], &[]);
}

#[test]
fn polyglots_own_book_is_ours() {
    judge("check_polyglot.py", &[&tabia().to_string_lossy()], &[sample()]);
}

/// `make check-engines` draws ten times as often.
#[test]
fn players_draw_by_the_chances_of_a_policy() {
    judge("check_policies.py", &[&tabia().to_string_lossy(), "--picks", "1000"], &[sample()]);
}

#[test]
fn python_chess_finds_the_roots_and_what_follows_from_them() {
    judge("check_roots.py", &[&tabia().to_string_lossy()], &[]);
}

#[test]
fn python_chess_reads_suites_and_stockfish_plays_them() {
    judge("check_suites.py", &[&tabia().to_string_lossy()], &[sample()]);
}

#[test]
fn python_chess_finds_the_same_pairs_of_openings() {
    judge("check_refine.py", &[&tabia().to_string_lossy()], &[sample()]);
}

#[test]
fn python_chess_plays_the_lines_of_an_arena_book() {
    judge("check_abk.py", &[&tabia().to_string_lossy()], &[sample()]);
}

#[test]
fn python_chess_reads_the_lines_of_a_book_alike_in_every_format() {
    judge("check_lines.py", &[&tabia().to_string_lossy()], &[sample()]);
}

#[test]
fn python_chess_follows_a_players_games_in_a_book_alike() {
    judge("check_review.py", &[&tabia().to_string_lossy()], &[sample()]);
}

/// `make check-repertoire` judges two hundred pages.
#[test]
fn python_chess_finds_every_line_of_a_repertoire_after_its_way_through_a_book() {
    judge("check_repertoire.py", &[&tabia().to_string_lossy(), "--pages", "12"], &[]);
}
