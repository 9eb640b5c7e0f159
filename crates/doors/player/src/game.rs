//! The game being played, as far as the GUI's positions reveal it.

use std::collections::HashMap;

use chrono::{DateTime, FixedOffset, Local};
use engine::{PrintedScore, SearchValue};
use position::{Key, Outcome};
use shakmaty::{Chess, Color, Move, Position as _};

use crate::line::Line;

/// A game is drawn after this many plies without a capture or a pawn move.
const RULE_OF_50: u32 = 100;
/// How often a position must occur for the game to be drawn.
const REPEATS: u32 = 3;

/// A game.
#[derive(Clone, Debug)]
pub(crate) struct Game {
    /// The FEN that the game started from; `None` for the start position.
    pub(crate) fen: Option<String>,
    pub(crate) start: Chess,
    pub(crate) moves: Vec<Move>,
    /// Maps the ply of each of the engine's moves to the result of the search for it.
    pub(crate) found: HashMap<usize, SearchValue>,
    /// Whether this player has moved for White, and whether it has moved for Black.
    pub(crate) own: [bool; 2],
    /// Whether any search of the game had a time limit.
    pub(crate) is_timed: bool,
    /// Whether a move was taken back.
    pub(crate) is_taken_back: bool,
    /// Identifies the game among those of all players: `SESSION.GAME`.
    pub(crate) round: String,
    /// When the GUI sent the game's first position.
    pub(crate) began: DateTime<FixedOffset>,
}

/// Whether a line continues a game.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Follows {
    /// The line continues the game.
    Yes,
    /// The line continues the game after moves were taken back.
    TakenBack,
    /// The line belongs to another game.
    No,
}

impl Game {
    /// Creates a game from the line that the GUI just sent.
    pub(crate) fn new(line: &Line, round: String) -> Self {
        Self {
            fen: line.fen.clone(),
            start: line.start.clone(),
            moves: line.moves.clone(),
            found: HashMap::new(),
            own: [false; 2],
            is_timed: false,
            is_taken_back: false,
            round,
            began: Local::now().fixed_offset(),
        }
    }

    /// Whether a line continues this game. If the line begins with some but not all of the game's moves, the
    /// other moves were taken back. But if such a line has at most one move, it counts as the start of
    /// another game.
    pub(crate) fn follows(&self, line: &Line) -> Follows {
        if line.start != self.start {
            return Follows::No;
        }
        match (self.in_common(line), line.moves.len()) {
            (common, _) if common == self.moves.len() => Follows::Yes,
            (0, _) | (_, 0 | 1) => Follows::No,
            _ => Follows::TakenBack,
        }
    }

    /// Continues the game with a line that [`follows`](Self::follows) it.
    pub(crate) fn go_on(&mut self, line: &Line) {
        let common = self.in_common(line);
        self.is_taken_back |= common < self.moves.len();
        self.found.retain(|ply, _| *ply < common);
        self.moves.clone_from(&line.moves);
    }

    /// Adds the move that the player made in the last position of `line`.
    pub(crate) fn moved(&mut self, line: &Line, mv: Move, found: Option<SearchValue>) {
        self.go_on(line);
        if let Some(found) = found {
            self.found.insert(self.moves.len(), found);
        }
        self.own[line.position.turn().fold_wb(0, 1)] = true;
        self.moves.push(mv);
    }

    fn in_common(&self, line: &Line) -> usize {
        self.moves.iter().zip(&line.moves).take_while(|(ours, theirs)| ours == theirs).count()
    }

    /// Returns the result if the last position ends the game by the rules of chess: checkmate, stalemate,
    /// insufficient material, the fifty-move rule, or threefold repetition.
    pub(crate) fn outcome_by_rule(&self) -> Option<Outcome> {
        let mut position = self.start.clone();
        let mut seen = HashMap::from([(Key::of(&position), 1)]);
        let mut times = 1;
        for &mv in &self.moves {
            position.play_unchecked(mv);
            let count = seen.entry(Key::of(&position)).or_insert(0);
            *count += 1;
            times = *count;
        }
        if position.is_checkmate() {
            return Some(match position.turn() {
                Color::White => Outcome::Black,
                Color::Black => Outcome::White,
            });
        }
        let is_drawn = position.is_stalemate()
            || position.is_insufficient_material()
            || position.halfmoves() >= RULE_OF_50
            || times >= REPEATS;
        is_drawn.then_some(Outcome::Draw)
    }

    /// Judges the result by the player's last search: the player lost if the search found a forced mate
    /// against it, or a value of at most `lost_centipawns`. A GUI does not send a position in which the
    /// engine is mated, so the rules alone do not reveal the loss.
    pub(crate) fn outcome_by_score(&self, lost_centipawns: Option<i32>) -> Option<Outcome> {
        let is_lost = |found: &SearchValue| match found.score {
            PrintedScore::Mate(moves) => moves <= 0,
            PrintedScore::Centipawns(value) => lost_centipawns.is_some_and(|lost| value <= lost),
        };
        let has_lost = |side: &Color| {
            let last = (0..self.moves.len()).rev().find(|ply| self.side_at(*ply) == *side);
            let found = last.and_then(|ply| self.found.get(&ply));
            self.own[side.fold_wb(0, 1)] && found.is_some_and(is_lost)
        };
        let lost: Vec<_> = Color::ALL.into_iter().filter(has_lost).collect();
        let [side] = lost[..] else { return None };
        Some(side.fold_wb(Outcome::Black, Outcome::White))
    }

    /// Returns the side to move at a ply.
    fn side_at(&self, ply: usize) -> Color {
        if ply.is_multiple_of(2) { self.start.turn() } else { self.start.turn().other() }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::CastlingMode;

    use super::*;
    use crate::protocol::Position;

    fn line(moves: &str) -> Line {
        let moves = moves.split_whitespace().collect();
        Line::read(&Position { fen: None, moves }, CastlingMode::Standard).unwrap()
    }

    #[test]
    fn a_game_is_told_from_the_next_one() {
        let game = Game::new(&line("e2e4 e7e5 g1f3 b8c6"), "1".into());
        for (next, follows) in [
            ("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", Follows::Yes),
            ("e2e4 e7e5 g1f3 b8c6", Follows::Yes),
            ("e2e4 e7e5", Follows::TakenBack),
            ("e2e4 e7e5 f1c4 b8c6", Follows::TakenBack),
            ("e2e4", Follows::No),
            ("", Follows::No),
            ("d2d4 d7d5 c2c4 e7e6", Follows::No),
        ] {
            assert_eq!(game.follows(&line(next)), follows, "{next}");
        }
    }

    #[test]
    fn searches_of_moves_taken_back_are_forgotten() {
        let found = SearchValue { score: PrintedScore::Centipawns(3), depth: Some(1) };
        let mut game = Game::new(&line(""), "1".into());
        for (moves, own) in [("", "e2e4"), ("e2e4 e7e5", "g1f3"), ("e2e4 e7e5 g1f3 b8c6", "f1b5")] {
            let line = line(moves);
            game.moved(&line, line.legal(own).unwrap(), Some(found));
        }
        game.go_on(&line("e2e4 e7e5 f1c4"));
        assert_eq!(game.found.keys().collect::<Vec<_>>(), [&0]);
        assert!(game.is_taken_back && game.own == [true, false]);
    }

    #[test]
    fn rules_end_games() {
        let outcome = |moves| Game::new(&line(moves), "1".into()).outcome_by_rule();
        assert_eq!(outcome("f2f3 e7e5 g2g4 d8h4"), Some(Outcome::Black));
        assert_eq!(outcome("e2e4"), None);
        assert_eq!(outcome("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8"), Some(Outcome::Draw));
    }

    #[test]
    fn a_last_own_score_of_mate_is_a_loss() {
        use PrintedScore::{Centipawns, Mate};

        let of = |scores: &[(usize, PrintedScore)], own, lost| {
            let mut game = Game::new(&line("e2e4 e7e5 g1f3 b8c6"), "1".into());
            game.own = own;
            game.found =
                scores.iter().map(|&(ply, score)| (ply, SearchValue { score, depth: Some(9) })).collect();
            game.outcome_by_score(lost)
        };
        let (white, black, both) = ([true, false], [false, true], [true, true]);
        for (scores, own, lost, expected) in [
            (&[(2, Mate(-3))][..], white, None, Some(Outcome::Black)),
            (&[(3, Mate(-3))], black, None, Some(Outcome::White)),
            (&[(3, Mate(-3))], white, None, None),
            (&[(0, Mate(-3)), (2, Centipawns(0))], white, None, None),
            (&[(0, Mate(-3))], white, None, None),
            (&[(2, Mate(3))], white, None, None),
            (&[(2, Mate(-1)), (3, Mate(1))], both, None, Some(Outcome::Black)),
            (&[(2, Mate(-1)), (3, Mate(-1))], both, None, None),
            (&[(2, Centipawns(-9999))], white, None, None),
            (&[(2, Centipawns(-500))], white, Some(-500), Some(Outcome::Black)),
            (&[(2, Centipawns(-499))], white, Some(-500), None),
        ] {
            assert_eq!(of(scores, own, lost), expected, "{scores:?}, {own:?}, {lost:?}");
        }
    }
}
