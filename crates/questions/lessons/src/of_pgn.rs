//! Turns games read from PGN into played games.
//!
//! The tags tell whether a game had a time control, and whether it was serious, that is, whether it ended in
//! a regular way. A `TimeControl` of `-` means that there was no time control (PGN standard, 9.6.1). A game
//! is not serious if its `Termination` is abandoned, unterminated, emergency or rules infraction (9.8.1). The
//! game's identity includes the `Round` and the `UTCTime` if they are known.

use pgn::{
    annotated::{AnnotatedGame, AnnotatedPly, Evaluation},
    filter::{day_of, elos_of},
};
use shakmaty::Color;

use crate::{PlayedGame, SearchResult};

/// The value of the tag `Termination` if the player inferred the result from its own last score.
pub const ADJUDICATED: &str = "adjudication by own score";

/// The values of `Termination` in the PGN standard that mark a game as not serious.
const NOT_SERIOUS: [&str; 4] = ["abandoned", "emergency", "rules infraction", "unterminated"];

impl PlayedGame {
    /// Converts a game that was read from PGN to the point of view of the side `own`.
    pub fn of_pgn(game: &AnnotatedGame<'_>, own: Color) -> Self {
        let [white_elo, black_elo] = elos_of(&game.tags);
        let mut played = Self::new(own, game.outcome);
        played.source = game.place.input;
        played.date = day_of(&game.tags).unwrap_or(0);
        played.own_elo = own.fold_wb(white_elo, black_elo);
        played.opponent_elo = own.fold_wb(black_elo, white_elo);
        played.timed = game.tag("TimeControl").is_none_or(|control| control.trim() != "-");
        let ending = game.tag("Termination").unwrap_or_default();
        (played.serious, played.adjudicated) = (is_serious(&ending), ending.trim() == ADJUDICATED);
        if game.plies.first().is_some_and(|ply| ply.step.mover().is_black()) {
            played.begin_with_black();
        }
        for ply in game.plies {
            played.push(ply.key, ply.mv, searched(ply, own));
        }
        played.length_plies += game.first_ply;
        let [white, black] = ["White", "Black"].map(|name| game.tag(name).unwrap_or_default());
        own.fold_wb(&black, &white).trim().clone_into(&mut played.opponent);
        let [round, time] = ["Round", "UTCTime"].map(|name| game.tag(name).filter(|value| is_known(value)));
        played.identify([&white, &black], round.as_deref(), time.as_deref());
        played
    }
}

/// Whether a tag's value is known. `?` stands for an unknown value, and `-` means that the tag does not apply
/// (PGN standard, 8.1.1).
fn is_known(value: &str) -> bool {
    !value.chars().all(|c| matches!(c, '?' | '-' | ':' | '.' | ' '))
}

fn is_serious(termination: &str) -> bool {
    !NOT_SERIOUS.iter().any(|ending| termination.trim().eq_ignore_ascii_case(ending))
}

/// Returns the value and the depth of the search for a move, as far as the comments on the move contain them.
fn searched(ply: &AnnotatedPly, own: Color) -> SearchResult {
    let depth = ply.notes.depth;
    match ply.notes.evaluation {
        // Adding zero turns negative zero into zero.
        Some(Evaluation::Pawns(pawns)) => {
            SearchResult { pawns: Some(own.fold_wb(pawns, -pawns) + 0.0), depth }
        }
        Some(Evaluation::Mate(moves)) => {
            SearchResult::of_mate(own.fold_wb(moves, moves.saturating_neg()), depth)
        }
        None => SearchResult { pawns: None, depth },
    }
}

#[cfg(test)]
mod tests {
    use pgn::{
        annotated::{AnnotatedOptions, AnnotatedReader},
        input::{ChunkOptions, Input},
    };
    use position::Outcome;

    use super::*;

    /// The first game in a PGN text.
    fn played(text: &str, own: Color) -> PlayedGame {
        let input = Input::stream("-", std::io::Cursor::new(text.to_owned()));
        let mut options = AnnotatedOptions::default();
        options.replay.counting.from_position = true;
        let mut batches = AnnotatedReader::open(vec![input], &ChunkOptions::default(), &options).unwrap();
        let batch = batches.next().unwrap().unwrap();
        let game = batch.games().next().unwrap();
        PlayedGame::of_pgn(&game, own)
    }

    #[test]
    fn a_game_from_both_sides() {
        let text = "[White \"a\"]\n[Black \"b\"]\n[Date \"2020.01.02\"]\n[WhiteElo \"2000\"]\n[BlackElo \"2300\"]\n\
            [TimeControl \"-\"]\n\n1. e4 {+0.35/12} e5 {+0.10/11} 2. Nf3 {-M4/9} Nc6 {0.00/5} 1-0\n";
        let [white, black] = [Color::White, Color::Black].map(|own| played(text, own));
        assert_eq!((white.outcome, white.date, white.timed), (Some(Outcome::White), 20_200_102, false));
        assert_eq!((white.rating_difference(), black.rating_difference()), (-300, 300));
        assert_eq!((white.identity, white.length_plies), (black.identity, 4));
        assert_eq!(white.search(0), SearchResult { pawns: Some(0.35), depth: Some(12) });
        assert_eq!(white.search(1), SearchResult { pawns: Some(-0.1), depth: Some(11) });
        assert_eq!(white.search(2), SearchResult::of_mate(-2, Some(9)));
        assert_eq!(black.search(1), SearchResult { pawns: Some(0.1), depth: Some(11) });
        for game in [&white, &black] {
            assert_eq!(game.search(3).pawns.map(f32::to_bits), Some(0), "no negative zero");
        }
    }

    #[test]
    fn games_that_began_at_other_times_are_others() {
        let of = |tags: &str| {
            let tags = tags.replace(';', "\n");
            played(&format!("[White \"a\"]\n[Date \"2020.01.02\"]\n{tags}\n\n1. e4 e5 1-0\n"), Color::White)
        };
        let unknown = of("[Round \"?\"];[UTCTime \"??:??:??\"];[Site \"x\"]");
        assert_eq!(unknown.identity, unknown.untimed_identity);
        assert_eq!(unknown.identity, of("[Round \"-\"]").identity);
        let mut known = vec![unknown.identity];
        for tags in [
            "[Round \"1\"]",
            "[Round \"2\"]",
            "[UTCTime \"01:02:03\"]",
            "[Round \"1\"];[UTCTime \"01:02:03\"]",
        ] {
            let game = of(tags);
            assert_eq!(game.untimed_identity, unknown.identity, "{tags}");
            assert!(!known.contains(&game.identity), "{tags}");
            known.push(game.identity);
        }
    }

    #[test]
    fn a_result_by_own_score_is_known_as_one() {
        let ended = |how: &str| {
            played(&format!("[White \"a\"]\n[Termination \"{how}\"]\n\n1. e4 0-1\n"), Color::White)
        };
        assert!(ended(ADJUDICATED).adjudicated && ended(ADJUDICATED).serious);
        assert!(!ended("adjudication").adjudicated, "by someone else");
    }

    #[test]
    fn games_that_black_begins() {
        let text = "[FEN \"4k3/p7/8/8/8/8/P7/4K3 b - - 0 1\"]\n[SetUp \"1\"]\n[Termination \"Abandoned\"]\n\n\
            1... a6 {+0.20/3} 2. a3 0-1\n";
        let game = played(text, Color::Black);
        assert!(game.plies()[0].1.is_terminal() && !game.serious);
        assert_eq!((game.plies().len(), game.moves().count(), game.length_plies), (3, 2, 2));
        assert_eq!(game.search(1), SearchResult { pawns: Some(0.2), depth: Some(3) });
    }
}
