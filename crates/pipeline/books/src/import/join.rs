//! Merges the entries for the same move in the same position, if several lines contain the move.

use std::cmp::Reverse;

use position::{PackedMove, Step, Tally};

use super::{ImportedMove, Mark, Visits};

/// Whether an imported book counts a move's games per line or per position.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum CountedPer {
    /// Each line gives its own number of games for a move, which includes only games that followed this line.
    /// If several lines contain the move in the same position, their numbers of games are added up.
    Line,
    /// The number of games of a move includes all games in which the move was played in the same position, on
    /// any line. All lines that contain the move in this position therefore give the same number.
    Position,
}

/// Moves of positions.
pub(super) struct JoinedMoves {
    pub(super) moves: Vec<ImportedMove>,
    /// How many entries were merged into an entry for the same move in the same position.
    pub(super) repeated: u64,
    /// How many of the merged entries had a mark that differs from the mark that was kept.
    pub(super) other_marks: u64,
}

/// Merges the entries for the same move in the same position. The mark is taken from the entry with the most
/// games.
pub(super) fn join(mut moves: Vec<ImportedMove>, counts: CountedPer) -> JoinedMoves {
    let rank = |mv: &ImportedMove| (mv.tally.games(), mv.mark, mv.tally.white, mv.tally.draws);
    moves.sort_unstable_by_key(|mv| (mv.key, mv.mv, Reverse(rank(mv))));
    let (mut repeated, mut other_marks) = (0, 0);
    moves.dedup_by(|next, kept| {
        let is_same = (next.key, next.mv) == (kept.key, kept.mv);
        if is_same {
            repeated += 1;
            other_marks += u64::from(next.mark != kept.mark);
            if counts == CountedPer::Line {
                kept.tally += next.tally;
            }
        }
        is_same
    });
    JoinedMoves { moves, repeated, other_marks }
}

/// Adds a row of terminal visits for each position where games ended. A position without moves gets a row
/// even if it has no games, because a book keeps it as a leaf. Returns the number of positions whose moves
/// together have more wins for White, more draws or more wins for Black than the position itself.
pub(super) fn end_lines(moves: &mut Vec<ImportedMove>, mut visits: Vec<Visits>) -> u64 {
    visits.sort_unstable_by_key(|visits| visits.key);
    visits.dedup_by(|next, kept| {
        let is_same = next.key == kept.key;
        if is_same {
            kept.tally += next.tally;
        }
        is_same
    });
    let (mut exceeded, mut ends, mut rest) = (0, Vec::new(), moves.as_slice());
    for Visits { key, turn, tally } in visits {
        rest = &rest[rest.partition_point(|mv| mv.key < key)..];
        let here = rest.iter().take_while(|mv| mv.key == key);
        let is_leaf = here.clone().next().is_none();
        let gone: Tally = here.map(|mv| mv.tally).sum();
        exceeded += u64::from(tally.checked_sub(gone).is_none());
        let tally = Tally {
            white: tally.white.saturating_sub(gone.white),
            draws: tally.draws.saturating_sub(gone.draws),
            black: tally.black.saturating_sub(gone.black),
        };
        let mv = PackedMove::TERMINAL;
        let step = Step::terminal(turn);
        let mark = Mark::default();
        ends.extend((is_leaf || tally.games() > 0).then_some(ImportedMove { key, mv, step, tally, mark }));
    }
    moves.extend(ends);
    moves.sort_unstable_by_key(|mv| (mv.key, mv.mv));
    exceeded
}

#[cfg(test)]
mod tests {
    use super::*;
    use position::Key;
    use shakmaty::Color;

    fn played(key: u64, mv: u16, white: u64, value: u8) -> ImportedMove {
        let mark = Mark { value: Some(value), nag: None };
        let tally = Tally { white, draws: 1, black: 0 };
        ImportedMove { key: Key(key), mv: PackedMove(mv), tally, mark, ..ImportedMove::default() }
    }

    #[test]
    fn lines_add_up_and_positions_do_not() {
        let moves = vec![played(7, 3, 1, 10), played(2, 5, 4, 0), played(7, 3, 6, 90), played(7, 3, 6, 90)];
        let lines = join(moves.clone(), CountedPer::Line);
        assert_eq!((lines.repeated, lines.other_marks), (2, 1));
        let tally = Tally { white: 13, draws: 3, black: 0 };
        assert_eq!(lines.moves, [played(2, 5, 4, 0), ImportedMove { tally, ..played(7, 3, 6, 90) }]);
        assert_eq!(join(moves, CountedPer::Position).moves, [played(2, 5, 4, 0), played(7, 3, 6, 90)]);
    }

    #[test]
    fn what_no_move_goes_on_from_ends_there() {
        let visits = |key, white| Visits {
            key: Key(key),
            turn: Color::Black,
            tally: Tally { white, draws: 1, black: 0 },
        };
        let mut moves = vec![played(7, 3, 6, 90), played(8, 3, 9, 90)];
        let exceeded = end_lines(&mut moves, vec![visits(9, 2), visits(7, 5), visits(8, 3), visits(7, 4)]);
        assert_eq!(exceeded, 1);
        let ends: Vec<_> = moves.iter().filter(|mv| mv.mv.is_terminal()).collect();
        let tallies: Vec<_> = ends.iter().map(|end| (end.key.0, end.tally.white, end.tally.draws)).collect();
        assert_eq!(tallies, [(7, 3, 1), (9, 2, 1)]);
        assert!(moves.is_sorted_by_key(|mv| (mv.key, mv.mv)) && ends[0].step.mover() == Color::Black);
    }
}
