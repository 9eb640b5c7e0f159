//! Files are written, read and walked.

use std::fs;

use position::Score;
use shakmaty::{CastlingMode, Chess, Position as _, uci::UciMove};

use super::*;

/// Lines of which White's moves were searched, with the value of each search.
const LINES: [(&str, Score); 2] =
    [("e2e4 c7c5 g1f3 d7d6 f1b5 c8d7 e1g1", Score::Cp(37)), ("d2d4 d7d5 c2c4", Score::Mate(-8))];

fn written(layout: WrittenLayout) -> Vec<u8> {
    let mut records = ExpRecords::default();
    for (line, score) in LINES {
        let mut position = Chess::default();
        for (ply, word) in line.split_whitespace().enumerate() {
            let mv = word.parse::<UciMove>().unwrap().to_move(&position).unwrap();
            if position.turn().is_white() {
                records.push(&position, &ExpSearch { mv, score, depth: 20 + ply as u16 });
            }
            position.play_unchecked(mv);
        }
    }
    let mut bytes = Vec::new();
    records.write(layout, &mut bytes).unwrap();
    bytes
}

fn read(bytes: &[u8]) -> Result<ExpFile, ExpError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.exp");
    fs::write(&path, bytes).unwrap();
    ExpFile::read(&path, 1 << 20)
}

/// What was searched, in order, what the walk found, and the records to write them again.
fn walked(file: &ExpFile) -> (Vec<String>, ExpWalk, ExpRecords) {
    let (mut moves, mut records) = (Vec::new(), ExpRecords::default());
    let walk = file.walk(|position, searched| {
        for searched in searched {
            records.push(position, searched);
            let mv = searched.mv.to_uci(CastlingMode::Standard);
            let ExpSearch { score, depth, .. } = searched;
            moves.push(format!("{}. {mv} {score:?} {depth}", position.fullmoves()));
        }
        Ok::<_, ExpError>(())
    });
    moves.sort();
    (moves, walk.unwrap(), records)
}

#[test]
fn searches_of_one_side_are_found_and_written_again() {
    for (layout, read_as) in
        [(WrittenLayout::BrainLearn, Layout::BrainLearn), (WrittenLayout::SugarV2, Layout::SugarV2)]
    {
        let bytes = written(layout);
        let file = read(&bytes).unwrap();
        assert_eq!((file.layout, file.len(), file.left_out), (read_as, 6, 0));
        let (moves, walk, records) = walked(&file);
        let expected = [
            "1. d2d4 Mate(-8) 20",
            "1. e2e4 Cp(37) 20",
            "2. c2c4 Mate(-8) 22",
            "2. g1f3 Cp(37) 22",
            "3. f1b5 Cp(37) 24",
            "4. e1g1 Cp(37) 26",
        ];
        assert_eq!(moves, expected);
        assert_eq!(walk, ExpWalk { positions: 5, illegal: 0, unreached: 0 });
        let mut again = Vec::new();
        records.write(layout, &mut again).unwrap();
        assert_eq!(again, bytes);
    }
}

#[test]
fn the_deepest_search_of_a_move_stays() {
    let bytes = written(WrittenLayout::BrainLearn);
    let mut shallow = bytes.clone();
    shallow.chunks_mut(24).for_each(|record| (record[8], record[12]) = (3, 1));
    let mut without_depth = bytes[24..48].to_vec();
    without_depth[8] = 0;
    let file = read(&[&shallow[..], &bytes, &without_depth].concat()).unwrap();
    assert_eq!((file.len(), file.left_out), (6, 7));
    assert_eq!(walked(&file).0, walked(&read(&bytes).unwrap()).0);
}

#[test]
fn what_names_no_position_is_counted_or_refused() {
    let mut bytes = written(WrittenLayout::BrainLearn);
    // The start position has two records: one move is no longer legal, and so its line is not followed.
    let start = 0x8f8f_01d4_562f_59fb_u64.to_le_bytes();
    let e4 = bytes.chunks_mut(24).find(|record| record[..8] == start && record[16..18] == [0x1c, 0x03]);
    e4.unwrap()[16] ^= 1;
    let (_, walk, _) = walked(&read(&bytes).unwrap());
    assert_eq!(walk, ExpWalk { positions: 2, illegal: 1, unreached: 3 });
    bytes.chunks_mut(24).for_each(|record| record[7] ^= 0x55);
    let walk = read(&bytes).unwrap().walk(|_, _| Ok::<_, ExpError>(()));
    assert!(matches!(walk, Err(ExpError::ForeignKeys(_))), "{walk:?}");
    // Where nothing is known, the walk ends after the first move.
    let mut asked = 0;
    let nothing = |_: &Chess| {
        asked += 1;
        None
    };
    assert_eq!((super::walk(nothing, |_, _| Ok::<_, ExpError>(())).unwrap(), asked), (0, 21));
    let walk = read(&[]).unwrap().walk(|_, _| Ok::<_, ExpError>(()));
    assert!(matches!(walk, Err(ExpError::Nothing(_))), "{walk:?}");
    for cut in [1, 23] {
        assert!(matches!(read(&bytes[cut..]), Err(ExpError::Length { .. })));
    }
}

#[test]
fn other_layouts_are_known_by_their_heads() {
    let plain = written(WrittenLayout::BrainLearn);
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
    fs::write(&path, written(WrittenLayout::BrainLearn)).unwrap();
    let error = ExpFile::read(&path, 5 * 16).unwrap_err().to_string();
    assert!(error.contains("takes 1 MiB"), "{error}");
}
