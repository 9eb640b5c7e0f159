//! The order and place of items do not depend on threads, chunks or packing.

use std::{fs, io::Write as _, path::Path};

use learned::expand;
use pgn::{
    Error,
    input::{ChunkOptions, Input},
};

use crate::reading::read_all;

/// Records that differ, with a broken one now and then.
fn file(records: usize) -> String {
    let one = |n: usize| {
        let moves = ["e4 e5 Nf3", "d4 d5 c4 e6", "c4 Qd4", "Nf3 Nf6 g3 g6 Bg2 Bg7 O-O O-O"][n % 4];
        format!("[White \"w{n}\"]\n[Black \"Crafty 15.17\"]\n[Date \"1998.09.01\"]\n {moves}\n {{{n} 5 0}}\n")
    };
    (0..records).map(one).collect()
}

fn with(threads: usize, chunk_bytes: usize) -> ChunkOptions {
    ChunkOptions { threads, chunk_bytes, ..ChunkOptions::default() }
}

#[test]
fn threads_and_chunks_change_nothing() {
    let (one, other) = (file(997), file(333));
    let inputs = || {
        [("one", &one), ("other", &other)]
            .map(|(name, text)| Input::stream(name, std::io::Cursor::new(text.clone().into_bytes())))
    };
    let (whole, read) = read_all(inputs().into(), &with(1, 1 << 20)).unwrap();
    assert_eq!(whole.len(), 1330);
    assert!(whole[996].starts_with("one@") && whole[997].starts_with("other@0#1 w0-"), "{}", whole[997]);
    assert!(whole[2].contains("#3 REJECTED illegal-move Some(2) Qd4"), "{}", whole[2]);
    assert_eq!(read.list[1].bytes, other.len() as u64);
    for (threads, chunk_bytes) in [(1, 100), (2, 1), (2, 1000), (4, 77), (7, 5000)] {
        let (lines, read) = read_all(inputs().into(), &with(threads, chunk_bytes)).unwrap();
        assert_eq!(lines, whole, "{threads} threads, chunks of {chunk_bytes}");
        assert_eq!(read, read);
    }
}

#[test]
fn any_packing_reads_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let text = file(500);
    let path = |name: &str| folder.path().join(name);
    fs::write(path("a.lrn"), &text).unwrap();
    fs::write(path("b.lrn.zst"), zstd::encode_all(text.as_bytes(), 3).unwrap()).unwrap();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(text.as_bytes()).unwrap();
    fs::write(path("c.lrn.gz"), gz.finish().unwrap()).unwrap();
    let mut archive = zip::ZipWriter::new(fs::File::create(path("d.zip")).unwrap());
    for name in ["x.lrn", "notes.txt"] {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(text.as_bytes()).unwrap();
    }
    archive.finish().unwrap();
    let read = |name: &str| read_all(vec![Input::file(path(name))], &with(2, 3000)).unwrap();
    let placed = |lines: &[String]| {
        lines.iter().map(|line| line.rsplit_once('@').unwrap().1.to_owned()).collect::<Vec<_>>()
    };
    let (plain, _) = read("a.lrn");
    for name in ["b.lrn.zst", "c.lrn.gz", "d.zip"] {
        let (lines, read) = read(name);
        assert_eq!(placed(&lines), placed(&plain), "{name}");
        assert_eq!(read.list[0].skipped, if name == "d.zip" { vec!["notes.txt".to_owned()] } else { vec![] });
    }
}

#[test]
fn frames_of_pzstd_are_one_stream() {
    let folder = tempfile::tempdir().unwrap();
    let text = file(3000);
    let mut packed = Vec::new();
    for part in text.as_bytes().chunks(40_001) {
        let frame = zstd::encode_all(part, 1).unwrap();
        packed.extend([0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0]);
        packed.extend(u32::try_from(frame.len()).unwrap().to_le_bytes());
        packed.extend(frame);
    }
    let path = folder.path().join("a.lrn.zst");
    fs::write(&path, packed).unwrap();
    let (lines, _) = read_all(vec![Input::file(&path)], &with(3, 5000)).unwrap();
    let (plain, _) =
        read_all(vec![Input::stream("a", std::io::Cursor::new(text.into_bytes()))], &with(1, 1 << 20))
            .unwrap();
    let placed = |lines: &[String]| {
        lines.iter().map(|line| line.rsplit_once('@').unwrap().1.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(placed(&lines), placed(&plain));
}

#[test]
fn directories_give_learning_files() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("b/book.lrn", "");
    put("b/Z.LRN", "");
    put("a.txt", &file(2));
    put("gang.pgn", &file(2));
    put(
        "position.dat",
        "position\n[White \"w\"]\n[Black \"b\"]\n[Date \"2004.10.16\"]\nsetboard 4k/8/8/8/8/8/8/4K/ w\n{1 2 3}\n",
    );
    put("games.pgn", "[Event \"x\"]\n\n1. e4 e5 1-0\n");
    put("notes.txt", "nothing");
    put(".hidden.lrn", &file(1));
    let names = |name: &Path| {
        let expanded = expand(&[name.to_string_lossy().into_owned()])?;
        let inputs = expanded.inputs.iter();
        Ok::<_, Error>(
            inputs.map(|input| input.name().rsplit('/').next().unwrap().to_owned()).collect::<Vec<_>>(),
        )
    };
    assert_eq!(names(folder.path()).unwrap(), ["a.txt", "Z.LRN", "book.lrn", "gang.pgn", "position.dat"]);
    assert_eq!(names(&folder.path().join("b/*.lrn")).unwrap(), ["book.lrn"]);
    assert_eq!(names(&folder.path().join("games.pgn")).unwrap(), ["games.pgn"], "what is named is read");
    fs::create_dir(folder.path().join("empty")).unwrap();
    let error = names(&folder.path().join("empty")).unwrap_err();
    assert!(matches!(error, Error::NoLearned { .. }), "{error}");
}

#[test]
fn an_error_comes_after_what_was_read_before_it() {
    let inputs = vec![
        Input::stream("good", std::io::Cursor::new(file(10).into_bytes())),
        Input::stream("bad", &b"\x28\xB5\x2F\xFD broken"[..]),
        Input::stream("never", std::io::Cursor::new(file(10).into_bytes())),
    ];
    let mut reader = learned::open(inputs, &with(3, 1 << 20)).unwrap();
    assert_eq!(reader.next().unwrap().unwrap().items().count(), 10);
    assert!(matches!(reader.next(), Some(Err(Error::Damaged { .. }))));
    assert!(reader.next().is_none());
    assert_eq!(reader.finish().list.len(), 2);
}

#[test]
fn reading_can_be_left_or_limited() {
    let input = || vec![Input::stream("-", std::io::Cursor::new(file(5000).into_bytes()))];
    let mut reader = learned::open(input(), &with(2, 1000)).unwrap();
    assert!(reader.next().unwrap().is_ok());
    let bytes = reader.finish().list[0].bytes;
    assert!(bytes < 100_000, "{bytes}");
    drop(learned::open(input(), &with(2, 1000)).unwrap());
    let (lines, _) = read_all(input(), &ChunkOptions { games_max: Some(42), ..with(2, 1000) }).unwrap();
    assert_eq!(lines.len(), 42);
}
