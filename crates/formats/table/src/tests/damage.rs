//! Tables that are not as they were written.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::tempdir;

use super::fixture::{rated, spread_rows, with_ratings, write};
use crate::{Counting, Error, MANIFEST_NAME, Table};

/// Opens and verifies.
fn check(path: &Path) -> Result<(), Error> {
    Table::open(path)?.verify(1, &false.into(), &|_| ()).map(drop)
}

fn small_table(dir: &Path, counting: Counting) -> (PathBuf, [PathBuf; 2]) {
    let table = write(&dir.join("t"), counting, 1, 1, &with_ratings(spread_rows(9), 1)).unwrap();
    let files = [MANIFEST_NAME, "part-00000.parquet"].map(|name| table.path().join(name));
    (table.path().to_owned(), files)
}

#[test]
fn every_flipped_bit_is_found_and_the_file_named() {
    let dir = tempdir().unwrap();
    let (path, files) = small_table(dir.path(), Counting::default());
    for file in &files {
        let whole = fs::read(file).unwrap();
        for bit in 0..whole.len() * 8 {
            let mut flipped = whole.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            fs::write(file, flipped).unwrap();
            let error = check(&path).expect_err("a flipped bit").to_string();
            assert!(error.starts_with(file.to_str().unwrap()), "bit {bit} of {}: {error}", file.display());
        }
        fs::write(file, whole).unwrap();
    }
    check(&path).unwrap();
}

#[test]
fn every_truncation_is_found_on_opening() {
    let dir = tempdir().unwrap();
    let (path, files) = small_table(dir.path(), Counting::default());
    for file in &files {
        let whole = fs::read(file).unwrap();
        for bytes in 0..whole.len() {
            fs::write(file, &whole[..bytes]).unwrap();
            assert!(Table::open(&path).is_err(), "{bytes} bytes of {}", file.display());
        }
        fs::write(file, whole).unwrap();
    }
    fs::remove_file(&files[1]).unwrap();
    assert!(matches!(Table::open(&path), Err(Error::Io { .. })));
}

/// A look-up in a large part does not check the part's checksum: in a damaged part it may find an error
/// or rows, but never panics. In a small part it finds the damage.
#[test]
fn looking_into_a_damaged_part_does_not_panic() {
    let dir = tempdir().unwrap();
    let (path, files) = small_table(dir.path(), rated());
    let whole = fs::read(&files[1]).unwrap();
    let mut errors = 0;
    for byte in 0..whole.len() {
        for mask in [1, 0x80, 0xff] {
            let mut damaged = whole.clone();
            damaged[byte] ^= mask;
            fs::write(&files[1], damaged).unwrap();
            let table = Table::open(&path).unwrap();
            let key = spread_rows(9)[3].key;
            errors += usize::from(table.look_up(0, key).is_err());
            let go_on = || Ok::<_, Error>(());
            let refused = [
                table.shard_rows(0).err(),
                table.rows_of(key).err(),
                table.check_parts(2, go_on, || unreachable!("the part is not sound")).err(),
            ];
            let is_checksum = |error: &Option<Error>| matches!(error, Some(Error::Checksum { .. }));
            assert!(refused.iter().all(is_checksum), "{refused:?}");
        }
    }
    assert!(errors > 0);
}

#[test]
fn what_is_no_table_is_said_to_be_none() {
    let dir = tempdir().unwrap();
    let open = |path: &Path| Table::open(path).err().unwrap();
    assert!(matches!(open(&dir.path().join("missing")), Error::NotATable { .. }));
    assert!(matches!(open(dir.path()), Error::NotATable { .. }));
    let manifest = dir.path().join(MANIFEST_NAME);
    fs::write(&manifest, "{").unwrap();
    assert!(matches!(open(dir.path()), Error::Manifest { .. }));
    fs::write(&manifest, r#"{"format": "tabia-table", "version": 5, "anything": []}"#).unwrap();
    assert!(matches!(open(dir.path()), Error::Version { got: 5, expected: 4, .. }));
    fs::write(&manifest, r#"{"format": "other", "version": 1}"#).unwrap();
    assert!(matches!(open(dir.path()), Error::NotATable { .. }));
}

/// What a program that lays JSON out anew makes of a manifest.
#[test]
fn a_checksum_that_does_not_end_the_manifest_is_none() {
    let dir = tempdir().unwrap();
    let (path, _) = small_table(dir.path(), Counting::default());
    let manifest = path.join(MANIFEST_NAME);
    let text = fs::read_to_string(&manifest).unwrap();
    let all_but_the_end = text.strip_suffix("\"\n}\n").unwrap();
    for end in ["\" }\n", "\"}"] {
        fs::write(&manifest, format!("{all_but_the_end}{end}")).unwrap();
        let error = Table::open(&path).err().unwrap();
        assert!(matches!(&error, Error::Manifest { what, .. } if what.contains("last field")), "{error}");
    }
}
