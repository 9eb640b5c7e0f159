//! Files are written, read and walked.

use std::fs;

use shakmaty::{CastlingMode, Chess, Position as _, uci::UciMove};

use super::*;

/// Lines of which White's moves were searched, with the value of each search.
const LINES: [(&str, Value); 2] =
    [("e2e4 c7c5 g1f3 d7d6 f1b5 c8d7 e1g1", Value::Pawns(0.37)), ("d2d4 d7d5 c2c4", Value::Mate(-8))];

fn written(layout: Layout) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_header(&mut bytes, layout).unwrap();
    for (line, value) in LINES {
        let mut position = Chess::default();
        for (ply, word) in line.split_whitespace().enumerate() {
            let mv = word.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            if position.turn().is_white() {
                let searched = Searched { mv, value, depth: 20 + ply as u16 };
                write_record(&mut bytes, layout, &position, &searched).unwrap();
            }
            position.play_unchecked(mv);
        }
    }
    bytes
}

fn read(bytes: &[u8]) -> Result<ExpFile, ExpError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.exp");
    fs::write(&path, bytes).unwrap();
    ExpFile::read(&path, 1 << 20)
}

/// What was searched, in order, and the same file written anew.
fn walked(file: &ExpFile) -> (Vec<String>, ExpWalk, Vec<u8>) {
    let (mut moves, mut bytes) = (Vec::new(), Vec::new());
    let walk = file.walk(|position, searched| {
        for searched in searched {
            write_record(&mut bytes, file.layout, position, searched).unwrap();
            let mv = searched.mv.to_uci(CastlingMode::Standard);
            let value = match searched.value {
                Value::Pawns(pawns) => format!("{pawns:.2}"),
                Value::Mate(plies) => format!("#{plies}"),
            };
            moves.push(format!("{}. {mv} {value} {}", position.fullmoves(), searched.depth));
        }
        Ok::<_, ExpError>(())
    });
    moves.sort();
    (moves, walk.unwrap(), bytes)
}

/// The records of bytes without a header, sorted.
fn sorted(bytes: &[u8]) -> Vec<&[u8]> {
    let mut records: Vec<&[u8]> = bytes.chunks(24).collect();
    records.sort_unstable();
    records
}

#[test]
fn searches_of_one_side_are_found_and_written_again() {
    for (layout, header) in [(Layout::BrainLearn, 0), (Layout::SugarV2, 26)] {
        let bytes = written(layout);
        let file = read(&bytes).unwrap();
        assert_eq!((file.layout, file.len(), file.left_out), (layout, 6, 0));
        let (moves, walk, again) = walked(&file);
        let expected = [
            "1. d2d4 #-8 20",
            "1. e2e4 0.37 20",
            "2. c2c4 #-8 22",
            "2. g1f3 0.37 22",
            "3. f1b5 0.37 24",
            "4. e1g1 0.37 26",
        ];
        assert_eq!(moves, expected);
        assert_eq!(walk, ExpWalk { positions: 5, illegal: 0, unreached: 0 });
        assert_eq!(sorted(&again), sorted(&bytes[header..]));
    }
}

#[test]
fn the_deepest_search_of_a_move_stays() {
    let bytes = written(Layout::BrainLearn);
    let mut shallow = bytes[..24].to_vec();
    (shallow[8], shallow[12]) = (3, 1);
    let mut without_depth = bytes[24..48].to_vec();
    without_depth[8] = 0;
    let file = read(&[&shallow[..], &bytes, &without_depth].concat()).unwrap();
    assert_eq!((file.len(), file.left_out), (6, 2));
    assert_eq!(walked(&file).0[1], "1. e2e4 0.37 20");
}

#[test]
fn what_names_no_position_is_counted_or_refused() {
    let mut bytes = written(Layout::BrainLearn);
    // The move of the second record becomes one that is not legal, and the key of the last one is unknown.
    bytes[24 + 16] ^= 1;
    bytes[5 * 24] ^= 1;
    let (_, walk, _) = walked(&read(&bytes).unwrap());
    assert_eq!(walk, ExpWalk { positions: 1, illegal: 1, unreached: 3 });
    bytes.chunks_mut(24).for_each(|record| record[7] ^= 0x55);
    let walk = read(&bytes).unwrap().walk(|_, _| Ok::<_, ExpError>(()));
    assert!(matches!(walk, Err(ExpError::ForeignKeys(_))), "{walk:?}");
    for cut in [1, 23] {
        assert!(matches!(read(&bytes[cut..]), Err(ExpError::Length { .. })));
    }
}

#[test]
fn other_layouts_are_known_by_their_heads() {
    let plain = written(Layout::BrainLearn);
    let (mut first, mut wide) = (b"SugaR".to_vec(), b"SugaR Experience version 2".to_vec());
    wide.extend([2, 0, 0, 0, 0, 0, 0, 0, 0, 6, 0, 0, 0, 34, 0, 0, 0]);
    wide.extend([0; 44]);
    for record in plain.chunks(24) {
        let (key, depth, value, mv) = (&record[..8], &record[8..12], &record[12..16], &record[16..18]);
        first.extend([key, mv, &[0; 2], value, depth, &[0, 255, 0, 255]].concat());
        wide.extend([key, mv, &value[..2], &depth[..2], &[1, 0], &[0; 18]].concat());
    }
    wide.extend([0; 34]);
    let expected = walked(&read(&plain).unwrap()).0;
    for (bytes, layout, left_out) in [(first, Layout::SugarV1, 0), (wide, Layout::SugarWide, 1)] {
        let file = read(&bytes).unwrap();
        assert_eq!((file.layout, file.left_out), (layout, left_out));
        assert_eq!(walked(&file).0, expected);
    }
}

#[test]
fn a_file_larger_than_the_limit_says_what_it_needs() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.exp");
    fs::write(&path, written(Layout::BrainLearn)).unwrap();
    let error = ExpFile::read(&path, 5 * 16).unwrap_err().to_string();
    assert!(error.contains("takes 1 MiB"), "{error}");
}
