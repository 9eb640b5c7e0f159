//! The lines of an artefact as a tree: each position is followed once, on the line that comes up most often.

use std::{
    cmp::{Ordering, Reverse},
    collections::{BinaryHeap, HashMap, HashSet},
    ops::ControlFlow,
};

use position::{Experience, ExperienceKind, Key, PackedMove, Tally};
use query::{Artefact, KeyProbe, probe_key};
use shakmaty::{Chess, Color, Position as _, san::SanPlus};

use super::{LinesOptions, Written, moves::Moves};
use crate::Result;

/// A position at the end of a line.
#[derive(Default)]
pub(crate) struct Node {
    /// The move that leads there; the first position has none.
    pub(crate) played: Option<Played>,
    /// Games of the position, where they are known.
    pub(crate) tally: Option<Tally>,
    /// What follows, the most played move first.
    pub(crate) children: Vec<u32>,
    /// Whether another line has what follows.
    pub(crate) transposes: bool,
}

/// A move.
pub(crate) struct Played {
    pub(crate) mv: PackedMove,
    pub(crate) san: SanPlus,
    /// Games that played it; of a reply that the book does not have as a move, those of the position after
    /// it.
    pub(crate) tally: Option<Tally>,
    /// Its part of its position's games or weights.
    pub(crate) share: f64,
    pub(crate) weight: Option<u16>,
    pub(crate) known: Option<Experience>,
}

/// All lines.
pub(crate) struct LineTree {
    nodes: Vec<Node>,
    start: Chess,
    /// The moves that lead to the first position, in SAN.
    beginning: Vec<String>,
    written: Written,
    /// The side whose replies are followed though they are no moves of the book.
    replies_of: Option<Color>,
    /// The sides that have moves.
    sides: Vec<Color>,
}

/// A node on its way to be written, with the line that leads there.
pub(crate) struct Visit<'v> {
    pub(crate) node: &'v Node,
    /// The moves of the line in SAN, from the start position on.
    pub(crate) sans: &'v [String],
    pub(crate) board: &'v Chess,
    /// The last named position on the line.
    pub(crate) opening: Option<query::Opening>,
}

/// What an artefact has of a position.
#[derive(Default)]
struct Found {
    tally: Option<Tally>,
    /// The moves that are legal.
    moves: Vec<Played>,
    /// How many are not.
    illegal: u64,
}

/// A position that is not followed yet: the one that comes up most often is the greatest.
struct Waiting {
    reach: f64,
    number: u32,
    ply: u32,
    board: Chess,
}

impl LineTree {
    /// Follows the lines of an artefact. Of a book that has moves of one side alone, the other side's replies
    /// that lead back into it are followed, too.
    pub(crate) fn grow(
        artefact: &Artefact,
        options: &LinesOptions,
        go_on: &dyn Fn() -> ControlFlow<()>,
    ) -> Result<Self> {
        let tree = Self::grown(artefact, options, None, go_on)?;
        let first = options.start.position.turn();
        let is_missing = |side: &Color| !tree.sides.contains(side);
        match [first, !first].into_iter().find(is_missing) {
            Some(side) if !matches!(artefact, Artefact::Table(_)) => {
                Self::grown(artefact, options, Some(side), go_on)
            }
            _ => Ok(tree),
        }
    }

    fn grown(
        artefact: &Artefact,
        options: &LinesOptions,
        replies_of: Option<Color>,
        go_on: &dyn Fn() -> ControlFlow<()>,
    ) -> Result<Self> {
        let start = &options.start;
        let mut tree = Self {
            nodes: vec![Node::default()],
            start: start.position.clone(),
            beginning: start.moves.iter().map(ToString::to_string).collect(),
            written: Written { lines: 1, ..Written::default() },
            replies_of,
            sides: Vec::new(),
        };
        let mut moves = Moves::of(artefact, go_on);
        let (mut seen, mut waiting) = (HashSet::new(), BinaryHeap::new());
        let (ply, board) = (start.moves.len() as u32, start.position.clone());
        waiting.push(Waiting { reach: 1.0, number: 0, ply, board });
        while let Some(next) = waiting.pop() {
            if go_on().is_break() {
                return Err(query::Error::Stopped.into());
            }
            if seen.insert(Key::of(&next.board)) {
                tree.follow(&mut moves, options, &next, &mut waiting)?;
            } else {
                tree.nodes[next.number as usize].transposes = true;
            }
        }
        tree.written.positions = seen.len() as u64;
        tree.written.moves = tree.nodes.len() as u64 - 1;
        Ok(tree)
    }

    /// Adds the moves of a position that are wanted.
    fn follow(
        &mut self,
        known: &mut Moves<'_>,
        options: &LinesOptions,
        next: &Waiting,
        waiting: &mut BinaryHeap<Waiting>,
    ) -> Result<()> {
        let Found { tally, mut moves, illegal } = moves(known, &next.board)?;
        self.written.illegal += illegal;
        let turn = next.board.turn();
        if moves.is_empty() && self.replies_of == Some(turn) {
            moves = replies(known.artefact(), &next.board)?;
        }
        if !moves.is_empty() && !self.sides.contains(&turn) {
            self.sides.push(turn);
        }
        self.nodes[next.number as usize].tally = tally;
        let all = moves.len();
        moves.retain(|played| {
            let is_played = played.tally.is_none_or(|tally| tally.games() >= options.min_games);
            is_played && played.share >= options.min_share
        });
        if options.max_ply.is_some_and(|last| next.ply >= last) {
            moves.clear();
        }
        if let Some(most) = options.lines {
            moves.truncate((most - self.written.lines) as usize + 1);
        }
        self.written.left_out += (all - moves.len()) as u64;
        self.written.lines += (moves.len() as u64).saturating_sub(1);
        for played in moves {
            let Some(m) = played.mv.unpack(&next.board) else { continue };
            let (number, mut board) = (self.nodes.len() as u32, next.board.clone());
            board.play_unchecked(m);
            waiting.push(Waiting { reach: next.reach * played.share, number, ply: next.ply + 1, board });
            self.nodes[next.number as usize].children.push(number);
            self.nodes.push(Node { played: Some(played), ..Node::default() });
        }
        Ok(())
    }

    /// What the tree has.
    pub(crate) fn written(&self) -> Written {
        self.written
    }

    /// The first position.
    pub(crate) fn root(&self) -> (&Node, &Chess, &[String]) {
        (&self.nodes[0], &self.start, &self.beginning)
    }

    /// The nodes that a node's moves lead to.
    pub(crate) fn children<'t>(&'t self, node: &'t Node) -> impl DoubleEndedIterator<Item = &'t Node> {
        node.children.iter().map(|&child| &self.nodes[child as usize])
    }

    /// Visits every node, a line after another.
    pub(crate) fn visit<E>(&self, mut each: impl FnMut(Visit<'_>) -> Result<(), E>) -> Result<(), E> {
        let mut sans = self.beginning.clone();
        let first = query::Opening::on_line(&Chess::default(), &parsed(&sans));
        let mut open = vec![(&self.nodes[0], self.start.clone(), sans.len(), first)];
        while let Some((node, mut board, plies, opening)) = open.pop() {
            sans.truncate(plies);
            if let Some(played) = &node.played {
                sans.push(played.san.to_string());
                played.play(&mut board);
            }
            let opening = query::Opening::of(&board).or(opening);
            each(Visit { node, sans: &sans, board: &board, opening })?;
            open.extend(self.children(node).rev().map(|child| (child, board.clone(), sans.len(), opening)));
        }
        Ok(())
    }
}

impl Played {
    /// Plays it on the position before it.
    pub(crate) fn play(&self, board: &mut Chess) {
        if let Some(m) = self.mv.unpack(board) {
            board.play_unchecked(m);
        }
    }
}

fn parsed(sans: &[String]) -> Vec<SanPlus> {
    sans.iter().filter_map(|san| san.parse().ok()).collect()
}

/// Games of a position, and its moves that are legal: the largest share is first.
fn moves(moves: &mut Moves<'_>, board: &Chess) -> Result<Found> {
    let key = Key::of(board);
    let Some(found) = moves.at(key)? else { return Ok(Found::default()) };
    let mut moves = known_moves(&found, &known(moves.artefact(), key)?, board);
    by_share(&mut moves);
    let illegal = found.moves.iter().filter(|known| known.mv.unpack(board).is_none()).count() as u64;
    Ok(Found { tally: found.tally, moves, illegal })
}

fn by_share(moves: &mut [Played]) {
    moves.sort_by(|a, b| b.share.total_cmp(&a.share).then(a.mv.cmp(&b.mv)));
}

fn known_moves(found: &KeyProbe, known: &HashMap<PackedMove, Experience>, board: &Chess) -> Vec<Played> {
    let played = |(mv, shown): (PackedMove, query::ComparedMove)| {
        let (_, san) = mv.unpack_with_san(board)?;
        let tally = found.moves.iter().find(|known| known.mv == mv).and_then(|known| known.tally);
        let known = known.get(&mv).copied();
        Some(Played { mv, san, tally, share: shown.share, weight: shown.weight, known })
    };
    found.shares().into_iter().filter_map(played).collect()
}

/// Replies that lead to positions of a book, which has no moves of the side to move.
fn replies(artefact: &Artefact, board: &Chess) -> Result<Vec<Played>> {
    let mut replies = Vec::new();
    for m in board.legal_moves() {
        let mut after = board.clone();
        let san = SanPlus::from_move_and_play_unchecked(&mut after, m);
        if let Some(found) = probe_key(artefact, Key::of(&after))? {
            let (mv, tally) = (PackedMove::pack(m), found.tally);
            replies.push(Played { mv, san, tally, share: 0.0, weight: None, known: None });
        }
    }
    let parts: Vec<_> = replies.iter().map(|reply| reply.tally.map_or(1, Tally::games)).collect();
    let all = parts.iter().sum::<u64>().max(1);
    for (reply, part) in replies.iter_mut().zip(parts) {
        reply.share = crate::ratio(part, all);
    }
    by_share(&mut replies);
    Ok(replies)
}

/// What a book knows of the moves of a position.
fn known(artefact: &Artefact, key: Key) -> Result<HashMap<PackedMove, Experience>> {
    let Artefact::Book(book) = artefact else { return Ok(HashMap::new()) };
    let rows = book.experience_of(key).map_err(query::Error::from)?;
    let of_moves = rows.iter().filter(|row| row.kind == ExperienceKind::Book);
    Ok(of_moves.map(|row| (row.mv, row.experience)).collect())
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.reach.total_cmp(&other.reach).then(Reverse(self.number).cmp(&Reverse(other.number)))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}
