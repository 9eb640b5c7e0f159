//! Finds the values of a book's positions by sweeping over them until nothing changes.
//!
//! # Definition
//!
//! A line that never leaves the book is a draw. So let V(k) be the value of a position if a line that stays
//! in the book for k plies counts as a draw. The position's value is the limit of V(k) as k grows. V(0) is 0.
//! V(k + 1) is the greater of two values: the most that the side to move can get outside the book, and the
//! highest −V(k) of the positions that its moves lead to.
//!
//! The limit is always reached. If a player can force more than 0 within k plies, every line that the player
//! forces has ended by then, because a draw after k plies would be worth only 0. So the player can force the
//! same within k + 1 plies. Therefore, as k grows, a V(k) above 0 never decreases and, by symmetry, a V(k)
//! below 0 never increases: V(k) only moves away from 0. V(k) is a whole number and never farther from 0 than
//! the most extreme evaluation, so it eventually stops changing.
//!
//! # How it is found
//!
//! A sweep visits the positions from last to first, beginning with those farthest from the start, and
//! overwrites each value immediately. This does not change the limit, because every stored value is between 0
//! and its limit: if this holds for the values that a new value is computed from, it also holds for the new
//! value. For the same reason, a value after k sweeps is at least as far from 0 as V(k). If most moves lead
//! farther from the start, a few sweeps suffice.
//!
//! There are two more kinds of sweeps. One kind runs before the sweeps for values, and rules out positions
//! about which nothing is known: such a sweep can only remove positions. The other kind runs afterwards, and
//! finds the nearest evaluation that each value comes from: such a sweep can only shorten distances. So the
//! order in which positions are visited does not matter for these sweeps either.

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
    /// Where each value comes from; `None` if there is no value, or if it is a draw because the game can stay
    /// in the book forever.
    found: Vec<Option<Found>>,
}

impl Values {
    /// Finds the values. For each position, `aside` is what the side to move can get outside the book, and
    /// `last` is the value to use if none of its moves has one.
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

    /// The first move on the way to the evaluation that a position's value comes from. `None` if the
    /// evaluation is the position's own, or if the value does not come from an evaluation.
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

/// Finds the positions that have an evaluation, and those with a line that reaches an evaluation or never
/// ends. All other positions have moves only to each other.
fn known(book: Horizon<'_>, is_evaluated: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut known = vec![true; book.len()];
    book.settle(|place| {
        let stays = is_evaluated(place) || book.edges(place).iter().any(|edge| known[edge.to as usize]);
        mem::replace(&mut known[place], stays) != stays
    });
    known
}

/// Finds the nearest evaluation that each value comes from.
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
