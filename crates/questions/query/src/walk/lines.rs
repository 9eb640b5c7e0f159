//! Finds out how often each line comes up, by repeatedly splitting the set of walks at the next move.

use std::{cmp::Reverse, collections::BinaryHeap};

use position::ratio;
use serde::Serialize;
use shakmaty::{Chess, Color, Position as _};

use super::tree::Tree;

/// The walks that begin with the same moves.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Line {
    /// The moves that these walks have in common, in SAN.
    pub moves: Vec<String>,
    /// The same moves as text, with move numbers.
    pub text: String,
    /// Whether all of these walks end after these moves; `false` if at least some of them continue.
    pub whole: bool,
    /// The number of walks.
    pub walks: u64,
    /// These walks as a share of all walks.
    pub share: f64,
    /// White's score in the line's last position, 0 to 1; `None` if the position has no counts.
    pub score: Option<f64>,
}

/// The totals of the lines that are not listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct OtherLines {
    /// The number of lines.
    pub lines: u64,
    /// The number of walks.
    pub walks: u64,
    /// These walks as a share of all walks.
    pub share: f64,
}

/// A set of walks: those that reached a node or, if `whole`, only those that ended there. Sets are ordered by
/// the number of walks. If two sets have the same number of walks, the set whose node was added to the tree
/// earlier is greater.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
struct WalkGroup {
    walks: u64,
    node: Reverse<usize>,
    whole: bool,
}

/// The most frequent lines, at most `most` of them, and the totals of all other lines.
///
/// Every walk belongs to exactly one line. The most frequent line is repeatedly split at the next move, until
/// there are `most` lines or no line can be split.
pub(super) fn lines(tree: &Tree, start: &Chess, most: usize) -> (Vec<Line>, OtherLines) {
    let mut groups = groups(tree, most.max(1));
    groups.sort_unstable_by(|a, b| b.cmp(a));
    let rest = groups.split_off(groups.len().min(most.max(1)));
    let all = tree.root().walks;
    let walks = rest.iter().map(|group| group.walks).sum();
    let others = OtherLines { lines: rest.len() as u64, walks, share: share(walks, all) };
    (groups.iter().map(|group| line(tree, start, *group)).collect(), others)
}

fn groups(tree: &Tree, most: usize) -> Vec<WalkGroup> {
    let group = |node: usize| WalkGroup { walks: tree.nodes[node].walks, node: Reverse(node), whole: false };
    let mut open = BinaryHeap::from([group(Tree::ROOT)]);
    let mut done = Vec::new();
    while let Some(commonest) = open.pop() {
        let node = &tree.nodes[commonest.node.0];
        // If all walks continue with the same move, the line just gets longer.
        let splits = node.children.len() + usize::from(node.ended > 0) > 1;
        if node.children.is_empty() {
            done.push(WalkGroup { whole: true, ..commonest });
        } else if splits && open.len() + done.len() + 1 >= most {
            done.push(commonest);
        } else {
            open.extend(node.children.iter().map(|&child| group(child)));
            if node.ended > 0 {
                done.push(WalkGroup { walks: node.ended, node: commonest.node, whole: true });
            }
        }
    }
    done
}

fn line(tree: &Tree, start: &Chess, group: WalkGroup) -> Line {
    let node = &tree.nodes[group.node.0];
    let mut position = start.clone();
    let moves = tree.line(group.node.0).into_iter();
    let moves: Vec<_> = moves.map_while(|mv| Some(mv.play_with_san(&mut position)?.to_string())).collect();
    Line {
        text: numbered(start, &moves),
        moves,
        whole: group.whole,
        walks: group.walks,
        share: share(group.walks, tree.root().walks),
        score: node.score,
    }
}

/// Moves in SAN with their numbers: `1. e4 e5 2. Nf3`, or `1... e5 2. Nf3` if Black begins.
#[must_use]
pub fn numbered(start: &Chess, moves: &[String]) -> String {
    let (mut number, mut turn) = (start.fullmoves().get(), start.turn());
    let mut words = Vec::new();
    for (at, san) in moves.iter().enumerate() {
        words.push(match turn {
            Color::White => format!("{number}. {san}"),
            Color::Black if at == 0 => format!("{number}... {san}"),
            Color::Black => san.clone(),
        });
        number += u32::from(turn == Color::Black);
        turn = turn.other();
    }
    words.join(" ")
}

/// Returns `walks` as a share of `all`, or 0 if `all` is 0. The function is also used for weights and for
/// games.
pub(crate) fn share(walks: u64, all: u64) -> f64 {
    if all == 0 { 0.0 } else { ratio(walks, all) }
}
