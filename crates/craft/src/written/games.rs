//! Lines as games of PGN, with counts, scores and marks as comments and NAGs.

use std::io::{self, Write};

use shakmaty::{Chess, Color, Position as _};

use super::tree::{LineTree, Node, Played, Visit};
use crate::pgn::{Movetext, write_tags};

/// What is still to be written of a game with variations.
enum Task<'t> {
    Move {
        node: &'t Node,
        before: Chess,
        ply: u32,
    },
    Open,
    Close,
    /// What follows a node.
    Follow {
        node: &'t Node,
        board: Chess,
        ply: u32,
    },
}

/// Writes one game: the most played line, and every other as a variation.
pub(super) fn write_one(tree: &LineTree, out: &mut impl Write) -> io::Result<()> {
    let (root, start, beginning) = tree.root();
    tags(1, None, out)?;
    let mut text = Movetext::default();
    (0..).zip(beginning).for_each(|(ply, san)| text.push_move(ply, san));
    let mut tasks = vec![Task::Follow { node: root, board: start.clone(), ply: beginning.len() as u32 }];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Open => text.open(),
            Task::Close => text.close(),
            Task::Move { node, before, ply } => push_node(&mut text, node, before.turn(), ply),
            Task::Follow { node, board, ply } => tasks.extend(following(tree, node, &board, ply)),
        }
    }
    text.finish("*", out)
}

/// The tasks of what follows a node, the first one last: the main move, its variations, what follows it.
fn following<'t>(tree: &'t LineTree, node: &'t Node, board: &Chess, ply: u32) -> Vec<Task<'t>> {
    let mut tasks = Vec::new();
    for (node, at) in tree.children(node).zip(0..) {
        let (mut after, before) = (board.clone(), board.clone());
        node.played.iter().for_each(|played| played.play(&mut after));
        let (played, follow) =
            (Task::Move { node, before, ply }, Task::Follow { node, board: after, ply: ply + 1 });
        if at == 0 {
            tasks.extend([follow, played]);
        } else {
            // Before what follows the main move, and after the variations before it.
            let place = tasks.len().min(1);
            tasks.splice(place..place, [Task::Close, follow, played, Task::Open]);
        }
    }
    tasks
}

/// Writes a game a line.
pub(super) fn write_each(tree: &LineTree, out: &mut impl Write) -> io::Result<()> {
    let mut number = 0;
    tree.visit(|Visit { node, sans, board, opening }| {
        if !node.children.is_empty() || sans.is_empty() {
            return Ok(());
        }
        number += 1;
        tags(number, opening, out)?;
        let mut text = Movetext::default();
        let (last, before) = sans.split_last().map_or(("", sans), |(last, before)| (last.as_str(), before));
        (0..).zip(before).for_each(|(ply, san)| text.push_move(ply, san));
        let ply = before.len() as u32;
        match &node.played {
            Some(_) => push_node(&mut text, node, !board.turn(), ply),
            None => text.push_move(ply, last),
        }
        text.finish("*", out)
    })
}

fn tags(number: u64, opening: Option<query::Opening>, out: &mut impl Write) -> io::Result<()> {
    let round = number.to_string();
    let mut tags = vec![
        ("Event", "?"),
        ("Site", "?"),
        ("Date", "????.??.??"),
        ("Round", round.as_str()),
        ("White", "?"),
        ("Black", "?"),
        ("Result", "*"),
    ];
    if let Some(opening) = opening {
        tags.extend([("ECO", opening.eco), ("Opening", opening.name)]);
    }
    write_tags(&tags, out)
}

/// A move with its mark and its comment.
fn push_node(text: &mut Movetext, node: &Node, mover: Color, ply: u32) {
    let Some(played) = &node.played else { return };
    text.push_move(ply, &played.san.to_string());
    if let Some(nag) = played.known.and_then(|known| known.nag) {
        text.push_nag(nag);
    }
    text.push_comment(&comment(played, mover));
}

/// Games, the mover's score, the share, and what was learned.
fn comment(played: &Played, mover: Color) -> String {
    let mut parts = Vec::new();
    if let Some(tally) = played.tally {
        let games = tally.games();
        parts.push(format!("{games} {}", if games == 1 { "game" } else { "games" }));
        parts.extend(tally.score(mover).map(|score| format!("scores {:.1} %", 100.0 * score)));
    }
    parts.extend(played.weight.map(|weight| format!("weight {weight}")));
    parts.push(format!("{:.1} % of the moves", 100.0 * played.share));
    if let Some(known) = played.known.filter(|known| known.learn_count > 0) {
        parts.push(format!("learned {:+.2}", known.learn));
    }
    parts.join(", ")
}
