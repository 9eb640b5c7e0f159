use position::{Key, PackedMove};

use super::*;
use crate::replay::CountingOptions;

fn replay(repertoire: bool, max_ply: u32) -> Replay {
    Replay::new(&CountingOptions { max_ply, repertoire, ..CountingOptions::default() }.into())
}

/// The lines of a record, as words of moves.
fn lines(text: &str, max_ply: u32) -> Vec<String> {
    let mut replay = replay(true, max_ply);
    let verdict = replay.record(text.as_bytes());
    assert!(matches!(verdict, Verdict::Accepted { cut: false, .. }), "{text}: {verdict:?}");
    let (mut lines, mut line) = (Vec::new(), Vec::new());
    for seen in replay.observations() {
        if seen.mv() == PackedMove::TERMINAL {
            lines.push(std::mem::take(&mut line).join(" "));
        } else {
            line.push(seen.mv().to_string());
        }
    }
    lines.sort();
    lines
}

fn rejected_as(text: &str) -> String {
    match replay(true, 0).record(text.as_bytes()) {
        Verdict::Rejected(rejection) => {
            format!("{} {:?}: {}", rejection.reason, rejection.ply, rejection.text)
        }
        other => panic!("{text}: {other:?}"),
    }
}

#[test]
fn a_variation_replaces_the_move_before_it() {
    let text = "1. e4 (1. d4 d5 (1... Nf6)) e5 (1... c5 {(no)} 2. c3) (1... e6) 2. f4 *";
    let expected = ["d2d4 d7d5", "d2d4 g8f6", "e2e4 c7c5 c2c3", "e2e4 e7e5 f2f4", "e2e4 e7e6"];
    assert_eq!(lines(text, 0), expected);
    assert_eq!(lines("(d4) e4", 0), ["d2d4", "e2e4"], "before the first move too");
    assert_eq!(lines("e4 () ({no move}) e5", 0), ["e2e4 e7e5"]);
}

#[test]
fn main_lines_follow_a_result_or_the_number_1() {
    assert_eq!(lines("e4 e5 1-0 d4 * * c4", 0), ["c2c4", "d2d4", "e2e4 e7e5"]);
    assert_eq!(lines("1. e4 1... e5 1.d4 11. d5 1. c4", 0), ["c2c4", "d2d4 d7d5", "e2e4 e7e5"]);
    assert_eq!(lines("1. e4 (1. d4 d5) (1. c4) 1... e5", 0), ["c2c4", "d2d4 d7d5", "e2e4 e7e5"]);
}

#[test]
fn the_ply_limit_cuts_every_line() {
    assert_eq!(lines("e4 e5 f4 (d4 d5) d6 (d5)", 2), ["e2e4 e7e5"; 3]);
    assert_eq!(lines("e4 e5 (c5 c3)", 1), ["e2e4"; 2]);
}

#[test]
fn a_line_is_as_long_as_it_is_written() {
    let mut lines = Lines::default();
    let two_plies = CountingOptions { max_ply: 2, ..CountingOptions::default() };
    lines.read(&Board::start(), b"e4 e5 f4 (d4 d5) d6 (d5 Nf3 (c3 c6)) c3", 0, &two_plies);
    let mut moves: Vec<_> = lines.iter().map(|(_, moves)| moves).collect();
    moves.sort_unstable();
    assert_eq!(moves, [4, 5, 5, 6]);
}

#[test]
fn without_variations_a_line_is_what_a_game_is() {
    let text = "[Event \"E\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Ng1 Nb8 4. Nf3 1/2-1/2\n";
    for max_ply in [0, 3, 60] {
        let (mut game, mut line) = (replay(false, max_ply), replay(true, max_ply));
        assert_eq!(game.game(text.as_bytes()), line.record(text.as_bytes()));
        assert!(game.observations().eq(line.observations()));
    }
}

#[test]
fn the_first_place_that_cannot_be_read_is_named() {
    assert_eq!(rejected_as("e4 e5 (c5 Ke3) Kd4"), "illegal-move Some(3): Ke3");
    assert_eq!(rejected_as("e4 e5 Kd4 (Nf3 Ke5)"), "illegal-move Some(3): Kd4");
    assert_eq!(rejected_as("e4 (d4 @@) e5"), "bad-token None: @@");
    assert_eq!(rejected_as("e4 (d4 e5"), "bad-token None: (d4 e5");
    assert_eq!(rejected_as("e4 (d4 {x) e5"), "unclosed-comment None: {x) e5");
    assert_eq!(rejected_as("{nothing} *"), "no-moves None: {nothing} *");
    let deep = format!("e4 {}e4{}", "(".repeat(200), ")".repeat(200));
    assert!(rejected_as(&deep).starts_with("bad-token"), "no depth is too much for the stack");
}

#[test]
fn written_moves_come_once_in_the_order_of_the_text() {
    let text = b"e4! (d4 $2) e5 (c5 !? c3) Nf3";
    let mut replay = replay(true, 0);
    replay.record(text);
    let gaps: Vec<_> = replay
        .written()
        .map(|written| std::str::from_utf8(&text[written.gap.clone()]).unwrap().trim())
        .collect();
    assert_eq!(gaps, ["! (d4 $2)", "$2", "(c5 !? c3)", "!?", "", ""]);
    assert!(replay.written().all(|written| written.visit.key != Key(0)));
}
