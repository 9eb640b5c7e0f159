//! Any bytes as a list of evaluated positions, in any form, and as what an engine of today learned: read or
//! refused without a panic. A position that is read is the one that shakmaty reads.

#![no_main]

use std::{io::Read as _, path::Path};

use evals::{LineReader, ListFormat, exp::ExpFile};
use libfuzzer_sys::fuzz_target;
use position::{Key, PackedMove, Score, legal_position};
use shakmaty::fen::Fen;

/// The most bytes of records that are read.
const MEMORY_BYTES: u64 = 1 << 24;

fuzz_target!(|data: &[u8]| {
    as_list(data);
    as_fens(data);
    // The reader of Parquet is the library's, and may panic.
    if data.starts_with(b"PAR1") {
        return;
    }
    let Some(file) = fuzz::file_of(data) else { return };
    as_file(file.path());
    if let Ok(records) = ExpFile::read(file.path(), MEMORY_BYTES) {
        let _ = records.walk(|_, _| Ok::<_, fault::Error>(()));
    }
});

/// Lines of the form that the first one tells.
fn as_list(data: &[u8]) {
    let Ok(form) = ListFormat::of(data) else { return };
    let mut reader = LineReader::default();
    for line in data.split(|byte| *byte == b'\n') {
        if reader.read(line, &form).is_err() {
            continue;
        }
        for (number, (mv, found)) in reader.found().iter().enumerate() {
            assert!(number == 0 || reader.found()[..number].iter().all(|(other, _)| other != mv));
            assert_eq!(Score::of_code(found.score.code()), found.score);
        }
    }
}

/// Each line as a FEN, which rows of comma-separated values have.
fn as_fens(data: &[u8]) {
    let form = ListFormat::of(b"fen,cp,depth").expect("names of columns");
    let mut reader = LineReader::default();
    for fen in data.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii) {
        if fen.is_empty() || fen.iter().any(|byte| b",\"\xEF".contains(byte)) {
            continue;
        }
        let row = [fen, b",1,1"].concat();
        let found = reader.read(&row, &form).ok().flatten();
        let setup = Fen::from_ascii(fen).ok().map(Fen::into_setup);
        assert_eq!(found, setup.and_then(legal_position).as_ref().map(Key::of), "{}", fen.escape_ascii());
        assert!(found.is_none() || reader.found()[0].0 == PackedMove::TERMINAL);
    }
}

/// A file that is named: its text is read to the end.
fn as_file(path: &Path) {
    let Ok(list) = evals::expand(&[path.display().to_string()]) else { return };
    for input in list.inputs {
        let Ok(mut stream) = input.into_stream() else { continue };
        let mut text = Vec::new();
        let _ = stream.read_to_end(&mut text);
        as_list(&text);
    }
}
