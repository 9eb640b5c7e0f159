//! Threads, limits and buffers change nothing in what is found.

use std::{fs, path::PathBuf, sync::atomic::Ordering};

use pgn::{
    Error,
    filter::Filters,
    input::{ChunkOptions, Chunks, GameBounds, Input, PieceKind},
    replay::ReplayOptions,
};

use crate::{
    frames::pzstd_frame,
    packings::packed,
    reading::{expected, identity, located, read, sample, with_threads},
};

/// Files of every packing, of different lengths.
fn files(directory: &tempfile::TempDir) -> Vec<(PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    for (index, games) in [700, 30, 0, 1, 1_500].into_iter().enumerate() {
        let text = sample(games);
        let mut all = packed(&text);
        all.push((pgn::input::Packing::Zstd, text.chunks(90_000).flat_map(pzstd_frame).collect()));
        for (number, (_, stored)) in all.into_iter().enumerate() {
            let path = directory.path().join(format!("{index}-{number}"));
            fs::write(&path, stored).unwrap();
            files.push((path, text.clone()));
        }
    }
    files
}

fn inputs(files: &[(PathBuf, Vec<u8>)]) -> Vec<Input> {
    files.iter().map(|(path, _)| Input::file(path)).collect()
}

#[test]
fn any_number_of_threads_and_any_chunk_size_find_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let files = files(&directory);
    let all: Vec<_> = files.iter().flat_map(|(path, text)| expected(&path.to_string_lossy(), text)).collect();
    for (threads, chunk_bytes) in
        [(1, 1 << 20), (1, 700), (2, 5_000), (3, 1 << 16), (8, 100_000), (40, 1 << 20)]
    {
        let options = ChunkOptions { threads, chunk_bytes, ..ChunkOptions::default() };
        let outcome = read(inputs(&files), options).unwrap();
        assert_eq!(outcome.1.list.len(), files.len());
        for (source, (path, text)) in outcome.1.list.iter().zip(&files) {
            assert_eq!(source.name, path.to_string_lossy());
            assert_eq!(source.text_bytes(), text.len() as u64);
            assert_eq!(source.xxh3, Some(identity(&fs::read(path).unwrap())));
        }
        assert!(located(outcome) == all, "{threads} threads by {chunk_bytes}");
    }
}

#[test]
fn a_limit_takes_exactly_the_first_games() {
    let directory = tempfile::tempdir().unwrap();
    let files = files(&directory);
    let all: Vec<_> = files.iter().flat_map(|(path, text)| expected(&path.to_string_lossy(), text)).collect();
    for (threads, wanted) in [(1, 0), (1, 1), (3, 699), (3, 700), (3, 701), (4, 5_000), (2, 99_999)] {
        let options = ChunkOptions { games_max: Some(wanted as u64), ..with_threads(threads) };
        let outcome = read(inputs(&files), options).unwrap();
        assert!(outcome.1.list.len() <= files.len());
        assert!(located(outcome) == all[..wanted.min(all.len())], "{wanted} games, {threads} threads");
    }
}

#[test]
fn filtered_games_do_not_count_towards_a_limit() {
    let game =
        |elo: u32, moves: &str| format!("[WhiteElo \"{elo}\"]\n[BlackElo \"{elo}\"]\n\n{moves} 1-0\n\n");
    let text =
        (0..900).map(|number| game(number, if number % 2 == 0 { "e4" } else { "e4 e5" })).collect::<String>();
    let by_tags = Filters { min_elo: Some(300), ..Filters::default() };
    let by_moves = Filters { min_plies: 2, ..by_tags.clone() };
    for (filters, last) in [(by_tags, 320), (by_moves, 341)] {
        for threads in [1, 3] {
            let options = ChunkOptions {
                games_max: Some(21),
                filtered_by: Some((&ReplayOptions::from(filters.clone())).into()),
                chunk_bytes: 1000,
                ..with_threads(threads)
            };
            let stream = vec![Input::stream("-", std::io::Cursor::new(text.clone()))];
            assert_eq!(read(stream, options).unwrap().0.len(), last + 1, "{threads} threads");
        }
    }
}

#[test]
fn a_game_of_too_many_plies_is_oversized() {
    let game = |plies: usize| format!("[Event \"{plies}\"]\n\n{}\n", "Nf3 Nf6 ".repeat(plies / 2));
    let text = [game(100_000), game(100_002), game(2)].concat();
    let stream = vec![Input::stream("-", std::io::Cursor::new(text.clone()))];
    let (found, _) = read(stream, with_threads(2)).unwrap();
    let kinds = found.iter().map(|(_, kind, _)| *kind).collect::<Vec<_>>();
    assert_eq!(kinds, [PieceKind::Game, PieceKind::Oversized, PieceKind::Game]);
}

#[test]
fn an_input_that_was_not_read_to_its_end_has_no_hash() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.pgn");
    fs::write(&path, sample(3_000)).unwrap();
    let options = ChunkOptions { games_max: Some(5), ..with_threads(2) };
    let (_, inputs) = read(vec![Input::file(&path), Input::file(&path)], options).unwrap();
    assert_eq!(inputs.list.len(), 1);
    assert_eq!(inputs.list[0].xxh3, None);
    assert_eq!(inputs.list[0].bytes, fs::metadata(&path).unwrap().len());
}

#[test]
fn too_long_a_game_is_shown_by_its_beginning() {
    let text = [
        b"[Event \"a\"]\n\n*\n\n[Event \"b\"]\n\n".to_vec(),
        b"1. e4 ".repeat(60_000),
        b"\n\n".to_vec(),
        sample(30),
    ]
    .concat();
    for (threads, chunk_bytes) in [(1, 1_000), (2, 70_000), (1, 1 << 20)] {
        let bounds = GameBounds { max_game_bytes: 100_000, ..GameBounds::default() };
        let options = ChunkOptions { bounds, threads, chunk_bytes, ..ChunkOptions::default() };
        let stream = vec![Input::stream("-", std::io::Cursor::new(text.clone()))];
        let (found, inputs) = read(stream, options).unwrap();
        assert_eq!(found.len(), 2 + expected("", &sample(30)).len());
        assert_eq!((found[1].0.offset, found[1].1, found[1].2.len()), (16, PieceKind::Oversized, 100_000));
        assert!(found[2].2.starts_with(b"\xEF\xBB\xBF[White"));
        assert_eq!(inputs.list[0].text_bytes(), text.len() as u64);
    }
}

#[test]
fn reading_stops_when_asked_to() {
    let options = with_threads(1);
    let stop = options.stop.clone();
    let chunks = Chunks::open(vec![Input::stream("-", std::io::Cursor::new(sample(900)))], options).unwrap();
    assert!(chunks.next(0, Vec::new()).unwrap().is_some());
    stop.store(true, Ordering::Relaxed);
    assert!(matches!(chunks.next(0, Vec::new()), Err(Error::Stopped)));
}

#[test]
fn progress_counts_stored_bytes() {
    let directory = tempfile::tempdir().unwrap();
    let files = files(&directory);
    let chunks = Chunks::open(inputs(&files), with_threads(1)).unwrap();
    let total = files.iter().map(|(path, _)| fs::metadata(path).unwrap().len()).sum();
    assert_eq!((chunks.progress().bytes_done, chunks.progress().bytes_total), (0, Some(total)));
    let mut buffer = Vec::new();
    while let Some(chunk) = chunks.next(0, buffer).unwrap() {
        buffer = chunk.text;
    }
    assert_eq!(chunks.progress().bytes_done, total);
    let stream = Chunks::open(vec![Input::stream("-", &b""[..])], with_threads(1)).unwrap();
    assert_eq!(stream.progress().bytes_total, None);
}

#[test]
fn buffers_are_used_again() {
    let stream = vec![Input::stream("-", std::io::Cursor::new(sample(3_000)))];
    let chunks = Chunks::open(stream, ChunkOptions { chunk_bytes: 50_000, ..with_threads(1) }).unwrap();
    let first = chunks.next(0, Vec::with_capacity(200_000)).unwrap().unwrap().text;
    let mut buffer = first;
    for _ in 0..20 {
        let at = buffer.as_ptr();
        buffer = chunks.next(0, buffer).unwrap().unwrap().text;
        assert_eq!(buffer.as_ptr(), at);
    }
}
