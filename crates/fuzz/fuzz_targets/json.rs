//! Any text as the JSON lines of a book, `.tabia` or Polyglot: refused, or imported as a sound book. The text
//! of that book gives the book again, byte for byte, and the book the text.

#![no_main]

use std::fs;

use books::json::{export_json, import_json};
use libfuzzer_sys::fuzz_target;
use run::RunOptions;

const HEADS: [&str; 2] = [
    "{\"format\":\"tabia-book\",\"version\":1,\"counts\":{\"positions\":2,\"moves\":1},\
     \"provenance\":{\"games\":3},\"sources\":[{\"name\":\"x\",\"teacher\":\"set\"}]}\n",
    "{\"format\":\"polyglot-book\",\"version\":1,\"counts\":{\"positions\":1,\"moves\":1},\"header\":null}\n",
];

fuzz_target!(|data: &[u8]| {
    let Some((kind, lines)) = data.split_first() else { return };
    let format = usize::from(kind & 1);
    let head = if kind & 2 == 0 { HEADS[format] } else { "" };
    let Some(folder) = fuzz::folder_with("a.jsonl", &[head.as_bytes(), lines].concat()) else { return };
    let at = |stem: &str| folder.path().join(format!("{stem}.{}", ["tabia", "bin"][format]));
    let text = |stem: &str| folder.path().join(format!("{stem}.jsonl"));
    let run = RunOptions { allow_empty: kind & 4 != 0, ..RunOptions::default() };
    let is_imported = import_json(&text("a"), &at("a"), &run).is_ok();
    assert_eq!(is_imported, at("a").exists());
    if !is_imported || fs::metadata(at("a")).is_ok_and(|book| book.len() == 0) {
        return;
    }
    let _ = fuzz::verified(&at("a"));
    let export = |stem: &str, to: &str| {
        export_json(&at(stem), &text(to), &fuzz::limits(), run.clone()).expect("a sound book has a text");
    };
    export("a", "b");
    import_json(&text("b"), &at("b"), &run).expect("the text of a book is one");
    assert_eq!(fs::read(at("a")).ok(), fs::read(at("b")).ok());
    export("b", "c");
    assert_eq!(fs::read(text("b")).ok(), fs::read(text("c")).ok());
});
