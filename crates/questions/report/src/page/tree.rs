//! The most frequent moves from a position, as a tree.
//!
//! A branch's share is an estimate of the fraction of all games that takes that branch. It is the share of
//! the previous branch, multiplied by the proportion of games that continue with this branch's move. Games
//! are counted by position, so counts include games that transposed. The estimate is wrong if games that
//! transposed continue differently from the others.

use std::{cmp::Reverse, collections::BinaryHeap};

use experience::KnownExperience;
use fault::Result;
use position::{ExperienceKind, Key, NamedLine, PackedMove, Tally};
use query::{Opening, numbered};
use shakmaty::{Chess, san::SanPlus};

use super::{KnownMoves, PageRequest, positions::Positions};

/// The share of a branch that has all games; all other shares are in proportion. It is large so that integers
/// are precise enough for small shares.
pub(super) const WHOLE: u64 = 1_000_000_000;
/// The smallest share worth drawing: one in a thousand.
const SHARE_LEAST: u64 = WHOLE / 1000;
/// The maximum number of branches that are drawn.
const MOVES_MOST: usize = 2000;

/// The tree to be drawn. The moves are in descending order of frequency, and every move comes after the move
/// that it follows in the tree.
pub(super) struct Tree {
    /// The first position, and the moves that lead to it.
    pub(super) way: NamedLine,
    /// The first position's opening: the last named opening reached by the moves that lead to it.
    pub(super) opening: Option<Opening>,
    /// The results of the games that reached the first position.
    pub(super) tally: Tally,
    /// The branches. A branch is later in this list than the branch that it continues.
    pub(super) moves: Vec<Move>,
}

/// A branch, that is, a move of the tree.
pub(super) struct Move {
    /// The index of the branch that this branch continues; `None` if this branch begins at the first
    /// position.
    pub(super) parent: Option<usize>,
    pub(super) san: String,
    /// The number of plies from the first position, at least 1.
    pub(super) ply: u32,
    /// The results of all games in which the move was played in this position, no matter how these games
    /// reached the position.
    pub(super) tally: Tally,
    /// The branch's share, out of [`WHOLE`].
    pub(super) share: u64,
    /// The position after the move.
    pub(super) after: Chess,
    /// The last named opening on the line.
    pub(super) opening: Option<Opening>,
    /// The experience of the move: the values that were learned or set by hand.
    pub(super) known: Option<KnownExperience>,
}

/// A move that may still become a branch. Candidates are ordered by frequency; if two are equally frequent,
/// the one found first ranks higher.
#[derive(Eq, Ord, PartialEq, PartialOrd)]
struct Candidate {
    share: u64,
    found: Reverse<usize>,
    parent: Option<usize>,
    mv: u16,
    games: [u64; 3],
}

impl Tree {
    /// Grows the tree by repeatedly adding the most frequent remaining move. `check` is called before each
    /// move.
    pub(super) fn grow(
        positions: &Positions,
        known: &KnownMoves<'_>,
        wanted: &PageRequest<'_>,
        check: impl Fn() -> Result<()>,
    ) -> Result<Self> {
        let (way, plies) = (wanted.start, wanted.plies);
        let mut growing = Growing { positions, plies, candidates: BinaryHeap::new(), found: 0 };
        let tally = growing.look_at(&way.position, None, 0, WHOLE)?;
        let opening = Opening::on_line(&way.start, &way.moves);
        let mut tree = Self { way: way.clone(), opening, tally, moves: Vec::new() };
        while tree.moves.len() < MOVES_MOST
            && let Some(next) = growing.candidates.pop()
        {
            check()?;
            // A move that is illegal here belongs to a different position with the same key.
            let Some(branch) = tree.branch(&next, known) else { continue };
            growing.look_at(&branch.after, Some(tree.moves.len()), branch.ply, branch.share)?;
            tree.moves.push(branch);
        }
        Ok(tree)
    }

    /// Returns the branches that continue `parent` or, if `parent` is `None`, the branches that begin at the
    /// first position. The most frequent branch comes first.
    pub(super) fn after(&self, parent: Option<usize>) -> impl Iterator<Item = usize> {
        (0..self.moves.len()).filter(move |&at| self.moves[at].parent == parent)
    }

    /// Returns the moves up to and including branch `at`, such as `1. e4 c5 2. Nf3`, or only those up to the
    /// first position if `at` is `None`.
    pub(super) fn line(&self, at: Option<usize>) -> String {
        let mut sans: Vec<_> = self.way.moves.iter().map(SanPlus::to_string).collect();
        sans.extend(self.sans(at));
        numbered(&self.way.start, &sans)
    }

    /// The moves from the first position up to and including a branch.
    pub(super) fn line_onward(&self, at: usize) -> String {
        numbered(&self.way.position, &self.sans(Some(at)))
    }

    fn sans(&self, at: Option<usize>) -> Vec<String> {
        let branches = std::iter::successors(at, |&at| self.moves[at].parent);
        let mut sans: Vec<_> = branches.map(|at| self.moves[at].san.clone()).collect();
        sans.reverse();
        sans
    }

    fn branch(&self, next: &Candidate, known: &KnownMoves<'_>) -> Option<Move> {
        let parent = next.parent.map(|at| &self.moves[at]);
        let mut after = parent.map_or_else(|| self.way.position.clone(), |parent| parent.after.clone());
        let [white, draws, black] = next.games;
        let mv = PackedMove(next.mv);
        let m = mv.unpack(&after)?;
        let known =
            known(Key::of(&after), mv).map(|known| KnownExperience::unsourced(ExperienceKind::Book, &known));
        let san = SanPlus::from_move_and_play_unchecked(&mut after, m).to_string();
        let (tally, share) = (Tally { white, draws, black }, next.share);
        let opening = Opening::of(&after).or(parent.map_or(self.opening, |parent| parent.opening));
        let ply = parent.map_or(0, |parent| parent.ply) + 1;
        Some(Move { parent: next.parent, san, ply, tally, share, after, opening, known })
    }
}

struct Growing<'p> {
    positions: &'p Positions<'p>,
    plies: u32,
    candidates: BinaryHeap<Candidate>,
    found: usize,
}

impl Growing<'_> {
    /// Adds a position's moves as candidates, and returns the results of the position's games.
    fn look_at(
        &mut self,
        position: &Chess,
        parent: Option<usize>,
        ply: u32,
        share: u64,
    ) -> table::Result<Tally> {
        if ply == self.plies {
            return Ok(Tally::default());
        }
        let Some(played) = self.positions.played(Key::of(position))? else { return Ok(Tally::default()) };
        for edge in &played.moves {
            let Tally { white, draws, black } = edge.tally;
            let share = part(share, edge.tally.games(), played.tally.games());
            if share >= SHARE_LEAST {
                let games = [white, draws, black];
                let found = Reverse(self.found);
                self.candidates.push(Candidate { share, found, parent, mv: edge.mv.0, games });
                self.found += 1;
            }
        }
        Ok(played.tally)
    }
}

/// Returns `share * games / all`. Rounding down ensures that the parts of a share never add up to more than
/// the share.
fn part(share: u64, games: u64, all: u64) -> u64 {
    let part = u128::from(share) * u128::from(games) / u128::from(all.max(1));
    part.min(u128::from(share)) as u64
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use position::{Edge, named_line};
    use shakmaty::Position as _;

    use super::*;
    use crate::page::positions::Played;

    fn grow(positions: &Positions, plies: u32) -> Tree {
        let start = named_line(None, None).unwrap();
        let wanted = PageRequest { title: "", start: &start, plies };
        Tree::grow(positions, &|_, _| None, &wanted, || Ok(())).unwrap()
    }

    fn after(sans: &[&str]) -> Chess {
        let mut position = Chess::default();
        for san in sans {
            let san: SanPlus = san.parse().unwrap();
            position.play_unchecked(san.san.to_move(&position).unwrap());
        }
        position
    }

    /// Creates the results of a position in which some games ended and others continued. White won all of
    /// these games.
    fn played(position: &Chess, moves: &[(&str, u64)], ended: u64) -> (Key, Played) {
        let won = |games| Tally { white: games, ..Tally::default() };
        let edge = |(san, games): &(&str, u64)| {
            let san: SanPlus = san.parse().unwrap();
            Edge { mv: PackedMove::pack(san.san.to_move(position).unwrap()), tally: won(*games) }
        };
        let mut moves: Vec<_> = moves.iter().map(edge).collect();
        moves.sort_by_key(|edge| edge.mv.0);
        let all = moves.iter().map(|edge| edge.tally.games()).sum::<u64>() + ended;
        (Key::of(position), Played { tally: won(all), moves })
    }

    fn lines(tree: &Tree) -> Vec<(String, u64)> {
        (0..tree.moves.len()).map(|at| (tree.line(Some(at)), tree.moves[at].share)).collect()
    }

    #[test]
    fn the_commonest_moves_come_first_and_keep_their_share_of_the_way() {
        // The position after 1. d4 has twice as many games as the move 1. d4, as if half of its games had
        // transposed into it.
        let positions = Positions::Collected(HashMap::from([
            played(&Chess::default(), &[("e4", 600), ("d4", 399), ("a4", 1)], 0),
            played(&after(&["e4"]), &[("c5", 300), ("e5", 240)], 60),
            played(&after(&["d4"]), &[("d5", 399), ("Nf6", 399)], 0),
        ]));
        let tree = grow(&positions, 2);
        let expected = [
            ("1. e4", 600_000_000),
            ("1. d4", 399_000_000),
            ("1. e4 c5", 300_000_000),
            ("1. e4 e5", 240_000_000),
            ("1. d4 Nf6", 199_500_000),
            ("1. d4 d5", 199_500_000),
            ("1. a4", 1_000_000),
        ];
        let mut found = lines(&tree);
        found[4..6].sort();
        assert_eq!(found, expected.map(|(line, share)| (line.to_owned(), share)));
        assert_eq!(tree.tally.games(), 1000);
        assert_eq!(lines(&grow(&positions, 1)).len(), 3);
    }

    #[test]
    fn nothing_grows_from_a_position_without_games() {
        let tree = grow(&Positions::Collected(HashMap::new()), 4);
        assert_eq!((tree.moves.len(), tree.tally.games()), (0, 0));
    }

    #[test]
    fn parts_are_rounded_down() {
        assert_eq!(part(WHOLE, 1, 3) * 3, WHOLE - 1);
        assert_eq!(part(u64::MAX, u64::MAX, u64::MAX), u64::MAX);
        assert_eq!(part(WHOLE, 5, 0), WHOLE);
    }
}
