//! Finds how two books or tables differ, move by move.

mod by_hand;
mod castling;
mod joined;
mod largest;
mod rows;

use position::{Key, PackedMove};
use query::{Artefact, ComparedMove, KeyProbe};
use serde::Serialize;
use strum::VariantArray;
use walk::Work;

pub use self::{by_hand::SetByHand, rows::DiffRows};
use self::{by_hand::SetMoves, castling::KingMoves, joined::joined, largest::LargestChanges};
use crate::{Result, lines::Lines};

/// The options of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct DiffOptions {
    /// Scores are compared only if both artefacts have at least this many games with the move. Shares are
    /// compared only if each artefact either has at least this many games in the position or does not record
    /// how many games it has there.
    pub min_games: u64,
    /// Each ranking lists at most this many moves.
    pub limit: usize,
}

/// The kind of difference by which a ranking sorts moves.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, VariantArray)]
#[serde(rename_all = "kebab-case")]
pub enum Change {
    /// Moves that only the first artefact has, the most played first.
    OnlyFirst,
    /// Moves that only the second artefact has, the most played first.
    OnlySecond,
    /// Moves that both artefacts have, sorted by the difference in the number of games.
    Games,
    /// Moves that both artefacts have, sorted by the difference in the move's share of the position's games
    /// or weights.
    Share,
    /// Moves that both artefacts have, sorted by the difference in the mover's score.
    Score,
    /// Moves that two Polyglot books have in common, sorted by the difference in weight.
    Weight,
    /// Moves that both artefacts have, if the values set by hand differ or if only one artefact may play the
    /// move. The most played moves come first.
    Set,
}

/// How many positions or moves both artefacts have, and how many only one of them has.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Found {
    /// The number of positions or moves that both artefacts have.
    pub both: u64,
    /// The number of positions or moves that only the first artefact has.
    pub only_first: u64,
    /// The number of positions or moves that only the second artefact has.
    pub only_second: u64,
}

/// A move that differs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct MoveDifference {
    /// The moves that lead to the position, and the move itself, in SAN with numbers; `None` if no line leads
    /// to the position.
    pub line: Option<String>,
    /// The position's key.
    pub key: String,
    /// The move in UCI; castling is written as king takes rook.
    #[serde(rename = "move")]
    pub uci: String,
    /// The move in the first artefact; `None` if it does not have the move.
    pub first: Option<ComparedMove>,
    /// The move in the second artefact; `None` if it does not have the move.
    pub second: Option<ComparedMove>,
    /// The values set by hand for the move in the first artefact.
    pub first_set: SetByHand,
    /// The values set by hand for the move in the second artefact.
    pub second_set: SetByHand,
}

/// A list of moves, the largest difference first.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Ranking {
    /// The kind of difference by which the moves are sorted.
    pub by: Change,
    /// The moves.
    pub moves: Vec<MoveDifference>,
}

/// How two artefacts differ.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Diff {
    /// The numbers of positions, including positions without moves.
    pub positions: Found,
    /// The numbers of moves.
    pub moves: Found,
    /// The number of moves that are in both artefacts but differ in games, share, score, weight or values
    /// set by hand.
    pub changed: u64,
    /// The moves with the largest differences; empty rankings are left out.
    pub rankings: Vec<Ranking>,
}

/// A move, with its values in each of the two artefacts.
#[derive(Clone, Copy)]
pub struct Pair {
    key: Key,
    mv: PackedMove,
    first: Option<ComparedMove>,
    second: Option<ComparedMove>,
    /// The values set by hand for the move in the first and in the second artefact.
    set: [SetByHand; 2],
}

/// Compares two artefacts, each a book, a table or a Polyglot book. If `rows` is given, every move that
/// differs is written to it. Both artefacts are read once, in the order of keys; lines to the listed moves
/// are looked up afterwards.
///
/// # Memory
///
/// A comparison holds a batch of rows from each artefact. It also needs memory for walks: one that finds the
/// lines, and one more for each Polyglot book that writes castling as a king moving two squares.
///
/// # Errors
///
/// Fails with [`query::Error::NoBookToChooseFrom`] for an experience file. Also fails if an artefact cannot
/// be read or is damaged, if `rows` cannot be written, or if the work is stopped.
pub fn diff(
    (first, second): (&Artefact, &Artefact),
    options: DiffOptions,
    work: &Work<'_>,
    mut rows: Option<&mut DiffRows>,
) -> Result<Diff> {
    let mut found =
        Diff { positions: Found::default(), moves: Found::default(), changed: 0, rankings: Vec::new() };
    let mut largest: Vec<_> = Change::VARIANTS.iter().map(|_| LargestChanges::new(options.limit)).collect();
    let half = Work { memory_bytes: work.memory_bytes / 2, temp_dir: work.temp_dir.clone(), ..*work };
    let mut king_moves = [KingMoves::of(first, &half)?, KingMoves::of(second, &half)?];
    let mut set = [first, second].map(SetMoves::of);
    for pair in joined(first, second, work)? {
        let (first, second) = pair?;
        let first = first.map(|found| king_moves[0].normalized(found)).transpose()?;
        let second = second.map(|found| king_moves[1].normalized(found)).transpose()?;
        found.positions.add(first.is_some(), second.is_some());
        for pair in pairs((first.as_ref(), second.as_ref()), &mut set)? {
            found.moves.add(pair.first.is_some(), pair.second.is_some());
            if pair.first == pair.second && pair.set[0] == pair.set[1] {
                continue;
            }
            found.changed += u64::from(pair.first.is_some() && pair.second.is_some());
            let games = games_of(first.as_ref()).min(games_of(second.as_ref()));
            for (&by, largest) in Change::VARIANTS.iter().zip(&mut largest) {
                largest.offer(size(by, &pair, games, options.min_games), pair);
            }
            rows.as_deref_mut().map_or(Ok(()), |rows| rows.add(&pair))?;
        }
    }
    drop(king_moves);
    let largest: Vec<_> = largest.into_iter().map(LargestChanges::into_pairs).collect();
    found.rankings = shown((first, second), &largest, work)?;
    Ok(found)
}

/// Pairs up the moves that the two artefacts have in a position.
fn pairs(
    (first, second): (Option<&KeyProbe>, Option<&KeyProbe>),
    set: &mut [SetMoves<'_>; 2],
) -> Result<Vec<Pair>> {
    let Some(key) = first.or(second).map(|probe| probe.key) else { return Ok(Vec::new()) };
    let [in_first, in_second] = set;
    let set = [in_first.at(key)?, in_second.at(key)?];
    let set_of = |mv| {
        let of_move =
            |set: &Vec<(PackedMove, SetByHand)>| set.iter().find(|(known, _)| *known == mv).copied();
        set.each_ref().map(|set| of_move(set).map_or_else(SetByHand::default, |(_, set)| set))
    };
    let pair = |(mv, (first, second))| Pair { key, mv, first, second, set: set_of(mv) };
    Ok(KeyProbe::paired(first, second).into_iter().map(pair).collect())
}

/// The number of games in a position; `u64::MAX` if it is not known.
fn games_of(probe: Option<&KeyProbe>) -> u64 {
    probe.and_then(|probe| probe.tally).map_or(u64::MAX, position::Tally::games)
}

/// The size of a difference; `None` if nothing differs or if there are too few games to compare.
#[expect(
    clippy::cast_precision_loss,
    reason = "ranks for people; counts past 2^52 lose nothing they would see"
)]
fn size(by: Change, pair: &Pair, games: u64, min_games: u64) -> Option<f64> {
    let played = |found: ComparedMove| found.games.or(found.weight.map(u64::from)).unwrap_or(0) as f64;
    let (first, second) = match (by, pair.first, pair.second) {
        (Change::OnlyFirst, Some(only), None) | (Change::OnlySecond, None, Some(only)) => {
            return Some(played(only));
        }
        (Change::OnlyFirst | Change::OnlySecond, ..) => return None,
        (_, Some(first), Some(second)) => (first, second),
        _ => return None,
    };
    let is_known = |games: Option<u64>| games.is_some_and(|games| games >= min_games);
    let change = match by {
        Change::Games => first.games?.abs_diff(second.games?) as f64,
        Change::Score if is_known(first.games) && is_known(second.games) => first.score? - second.score?,
        Change::Share if games >= min_games => first.share - second.share,
        Change::Weight => f64::from(first.weight?) - f64::from(second.weight?),
        Change::Set if pair.set[0] != pair.set[1] => 1.0 + played(first).max(played(second)),
        _ => return None,
    };
    (change != 0.0).then_some(change.abs())
}

/// Returns the rankings, with the line that leads to each ranked move. Lines are looked up in the first
/// artefact for the moves that it has, and in the second artefact for the other moves. If both look-ups find
/// a line to a position, the first artefact's line is used.
fn shown(
    (first, second): (&Artefact, &Artefact),
    largest: &[Vec<Pair>],
    work: &Work<'_>,
) -> Result<Vec<Ranking>> {
    let of = |is_one: fn(&Pair) -> bool| {
        largest.iter().flatten().filter(|&pair| is_one(pair)).map(|pair| pair.key).collect()
    };
    let in_first = Lines::of(first, of(|pair| pair.first.is_some()), work)?;
    let in_second = Lines::of(second, of(|pair| pair.first.is_none()), work)?;
    let changed = |&Pair { key, mv, first, second, set }: &Pair| MoveDifference {
        line: in_first.of_move(key, mv).or_else(|| in_second.of_move(key, mv)),
        key: key.to_string(),
        uci: mv.to_string(),
        first,
        second,
        first_set: set[0],
        second_set: set[1],
    };
    let ranking = |(by, pairs): (_, &Vec<_>)| Ranking { by, moves: pairs.iter().map(changed).collect() };
    let all = Change::VARIANTS.iter().copied().zip(largest).filter(|(_, pairs)| !pairs.is_empty());
    Ok(all.map(ranking).collect())
}

impl Found {
    fn add(&mut self, first: bool, second: bool) {
        match (first, second) {
            (true, true) => self.both += 1,
            (true, false) => self.only_first += 1,
            _ => self.only_second += 1,
        }
    }
}
