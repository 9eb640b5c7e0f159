//! Real and handmade tricky files: any chunk size finds the same games in them.

use std::fs;

use pgn::{
    Error,
    input::{ChunkOptions, Input, Packing, expand},
};

use crate::reading::{expected, located, read};

#[test]
fn tricky_files_are_cut_the_same_by_any_chunk_size() {
    let Some(folder) = testing::corpus("tricky") else { return };
    let inputs = expand(&[folder.display().to_string()]).unwrap().inputs;
    assert!(inputs.len() > 500, "only {} files", inputs.len());
    for input in inputs {
        let path = input.name().to_owned();
        let text = fs::read(&path).unwrap();
        for chunk_bytes in [1, 37, 1_000, 65_536] {
            if text.len() / chunk_bytes < 20_000 {
                check(&path, &text, chunk_bytes);
            }
        }
    }
}

fn check(path: &str, text: &[u8], chunk_bytes: usize) {
    let options = ChunkOptions { chunk_bytes, ..ChunkOptions::default() };
    match read(vec![Input::file(path)], options) {
        Ok(outcome) => {
            let utf16 = text.starts_with(b"\xFF\xFE") || text.starts_with(b"\xFE\xFF");
            let as_stored = !utf16 && outcome.1.list[0].packing == Packing::Plain;
            assert!(!as_stored || located(outcome) == expected(path, text), "{path} by {chunk_bytes}");
        }
        // A compressed experiment of its author, named as PGN.
        Err(error) => assert!(matches!(error, Error::NotPgn { .. }) && text.contains(&0), "{error}"),
    }
}
