//! The commands that documents show are run, and print what the documents say; links lead somewhere.
//!
//! A block of `sh` runs, in a temporary folder with `data/` and `pipelines/` of the repository in it; the
//! blocks of a page run one after another in the same folder. A block of `text` right after it is what it
//! prints, where it is compared line by line: `…` is any text, and times and memory are not compared. A block
//! of `sh norun: WHY` does not run.

mod links;
mod page;

use std::{
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

use tempfile::TempDir;
use testing::skip;

use self::page::{Block, blocks};
use crate::workbench::{root, sample};

/// The pages of the book, without what is made by programs of other languages.
fn pages() -> Vec<PathBuf> {
    let entries = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut pages: Vec<_> = entries.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    pages.sort();
    assert!(pages.len() > 20, "{pages:?}");
    pages
}

/// A folder as the documents suppose it: the sample and the recipes are in it.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["data", "pipelines"] {
        symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

/// `PATH` with the binary first, and the Python environment's programs behind it.
fn path() -> String {
    let binary = assert_cmd::cargo::cargo_bin!("tabia").parent().unwrap().to_path_buf();
    format!("{}:{}:{}", binary.display(), root().join(".venv/bin").display(), env::var("PATH").unwrap())
}

fn is_there(program: &str) -> bool {
    let found =
        Command::new("sh").env("PATH", path()).args(["-c", &format!("command -v {program}")]).output();
    found.unwrap().status.success()
}

/// What a block needs besides Tabia, if that is not there.
fn missing(block: &Block) -> Option<&'static str> {
    let named = |program: &str| block.code.lines().any(|line| line.trim_start().starts_with(program));
    ["duckdb", "python3"].into_iter().find(|program| named(program) && !is_there(program))
}

/// Runs a page's blocks; what is wrong with them.
fn run(page: &Path) -> Vec<String> {
    let (folder, mut wrong) = (folder(), Vec::new());
    let text = fs::read_to_string(page).unwrap();
    for block in blocks(&text).iter().filter(|block| block.runs()) {
        let place = format!("{}:{}", page.strip_prefix(root()).unwrap().display(), block.line);
        if let Some(program) = missing(block) {
            skip(format_args!("{place} needs {program}"));
            continue;
        }
        let script = format!("exec 2>&1\n{}", block.code);
        let output = Command::new("bash")
            .current_dir(folder.path())
            .env("PATH", path())
            .args(["-ec", &script])
            .output();
        let output = output.unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() {
            wrong.push(format!("{place}: {}\n{}\n{printed}", output.status, block.code));
        } else if let Some(difference) = block.difference(&printed) {
            wrong.push(format!("{place}: {difference}\nall of it:\n{printed}"));
        }
    }
    wrong
}

#[test]
fn the_commands_of_the_readme_print_what_it_says() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let run_there = blocks(&text).iter().filter(|block| block.runs()).count();
    assert!(run_there >= 5, "{run_there}");
    let wrong = run(&root().join("README.md"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
#[ignore = "takes a minute; `make check-docs` runs it"]
fn the_commands_of_the_pages_print_what_they_say() {
    let wrong: Vec<_> = pages().iter().flat_map(|page| run(page)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn blocks_say_what_they_are() {
    let mut nameless = Vec::new();
    for page in pages().into_iter().chain([root().join("README.md")]) {
        let text = fs::read_to_string(&page).unwrap();
        let unclear = |block: &&Block| {
            block.kind.is_empty() || block.kind.starts_with("sh norun") && block.reason().is_none()
        };
        nameless.extend(
            blocks(&text).iter().filter(unclear).map(|block| format!("{}:{}", page.display(), block.line)),
        );
    }
    assert!(nameless.is_empty(), "blocks without a language, or not run without a reason: {nameless:#?}");
}

#[test]
fn the_pictures_are_those_of_the_sample() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = Command::new("sh")
        .arg(root().join("docs/pictures/draw.sh"))
        .args([assert_cmd::cargo::cargo_bin!("tabia"), &sample(), folder.path()])
        .status();
    assert!(drawn.unwrap().success());
    let pictures = [folder.path().join("tree.svg"), root().join("docs/pictures/tree.svg")];
    let [drawn, kept] = pictures.map(|path| fs::read(path).unwrap());
    assert!(drawn == kept, "docs/pictures/tree.svg is not of the sample any more: run `make pictures`");
}

#[test]
fn links_of_documents_lead_somewhere() {
    let others = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "data/README.md",
        "cluster/README.md",
    ];
    let pages = pages().into_iter().chain(others.map(|name| root().join(name)));
    let broken: Vec<_> = pages.flat_map(|page| links::broken(&page)).collect();
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_page_is_in_the_book() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let outside = |page: &PathBuf| {
        let name = page.file_name().unwrap().to_string_lossy();
        name != "SUMMARY.md" && !summary.contains(&format!("]({name})"))
    };
    let outside: Vec<_> = pages().into_iter().filter(outside).collect();
    assert!(outside.is_empty(), "not in docs/SUMMARY.md: {outside:?}");
}

/// The questions of the cookbook are numbered through its pages, and are as many as the first page says.
#[test]
fn the_cookbook_has_the_questions_that_it_claims() {
    let pages = ["cookbook", "cookbook-openings", "cookbook-players"];
    let text = pages.map(|name| fs::read_to_string(root().join(format!("docs/{name}.md"))).unwrap()).concat();
    let number = |line: &str| line.strip_prefix("### ")?.split_once(". ")?.0.parse().ok();
    let numbers: Vec<usize> = text.lines().filter_map(number).collect();
    assert!(numbers.iter().copied().eq(1..=numbers.len()), "{numbers:?}");
    assert!(text.contains(&format!("Three pages answer {} questions", numbers.len())), "{}", numbers.len());
}

/// The catalogue of stages has each kind once, under the keys that a recipe may have.
#[test]
fn the_catalogue_of_stages_has_every_kind() {
    let text = fs::read_to_string(root().join("docs/recipes.md")).unwrap();
    for kind in pipeline::recipe::kinds() {
        let rows = text.lines().filter(|line| line.starts_with(&format!("| `{kind}` |"))).count();
        assert_eq!(rows, 1, "{kind}");
    }
}
