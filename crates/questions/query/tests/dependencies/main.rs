//! Tests what this crate depends on: an engine that probes books needs no reader of games, no sorter and no
//! page.

use std::{collections::BTreeSet, process::Command};

/// The crates of the workspace that questions are answered with.
const OURS: [&str; 12] = [
    "tabia-book",
    "tabia-experience",
    "tabia-fault",
    "tabia-learn",
    "tabia-openings",
    "tabia-output",
    "tabia-pages",
    "tabia-policy",
    "tabia-position",
    "tabia-query",
    "tabia-store",
    "tabia-table",
];

/// Libraries for archives, pages, recipes and command lines.
const NONE_OF: [&str; 8] = ["askama", "bzip2", "clap", "flate2", "liblzma", "sevenz-rust2", "toml", "zip"];

#[test]
fn only_what_questions_need_is_linked() {
    let tree = Command::new(env!("CARGO"))
        .args(["tree", "--package", "tabia-query", "--edges", "normal", "--prefix", "none", "--locked"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(tree.status.success(), "{}", String::from_utf8_lossy(&tree.stderr));
    let lines = String::from_utf8(tree.stdout).unwrap();
    let linked: BTreeSet<_> = lines.lines().filter_map(|line| line.split(' ').next()).collect();
    let ours: Vec<_> = linked.iter().filter(|name| name.starts_with("tabia-")).copied().collect();
    assert_eq!(ours, OURS);
    let unwanted: Vec<_> = NONE_OF.into_iter().filter(|name| linked.contains(name)).collect();
    assert_eq!(unwanted, [""; 0]);
}
