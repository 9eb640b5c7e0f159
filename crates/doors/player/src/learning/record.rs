//! Writes a game as PGN, which is how games are stored, learned from, and sent to an exchange.
//!
//! Search values are written in comments as in cutechess, from the mover's point of view: `{+0.35/12}`, or
//! `{+M5/20}` for a mate after five plies. (Source: cutechess, `moveevaluation.cpp`.)

use std::fmt::Write as _;

use engine::{PrintedScore, SearchValue};
use lessons::ADJUDICATED;
use position::Outcome;
use shakmaty::{Position as _, san::SanPlus};

use crate::game::Game;

/// The maximum length of a line.
const COLUMNS: usize = 79;

/// The values for a game's tags.
pub(crate) struct Tags<'t> {
    pub(crate) white: &'t str,
    pub(crate) black: &'t str,
    pub(crate) elos: [Option<u32>; 2],
    pub(crate) ending: Ending,
}

/// How a game ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ending {
    /// The result; `None` if it is unknown.
    pub(crate) outcome: Option<Outcome>,
    /// Whether the result is merely the player's own judgement.
    pub(crate) is_adjudicated: bool,
}

/// Writes a game.
pub(crate) fn pgn(game: &Game, tags: &Tags<'_>) -> String {
    let result = tags.ending.outcome.map_or("*", Into::into);
    let (day, began) = ("%Y.%m.%d", game.began.to_utc());
    let date = game.began.format(day).to_string();
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', r"\\").replace('"', "\\\"").replace(char::is_control, " ");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    for (name, value) in [("Event", "?"), ("Site", "?"), ("Date", &date), ("Round", &game.round)] {
        tag(name, value);
    }
    tag("White", tags.white);
    tag("Black", tags.black);
    tag("Result", result);
    for (name, elo) in ["WhiteElo", "BlackElo"].into_iter().zip(tags.elos) {
        if let Some(elo) = elo {
            tag(name, &elo.to_string());
        }
    }
    tag("UTCDate", &began.format(day).to_string());
    tag("UTCTime", &began.format("%H:%M:%S").to_string());
    if let Some(fen) = &game.fen {
        tag("SetUp", "1");
        tag("FEN", fen);
    }
    if !game.is_timed {
        tag("TimeControl", "-");
    }
    if let Some(ending) = termination(game, tags.ending) {
        tag("Termination", ending);
    }
    text.push('\n');
    wrapped(&mut text, movetext(game).chain([result.to_owned()]));
    text
}

/// Returns the `Termination` tag for an unusual ending: a move was taken back, the result is unknown, or the
/// result is only the player's own judgement.
fn termination(game: &Game, ending: Ending) -> Option<&'static str> {
    match ending.outcome {
        _ if game.is_taken_back => Some("rules infraction"),
        None => Some("unterminated"),
        Some(_) => ending.is_adjudicated.then_some(ADJUDICATED),
    }
}

/// Numbers, moves and comments.
fn movetext(game: &Game) -> impl Iterator<Item = String> {
    let mut position = game.start.clone();
    game.moves.iter().enumerate().map(move |(ply, &mv)| {
        let number = position.fullmoves();
        let mut text = match (position.turn().is_white(), ply) {
            (true, _) => format!("{number}. "),
            (false, 0) => format!("{number}... "),
            (false, _) => String::new(),
        };
        let san = SanPlus::from_move_and_play_unchecked(&mut position, mv);
        let comment = game.found.get(&ply).map_or_else(String::new, comment);
        let _ = write!(text, "{san}{comment}");
        text
    })
}

fn comment(found: &SearchValue) -> String {
    let depth = found.depth.unwrap_or(0);
    match found.score {
        PrintedScore::Centipawns(value) => {
            let sign = if value < 0 { '-' } else { '+' };
            let (pawns, rest) = (value.unsigned_abs() / 100, value.unsigned_abs() % 100);
            format!(" {{{sign}{pawns}.{rest:02}/{depth}}}")
        }
        // UCI gives the distance to mate in moves, cutechess in plies. A mate in n moves by the mover takes
        // 2n − 1 plies, because the opponent has no reply to the last move.
        PrintedScore::Mate(moves) if moves > 0 => format!(" {{+M{}/{depth}}}", 2 * moves.unsigned_abs() - 1),
        PrintedScore::Mate(moves) => format!(" {{-M{}/{depth}}}", 2 * moves.unsigned_abs()),
    }
}

/// Appends words, wrapped into lines.
fn wrapped(text: &mut String, words: impl Iterator<Item = String>) {
    let mut column = 0;
    for word in words.flat_map(|words| words.split(' ').map(str::to_owned).collect::<Vec<_>>()) {
        if column > 0 && column + 1 + word.len() > COLUMNS {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(&word);
        column += word.len();
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;
    use crate::{line::Line, protocol::Position};

    fn game(fen: Option<&str>, moves: &str) -> Game {
        let moves = moves.split_whitespace().collect();
        let line = Line::read(&Position { fen, moves }, CastlingMode::Standard).unwrap();
        let mut game = Game::new(&line, "7.12".into());
        game.began = "2026-11-22T23:59:58-02:00".parse().unwrap();
        game
    }

    fn tags(outcome: Option<Outcome>) -> Tags<'static> {
        let ending = Ending { outcome, is_adjudicated: false };
        Tags { white: "A \"B\"", black: r"C\D", elos: [Some(2500), None], ending }
    }

    #[test]
    fn a_game_with_values() {
        let mut game = game(None, "e2e4 e7e5 g1f3");
        game.is_timed = true;
        game.found.insert(0, SearchValue { score: PrintedScore::Centipawns(-5), depth: Some(12) });
        game.found.insert(1, SearchValue { score: PrintedScore::Mate(3), depth: None });
        game.found.insert(2, SearchValue { score: PrintedScore::Mate(-3), depth: Some(7) });
        let expected = "[Event \"?\"]\n[Site \"?\"]\n[Date \"2026.11.22\"]\n[Round \"7.12\"]\n\
            [White \"A \\\"B\\\"\"]\n[Black \"C\\\\D\"]\n[Result \"1-0\"]\n\
            [WhiteElo \"2500\"]\n[UTCDate \"2026.11.23\"]\n[UTCTime \"01:59:58\"]\n\n\
            1. e4 {-0.05/12} e5 {+M5/0} 2. Nf3 {-M6/7} 1-0\n";
        assert_eq!(pgn(&game, &tags(Some(Outcome::White))), expected);
    }

    #[test]
    fn a_game_from_a_position_that_was_broken_off() {
        let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
        let text = pgn(&game(Some(fen), "c7c5 g1f3"), &tags(None));
        for part in [
            &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n"),
            "[TimeControl \"-\"]\n[Termination \"unterminated\"]\n\n",
            "\n1... c5 2. Nf3 *\n",
        ] {
            assert!(text.contains(part), "{text}");
        }
        let mut judged = tags(Some(Outcome::Black));
        judged.ending.is_adjudicated = true;
        let text = pgn(&game(None, "e2e4 e7e5"), &judged);
        assert!(text.contains("[Termination \"adjudication by own score\"]\n"), "{text}");
    }

    #[test]
    fn lines_are_short() {
        let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(20);
        let text = pgn(&game(None, &moves), &tags(Some(Outcome::Draw)));
        assert!(text.lines().all(|line| line.len() <= COLUMNS) && text.lines().count() > 12);
    }
}
