//! Reports the most popular of the moves that were banned because of lessons. A single record of a lost game
//! is enough to ban a move.

use std::collections::{HashMap, HashSet, VecDeque};

use learn::crafty::LearningBook;
use position::{Key, PackedMove};
use run::{Context, UnplayableMove};
use shakmaty::{Chess, san::SanPlus};

/// The maximum number of banned moves that the summary names.
const NAMED: usize = 5;

/// A move of the book, with the key of its position.
type Edge = (Key, PackedMove);

/// Adds to the summary the number of moves of a book that are banned because of lessons, and names those of
/// the banned moves that have the most games. `games` contains the number of games with each move, in the
/// order of the book's edges.
pub(super) fn report(context: &Context, book: &LearningBook, games: &[u32]) {
    let places: HashSet<usize> = book.banned().collect();
    if places.is_empty() {
        return;
    }
    let edges = book.edges().enumerate().filter(|(place, _)| places.contains(place));
    let games_of = |place: usize| games.get(place).copied().unwrap_or(0);
    let mut moves: Vec<_> =
        edges.map(|(place, edge)| (games_of(place), (edge.key, edge.mv), edge.learn)).collect();
    moves.sort_by_key(|&(games, edge, _)| (std::cmp::Reverse(games), edge));
    moves.truncate(NAMED);
    let lines = lines(book, games_of, moves.iter().map(|found| found.1).collect());
    let named = moves.into_iter().map(|(games, edge, learned)| UnplayableMove {
        line: lines.get(&edge).cloned().unwrap_or_else(|| format!("key {} {}", edge.0, edge.1)),
        games: u64::from(games),
        learned,
    });
    if let Some(learning) = &mut context.summary().learning {
        learning.unplayable = places.len() as u64;
        learning.most_played_unplayable = named.collect();
    }
}

/// Finds the shortest line, in SAN, that ends with each of the moves `wanted`; of several equally short
/// lines, the one whose moves were played most. Only moves with lessons are followed. That is enough, because
/// a record or game that gives a lesson to one of the moves `wanted` also gives lessons to the book moves
/// that lead to this move.
fn lines(
    book: &LearningBook,
    games_of: impl Fn(usize) -> u32,
    mut wanted: HashSet<Edge>,
) -> HashMap<Edge, String> {
    let mut moves = HashMap::<Key, Vec<PackedMove>>::new();
    let mut edges: Vec<_> = book.edges().enumerate().filter(|(_, edge)| edge.is_taught()).collect();
    edges.sort_by_key(|&(place, _)| std::cmp::Reverse(games_of(place)));
    for (_, edge) in edges {
        moves.entry(edge.key).or_default().push(edge.mv);
    }
    let mut lines = HashMap::new();
    let mut waiting = VecDeque::from([(Key::START, Chess::default(), String::new())]);
    while let Some((key, position, line)) = waiting.pop_front() {
        // Removing a position's moves from the map ensures that the position is not visited twice.
        for mv in moves.remove(&key).unwrap_or_default() {
            let Some(m) = mv.unpack(&position) else { continue };
            let mut after = position.clone();
            let san = SanPlus::from_move_and_play_unchecked(&mut after, m);
            let longer = format!("{line}{}{san}", if line.is_empty() { "" } else { " " });
            if wanted.remove(&(key, mv)) {
                lines.insert((key, mv), longer.clone());
            }
            waiting.push_back((Key::of(&after), after, longer));
        }
        if wanted.is_empty() {
            break;
        }
    }
    lines
}
