//! A file may hold anything: no panic, and the same items for any chunks and threads.

use pgn::input::{ChunkOptions, Input};
use proptest::prelude::*;

use crate::reading::read_all;

const SOUP: &[&[u8]] = &[
    b"\n",
    b"\r\n",
    b" ",
    b"\x1A",
    b"\xEF\xBB\xBF",
    b"%",
    b"position\n",
    b"[White \"Crafty 15.17\"]\n",
    b"[Black \"b\"]\n",
    b"[Black b",
    b"[Date \"1998.09.01\"]\n",
    b"[Event: x]",
    b"[",
    b" e4 e5",
    b" 1. Nf3 Nc6 g1e2",
    b" Qh4",
    b" (",
    b" {1 2 3}\n",
    b" {-1 +2 3\n",
    b"{",
    b"}",
    b" 99999999999",
    b"\nsetboard rnbqkbnr/pppppppp///4P//PPPP1PPP/RNBQKBNR/ b KQkq e3",
    b"\nsetboard /8/9/\xE9 x",
    b"\0\xFF",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn prop_chunks_and_threads_change_nothing(
        parts in prop::collection::vec(prop::sample::select(SOUP), 0..80),
        chunk_bytes in 1usize..300,
        threads in 1usize..4,
    ) {
        let text = parts.concat();
        // What looks binary is refused as a whole, for any chunks.
        let read = |threads, chunk_bytes| {
            let input = Input::stream("-", std::io::Cursor::new(text.clone()));
            let options = ChunkOptions { threads, chunk_bytes, ..ChunkOptions::default() };
            read_all(vec![input], &options).map(|(lines, _)| lines).map_err(|error| error.to_string())
        };
        prop_assert_eq!(read(threads, chunk_bytes), read(1, 1 << 20));
    }
}
