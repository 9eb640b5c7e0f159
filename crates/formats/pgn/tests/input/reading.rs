//! Reads inputs to the end with any number of threads, and makes texts to read.

use std::{path::Path, thread};

use pgn::{
    Result,
    input::{ChunkOptions, Chunks, Input, Location, PieceKind, Place, ReadInputs, games},
};
use xxhash_rust::xxh3::xxh3_64;

/// A piece as it was found: its place, its kind and its text.
pub(crate) type Found = (Place, PieceKind, Vec<u8>);

/// Reads with several threads; the pieces come in the order of their places.
pub(crate) fn read(inputs: Vec<Input>, options: ChunkOptions) -> Result<(Vec<Found>, ReadInputs)> {
    let threads = options.threads;
    let chunks = Chunks::open(inputs, options)?;
    let outcomes: Vec<Result<Vec<Found>>> = thread::scope(|scope| {
        let ask = |worker| {
            let chunks = &chunks;
            scope.spawn(move || ask(chunks, worker))
        };
        let workers: Vec<_> = (0..threads).map(ask).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    let mut found = Vec::new();
    for outcome in outcomes {
        found.append(&mut outcome?);
    }
    found.sort_by_key(|piece| piece.0);
    Ok((found, chunks.finish()))
}

fn ask(chunks: &Chunks, worker: usize) -> Result<Vec<Found>> {
    let (mut found, mut buffer) = (Vec::new(), Vec::new());
    while let Some(chunk) = chunks.next(worker, buffer)? {
        found.extend(
            chunk.games().map(|piece| (chunk.place_of(piece.offset), piece.kind, piece.text.to_vec())),
        );
        buffer = chunk.text;
    }
    Ok(found)
}

/// Pieces with their places as people read them.
pub(crate) fn located((found, inputs): (Vec<Found>, ReadInputs)) -> Vec<(Location, PieceKind, Vec<u8>)> {
    found.into_iter().map(|(place, kind, text)| (inputs.locate(place), kind, text)).collect()
}

/// What reading `text` as one stream of the given name must give.
pub(crate) fn expected(name: &str, text: &[u8]) -> Vec<(Location, PieceKind, Vec<u8>)> {
    let pieces = games(text, pgn::input::LineEnds::of(text));
    let at = |offset| Location { name: name.into(), offset: offset as u64 };
    pieces.map(|piece| (at(piece.offset), piece.kind, piece.text.to_vec())).collect()
}

pub(crate) fn file(path: &Path) -> Vec<Input> {
    vec![Input::file(path)]
}

pub(crate) fn with_threads(threads: usize) -> ChunkOptions {
    ChunkOptions { threads, chunk_bytes: 10_000, ..ChunkOptions::default() }
}

/// A text of `games` games of different lengths, with blank lines in movetext, unclosed braces and odd tags.
pub(crate) fn sample(games: usize) -> Vec<u8> {
    let mut text = b"\xEF\xBB\xBF".to_vec();
    for game in 0..games {
        let moves = "1. e4 {one\n\ntwo} e5 2. Nf3 Nc6 ".repeat(game * 7 % 40);
        let tags = match game % 5 {
            0 => format!("[White \"{game}\"]\n[Event \"odd\"]\n"),
            1 => format!("% escaped\n  [White \"{game}\"]\n"),
            _ => format!("[Event \"{game}\"]\r\n[Site \"?\"]\r\n"),
        };
        text.extend(format!("{tags}\n{moves}{} 1-0\n\n", if game % 7 == 0 { "{" } else { "" }).bytes());
    }
    text
}

/// The identity of an input of these stored bytes, as docs/table.md describes it.
pub(crate) fn identity(stored: &[u8]) -> u64 {
    let hashes = stored.chunks(64 << 20).flat_map(|block| xxh3_64(block).to_le_bytes());
    xxh3_64(&hashes.collect::<Vec<_>>())
}
