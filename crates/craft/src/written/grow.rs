//! How the lines of an artefact grow: what comes up most often is followed first.

use std::{cmp::Reverse, collections::BTreeMap, ops::ControlFlow};

use position::Key;
use query::{Artefact, KeyProbe, LookUps, Visited};
use shakmaty::{Chess, Color, Position as _};

use super::{
    LinesOptions, Written,
    choices::{Choice, Choices},
    tree::{LineTree, Node},
};
use crate::Result;

/// Lines that grow.
struct Growing<'a, 'o> {
    options: &'o LinesOptions,
    look_ups: LookUps<'a>,
    /// The side whose replies are followed though they are no moves of the book.
    replies_of: Option<Color>,
    nodes: Vec<Node>,
    written: Written,
    /// Whether White has moves, and whether Black has.
    sides: [bool; 2],
    /// Positions that are not followed yet. The last one is next: it comes up most often, and of those that
    /// come up as often it was met first.
    waiting: BTreeMap<(u64, Reverse<u32>), Waiting>,
}

/// A position that is not followed yet.
struct Waiting {
    /// How often it comes up, as a part of all lines.
    reach: f64,
    ply: u32,
    key: Key,
    board: Chess,
}

/// Follows the lines of an artefact. Of a book that has moves of one side alone, the other side's replies
/// that lead back into it are followed, too.
pub(super) fn grow(
    artefact: &Artefact,
    options: &LinesOptions,
    threads: usize,
    go_on: &(dyn Fn() -> ControlFlow<()> + Sync),
) -> Result<LineTree> {
    let growing = |replies_of| Growing {
        options,
        look_ups: LookUps::of(artefact, threads, go_on),
        replies_of,
        nodes: vec![Node::default()],
        written: Written { lines: 1, ..Written::default() },
        sides: [false; 2],
        waiting: BTreeMap::new(),
    };
    let grown = growing(None).grow(go_on)?;
    let first = options.start.position.turn();
    let is_missing = |side: &Color| !grown.sides[usize::from(side.is_black())];
    let grown = match [first, !first].into_iter().find(is_missing) {
        Some(side) if !matches!(artefact, Artefact::Table(_)) => growing(Some(side)).grow(go_on)?,
        _ => grown,
    };
    let beginning = (options.start.moves.clone(), options.start.position.clone());
    Ok(LineTree::of(grown.nodes, beginning, grown.written))
}

impl Growing<'_, '_> {
    fn grow(mut self, go_on: &dyn Fn() -> ControlFlow<()>) -> Result<Self> {
        let start = &self.options.start;
        let (ply, board) = (start.moves.len() as u32, start.position.clone());
        self.wait(0, Waiting { reach: 1.0, ply, key: Key::of(&board), board });
        while let Some(((_, Reverse(place)), next)) = self.waiting.pop_last() {
            if go_on().is_break() {
                return Err(query::Error::Stopped.into());
            }
            match self.look_ups.visit(next.key)? {
                Visited::First(found) => self.follow(place, found, &next)?,
                Visited::Again => self.nodes[place as usize].transposes = true,
            }
        }
        self.written.moves = self.nodes.len() as u64 - 1;
        Ok(self)
    }

    fn wait(&mut self, place: u32, position: Waiting) {
        // Numbers that are not negative are ordered as their bits.
        self.waiting.insert((position.reach.to_bits(), Reverse(place)), position);
    }

    /// Adds the moves of a position that are wanted.
    fn follow(&mut self, place: u32, found: Option<KeyProbe>, at: &Waiting) -> Result<()> {
        self.written.positions += 1;
        let mut choices = match found {
            Some(found) => Choices::of(&found, self.look_ups.artefact(), &at.board)?,
            None => Choices::default(),
        };
        self.written.illegal += choices.illegal;
        let turn = at.board.turn();
        if choices.moves.is_empty() && self.replies_of == Some(turn) {
            choices.moves = Choices::replies(self.look_ups.artefact(), &at.board)?;
        }
        self.sides[usize::from(turn.is_black())] |= !choices.moves.is_empty();
        let moves = self.wanted(choices.moves, at.ply);
        let first = self.nodes.len() as u32;
        let node = &mut self.nodes[place as usize];
        (node.tally, node.children) = (choices.tally, first..first + moves.len() as u32);
        for (Choice { m, played }, place) in moves.into_iter().zip(first..) {
            let (reach, key) = (at.reach * played.share, at.key.after(&at.board, m));
            let mut board = at.board.clone();
            board.play_unchecked(m);
            self.wait(place, Waiting { reach, ply: at.ply + 1, key, board });
            self.nodes.push(Node { played: Some(played), ..Node::default() });
        }
        Ok(())
    }

    /// The moves that are wanted after `ply` plies; counts the others.
    fn wanted(&mut self, mut moves: Vec<Choice>, ply: u32) -> Vec<Choice> {
        let (options, all) = (self.options, moves.len());
        moves.retain(|Choice { played, .. }| {
            let is_played = played.tally.is_none_or(|tally| tally.games() >= options.min_games);
            is_played && played.share >= options.min_share
        });
        if options.max_ply.is_some_and(|last| ply >= last) {
            moves.clear();
        }
        if let Some(most) = options.lines {
            moves.truncate((most - self.written.lines) as usize + 1);
        }
        self.written.left_out += (all - moves.len()) as u64;
        self.written.lines += (moves.len() as u64).saturating_sub(1);
        moves
    }
}
