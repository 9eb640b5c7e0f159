//! Damaged and unusual files, imported by real Craftys into the paper's small book.

use std::collections::BTreeMap;

use crate::{
    book::{Edge, edges_of_pgn},
    files::{read, rows},
    import::Program,
    lrn::{imported, play},
};

/// Learned values by version and file.
fn expected(text: &str) -> BTreeMap<(String, String), BTreeMap<Edge, f32>> {
    let mut cases: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for row in rows(text) {
        let [version, file, path, learn] = row[..] else { panic!("{row:?}") };
        let version = version.trim_start_matches('v').split('-').next().unwrap();
        let learned = cases.entry((version.to_owned(), file.to_owned())).or_default();
        if path != "(summary)" {
            let edge = *play(path.split(' ')).0.last().unwrap();
            let learn = if learn == "-nan" { f32::NAN } else { learn.parse().unwrap() };
            learned.insert(edge, learn);
        }
    }
    cases
}

#[test]
fn every_case_of_every_version() {
    let (Some(text), Some(pgn)) =
        (read("../crafty/truth/edge_cases.tsv"), read("../crafty/truth/paper_ruy.pgn"))
    else {
        return;
    };
    let cases = expected(&text);
    assert!(cases.len() >= 40, "{}", cases.len());
    for ((version, file), expected) in cases {
        let mut program = Program::new(&version, edges_of_pgn(&pgn));
        let text = read(&format!("../crafty/synthetic/{file}")).unwrap();
        // From 17.0 on a file that does not begin with the White tag is read as another format.
        if version == "15.17" || text.starts_with("[White") {
            for record in &imported(&text) {
                program.import(record);
            }
        }
        let learned = program.learned();
        let texts =
            |map: &BTreeMap<Edge, f32>| map.iter().map(|entry| format!("{entry:?}")).collect::<Vec<_>>();
        assert_eq!(texts(&learned), texts(&expected), "{version} {file}");
    }
}
