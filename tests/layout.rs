//! The layout of the repository: width of comments, names of files and of crates.

use std::{
    fs,
    path::{Path, PathBuf},
};

use toml::Table;

use crate::workbench::root;

/// A TOML file by its path from the root of the repository.
pub(crate) fn read_toml(path: &str) -> Table {
    fs::read_to_string(root().join(path)).unwrap().parse().unwrap()
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// Every Rust file below `folder`, but for what is built.
fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in entries(folder) {
        if path.is_dir() && !path.ends_with("target") {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

fn all_rust_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for folder in ["benches", "crates", "tests"] {
        rust_files(&root().join(folder), &mut files);
    }
    files
}

/// Whether a line is of comment text that can be broken: not a row of a table, and without an address.
fn breakable(line: &str) -> bool {
    let text = line.trim_start();
    let row = text.trim_start_matches(['/', '!']).trim_start().starts_with('|');
    text.starts_with("//") && !row && !text.contains("://")
}

/// The formatter breaks code, not comments.
#[test]
fn comments_are_as_wide_as_code() {
    let rustfmt = read_toml("rustfmt.toml");
    let width_max = usize::try_from(rustfmt["max_width"].as_integer().unwrap()).unwrap();
    let mut wide = Vec::new();
    for path in all_rust_files() {
        for (index, line) in fs::read_to_string(&path).unwrap().lines().enumerate() {
            if breakable(line) && line.chars().count() > width_max {
                wide.push(format!("{}:{}", path.display(), index + 1));
            }
        }
    }
    assert!(wide.is_empty(), "comments wider than {width_max}:\n{}", wide.join("\n"));
}

/// A module `a` with modules below it is `a.rs` beside the folder `a`.
#[test]
fn modules_are_files_of_their_name() {
    let files = all_rust_files();
    assert!(files.len() > 300, "only {} files", files.len());
    let modules: Vec<_> = files.iter().filter(|path| path.ends_with("mod.rs")).collect();
    assert!(modules.is_empty(), "{modules:?}");
}

/// `crates/cli` is the root package's binary; `crates/fuzz`, `crates/c` and `crates/python` are workspaces of
/// their own, the last two with libraries that C and Python call `tabia`.
#[test]
fn crates_are_named_after_their_folders() {
    for folder in entries(&root().join("crates")) {
        let name = folder.file_name().unwrap().to_str().unwrap();
        if ["c", "cli", "fuzz", "python"].contains(&name) {
            continue;
        }
        let manifest = read_toml(&format!("crates/{name}/Cargo.toml"));
        assert_eq!(manifest["lib"]["name"].as_str(), Some(name));
        assert_eq!(manifest["package"]["name"].as_str(), Some(format!("tabia-{name}").as_str()));
    }
}
