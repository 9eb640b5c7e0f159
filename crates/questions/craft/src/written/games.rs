//! Writes lines as PGN games, with counts, scores and marks as comments and NAGs.

use std::fmt::{self, Write as _};

use shakmaty::{Chess, Color, Position as _, san::SanPlus};

use super::{
    pieces::Tasks,
    tree::{LineTree, Node, Played, Start},
    visit::{LineStyle, Visit},
};
use crate::{
    decimal::Decimal,
    pgn::{Movetext, Wrap, push_game_tags},
};

/// Writes a single game that contains all lines from the position `start`: the most played line is the main
/// line, and the others are variations.
pub(super) struct Variations<'t> {
    pub(super) tree: &'t LineTree,
    pub(super) start: Start<'t>,
}

/// A part of the game that has not been written yet.
#[derive(Clone)]
pub(super) enum Task<'t> {
    Move { played: &'t Played, san: SanPlus, mover: Color, ply: u32, is_variation: bool },
    EndOfVariation,
    Follow { node: &'t Node, board: Chess, ply: u32 },
}

impl<'t> Variations<'t> {
    /// The task that writes everything after the position where the lines begin.
    pub(super) fn first(&self) -> Task<'t> {
        let Start { node, board, ply, .. } = self.start;
        Task::Follow { node, board: board.clone(), ply }
    }

    /// The moves that lead to the position where the lines begin, as movetext.
    pub(super) fn beginning(&self) -> String {
        LineStyle::Numbered.line(self.start.beginning)
    }

    /// Adds the tasks that write the text after a node; the last task added is done first. In the text, the
    /// main move comes first, then its variations, and then the moves that follow the main move.
    fn follow(&self, node: &'t Node, board: &Chess, ply: u32, next: &mut Vec<Task<'t>>) {
        let mover = board.turn();
        let tasks = |node: &'t Node, is_variation| {
            let (played, mut board) = (node.played.as_ref()?, board.clone());
            let san = played.mv.play_with_san(&mut board)?;
            let played = Task::Move { played, san, mover, ply, is_variation };
            Some([Task::Follow { node, board, ply: ply + 1 }, played])
        };
        let Some((main, variations)) = self.tree.children(node).split_first() else { return };
        let Some([follow_main, main]) = tasks(main, false) else { return };
        next.push(follow_main);
        for [follow, played] in variations.iter().rev().filter_map(|node| tasks(node, true)) {
            next.extend([Task::EndOfVariation, follow, played]);
        }
        next.push(main);
    }

    /// Whether the move at `ply` comes directly after the moves in [`beginning`](Start::beginning).
    fn is_after_moves(&self, ply: u32) -> bool {
        let beginning = self.start.beginning;
        !beginning.is_empty() && beginning.len() == ply as usize
    }
}

impl<'t> Tasks for Variations<'t> {
    type Task = Task<'t>;

    fn lines(task: &Task<'t>) -> u64 {
        match task {
            Task::Follow { node, .. } => node.lines.into(),
            Task::Move { .. } | Task::EndOfVariation => 0,
        }
    }

    fn take(
        &self,
        task: Task<'t>,
        _: &mut String,
        text: &mut String,
        next: &mut Vec<Task<'t>>,
    ) -> fmt::Result {
        match task {
            Task::Follow { node, board, ply } => self.follow(node, &board, ply, next),
            Task::Move { played, san, mover, ply, is_variation: false } if self.is_after_moves(ply) => {
                push_move(Movetext::after_move(text), played, (mover, ply), san)?;
            }
            Task::Move { played, san, mover, ply, is_variation } => {
                let mut moves = Movetext::of(text);
                if is_variation {
                    moves.open()?;
                }
                push_move(moves, played, (mover, ply), san)?;
            }
            Task::EndOfVariation => Movetext::of(text).close(),
        }
        Ok(())
    }
}

/// Adds a game for the line, if the line ends at this node.
pub(super) fn push_game(visit: &Visit<'_>, text: &mut String) -> fmt::Result {
    let Visit { node, line, before, ply, board, opening, lines_before, root, .. } = *visit;
    if !node.children.is_empty() || line.is_empty() {
        return Ok(());
    }
    let name = opening.map(|opening| (opening.eco, opening.name));
    push_game_tags(lines_before + 1, name, root, text);
    let mut tokens = line.to_owned();
    if let Some(played) = &node.played {
        tokens.truncate(before);
        let moves = if before > 0 { Movetext::after_move(&mut tokens) } else { Movetext::of(&mut tokens) };
        push_move(moves, played, (!board.turn(), ply - 1), visit.san())?;
    }
    tokens.push_str(" *");
    Wrap::default().finish(&tokens, text);
    text.push('\n');
    Ok(())
}

/// Adds a move, the NAG of its mark, and its comment.
fn push_move(
    mut text: Movetext<'_>,
    played: &Played,
    (mover, ply): (Color, u32),
    san: impl fmt::Display,
) -> fmt::Result {
    text.push_move(ply, san)?;
    if let Some(nag) = played.known.as_ref().and_then(|known| known.nag) {
        text.push(format_args!("${nag}"))?;
    }
    text.push(Comment { played, mover })
}

/// The comment on a move: its games, the mover's score, its weight and share, and its learned value.
struct Comment<'t> {
    played: &'t Played,
    mover: Color,
}

impl fmt::Display for Comment<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Played { tally, share, weight, known, .. } = self.played;
        f.write_char('{')?;
        if let Some(tally) = tally {
            let games = tally.games();
            write!(f, "{games} {}, ", if games == 1 { "game" } else { "games" })?;
            if let Some(score) = tally.score(self.mover) {
                write!(f, "scores {} %, ", Decimal::<1>(100.0 * score))?;
            }
        }
        if let Some(weight) = weight {
            write!(f, "weight {weight}, ")?;
        }
        write!(f, "{} % of the moves", Decimal::<1>(100.0 * share))?;
        if let Some(known) = known.as_ref().filter(|known| known.learn_count > 0) {
            write!(f, ", learned {:+.2}", known.learn)?;
        }
        f.write_char('}')
    }
}
