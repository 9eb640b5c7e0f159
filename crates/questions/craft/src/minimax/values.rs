//! Finds the values of a book's positions by sweeping over them until nothing changes.
//!
//! # Definition
//!
//! A line that never leaves the book counts as a draw. So let V(k) be the value that a position would have if
//! every line that stays in the book for k plies counted as a draw. The position's value is the limit of V(k)
//! as k grows. V(0) is 0. V(k + 1) is the greater of two values: the best value that the side to move can get
//! outside the book, and the highest −V(k) of the positions that its moves lead to.
//!
//! The limit is always reached. Suppose that V(k) is above 0. Then the side to move can play so that every
//! line leaves the book within k plies, because a line that stayed in the book would be worth only 0. If the
//! side to move plays in the same way, it gets at least V(k) within k + 1 plies as well. Therefore, V(k + 1)
//! is at least V(k). By symmetry, if V(k) is below 0, V(k + 1) is at most V(k). So V(k) only moves away from
//! 0 as k grows. V(k) is a whole number and never farther from 0 than the most extreme evaluation, so it
//! eventually stops changing.
//!
//! # How the values are found
//!
//! A sweep visits the positions from last to first, beginning with those farthest from the start, and
//! overwrites each value immediately. Overwriting does not change the limits, because every stored value is
//! between 0 and the limit of its position: a value that is computed from such values is also between 0 and
//! its limit. For the same reason, a value after k sweeps is at least as far from 0 as V(k). If most moves
//! lead farther from the start, a few sweeps suffice.
//!
//! There are also sweeps before and after the sweeps for values. The earlier sweeps rule out positions about
//! which nothing is known; they can only remove positions. The later sweeps find, for each position, the
//! nearest evaluation that the position's value comes from; they can only shorten distances. So the order in
//! which positions are visited does not matter for these sweeps either.

use std::{cmp::Reverse, mem};

use super::value::Value;
use crate::graph::{Edge, Graph};

/// A value, and the depth of the search that found it.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Evaluation {
    pub(super) value: Value,
    pub(super) depth: u16,
}

/// The distance in plies from a position to the evaluation that its value comes from, and the depth of this
/// evaluation. Nearer evaluations sort before farther ones and, at the same distance, deeper ones before
/// shallower ones.
type Found = (u32, Reverse<u16>);

/// The part of a graph up to ply `plies`. Positions at this ply are treated as if they had no moves.
#[derive(Clone, Copy)]
pub(super) struct Horizon<'g> {
    pub(super) graph: &'g Graph<'g>,
    pub(super) plies: u32,
}

impl Horizon<'_> {
    /// The number of positions in this part. They are the graph's first positions, because nodes are sorted
    /// by ply.
    pub(super) fn len(&self) -> usize {
        self.graph.nodes.partition_point(|node| node.ply <= self.plies)
    }

    pub(super) fn edges(&self, place: usize) -> &[Edge] {
        let is_leaf = self.graph.nodes[place].ply >= self.plies;
        if is_leaf { &[] } else { self.graph.edges(place as u32) }
    }

    /// Calls `change` for every position, from last to first, and repeats this until no call returns `true`.
    fn settle(&self, mut change: impl FnMut(usize) -> bool) {
        while (0..self.len()).rev().fold(false, |changed, place| change(place) | changed) {}
    }
}

/// The values of positions.
pub(super) struct Values {
    /// The value of each position; `None` if nothing is known about it.
    pub(super) each: Vec<Option<Value>>,
    /// Where the value of each position comes from. `None` if the position has no value, or if its value is a
    /// draw because the game can stay in the book forever.
    found: Vec<Option<Found>>,
}

impl Values {
    /// Finds the values. For each position, `aside` is the best value that the side to move can get outside
    /// the book, and `last` is the value to use if none of the position's moves has a value.
    pub(super) fn of(book: Horizon<'_>, aside: &[Option<Evaluation>], last: &[Option<Evaluation>]) -> Self {
        let known = known(book, |place| aside[place].or(last[place]).is_some());
        let goes_on = |place: usize| book.edges(place).iter().any(|edge| known[edge.to as usize]);
        let goes_on: Vec<_> = (0..book.len()).map(goes_on).collect();
        let base = |place: usize| aside[place].or_else(|| last[place].filter(|_| !goes_on[place]));
        let first = |place: usize| if goes_on[place] { Some(Value::DRAW) } else { Some(base(place)?.value) };
        let mut values: Vec<_> = (0..book.len()).map(first).collect();
        book.settle(|place| {
            let moves = book.edges(place).iter().filter_map(|edge| values[edge.to as usize]);
            let best = moves.map(Value::before).chain(base(place).map(|base| base.value)).max();
            mem::replace(&mut values[place], best) != best
        });
        let found = found(book, base, &values);
        Self { each: values, found }
    }

    /// The depth of the evaluation that a position's value comes from.
    pub(super) fn depth(&self, place: usize) -> Option<u16> {
        self.found[place].map(|(_, depth)| depth.0)
    }

    /// The first move of the line from a position to the evaluation that the position's value comes from.
    /// `None` if the evaluation is the position's own, or if the value does not come from an evaluation.
    pub(super) fn best(&self, book: Horizon<'_>, place: usize) -> Option<Edge> {
        let (plies, depth) = self.found[place]?;
        let left = plies.checked_sub(1)?;
        let leads_there = |edge: &&Edge| {
            self.found[edge.to as usize] == Some((left, depth))
                && self.each[edge.to as usize].map(Value::before) == self.each[place]
        };
        book.edges(place).iter().find(leads_there).copied()
    }
}

/// Finds the positions about which something is known. These are the positions that have an evaluation, and
/// the positions from which a line reaches an evaluation or never ends. The moves of any other position lead
/// only to positions about which nothing is known.
fn known(book: Horizon<'_>, is_evaluated: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut known = vec![true; book.len()];
    book.settle(|place| {
        let stays = is_evaluated(place) || book.edges(place).iter().any(|edge| known[edge.to as usize]);
        mem::replace(&mut known[place], stays) != stays
    });
    known
}

/// Finds the evaluation that each position's value comes from. If there are several, finds the nearest one.
fn found(
    book: Horizon<'_>,
    base: impl Fn(usize) -> Option<Evaluation>,
    values: &[Option<Value>],
) -> Vec<Option<Found>> {
    let mut found = vec![None; book.len()];
    book.settle(|place| {
        let own = base(place).filter(|own| Some(own.value) == values[place]);
        let by_moves = book.edges(place).iter().filter_map(|edge| {
            let is_best = values[edge.to as usize].map(Value::before) == values[place];
            let (plies, depth): Found = found[edge.to as usize].filter(|_| is_best)?;
            Some((plies + 1, depth))
        });
        let nearest = by_moves.chain(own.map(|own| (0, Reverse(own.depth)))).min();
        mem::replace(&mut found[place], nearest) != nearest
    });
    found
}
