//! Real position learning: every best move that a Crafty packed is legal in its position.

use learn::{
    crafty::Version,
    position_learning::{PositionRecord, learned},
};
use shakmaty::{CastlingMode, Chess, PositionError, fen::Fen};

use crate::files::read;

/// A position as Crafty writes it: squares after the last piece of a rank are left out, and so are missing
/// rights.
fn repaired(setboard: &str) -> Chess {
    let mut words = setboard.split(' ');
    let ranks: Vec<String> = words.next().unwrap().split('/').take(8).map(filled).collect();
    let turn = words.next().unwrap();
    let (mut rights, mut en_passant) = ("-", "-");
    for word in words.filter(|word| !word.is_empty()) {
        if word.ends_with(|c: char| c.is_ascii_digit()) {
            en_passant = word;
        } else {
            rights = word;
        }
    }
    let fen = format!("{} {turn} {rights} {en_passant} 0 1", ranks.join("/"));
    let fen: Fen = fen.parse().unwrap_or_else(|error| panic!("{setboard}: {fen}: {error}"));
    let position = fen.into_position(CastlingMode::Standard);
    let position = position.or_else(PositionError::ignore_invalid_ep_square);
    position.unwrap_or_else(|error| panic!("{setboard}: {error}"))
}

fn filled(rank: &str) -> String {
    let squares: u32 = rank.chars().map(|c| c.to_digit(10).unwrap_or(1)).sum();
    if squares < 8 { format!("{rank}{}", 8 - squares) } else { rank.to_owned() }
}

/// The number of records checked, and the records whose move is not legal in the position.
fn check(name: &str) -> Option<(usize, Vec<String>)> {
    let text = read(name)?;
    let version = text.split('"').find_map(Version::of_player).unwrap();
    let lines: Vec<_> = text.lines().collect();
    let mut illegal = Vec::new();
    let mut count = 0;
    for pair in lines.windows(2) {
        let Some(setboard) = pair[0].strip_prefix("setboard ") else { continue };
        let numbers = pair[1].trim_matches(['{', '}', ' ']);
        let numbers: Vec<i64> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
        let record =
            PositionRecord { value: numbers[0], mv: u32::try_from(numbers[1]).unwrap(), depth: numbers[2] };
        count += 1;
        match learned(&record, Some(version), &repaired(setboard)) {
            Ok((_, experience)) => assert!(experience.depth.unwrap() < 60, "{setboard} {record:?}"),
            Err(error) => illegal.push(format!("{setboard} {record:?}: {error}")),
        }
    }
    Some((count, illegal))
}

#[test]
fn every_learned_move_is_legal() {
    for version in ["15.17", "16.6", "16.19", "17.14", "18.1", "18.3", "18.15", "19.19", "20.14"] {
        let Some((count, illegal)) = check(&format!("../crafty/position/crafty-v{version}-position.lrn"))
        else {
            return;
        };
        assert!(count > 50 && illegal.is_empty(), "{version}: {illegal:?}");
    }
}

/// One position is in this file twice, with a capture en passant of the mover's own pawn.
#[test]
fn a_move_that_crafty_got_wrong_is_an_error() {
    let Some((count, illegal)) = check("learn/crafty-position-netchess.lrn") else { return };
    assert_eq!((count, illegal.len()), (167, 2), "{illegal:?}");
    assert!(illegal.iter().all(|record| record.contains("e6 PositionRecord")), "{illegal:?}");
}
