//! Journals that are killed, shared, damaged and written anew.

use std::{
    fs::{self, Permissions},
    os::unix::fs::{PermissionsExt as _, symlink},
    path::PathBuf,
    thread,
};

use tempfile::{TempDir, tempdir};

use crate::{Entry, Error, Journal};

const TEXTS: [&str; 3] = ["[White \"a\"]\n\n1. e4 {+0.35/12} 1-0\n", "", "1. d4 0-1"];

struct Fixture {
    dir: TempDir,
    path: PathBuf,
}

impl Fixture {
    /// A journal with a record for each of [`TEXTS`].
    fn new() -> Self {
        let dir = tempdir().unwrap();
        let path = dir.path().join("x.journal");
        let mut journal = Journal::open(&path).unwrap();
        for (text, number) in TEXTS.iter().zip(1..) {
            assert_eq!(journal.append("an engine", text.as_bytes()).unwrap(), number);
        }
        Self { dir, path }
    }

    fn open(&self) -> Journal {
        Journal::open(&self.path).unwrap()
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap()
    }

    /// The error that the journal with these bytes ends with.
    fn error(&self, bytes: &[u8]) -> Error {
        fs::write(&self.path, bytes).unwrap();
        let error = Journal::open(&self.path).err().unwrap_or_else(|| panic!("it opened"));
        assert_eq!(self.bytes(), bytes, "a journal that does not open is left as it is");
        error
    }
}

fn read(journal: &mut Journal, after: u64) -> Vec<Entry> {
    journal.read(after).unwrap().map(Result::unwrap).collect()
}

fn numbers(journal: &mut Journal) -> Vec<u64> {
    read(journal, 0).iter().map(|entry| entry.number).collect()
}

/// Where the records of `bytes` begin.
fn places(bytes: &[u8]) -> Vec<usize> {
    let mark = b"% tabia-journal 1 number=";
    (0..bytes.len()).filter(|&at| bytes[at..].starts_with(mark)).collect()
}

#[test]
fn what_is_appended_is_read_by_another_process() {
    let fixture = Fixture::new();
    let mut journal = fixture.open();
    let entry = |(text, number): (&&str, u64)| Entry {
        number,
        source: "an engine".into(),
        text: text.as_bytes().to_vec(),
    };
    let expected: Vec<_> = TEXTS.iter().zip(1..).map(entry).collect();
    assert_eq!(read(&mut journal, 0), expected);
    assert_eq!(read(&mut journal, 1), expected[1..]);
    assert_eq!(read(&mut journal, 3), []);
    assert_eq!((journal.len(), journal.last_number()), (3, 3));
    assert_eq!(fs::read_dir(fixture.dir.path()).unwrap().count(), 1, "no other file is left");
}

/// A golden file: the format does not change without a new version.
#[test]
fn the_bytes_of_a_journal_are_these() {
    let fixture = Fixture::new();
    let text = String::from_utf8(fixture.bytes()).unwrap();
    let framed = |line: &&str| line.starts_with("% tabia-journal 1 ");
    let lines: Vec<_> = text.lines().filter(framed).collect();
    let expected = [
        "% tabia-journal 1 given=0 line=2160dca765cdf0b3",
        "% tabia-journal 1 number=1 bytes=34 xxh3=502025abd4b9227e source=an engine line=a420e3685e4e3636",
        "% tabia-journal 1 number=2 bytes=0 xxh3=2d06800538d394c2 source=an engine line=3d7676de2009192a",
        "% tabia-journal 1 number=3 bytes=9 xxh3=f1e904d23423617c source=an engine line=a7a06cce68f5fae3",
    ];
    assert_eq!(lines, expected);
    let lines: Vec<_> = text.lines().filter(|line| !framed(line)).collect();
    assert_eq!(lines, ["[White \"a\"]", "", "1. e4 {+0.35/12} 1-0", "", "", "1. d4 0-1"]);
}

/// A kill leaves any beginning of the last record.
#[test]
fn an_unfinished_record_is_cut_wherever_it_ends() {
    let fixture = Fixture::new();
    let bytes = fixture.bytes();
    let last = places(&bytes)[2];
    for end in last..bytes.len() {
        fs::write(&fixture.path, &bytes[..end]).unwrap();
        let mut journal = fixture.open();
        assert_eq!(fixture.bytes(), bytes[..last], "cut at {end}");
        assert_eq!(numbers(&mut journal), [1, 2], "cut at {end}");
        assert_eq!(journal.append("an engine", TEXTS[2].as_bytes()).unwrap(), 3);
        assert_eq!(fixture.bytes(), bytes, "and the journal is as if nothing had happened");
    }
}

/// A crash of the machine can leave the length of the last record without its blocks.
#[test]
fn a_record_of_zeros_at_the_end_is_cut() {
    let fixture = Fixture::new();
    let bytes = fixture.bytes();
    let last = places(&bytes)[2];
    for from in last..bytes.len() {
        let mut crashed = bytes.clone();
        crashed[from..].fill(0);
        fs::write(&fixture.path, &crashed).unwrap();
        assert_eq!(numbers(&mut fixture.open()), [1, 2], "zeros from {from}");
    }
}

/// Another process is killed while this one has the journal open.
#[test]
fn an_unfinished_record_of_another_process_is_cut_before_the_next() {
    let fixture = Fixture::new();
    let mut journal = fixture.open();
    let bytes = fixture.bytes();
    fs::write(&fixture.path, [&bytes[..], b"% tabia-journal 1 number=4 by"].concat()).unwrap();
    assert_eq!(journal.append("b", b"1. c4 *").unwrap(), 4);
    assert_eq!(places(&fixture.bytes())[3], bytes.len());
    assert_eq!(numbers(&mut fixture.open()), [1, 2, 3, 4]);
}

#[test]
fn every_flipped_bit_of_an_earlier_record_is_damage_at_its_place() {
    let fixture = Fixture::new();
    let bytes = fixture.bytes();
    let [first, second, last] = places(&bytes)[..] else { panic!("three records") };
    for at in first..last {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        let expected = if at < second { first } else { second };
        match fixture.error(&damaged) {
            Error::Damaged { offset, .. } => assert_eq!(offset, expected as u64, "flipped at {at}"),
            error => panic!("{error}"),
        }
    }
}

/// The last record was acknowledged, so dropping it in silence would lose it.
#[test]
fn a_last_record_that_is_all_there_and_wrong_is_damage() {
    let fixture = Fixture::new();
    let bytes = fixture.bytes();
    let last = places(&bytes)[2];
    for at in last..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        let error = fixture.error(&damaged);
        assert!(matches!(error, Error::Damaged { offset, .. } if offset == last as u64), "{at}: {error}");
    }
}

#[test]
fn other_text_at_the_end_is_damage() {
    let fixture = Fixture::new();
    let bytes = fixture.bytes();
    for text in ["1. e4 e5 1-0\n", "x", "% a note"] {
        let error = fixture.error(&[&bytes[..], text.as_bytes()].concat());
        let expected = bytes.len() as u64;
        assert!(matches!(error, Error::Damaged { offset, .. } if offset == expected), "{text}: {error}");
    }
    let twice = [&bytes[..], &bytes[places(&bytes)[2]..]].concat();
    assert!(fixture.error(&twice).to_string().contains("numbers do not ascend"));
}

#[test]
fn another_file_is_no_journal_and_a_later_format_is_named() {
    let fixture = Fixture::new();
    for bytes in [&b"[Event \"?\"]\n\n1. e4 *\n"[..], b"x", &[0; 99], &fixture.bytes()[1..]] {
        assert!(matches!(fixture.error(bytes), Error::NotAJournal { .. }));
    }
    let error = fixture.error(b"% tabia-journal 2 given=0 line=0\n");
    assert!(matches!(&error, Error::Version { found, .. } if found == "2"), "{error}");
    fs::write(&fixture.path, "").unwrap();
    assert_eq!(fixture.open().last_number(), 0, "an empty file becomes a journal");
}

#[test]
fn records_that_are_removed_do_not_give_their_numbers_back() {
    let fixture = Fixture::new();
    let mut journal = fixture.open();
    let mut reader = fixture.open();
    let entries = reader.read(0).unwrap();
    assert_eq!(journal.retain(|entry| entry.number == 2).unwrap(), 2);
    assert_eq!(entries.map(|entry| entry.unwrap().number).collect::<Vec<_>>(), [1, 2, 3], "the old file");
    assert_eq!(numbers(&mut reader), [2], "a process that had the old file open reads the new one");
    assert_eq!(reader.append("b", b"1. c4 *").unwrap(), 4);
    assert_eq!(journal.retain(|_| false).unwrap(), 2);
    assert_eq!(fixture.open().append("b", b"1. c4 *").unwrap(), 5);
    assert_eq!(read(&mut journal, 4).len(), 1);
}

#[test]
fn records_get_other_sources() {
    let fixture = Fixture::new();
    let mut journal = fixture.open();
    let rename = |entry: &mut Entry| {
        if entry.number == 2 {
            entry.source = "another".into();
        }
        true
    };
    assert_eq!(journal.retain(rename).unwrap(), 0);
    let sources: Vec<_> = read(&mut fixture.open(), 0).into_iter().map(|entry| entry.source).collect();
    assert_eq!(sources, ["an engine", "another", "an engine"]);
}

#[test]
fn a_journal_is_its_owners_and_stays_who_it_is_shared_with() {
    let fixture = Fixture::new();
    let mode = || fs::metadata(&fixture.path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(), 0o600);
    fs::set_permissions(&fixture.path, Permissions::from_mode(0o640)).unwrap();
    fixture.open().retain(|entry| entry.number > 1).unwrap();
    assert_eq!(mode(), 0o640);
}

#[test]
fn nothing_is_written_where_nothing_is_removed() {
    let fixture = Fixture::new();
    let mut journal = fixture.open();
    let bytes = fixture.bytes();
    assert_eq!(journal.retain(|_| true).unwrap(), 0);
    assert_eq!(fixture.bytes(), bytes);
    assert_eq!(fs::read_dir(fixture.dir.path()).unwrap().count(), 1);
}

/// Each writer opens the file itself, as processes do.
#[test]
fn writers_at_the_same_time_lose_no_record() {
    let fixture = Fixture::new();
    let write = |writer: usize| {
        let mut journal = fixture.open();
        for game in 0..25 {
            journal.append(&format!("writer {writer}"), format!("{game}\n").as_bytes()).unwrap();
        }
    };
    thread::scope(|scope| (0..4).for_each(|writer| drop(scope.spawn(move || write(writer)))));
    let entries = read(&mut fixture.open(), 3);
    assert_eq!(entries.iter().map(|entry| entry.number).collect::<Vec<_>>(), (4..104).collect::<Vec<_>>());
    for writer in 0..4 {
        let source = format!("writer {writer}");
        let texts = entries.iter().filter(|entry| entry.source == source).map(|entry| &entry.text[..]);
        let expected = (0..25).map(|game| format!("{game}\n").into_bytes());
        assert!(texts.eq(expected), "{source} is in order");
    }
}

#[test]
fn a_journal_behind_a_link_stays_there() {
    let fixture = Fixture::new();
    let link = fixture.dir.path().join("link");
    symlink(&fixture.path, &link).unwrap();
    let mut journal = Journal::open(&link).unwrap();
    journal.retain(|entry| entry.number > 2).unwrap();
    assert!(link.is_symlink());
    assert_eq!(numbers(&mut fixture.open()), [3]);
}

#[test]
fn what_cannot_be_held_is_refused_and_leaves_no_byte() {
    let fixture = Fixture::new();
    let bytes = fixture.bytes();
    let mut journal = fixture.open();
    assert!(matches!(journal.append("a\nb", b"1-0"), Err(Error::Source { .. })));
    let nested = bytes.clone();
    assert!(matches!(journal.append("a", &nested), Err(Error::Framed)));
    assert_eq!(fixture.bytes(), bytes);
}
