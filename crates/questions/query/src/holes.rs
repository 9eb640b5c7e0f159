//! Finds the holes in a repertoire: the opponent's moves that the repertoire does not answer.

use std::{
    cmp::Ordering,
    collections::{BinaryHeap, HashSet},
    iter,
    rc::Rc,
    time::{Duration, Instant},
};

use position::{Key, PackedMove, position_after, ratio};
use serde::Serialize;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position as _, fen::Fen, san::SanPlus};

use crate::{KeyMove, KeyProbe, Result, View, numbered};

/// Limits on the search for holes.
#[derive(Clone, Copy, Debug)]
pub struct HoleOptions {
    /// The side that plays the repertoire.
    pub color: Color,
    /// A move of ours is followed if it was played in at least this share (0 to 1) of the games that
    /// continued from the same position. The most played move is always followed.
    pub own_share: f64,
    /// A move of the opponent is followed only if it was played in at least this share (0 to 1) of the games
    /// that continued from the same position.
    pub min_share: f64,
    /// A move of the opponent is followed only if it was played in at least this many games. This limit has
    /// no effect with a Polyglot book, which counts no games.
    pub min_games: u64,
    /// The search ends once it has found this many holes.
    pub holes_max: usize,
    /// The maximum number of holes that are listed.
    pub listed_max: usize,
    /// The search ends once it has searched this many positions.
    pub positions_max: usize,
    /// How long the search may take.
    pub time_max: Duration,
}

/// The holes of a repertoire.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Holes {
    /// The number of positions that were searched.
    pub positions: usize,
    /// Whether all holes were found; `false` if the search reached a limit on holes, positions or time.
    pub complete: bool,
    /// The number of holes that were found.
    pub found: usize,
    /// The holes that are reached most often, at most [`HoleOptions::listed_max`] of them.
    pub holes: Vec<Hole>,
}

/// A move of the opponent that the repertoire does not answer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Hole {
    /// The moves that lead to the hole, ending with the opponent's move, in numbered SAN.
    pub line: String,
    /// The moves of `line` without the last one, in numbered SAN.
    #[serde(skip)]
    pub before: String,
    /// The key of the position before the opponent's move.
    #[serde(skip)]
    pub key_before: Key,
    /// The moves of `line` in UCI notation, separated by commas.
    pub play: String,
    /// The position after the opponent's move.
    pub fen: String,
    /// The opponent's move, in UCI notation.
    #[serde(rename = "move")]
    pub uci: String,
    /// The opponent's move, in SAN.
    pub san: String,
    /// The move's share of the opponent's games in the position where it was played, 0 to 1.
    pub share: f64,
    /// The number of the opponent's games in which the move was played; `None` in a Polyglot book.
    pub games: Option<u64>,
    /// How often the line comes up: the product of the shares of all its moves, including ours.
    pub reach: f64,
}

/// Looks for holes in the repertoire `ours`, beginning at the position `start`. Our moves come from `ours`;
/// moves that are never played are ignored. The opponent's moves come from `against`. A position that several
/// lines reach is searched only once, on the line that is reached most often.
///
/// # Memory
///
/// The search takes about 300 bytes for each position searched.
///
/// # Errors
///
/// Fails as [`probe_key`](crate::probe_key()) does.
pub fn holes(ours: &View<'_>, against: &View<'_>, start: &Chess, options: &HoleOptions) -> Result<Holes> {
    let mut search = Search { ours, against, options, seen: HashSet::new(), waiting: BinaryHeap::new() };
    let mut found = Holes { positions: 0, complete: true, found: 0, holes: Vec::new() };
    let begun = Instant::now();
    search.waiting.push(Box::new(Place::first(start)));
    while let Some(place) = search.waiting.pop() {
        if !search.seen.insert(place.key) {
            continue;
        }
        let is_over = found.positions >= options.positions_max || begun.elapsed() >= options.time_max;
        if is_over || found.found >= options.holes_max {
            found.complete = false;
            break;
        }
        found.positions += 1;
        if let Some(last) = search.look_at(&place)? {
            found.found += 1;
            if found.found <= options.listed_max {
                found.holes.push(hole(&place, last, start));
            }
        }
    }
    Ok(found)
}

struct Search<'s> {
    ours: &'s View<'s>,
    against: &'s View<'s>,
    options: &'s HoleOptions,
    /// The keys of the positions searched so far.
    seen: HashSet<Key>,
    waiting: BinaryHeap<Box<Place>>,
}

/// A position waiting to be searched, and how to get there.
struct Place {
    reach: f64,
    key: Key,
    position: Chess,
    plies: u32,
    /// The moves that lead to the position.
    line: Line,
    /// For the opponent's move that led here, its share and its number of games; `None` after one of our
    /// moves, and for the first position.
    last: Option<OfMove>,
}

/// A line of moves. Lines that begin with the same moves share the memory for them.
#[derive(Clone, Default)]
struct Line(Option<Rc<Step>>);

/// The last move of a line, and the moves that lead up to it.
struct Step {
    before: Line,
    m: Move,
}

/// A move's share, and its number of games, which is `None` in a Polyglot book.
type OfMove = (f64, Option<u64>);

impl Search<'_> {
    /// Follows the moves of a position. If the position is a hole because we have no move there, returns the
    /// share of the opponent's move that led to it, and that move's number of games.
    fn look_at(&mut self, place: &Place) -> Result<Option<OfMove>> {
        let key = place.key;
        if place.position.turn() == self.options.color {
            let moves = self.ours.probe_played(key)?;
            let moves = moves.map_or_else(Vec::new, |ours| legal(&ours, &place.position));
            let most = moves.iter().map(|&(_, (share, _))| share).fold(0.0, f64::max);
            // If no move has any games, all moves are equally likely.
            let even = ratio(1, moves.len() as u64);
            for &(m, (share, _)) in &moves {
                if share >= self.options.own_share.min(most) {
                    self.follow(place, m, if most > 0.0 { share } else { even }, None);
                }
            }
            // When the game is over, no answer is needed.
            let is_hole = moves.is_empty() && !place.position.is_game_over();
            return Ok(place.last.filter(|_| is_hole));
        }
        let Some(theirs) = self.against.probe_key(key)? else { return Ok(None) };
        for (m, of_move @ (share, games)) in legal(&theirs, &place.position) {
            let is_played = games.is_none_or(|games| games >= self.options.min_games);
            if share > 0.0 && share >= self.options.min_share && is_played {
                self.follow(place, m, share, Some(of_move));
            }
        }
        Ok(None)
    }

    fn follow(&mut self, place: &Place, m: Move, chance: f64, last: Option<OfMove>) {
        self.waiting.push(Box::new(place.after(m, chance, last)));
    }
}

impl Place {
    fn first(start: &Chess) -> Self {
        let (key, position) = (Key::of(start), start.clone());
        Self { reach: 1.0, key, position, plies: 0, line: Line::default(), last: None }
    }

    fn after(&self, m: Move, chance: f64, last: Option<OfMove>) -> Self {
        let position = position_after(&self.position, m);
        let (reach, key) = (self.reach * chance, self.key.after(&self.position, m));
        let line = Line(Some(Rc::new(Step { before: self.line.clone(), m })));
        Self { reach, key, position, plies: self.plies + 1, line, last }
    }
}

impl Line {
    /// The moves of the line, last one first.
    fn backwards(&self) -> impl Iterator<Item = Move> {
        iter::successors(self.0.as_deref(), |step| step.before.0.as_deref()).map(|step| step.m)
    }

    /// Compares two lines of equal length by the first move at which they differ.
    fn cmp_moves(&self, other: &Self) -> Ordering {
        let (mut pair, mut order) = ((self, other), Ordering::Equal);
        while let (Line(Some(a)), Line(Some(b))) = pair
            && !Rc::ptr_eq(a, b)
        {
            order = PackedMove::pack(a.m).cmp(&PackedMove::pack(b.m)).then(order);
            pair = (&a.before, &b.before);
        }
        order
    }
}

impl Drop for Line {
    /// Uses a loop to drop the moves of the line. By default, dropping a move would drop the previous move
    /// recursively, and a long line could overflow the stack.
    fn drop(&mut self) {
        let mut last = self.0.take();
        while let Some(mut step) = last.and_then(Rc::into_inner) {
            last = step.before.0.take();
        }
    }
}

/// The moves in `probe` that are legal in `position`, without duplicates, and with their shares and numbers
/// of games.
fn legal(probe: &KeyProbe, position: &Chess) -> Vec<(Move, OfMove)> {
    let mut moves: Vec<_> = probe.moves.iter().map(|known| known.mv).collect();
    moves.sort_unstable();
    moves.dedup();
    let all = probe.moves.iter().map(KeyMove::played).sum::<u64>().max(1);
    let of_move = |mv| {
        let known = || probe.moves.iter().filter(|known| known.mv == mv);
        let games = known().next().and_then(|known| known.tally).map(position::Tally::games);
        (ratio(known().map(KeyMove::played).sum(), all), games)
    };
    moves.into_iter().filter_map(|mv| Some((mv.unpack(position)?, of_move(mv)))).collect()
}

fn hole(place: &Place, (share, games): OfMove, start: &Chess) -> Hole {
    let (mut before, mut position) = (start.clone(), start.clone());
    let mut sans = Vec::new();
    let mut moves: Vec<_> = place.line.backwards().collect();
    moves.reverse();
    for &m in &moves {
        before = position.clone();
        sans.push(SanPlus::from_move_and_play_unchecked(&mut position, m).to_string());
    }
    let ucis: Vec<_> = moves.iter().map(|m| m.to_uci(CastlingMode::Standard).to_string()).collect();
    Hole {
        line: numbered(start, &sans),
        before: numbered(start, &sans[..sans.len() - 1]),
        key_before: Key::of(&before),
        play: ucis.join(","),
        fen: Fen::from_position(&position, EnPassantMode::Legal).to_string(),
        uci: ucis.last().cloned().unwrap_or_default(),
        san: sans.last().cloned().unwrap_or_default(),
        share,
        games,
        reach: place.reach,
    }
}

/// Orders places by how often they are reached. If two places are reached equally often, the place with the
/// shorter line is greater. If their lines are equally long too, the lines are compared at the first move
/// where they differ: the place with the smaller move is greater.
impl Ord for Place {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_length = || other.plies.cmp(&self.plies);
        let by_moves = || other.line.cmp_moves(&self.line);
        self.reach.total_cmp(&other.reach).then_with(by_length).then_with(by_moves)
    }
}

impl PartialOrd for Place {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Place {}
