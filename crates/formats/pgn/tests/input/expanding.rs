//! Names of the command line.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use pgn::{Error, Result, input::expand};
use zip::CompressionMethod;

use crate::{
    archives::write_zip,
    packings::gzip,
    reading::{expected, read, sample, with_threads},
};

const GAME: &[u8] = b"[Event \"a\"]\n\n1. e4 *\n";

/// A directory with all kinds of files.
fn directory() -> tempfile::TempDir {
    let root = tempfile::Builder::new().prefix("names").tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = root.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    };
    write("b.pgn", GAME);
    write("a.PGN", GAME);
    write("sub/deep/c.pgn.gz", &gzip(GAME));
    write("sub.pgn", GAME);
    write("sniffed", GAME);
    write("packed.dat", &gzip(GAME));
    write("notes.txt", b"not a game");
    write("book.bin", &[0; 32]);
    write(".hidden.pgn", GAME);
    write("other/readme", b"text");
    write_zip(&root.path().join("z.zip"), &["x.pgn"], CompressionMethod::Stored);
    write_zip(&root.path().join("other/none.zip"), &["x.txt"], CompressionMethod::Stored);
    symlink(root.path(), root.path().join("sub/loop")).unwrap();
    root
}

/// Names of the inputs relative to the root, and those that were repeated.
fn expanded(root: &Path, names: &[&str]) -> Result<(Vec<String>, Vec<String>)> {
    let whole = |name: &&str| if *name == "-" { "-".into() } else { root.join(name).display().to_string() };
    let names: Vec<String> = names.iter().map(whole).collect();
    let short =
        |name: &str| PathBuf::from(name).strip_prefix(root).unwrap_or(Path::new(name)).display().to_string();
    let expanded = expand(&names)?;
    let inputs = expanded.inputs.iter().map(|input| short(input.name())).collect();
    Ok((inputs, expanded.repeated.iter().map(|name| short(name)).collect()))
}

#[test]
fn a_directory_is_all_pgn_in_it_by_the_bytes_of_paths() {
    let root = directory();
    let all = ["a.PGN", "b.pgn", "packed.dat", "sniffed", "sub.pgn", "sub/deep/c.pgn.gz", "z.zip"];
    assert_eq!(expanded(root.path(), &[""]).unwrap().0, all);
}

#[test]
fn the_order_of_arguments_is_kept_and_files_are_read_once() {
    let root = directory();
    let names = ["z.zip", "b.pgn", "-", "sub/deep", "./b.pgn", "a.PGN", "sub/loop/a.PGN", "-"];
    let (inputs, repeated) = expanded(root.path(), &names).unwrap();
    assert_eq!(inputs, ["z.zip", "b.pgn", "-", "sub/deep/c.pgn.gz", "a.PGN"]);
    assert_eq!(repeated, ["b.pgn", "sub/loop/a.PGN", "-"]);
}

#[test]
fn patterns_are_expanded_in_the_order_of_bytes() {
    let root = directory();
    assert_eq!(expanded(root.path(), &["*.pgn"]).unwrap().0, ["b.pgn", "sub.pgn"]);
    assert_eq!(expanded(root.path(), &["**/[bc].pgn*"]).unwrap().0, ["b.pgn", "sub/deep/c.pgn.gz"]);
    assert_eq!(expanded(root.path(), &["su?"]).unwrap().0.len(), 7);
}

#[test]
fn a_named_file_is_taken_whatever_its_name() {
    let root = directory();
    assert_eq!(expanded(root.path(), &["notes.txt", ".hidden.pgn"]).unwrap().0, ["notes.txt", ".hidden.pgn"]);
    fs::write(root.path().join("a[1].pgn"), GAME).unwrap();
    assert_eq!(expanded(root.path(), &["a[1].pgn"]).unwrap().0, ["a[1].pgn"]);
}

#[test]
fn names_of_no_file_are_refused() {
    let root = directory();
    let error = |name| expanded(root.path(), &[name]).unwrap_err();
    assert!(matches!(error("x.pgn"), Error::NoSuchFile { .. }));
    assert!(error("x.pgn").to_string().ends_with("x.pgn: no such file or directory"));
    assert!(error("*.gz").to_string().ends_with("*.gz: no file matches this pattern"));
    assert!(error("a***").to_string().contains("is not a valid pattern for file names"));
    assert!(error("other").to_string().contains("has no PGN files"));
    assert!(matches!(error("b.pgn/x"), Error::Read { .. }));
}

#[test]
fn what_was_expanded_is_read() {
    let root = directory();
    let inputs = expand(&[root.path().display().to_string()]).unwrap().inputs;
    let (found, read) = read(inputs, with_threads(2)).unwrap();
    assert_eq!(read.list.len(), 7);
    assert_eq!(found.len(), 6 + expected("", &sample(50)).len());
}
