//! Prints the keys of all positions that the catalogue of `esca` names, ascending, one on each line: the file
//! `src/named.keys`.
//!
//!     cargo run --release -p tabia-openings --example named_keys > crates/rules/openings/src/named.keys
//!
//! The catalogue has no list of its positions, so the moves of its data files are played.

#![expect(clippy::unwrap_used, reason = "a program that cannot go on ends")]

use std::{collections::BTreeSet, fs, path::PathBuf, process::Command};

use position::{Board, Key};
use shakmaty::san::SanPlus;

#[expect(clippy::print_stdout, reason = "it prints the list")]
fn main() {
    for key in named_keys() {
        println!("{key}");
    }
}

/// Finds the keys in the data of the crate `esca` that is compiled in.
pub(crate) fn named_keys() -> BTreeSet<Key> {
    let volumes =
        ["a", "b", "c", "d", "e"].map(|volume| esca_folder().join(format!("data/openings/{volume}.tsv")));
    let texts = volumes.map(|path| fs::read_to_string(path).unwrap());
    let lines = texts.iter().flat_map(|text| text.lines().skip(1));
    lines.map(|line| key_after(line.split('\t').nth(2).unwrap())).collect()
}

fn key_after(moves: &str) -> Key {
    let mut board = Board::start();
    let is_number = |token: &&str| token.starts_with(|letter: char| letter.is_ascii_digit());
    for san in moves.split_whitespace().filter(|token| !is_number(token)) {
        board.play_san(&san.parse::<SanPlus>().unwrap().san).unwrap();
    }
    board.key()
}

fn esca_folder() -> PathBuf {
    let mut cargo = Command::new(env!("CARGO"));
    // Packages for other platforms may not be downloaded.
    let platform = ["--filter-platform", "x86_64-unknown-linux-gnu"];
    cargo.args(["metadata", "--format-version", "1", "--locked"]).args(platform);
    let output = cargo.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let esca = packages.iter().find(|package| package["name"] == "esca").unwrap();
    PathBuf::from(esca["manifest_path"].as_str().unwrap()).parent().unwrap().to_owned()
}
