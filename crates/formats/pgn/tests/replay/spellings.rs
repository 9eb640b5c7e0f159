//! All accepted spellings of a game give the same observations; and no input makes replay panic.

use std::fmt::Write as _;

use pgn::{
    Misspellings,
    replay::{CountingOptions, IllegalMove, Repeats, Replay},
    verdict::{Reason, Verdict},
};
use position::{Key, Observation, PackedMove};
use proptest::prelude::*;
use shakmaty::{Chess, Position as _};

use crate::made::{self, Made};

/// Text that may be between two moves.
const BETWEEN: [&str; 12] = [
    " ",
    "\r\n",
    " {a ( b } ",
    "$7 ",
    " ; } {\n",
    "\n%x\n",
    " (d4 ({)} d5) e5) ",
    " +/- ",
    " = ",
    " 12... ",
    "\t!? ",
    "{\n[A \"b\"]\n}",
];

fn options() -> CountingOptions {
    CountingOptions { max_ply: 0, ..CountingOptions::default() }
}

fn replayed(options: &CountingOptions, movetext: &str) -> (Verdict, Vec<Observation>) {
    let mut replay = Replay::new(&options.clone().into());
    let verdict = replay.game(format!("[Event \"\"]\n[Result \"1-0\"]\n\n{movetext}").as_bytes());
    (verdict, replay.observations().collect())
}

/// Writes `moves` in odd spellings with odd text between them, as `ways` chooses.
fn oddly(moves: &[Made], ways: &[(u8, u8, bool)]) -> String {
    let mut text = String::new();
    for (ply, (made, &(spelling, between, numbered))) in moves.iter().zip(ways).enumerate() {
        let spelt = made::spelt(made, spelling);
        if numbered {
            // Without a full stop the zeros of castling would be part of the number.
            let stops =
                if spelt.starts_with('0') { "." } else { ["", ".", "...", ". "][usize::from(between) % 4] };
            write!(text, "{}{stops}", ply / 2 + 1).unwrap();
        }
        text += &spelt;
        text += BETWEEN[usize::from(between) % BETWEEN.len()];
    }
    text
}

/// The rows of a game with each key once, found in the simplest way.
fn once(each: &[Observation]) -> Vec<Observation> {
    let is_last =
        |&(at, row): &(usize, &Observation)| each[at + 1..].iter().all(|later| later.key() != row.key());
    let mut rows: Vec<_> = each.iter().enumerate().filter(is_last).map(|(_, &row)| row).collect();
    rows.sort_by_key(|row| row.key());
    rows
}

proptest! {
    #[test]
    fn prop_odd_spellings_replay_as_plain_ones(
        picks in prop::collection::vec(any::<u16>(), 1..160),
        ways in prop::collection::vec(any::<(u8, u8, bool)>(), 160),
    ) {
        let moves = made::game(&picks);
        let plain = replayed(&options(), &made::plain(&moves));
        let (plies, misspellings) = (moves.len() as u32, Misspellings::default());
        prop_assert_eq!(&plain.0, &Verdict::Accepted { plies, cut: false, misspellings });
        let text = oddly(&moves, &ways);
        prop_assert_eq!(replayed(&options(), &text), plain, "{}", text);
    }

    #[test]
    fn prop_observations_are_the_moves_played(picks in prop::collection::vec(any::<u16>(), 1..160), max_ply in 0_u32..80) {
        let moves = made::game(&picks);
        let (_, rows) = replayed(&CountingOptions { max_ply, ..options() }, &made::plain(&moves));
        let played = if max_ply == 0 { moves.len() } else { moves.len().min(max_ply as usize) };
        prop_assert_eq!(rows.len(), played + 1);
        let mut position = Chess::default();
        for (row, made) in rows.iter().zip(&moves[..played]) {
            prop_assert_eq!((row.key(), row.mv()), (Key::of(&position), PackedMove::pack(made.mv)));
            position.play_unchecked(made.mv);
        }
        prop_assert_eq!((rows[played].key(), rows[played].mv()), (Key::of(&position), PackedMove::TERMINAL));
    }

    #[test]
    fn prop_once_keeps_each_position_s_last_visit(picks in prop::collection::vec(0_u16..3, 1..200)) {
        // There are few choices, so that games go back and forth.
        let text = made::plain(&made::game(&picks));
        let (_, each) = replayed(&options(), &text);
        let (_, rows) = replayed(&CountingOptions { repeats: Repeats::Once, ..options() }, &text);
        prop_assert_eq!(rows, once(&each));
    }

    #[test]
    fn prop_a_kept_prefix_is_the_game_up_to_there(
        picks in prop::collection::vec(any::<u16>(), 2..80), at in 0_usize..80, max_ply in 0_u32..80,
    ) {
        let moves = made::game(&picks);
        let at = at % moves.len();
        let text = format!("{} Z0 {}", made::plain(&moves[..at]), made::plain(&moves[at..]));
        let limited = CountingOptions { max_ply, ..options() };
        let reached = max_ply == 0 || at < max_ply as usize;
        let (verdict, _) = replayed(&limited, &text);
        let rejected = matches!(&verdict, Verdict::Rejected(rejection) if rejection.reason == Reason::IllegalMove
            && rejection.ply == Some(at as u32 + 1));
        prop_assert_eq!(rejected, reached);
        if at > 0 {
            let kept = replayed(&CountingOptions { illegal_move: IllegalMove::KeepPrefix, ..limited.clone() }, &text);
            let shown = if reached { &moves[..at] } else { &moves };
            prop_assert_eq!(kept.1, replayed(&limited, &made::plain(shown)).1);
        }
    }

    #[test]
    fn prop_nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..400), max_ply in 0_u32..4) {
        let mut replay = Replay::new(&CountingOptions { max_ply, ..options() }.into());
        replay.game(&bytes);
    }

    #[test]
    fn prop_nothing_made_of_pgn_panics(
        parts in prop::collection::vec(prop::sample::select(PARTS.to_vec()), 0..60), cut in 0_usize..300,
    ) {
        let text = parts.concat().into_bytes();
        let mut replay = Replay::new(&CountingOptions { from_position: true, ..options() }.into());
        replay.game(&text);
        replay.game(&text[..text.len().min(cut)]);
    }
}

/// Pieces of PGN that are hardest to read in a wrong order.
const PARTS: [&str; 44] = [
    "[Event \"",
    "\"]",
    "[FEN \"",
    "8/8/8 w",
    "]",
    "\"",
    "\\",
    "\n",
    "\r",
    " ",
    "%",
    ";",
    "{",
    "}",
    "(",
    ")",
    "$",
    "1",
    "0",
    "-",
    "/",
    "2",
    "O",
    "e4",
    "e5",
    "Nf3",
    "K",
    "x",
    "=",
    "Q",
    "+",
    "#",
    "@",
    "Z0",
    "null",
    "½",
    "\u{feff}",
    "\u{1a}",
    "e.p.",
    "ep",
    "*",
    "1-0",
    "~",
    "a",
];
