//! The layout of the repository: width of comments, names of files and of crates, how crates are compiled.

use std::{
    collections::{BTreeMap, BTreeSet},
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

/// `crates/doors/cli` is the root package's binary; `crates/fuzz` and the libraries that C and Python call
/// `tabia` are workspaces of their own.
#[test]
fn crates_are_named_after_their_folders() {
    let mut crates = vec!["testing".to_owned()];
    for (layer, _) in LAYERS {
        crates.extend(names(&root().join("crates").join(layer)).map(|name| format!("{layer}/{name}")));
    }
    for path in crates {
        let name = path.rsplit('/').next().unwrap();
        if ["c", "cli", "python"].contains(&name) {
            continue;
        }
        let manifest = read_toml(&format!("crates/{path}/Cargo.toml"));
        assert_eq!(manifest["lib"]["name"].as_str(), Some(name));
        assert_eq!(manifest["package"]["name"].as_str(), Some(format!("tabia-{name}").as_str()));
    }
}

/// The layers from the top down: the folders of `crates`, and one crate that each certainly has.
const LAYERS: [(&str, &str); 6] = [
    ("doors", "serve"),
    ("pipeline", "games"),
    ("questions", "query"),
    ("formats", "pgn"),
    ("rules", "policy"),
    ("base", "position"),
];

fn names(folder: &Path) -> impl Iterator<Item = String> {
    entries(folder).into_iter().filter_map(|path| Some(path.file_name()?.to_str()?.to_owned()))
}

#[test]
fn crates_depend_on_none_of_a_layer_above() {
    let mut layer_of = BTreeMap::new();
    for (height, (layer, known)) in LAYERS.into_iter().enumerate() {
        layer_of.extend(names(&root().join("crates").join(layer)).map(|name| (name, (height, layer))));
        assert!(layer_of.contains_key(known), "{known} is not in crates/{layer}");
    }
    let mut arrows = 0;
    for (name, (height, layer)) in layer_of.iter().filter(|(name, _)| *name != "cli") {
        let manifest = read_toml(&format!("crates/{layer}/{name}/Cargo.toml"));
        for (to, (below, other)) in
            manifest["dependencies"].as_table().unwrap().keys().filter_map(|to| layer_of.get_key_value(to))
        {
            assert!(below >= height, "{layer}/{name} depends on {other}/{to}, which is above it");
            arrows += 1;
        }
    }
    assert!(arrows > 80, "only {arrows} dependencies were found");
}

/// A file that ARCHITECTURE.md names exists.
#[test]
fn the_map_names_what_is_there() {
    let map = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let is_path = |text: &&str| LAYERS.iter().any(|(layer, _)| text.starts_with(&format!("{layer}/")));
    let mut named = 0;
    for text in map.split('`').skip(1).step_by(2).filter(is_path).filter(|text| !text.contains("NAME")) {
        let (before, rest) = text.split_once('{').unwrap_or((text, "}"));
        let (inside, after) = rest.split_once('}').unwrap();
        for name in inside.split(',') {
            let path = root().join("crates").join(format!("{before}{name}{after}"));
            assert!(path.exists(), "ARCHITECTURE.md names {}", path.display());
            named += 1;
        }
    }
    assert!(named > 80, "only {named} paths were found");
}

/// Crates without overflow checks in release: every move of every game goes through them.
const HOT_PATH: [&str; 9] = [
    "tabia-book",
    "tabia-count",
    "tabia-extsort",
    "tabia-games",
    "tabia-pages",
    "tabia-pgn",
    "tabia-pipeline",
    "tabia-position",
    "tabia-table",
];

/// A wrong count ends the run, wherever the hot path does not forbid it; in tests everywhere.
#[test]
fn arithmetic_is_checked_in_all_crates_but_the_hot_path() {
    let checked = |manifest: &str| -> BTreeSet<String> {
        let packages = read_toml(manifest)["profile"]["release"]["package"].clone();
        let named = packages.as_table().unwrap().iter();
        let is_checked = |options: &toml::Value| {
            options.get("overflow-checks").and_then(toml::Value::as_bool) == Some(true)
        };
        named.filter(|(_, options)| is_checked(options)).map(|(name, _)| name.clone()).collect()
    };
    let dependencies = read_toml("Cargo.toml")["workspace"]["dependencies"].clone();
    let ours = dependencies.as_table().unwrap().values().filter(|of| of.get("path").is_some());
    let named = ours.map(|of| of["package"].as_str().unwrap().to_owned());
    let all: BTreeSet<String> = named.chain(["tabia".to_owned()]).collect();
    assert!(all.len() > 20, "{all:?}");
    assert_eq!(checked("tests/profile.toml"), all);
    let besides = HOT_PATH.iter().chain(&["tabia-testing"]).map(|&name| name.to_owned()).collect();
    assert_eq!(checked("Cargo.toml"), &all - &besides);
}
