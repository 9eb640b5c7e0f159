//! `docs/reliability.md` against the harness that it reports of.

use std::{collections::BTreeSet, fs, path::Path, process::Command};

use testing::skip;

/// The first cells of the rows of the table under a heading.
fn first_cells(page: &str, heading: &str) -> BTreeSet<String> {
    let section = page.split(heading).nth(1).unwrap_or_else(|| panic!("no {heading}"));
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")).skip(1);
    rows.map(|row| row.split(" |").next().unwrap().to_owned()).collect()
}

/// The page has a row for each class of faults that the harness makes, and no other.
#[test]
fn the_page_names_every_class_of_faults() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let listed = Command::new("python3")
        .arg(root.join("tests/faults/check_faults.py"))
        .arg("--list")
        .env("PYTHONPATH", root.join("tests"))
        .output();
    let Ok(listed) = listed else { return skip("the classes of faults need python3") };
    assert!(listed.status.success(), "{}", String::from_utf8_lossy(&listed.stderr));
    let classes: BTreeSet<_> = String::from_utf8(listed.stdout).unwrap().lines().map(str::to_owned).collect();
    let page = fs::read_to_string(root.join("docs/reliability.md")).unwrap();
    assert!(classes.len() > 10, "{classes:?}");
    assert_eq!(first_cells(&page, "\n## How it is tested\n"), classes);
}
