//! The values of a book's positions, found by sweeps until nothing changes.
//!
//! # What is sought
//!
//! A line that never leaves the book is a draw. So the value of a position is the limit of V(k), its value
//! in the game that is drawn after k plies. V(0) is 0; V(k + 1) is the best of what the side to move gets
//! without a move of the book, and of −V(k) of the positions that its moves lead to.
//!
//! The limit is reached. A player who can force more than 0 within k plies can force it within k + 1 plies:
//! the draw at the end is worth less, so none of the lines goes on that long. So for each threshold above 0
//! the positions that reach it only become more, and for each below 0 those that cannot stay above it, too:
//! V(k) only moves away from 0. It is a whole number and never beyond the greatest evaluation, so at some k
//! nothing changes any more.
//!
//! # How it is found
//!
//! A sweep takes the positions from the last to the first, those farthest from the start first, and puts
//! each new value in the place of the old one at once. The limit is the same. A value in place is always
//! between 0 and its limit: if that holds of the positions that moves lead to, it holds of the position
//! before them. And after k sweeps it is at least as far from 0 as V(k), for the same reason. A few sweeps
//! are enough where most moves lead farther from the start.
//!
//! Positions of which nothing is known are left out before that. The sweeps that find them only take
//! positions away, and those that find the nearest evaluations only come nearer, so the order does not
//! matter there either.

use std::{cmp::Reverse, mem};

use super::value::Value;
use crate::graph::{Edge, Graph};

/// A value, and the depth of the search that found it.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Evaluation {
    pub(super) value: Value,
    pub(super) depth: u16,
}

/// How far away the evaluation is that gives a value, in plies, and its depth: the nearest one first, of
/// equally near ones the deepest.
type Found = (u32, Reverse<u16>);

/// The part of a graph that the bounds leave: positions up to a ply, those at it without their moves.
#[derive(Clone, Copy)]
pub(super) struct Horizon<'g> {
    pub(super) graph: &'g Graph<'g>,
    pub(super) plies: u32,
}

impl Horizon<'_> {
    /// How many positions there are. They are in the order of their plies.
    pub(super) fn len(&self) -> usize {
        self.graph.nodes().partition_point(|node| node.ply <= self.plies)
    }

    pub(super) fn edges(&self, place: usize) -> &[Edge] {
        let is_leaf = self.graph.nodes()[place].ply >= self.plies;
        if is_leaf { &[] } else { self.graph.edges(place as u32) }
    }

    /// Sweeps over all positions until no `change` reports one.
    fn settle(&self, mut change: impl FnMut(usize) -> bool) {
        while (0..self.len()).rev().fold(false, |changed, place| change(place) | changed) {}
    }
}

/// The values of positions.
pub(super) struct Values {
    /// `None` where nothing is known.
    pub(super) each: Vec<Option<Value>>,
    /// `None` where nothing is known, and where a draw by endless play gives the value.
    found: Vec<Option<Found>>,
}

impl Values {
    /// Finds the values. `aside` is what the side to move gets without a move of the book, in any position;
    /// `last` what it gets where no move has a value.
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

    /// The depth of the evaluation that gives a position's value.
    pub(super) fn depth(&self, place: usize) -> Option<u16> {
        self.found[place].map(|(_, depth)| depth.0)
    }

    /// The move that leads to the evaluation that gives a position's value; `None` where that evaluation is
    /// the position's own, and where there is none.
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

/// The positions of which something is known, or that a line without an end passes through. The others have
/// only moves to others.
fn known(book: Horizon<'_>, is_evaluated: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut known = vec![true; book.len()];
    book.settle(|place| {
        let stays = is_evaluated(place) || book.edges(place).iter().any(|edge| known[edge.to as usize]);
        mem::replace(&mut known[place], stays) != stays
    });
    known
}

/// The nearest evaluation that gives each value.
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
