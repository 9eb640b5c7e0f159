//! What a damaged book answers: the same as the sound one, or an error.

use std::{fs, os::unix::fs::FileExt as _, path::Path};

use book::{
    Book, Error, Existing, PositionEntry,
    polyglot::{self, ExportOptions},
};
use position::{ExperienceRow, Key};
use shakmaty::Color;

use crate::samples::{Positions, entry, every_experience, every_shape, tally, write_taught};

/// Bytes that one checksum covers.
const BLOCK_BYTES: u64 = 1 << 16;

/// What a question about a book gives.
type Answer<T> = Result<T, String>;

/// What every question about a book gives.
#[derive(Debug, PartialEq)]
struct Answers {
    probes: Vec<Answer<Option<PositionEntry>>>,
    experience_of: Answer<Vec<ExperienceRow>>,
    positions: Answer<Vec<PositionEntry>>,
    experience: Answer<Vec<ExperienceRow>>,
    provenance: Answer<serde_json::Value>,
    sources: Answer<Vec<serde_json::Value>>,
    polyglot: Answer<Vec<u8>>,
}

/// What the book answers; `None` if it cannot be opened.
fn ask(path: &Path, keys: &[Key]) -> Option<Answers> {
    let book = Book::open(path).ok()?;
    let output = path.with_extension("bin");
    let exported = polyglot::write(&book, &output, ExportOptions::default(), Existing::Replace);
    assert_eq!(exported.is_ok(), output.exists(), "a failed export leaves no file");
    let polyglot = answer(exported.map(|_| fs::read(&output).unwrap()));
    fs::remove_file(&output).unwrap_or_default();
    Some(Answers {
        probes: keys.iter().map(|&key| answer(book.probe(key))).collect(),
        experience_of: answer(book.experience_of(Key::START)),
        positions: answer(book.iter().collect()),
        experience: answer(book.experience().collect()),
        provenance: answer(book.provenance()),
        sources: answer(book.sources()),
        polyglot,
    })
}

fn answer<T>(result: book::Result<T>) -> Answer<T> {
    result.map_err(|error| error.to_string())
}

/// How the answers about damaged books compare with those of the sound one.
#[derive(Debug, Default)]
struct Compared {
    equal: u64,
    refused: u64,
}

impl Compared {
    /// Takes an answer, which may be an error but must not differ from the sound one.
    fn take<T: PartialEq>(&mut self, sound: &Answer<T>, damaged: &Answer<T>, what: &str, at: u64) {
        match damaged {
            Err(_) => self.refused += 1,
            damaged if damaged == sound => self.equal += 1,
            _ => panic!("byte {at}: another {what}"),
        }
    }
}

fn compare(sound: &Answers, damaged: &Answers, at: u64) -> Compared {
    let mut compared = Compared::default();
    for (sound, damaged) in sound.probes.iter().zip(&damaged.probes) {
        compared.take(sound, damaged, "probe", at);
    }
    compared.take(&sound.experience_of, &damaged.experience_of, "experience of a position", at);
    compared.take(&sound.positions, &damaged.positions, "list of positions", at);
    compared.take(&sound.experience, &damaged.experience, "list of experience", at);
    compared.take(&sound.provenance, &damaged.provenance, "provenance", at);
    compared.take(&sound.sources, &damaged.sources, "list of sources", at);
    compared.take(&sound.polyglot, &damaged.polyglot, "Polyglot book", at);
    compared
}

/// Flips each of `bytes` of the book at `path`; returns the numbers of answers that are equal and that are
/// refused.
fn flip(path: &Path, keys: &[Key], bytes: impl Iterator<Item = u64>) -> Compared {
    let whole = fs::read(path).unwrap();
    let sound = ask(path, keys).unwrap();
    let mut all = Compared::default();
    let file = fs::File::options().write(true).open(path).unwrap();
    for at in bytes {
        let byte = whole[at as usize];
        file.write_all_at(&[byte ^ 1 << (at % 8)], at).unwrap();
        let compared = ask(path, keys).map(|damaged| compare(&sound, &damaged, at));
        let compared = compared.unwrap_or(Compared { equal: 0, refused: 1 });
        all.equal += compared.equal;
        all.refused += compared.refused;
        file.write_all_at(&[byte], at).unwrap();
    }
    assert!(ask(path, keys).unwrap() == sound);
    all
}

/// A book of three blocks of entries.
fn large() -> Positions {
    let mix = |index: u64| (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let position = |index: u64| {
        entry(
            mix(index),
            Color::White,
            tally(0, 0, 0),
            &[(9, tally(index % 3, 1, index % 300)), (11, tally(1, 2, 3))],
        )
    };
    (0..12_000).map(position).map(|entry| (entry.key, entry)).collect()
}

#[test]
fn a_flipped_byte_never_changes_an_answer() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("small.tabia");
    write_taught(&path, &every_shape(), &every_experience());
    let bytes = fs::metadata(&path).unwrap().len();
    let keys: Vec<_> = every_shape().into_keys().chain([Key(1), Key(u64::MAX)]).collect();
    let compared = flip(&path, &keys, 0..bytes);
    assert!(compared.refused >= bytes, "{compared:?} of {bytes} bytes");
}

#[test]
fn a_flipped_byte_of_a_large_book_spoils_only_what_is_read_from_its_block() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("large.tabia");
    write_taught(&path, &large(), &every_experience());
    let bytes = fs::metadata(&path).unwrap().len();
    assert!(bytes > 2 * BLOCK_BYTES, "{bytes}");
    let keys: Vec<_> = large().into_keys().step_by(600).collect();
    let compared = flip(&path, &keys, (0..bytes).step_by(997));
    assert!(compared.equal > 0 && compared.refused > bytes / 997, "{compared:?}");
}

#[test]
fn damage_is_named_by_its_block() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("large.tabia");
    write_taught(&path, &large(), &[]);
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.write_all_at(&[0xff; 9], 512 + BLOCK_BYTES + 77).unwrap();
    let book = Book::open(&path).unwrap();
    let errors: Vec<_> = large().into_keys().filter_map(|key| book.probe(key).err()).collect();
    assert!(errors.len() > 100 && errors.len() < 12_000, "{}", errors.len());
    for error in errors.into_iter().chain(book.iter().filter_map(Result::err)) {
        assert!(matches!(error, Error::Corrupt { offset, .. } if offset == 512 + BLOCK_BYTES), "{error}");
        assert!(error.to_string().ends_with("copy it again, or compact its table again"), "{error}");
    }
}

/// These readers use `pread`; a mapping would end the process with SIGBUS.
#[test]
fn a_book_that_is_cut_short_while_it_is_read_gives_an_error() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("large.tabia");
    write_taught(&path, &large(), &every_experience());
    let whole = fs::metadata(&path).unwrap().len();
    let book = Book::open(&path).unwrap();
    let (mut positions, mut entry) = (book.positions(), PositionEntry::default());
    assert!(positions.next_into(&mut entry).unwrap());
    let cut = |bytes| fs::File::options().write(true).open(&path).unwrap().set_len(bytes).unwrap();
    // The last block and the checksums are gone; then all but the header.
    for length in [whole - BLOCK_BYTES, 700] {
        cut(length);
        let is_length = |error: &Error| matches!(error, Error::Length { expected, got, .. } if (*expected, *got) == (whole, length));
        let errors = [
            book.verify().unwrap_err(),
            book.iter().find_map(Result::err).unwrap(),
            book.experience().find_map(Result::err).unwrap(),
            book.provenance().unwrap_err(),
            polyglot::write(&book, &path.with_extension("bin"), ExportOptions::default(), Existing::Refuse)
                .unwrap_err(),
        ];
        assert!(errors.iter().all(is_length), "{length}: {errors:?}");
        assert!(!path.with_extension("bin").exists());
    }
    let error = loop {
        match positions.next_into(&mut entry) {
            Ok(more) => assert!(more, "the whole book was read though it was cut"),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, Error::Length { .. }), "{error}");
}
