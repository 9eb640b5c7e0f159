//! Our text of records compared with Crafty's, byte for byte.

use learn::export::{ExportLine, write_record};
use proptest::prelude::*;
use shakmaty::{Chess, Position as _, san::SanPlus};

use crate::{
    files::read,
    lrn::{Read, records},
};

fn written(records: &[Read]) -> String {
    let mut text = String::new();
    for read in records {
        let line = ExportLine {
            white: &read.white,
            black: &read.black,
            date: read.date.replace('.', "").parse().unwrap(),
            moves: &read.tokens,
            value: read.value,
            depth: read.depth,
            rating_difference: read.rating_difference,
        };
        write_record(&line, &mut text);
    }
    text
}

#[test]
fn real_files_are_written_again_as_they_were() {
    for version in ["15.17", "16.6", "16.19", "17.14", "18.1", "18.3", "18.15", "19.19", "20.14"] {
        let Some(text) = read(&format!("../crafty/book/crafty-v{version}-book-60games.lrn")) else { return };
        assert_eq!(written(&records(&text)), text, "{version}");
    }
}

#[test]
fn wrapped_lines_of_three_thousand_records() {
    let Some(text) = read("../crafty/synthetic/bulk3000.lrn") else { return };
    let read = records(&text);
    let again = records(&written(&read));
    assert_eq!(read.len(), again.len());
    for (one, other) in read.iter().zip(&again) {
        assert_eq!(one.record(), other.record());
        assert_eq!(one.date, other.date);
    }
}

/// A game of some legal moves, in SAN.
fn game(choices: &[usize]) -> Vec<String> {
    let mut position = Chess::default();
    let mut moves = Vec::new();
    for choice in choices {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        moves.push(
            SanPlus::from_move_and_play_unchecked(&mut position, legal[choice % legal.len()]).to_string(),
        );
    }
    moves
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn prop_our_text_reads_back_as_the_same_record(
        choices in prop::collection::vec(0..218_usize, 0..80),
        (value, depth, rating_difference) in (any::<i64>(), 0..99_i64, -900..900_i64),
    ) {
        let moves = game(&choices);
        let mut text = String::new();
        write_record(&ExportLine {
            white: "Crafty 15.17", black: "opponent", date: 19_980_901, moves: &moves, value, depth, rating_difference,
        }, &mut text);
        let read = records(&text);
        prop_assert_eq!(read.len(), 1);
        let again = read[0].record();
        prop_assert_eq!((again.white, again.black, read[0].date.as_str()), ("Crafty 15.17", "opponent", "1998.09.01"));
        prop_assert_eq!((again.value, again.depth), (value, depth));
        prop_assert_eq!(again.rating_difference, rating_difference);
        prop_assert_eq!(again.plies.len(), moves.len());
        prop_assert!(text.lines().skip(3).all(|line| line.starts_with(' ') && line.len() < 100));
    }
}
