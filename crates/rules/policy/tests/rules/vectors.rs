//! Crafty's own answers: the selection of `Book()` in versions 15.17, 16.19, 18.5, 18.15, 19.19 and
//! 22.10, compiled and run on moves made up at random.
//!
//! A line of `vectors/crafty.csv` is: version, side to move, book width, the moves (each White's wins,
//! draws, Black's wins, learned value, evaluation in centipawns, annotation and play percent, 0 for
//! none), and the chance of each move that can be chosen, by its number.

use crate::situation::{judge, tally};
use policy::Candidate;
use position::{Experience, PackedMove};
use shakmaty::Color;

/// One move of a line.
fn candidate(number: u16, text: &str) -> Candidate {
    let fields: Vec<f32> = text.split(' ').map(|field| field.parse().unwrap()).collect();
    let [white, draws, black, learn, eval, nag, percent] = fields.try_into().unwrap();
    let known = |value: f32| (value > 0.0).then_some(value as u8);
    let experience = Experience {
        learn,
        eval: Some(eval / 100.0),
        nag: known(nag),
        user_value: known(percent),
        ..Experience::default()
    };
    Candidate {
        mv: PackedMove(number),
        in_book: true,
        tally: tally(white as u64, draws as u64, black as u64),
        experience,
        ..Candidate::default()
    }
}

#[test]
fn every_chance_is_craftys_own() {
    let lines: Vec<&str> = include_str!("vectors/crafty.csv").lines().skip(1).collect();
    assert!(lines.len() >= 200);
    for line in lines {
        let [version, turn, width, moves, chances] = line.split(',').collect::<Vec<_>>().try_into().unwrap();
        let candidates: Vec<Candidate> =
            (1..).zip(moves.split('|')).map(|(number, text)| candidate(number, text)).collect();
        let turn = Color::from_white(turn == "white");
        let judgement = judge("crafty", &[("version", version), ("book-width", width)], turn, &candidates);
        let mut expected = vec![0.0; candidates.len()];
        for chance in chances.split('|').filter(|chance| !chance.is_empty()) {
            let (number, chance) = chance.split_once(':').unwrap();
            expected[number.parse::<usize>().unwrap() - 1] = chance.parse().unwrap();
        }
        for (judged, expected) in judgement.moves.iter().zip(expected) {
            let found = judged.probability;
            assert!(
                (found - expected).abs() < 1e-6,
                "{line}\nmove {}: {found} is not {expected}",
                judged.mv.0
            );
        }
    }
}
