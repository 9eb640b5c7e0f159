//! Games in spellings that are not PGN's are read as the plain game, and strictly they are not.

use pgn::{
    Misspellings,
    replay::{CountingOptions, Replay, TextOptions},
    verdict::Verdict,
};
use position::Observation;
use proptest::prelude::*;
use shakmaty::{CastlingSide, Move, Role};

use crate::made::{self, Made};

fn replayed(movetext: &str, strict_san: bool) -> (Verdict, Vec<Observation>) {
    let text = TextOptions { strict_san, ..TextOptions::default() };
    let mut replay = Replay::new(&CountingOptions { max_ply: 0, text, ..CountingOptions::default() }.into());
    let verdict = replay.game(format!("[Event \"\"]\n[Result \"1-0\"]\n\n{movetext}").as_bytes());
    (verdict, replay.observations().collect())
}

/// The `way`-th spelling of a move that only a lenient reader takes, or its usual one where it has none.
fn misspelt(made: &Made, way: u8) -> String {
    let san = made.san.to_string();
    let is_coordinates = way.is_multiple_of(2);
    let capture = made.mv.is_capture();
    match made.mv {
        Move::Castle { king, rook } if is_coordinates => {
            let side = CastlingSide::from_king_side(rook > king);
            let color = shakmaty::Color::from_white(king.rank() == shakmaty::Rank::First);
            let to = if way.is_multiple_of(4) { rook } else { side.king_to(color) };
            let letter = if way % 4 == 2 && way % 8 == 2 { "K" } else { "" };
            format!("{letter}{king}{}{to}", ["", "-", "–"][usize::from(way / 8) % 3])
        }
        _ if is_coordinates => {
            let mark = if capture { ["", "x", "-", ":", "—", "×"] } else { ["", "-", "−", "", "", "-"] };
            let promotion = made.mv.promotion().map_or(String::new(), |role| role.char().to_string());
            let mark = mark[usize::from(way / 2) % 6];
            let (from, to) = (made.mv.from().unwrap(), made.mv.to());
            format!("{from}{mark}{to}{promotion}")
        }
        Move::EnPassant { .. } if way % 4 == 1 => format!("{}/ep", san.trim_end_matches(['+', '#'])),
        _ if capture => san.replace('x', ["", ":", "×"][usize::from(way / 2) % 3]),
        _ => figurines(&san, way / 2),
    }
}

/// Pieces drawn, White's or Black's.
fn figurines(san: &str, way: u8) -> String {
    let draw = |letter: char| match Role::from_char(letter.to_ascii_lowercase())
        .filter(|_| letter.is_ascii_uppercase())
    {
        Some(role) if role != Role::Pawn => {
            ["♘♗♖♕♔", "♞♝♜♛♚"][usize::from(way) % 2].chars().nth(role as usize - 2).unwrap()
        }
        _ => letter,
    };
    san.chars().map(draw).collect()
}

proptest! {
    #[test]
    fn prop_misspelt_games_replay_as_plain_ones(
        picks in prop::collection::vec(any::<u16>(), 1..120),
        ways in prop::collection::vec(any::<(u8, u8)>(), 120),
    ) {
        let moves = made::game(&picks);
        let plain = replayed(&made::plain(&moves), false);
        let mut text = String::new();
        for (ply, (made, &(way, gap))) in moves.iter().zip(&ways).enumerate() {
            let is_white = ply.is_multiple_of(2);
            if is_white {
                // Behind a move a number needs no blank; behind a mark or sign it may not be glued.
                text += &(ply / 2 + 1).to_string();
                text += ["…", ".", "...", "."][usize::from(gap) % 4];
            }
            let spelt = misspelt(made, way);
            text += &spelt;
            // `a8b89.` can be cut in two ways: behind a8=B, and behind the move from a8 to b8.
            let may_promote = spelt.get(1..).is_some_and(|rest| rest.starts_with(['1', '8']));
            let ends = !may_promote && !spelt.ends_with("/ep");
            let glues = !is_white && ends && gap.is_multiple_of(3);
            let between = [" ", "\u{a0}", "± ", " ⩲ ", " {♘ 1–0} ", " (♘f3 ±) "][usize::from(gap) % 6];
            text += if glues { "" } else { between };
        }
        let (verdict, rows) = replayed(&text, false);
        let accepted = matches!(verdict, Verdict::Accepted { plies, cut: false, .. } if plies as usize == moves.len());
        prop_assert!(accepted, "{:?} {}", verdict, text);
        prop_assert_eq!(&rows, &plain.1, "{}", text);
        let (strictly, _) = replayed(&text, true);
        let has_misspellings = !matches!(verdict, Verdict::Accepted { misspellings, .. } if misspellings == Misspellings::default());
        prop_assert_eq!(matches!(strictly, Verdict::Rejected(_)), has_misspellings, "{}", text);
    }

    /// A game that is read strictly is read so whether or not leniency is allowed.
    #[test]
    fn prop_leniency_changes_no_game_that_is_read_without_it(
        parts in prop::collection::vec(prop::sample::select(PARTS.to_vec()), 0..24),
    ) {
        let text = parts.concat();
        let (strictly, rows) = replayed(&text, true);
        let leniently = replayed(&text, false);
        if matches!(strictly, Verdict::Accepted { .. }) {
            prop_assert_eq!(leniently, (strictly, rows), "{}", text);
        }
    }
}

const PARTS: [&str; 40] = [
    " ", " ", " ", "e4", "e5", "Nf3", "Nc6", "d4", "exd4", "ed4", "e2e4", "e7e5", "g1f3", "1.", "2.", "3",
    "1-0", "0-1", "1/2", "½", "–", "-", "+", "♘", "f3", "±", "{", "}", "(", ")", ";", "\n", ":", "x", "/ep",
    "O-O", "0", "$1", "!", "…",
];
