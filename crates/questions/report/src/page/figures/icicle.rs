//! Draws the opening tree as an icicle chart: each ply is a column, and each move is as tall as its share of
//! the games.
//!
//! A box is an `svg` element that contains its text; its position is a percentage of the whole chart. When
//! the reader opens a box, the document's script moves all boxes. `data-up` is the number of the previous
//! move's box, `data-board` the pieces after the move in FEN notation, and `data-opening` the opening.

use std::fmt::{self, Write as _};

use experience::{KnownExperience, signed};
use position::Tally;
use shakmaty::{Chess, Position as _};

use super::SCORES;
use crate::{
    markup::escaped,
    numbers::{games, percent, ratio, score},
    page::tree::{Move, Tree, WHOLE},
};

/// The height of the tree in pixels. `TEXT_HEIGHT` is the height of the smallest box with room for its text.
const HEIGHT: f64 = 830.0;
const TEXT_HEIGHT: f64 = 12.0;
/// The text of the first box is written horizontally if it has at most this many characters.
const ACROSS_MOST: usize = 8;

/// Draws the tree, with a legend of its colours above it.
pub(in crate::page) fn icicle(tree: &Tree) -> String {
    let mut svg = legend();
    // Writing to a string cannot fail.
    let _ = write_boxes(&mut svg, tree);
    svg
}

fn legend() -> String {
    let mut svg =
        "<svg class=\"legend\" viewBox=\"0 0 500 36\"><text y=\"14\">White’s score</text>".to_owned();
    for percent in 30..70 {
        let (x, color) =
            (150.0 + 7.5 * f64::from(percent - 30), SCORES.of((f64::from(percent) + 0.5) / 100.0));
        svg += &format!("<rect x=\"{x}\" y=\"4\" width=\"8\" height=\"12\" fill=\"{color}\"/>");
    }
    let texts = ["≤ 30 %", "40 %", "50 %", "60 %", "≥ 70 %"];
    for (x, text) in [150, 225, 300, 375, 450].into_iter().zip(texts) {
        svg += &format!("<text class=\"middle\" x=\"{x}\" y=\"30\">{text}</text>");
    }
    svg + "</svg>\n"
}

fn write_boxes(svg: &mut String, tree: &Tree) -> fmt::Result {
    let moves = &tree.moves;
    let columns = moves.iter().map(|it| it.ply).max().unwrap_or(0) + 1;
    let text_height = 100.0 * TEXT_HEIGHT / HEIGHT;
    write_columns(svg, &tree.way.position, columns)?;
    writeln!(
        svg,
        "<svg class=\"boxes\" height=\"{HEIGHT}\" style=\"--columns:{columns}\" data-text-height=\"{text_height:.2}\">"
    )?;
    write_box(svg, tree, None, (0, columns))?;
    // For each position, the upper edge of the box of its next move. Index 0 is the first position.
    let mut next = vec![0; moves.len() + 1];
    for (at, it) in moves.iter().enumerate() {
        let before = it.parent.map_or(0, |parent| parent + 1);
        let top = next[before];
        next[before] += it.share;
        next[at + 1] = top;
        write_box(svg, tree, Some(at), (top, columns))?;
    }
    writeln!(svg, "</svg>")
}

/// Writes each column's move number above it: `1.` for White's move, `1...` for Black's.
fn write_columns(svg: &mut String, first: &Chess, columns: u32) -> fmt::Result {
    let (width, black) = (100.0 / f64::from(columns), first.turn().fold_wb(0, 1));
    write!(svg, "<svg class=\"columns\" style=\"--columns:{columns}\"><svg width=\"{width:.3}%\"></svg>")?;
    for column in 1..columns {
        let (x, half) = (width * f64::from(column), black + column - 1);
        let (number, dots) =
            (first.fullmoves().get().saturating_add(half / 2), ["", ".."][half as usize % 2]);
        write!(
            svg,
            "<svg x=\"{x:.3}%\" width=\"{width:.3}%\"><text x=\"50%\" y=\"12\">{number}.{dots}</text></svg>"
        )?;
    }
    writeln!(svg, "</svg>")
}

/// Writes the box of a move, or of the first position if `at` is `None`. `top` is the upper edge of the
/// box, from 0 to [`WHOLE`].
fn write_box(svg: &mut String, tree: &Tree, at: Option<usize>, (top, columns): (u64, u32)) -> fmt::Result {
    let it = at.map(|at| &tree.moves[at]);
    let (ply, share) = it.map_or((0, WHOLE), |it| (it.ply, it.share));
    let (tally, opening) = it.map_or((tree.tally, tree.opening), |it| (it.tally, it.opening));
    let after: &Chess = it.map_or(&tree.way.position, |it| &it.after);
    let width = 100.0 / f64::from(columns);
    let (x, [y, height]) =
        (width * f64::from(ply), [top, share].map(|part| 100.0 * part as f64 / WHOLE as f64));
    write!(svg, "<svg x=\"{x:.3}%\" y=\"{y:.4}%\" width=\"{width:.3}%\" height=\"{height:.4}%\"")?;
    if let Some(it) = it {
        write!(svg, " data-up=\"{}\"", it.parent.map_or(0, |parent| parent + 1))?;
    }
    write!(svg, " data-board=\"{}\"", after.board().board_fen())?;
    if let Some(opening) = opening {
        write!(svg, " data-opening=\"{}\"", escaped(&opening.to_string()))?;
    }
    let (color, label) =
        (SCORES.of(score(tally).unwrap_or(0.5)), it.map_or_else(|| first_label(tree), label));
    let down = if it.is_none() && label.chars().count() > ACROSS_MOST { " class=\"down\"" } else { "" };
    let hidden = if height < 100.0 * TEXT_HEIGHT / HEIGHT { " display=\"none\"" } else { "" };
    writeln!(
        svg,
        "><title>{}</title><rect width=\"100%\" height=\"100%\" fill=\"{color}\"/><text x=\"50%\" y=\"50%\"{down}{hidden}>{}</text></svg>",
        escaped(&title(tree, at)),
        escaped(&label)
    )
}

/// The text in a box: the move, its mark and its learned value.
fn label(it: &Move) -> String {
    let Some(known) = &it.known else { return it.san.clone() };
    let learned = known.learn.map_or_else(String::new, |learn| format!(" {}", signed(learn)));
    format!("{}{}{learned}", it.san, known.mark.unwrap_or_default())
}

/// The text in the first position's box: the moves that lead there, or `start`.
fn first_label(tree: &Tree) -> String {
    let line = tree.line(None);
    if line.is_empty() { "start".to_owned() } else { line }
}

/// The tooltip of a box: its line, then its numbers.
fn title(tree: &Tree, at: Option<usize>) -> String {
    let Some(at) = at else {
        return format!("{}\n{}\n{}", first_label(tree), games(tree.tally.games()), results(tree.tally));
    };
    let it = &tree.moves[at];
    let known = it.known.iter().flat_map(KnownExperience::values).map(|(_, text)| format!("\n{text}"));
    format!(
        "{}\n{} of all games come this way\n{} with this move in this position\n{}{}",
        tree.line_onward(at),
        percent(ratio(it.share, WHOLE)),
        games(it.tally.games()),
        results(it.tally),
        known.collect::<String>()
    )
}

fn results(tally: Tally) -> String {
    let share = |part| percent(ratio(part, tally.games()));
    format!(
        "White won {}, drawn {}, Black won {}\nWhite’s score {}",
        share(tally.white),
        share(tally.draws),
        share(tally.black),
        percent(score(tally))
    )
}
