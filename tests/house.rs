//! The modules of a crate import each other in one direction: which modules are in circles is read from the
//! sources.

mod imports;

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use self::imports::{heads, reexports, tokens};
use crate::workbench::root;

/// The most top modules of a crate that may reach each other by imports.
const CIRCLE_MODULES_MAX: usize = 3;

/// Which top modules of a crate import which.
type Imports = BTreeMap<String, BTreeSet<String>>;

fn entries(folder: &Path) -> Vec<PathBuf> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

/// The folders of crates in `folder`, at any depth.
fn crates(folder: &Path) -> Vec<PathBuf> {
    if ["src/lib.rs", "src/main.rs"].iter().any(|entry| folder.join(entry).exists()) {
        return vec![folder.to_owned()];
    }
    let is_read = |path: &PathBuf| path.is_dir() && !path.ends_with("target");
    entries(folder).into_iter().filter(is_read).flat_map(|path| crates(&path)).collect()
}

/// The files of a module and of those below it, tests left out.
fn files(path: &Path) -> Vec<PathBuf> {
    if path.is_dir() {
        let inside = if path.ends_with("tests") { Vec::new() } else { entries(path) };
        return inside.iter().flat_map(|path| files(path)).collect();
    }
    let is_test = ["tests.rs", "testing.rs"].iter().any(|name| path.ends_with(name));
    let is_code = path.extension().is_some_and(|extension| extension == "rs") && !is_test;
    Vec::from_iter(is_code.then(|| path.to_owned()))
}

fn imports(folder: &Path) -> Imports {
    let source = folder.join("src");
    let entry = ["lib.rs", "main.rs"].map(|name| source.join(name)).into_iter().find(|path| path.exists());
    let entry_text = fs::read_to_string(entry.unwrap()).unwrap();
    let entry_tokens = tokens(&entry_text);
    let declares = |of: &&[&str]| of[0] == "mod" && of[2] == ";";
    let modules: BTreeSet<_> = entry_tokens.windows(3).filter(declares).map(|of| of[1]).collect();
    let defined_in = reexports(&entry_tokens);
    let mut imports = Imports::new();
    for &module in &modules {
        let of_module = imports.entry(module.to_owned()).or_default();
        let places = [source.join(format!("{module}.rs")), source.join(module)];
        for path in places.iter().filter(|path| path.exists()).flat_map(|path| files(path)) {
            let depth = path.strip_prefix(&source).unwrap().components().count();
            let text = fs::read_to_string(&path).unwrap();
            for head in heads(&tokens(&text), depth) {
                let named = modules.get(head).or_else(|| defined_in.get(head)).copied();
                of_module.extend(
                    named.filter(|named| modules.contains(named) && *named != module).map(String::from),
                );
            }
        }
    }
    imports
}

/// The modules that imports lead to from `module`.
fn reached(imports: &Imports, module: &str) -> BTreeSet<String> {
    let (mut found, mut open) = (BTreeSet::new(), vec![module]);
    while let Some(from) = open.pop() {
        open.extend(imports[from].iter().filter(|to| found.insert((*to).clone())).map(String::as_str));
    }
    found
}

/// The largest set of modules that reach each other.
fn largest_circle(imports: &Imports) -> Vec<&str> {
    let reached: BTreeMap<_, _> =
        imports.keys().map(|module| (module.as_str(), reached(imports, module))).collect();
    let circle = |module: &&str| -> Vec<&str> {
        let back = |to: &&str| reached[module].contains(*to) && reached[to].contains(*module);
        reached.keys().copied().filter(back).collect()
    };
    reached.keys().map(circle).max_by_key(Vec::len).unwrap_or_default()
}

#[test]
fn no_large_circle_of_modules() {
    let crates = crates(&root().join("crates"));
    assert!(crates.len() > 20, "{crates:?}");
    let mut wrong = Vec::new();
    for folder in crates {
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let imports = imports(&folder);
        let circle = largest_circle(&imports);
        if circle.len() > CIRCLE_MODULES_MAX {
            wrong.push(format!("{name}: {} modules reach each other: {circle:?}", circle.len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn circles_are_found() {
    let edges = [("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d")];
    let mut imports: Imports = edges.iter().map(|(from, _)| ((*from).to_owned(), BTreeSet::new())).collect();
    for (from, to) in edges {
        imports.get_mut(from).unwrap().insert(to.to_owned());
    }
    assert_eq!(largest_circle(&imports), ["a", "b", "c"]);
    imports.get_mut("c").unwrap().remove("a");
    assert_eq!(largest_circle(&imports), ["d", "e"]);
}
