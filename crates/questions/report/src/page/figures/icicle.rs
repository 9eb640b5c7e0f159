//! The opening tree as an icicle: a column a ply, each move as tall as its share of the games.

use experience::{Known, signed};
use position::Tally;
use query::Opening;
use serde_json::{Value, json};
use shakmaty::{Chess, Position as _};

use super::{BLACK, EVEN, Figure, INK, WHITE, layout};
use crate::{
    markup::plain,
    numbers::{games, percent, ratio, score},
    page::tree::{Move, Tree, WHOLE},
};

const HEIGHT: u32 = 860;
/// White's scores at the two ends of the colour scale.
const SCORES: [f64; 2] = [0.3, 0.7];
/// The smallest letters, in pixels; a box that has no room for them has no text until the user opens it.
const LETTERS_LEAST: u32 = 10;
/// The height of the path that leads back.
const PATH_BAR: u32 = 26;

/// The picture of a tree.
pub(in crate::page) fn icicle(id: &str, tree: &Tree) -> Figure {
    let moves = tree.moves();
    // plotly counts the first position among the boxes.
    let parent = |parent: Option<usize>| parent.map_or_else(|| "start".to_owned(), |at| at.to_string());
    let ids = (0..moves.len()).map(|at| at.to_string());
    let trace = json!({
        "type": "icicle",
        "ids": with_first(json!("start"), ids.map(Value::from)),
        "labels": with_first(json!(first_label(tree)), moves.iter().map(|it| json!(label(it)))),
        "parents": with_first(json!(""), moves.iter().map(|it| json!(parent(it.parent)))),
        "values": with_first(json!(WHOLE), moves.iter().map(|it| json!(it.share))),
        "branchvalues": "total",
        "hovertext": with_first(json!(hover_start(tree)), (0..moves.len()).map(|at| json!(hover(tree, at)))),
        "hoverinfo": "text",
        "customdata": with_first(shown(tree, None), (0..moves.len()).map(|at| shown(tree, Some(at)))),
        "textinfo": "label",
        "insidetextfont": { "color": INK },
        "textposition": "middle center",
        "tiling": { "orientation": "h", "pad": 1 },
        "pathbar": { "thickness": PATH_BAR, "textfont": { "color": INK, "size": 14 } },
        "marker": {
            "colors": with_first(json!(score(tree.tally)), moves.iter().map(|it| json!(score(it.tally)))),
            "colorscale": [[0, BLACK], [0.5, EVEN], [1, WHITE]],
            "cmin": SCORES[0],
            "cmax": SCORES[1],
            "line": { "color": "#fff", "width": 0.5 },
            "showscale": true,
            "colorbar": colorbar(),
        },
    });
    let layout = layout(
        HEIGHT,
        json!({
            "margin": { "l": 0, "r": 0, "t": PATH_BAR + 4, "b": 4 },
            "uniformtext": { "mode": "hide", "minsize": LETTERS_LEAST },
        }),
    );
    Figure { id: id.to_owned(), height: HEIGHT, data: json!([trace]), layout }
}

fn with_first(first: Value, rest: impl Iterator<Item = Value>) -> Vec<Value> {
    std::iter::once(first).chain(rest).collect()
}

fn colorbar() -> Value {
    json!({
        "title": { "text": "White’s score" },
        "thickness": 14,
        "len": 0.5,
        "tickvals": [0.3, 0.4, 0.5, 0.6, 0.7],
        "ticktext": ["30 % and less", "40 %", "50 %", "60 %", "70 % and more"],
    })
}

/// The text of a box: the move, its mark and its learned value.
fn label(it: &Move) -> String {
    let Some(known) = &it.known else { return it.san.clone() };
    let learned = known.learn.map_or_else(String::new, |learn| format!(" {}", signed(learn)));
    format!("{}{}{learned}", it.san, known.mark.unwrap_or_default())
}

/// The text of the first position's box: the moves that lead there.
fn first_label(tree: &Tree) -> String {
    let line = tree.line(None);
    if line.is_empty() { "start".to_owned() } else { plain(&line) }
}

/// The data of the board beside the tree: the pieces as in a FEN, the opening, the moves.
fn shown(tree: &Tree, at: Option<usize>) -> Value {
    let (position, opening): (&Chess, Option<Opening>) = match at {
        Some(at) => (&tree.moves()[at].after, tree.moves()[at].opening),
        None => (&tree.way().position, tree.opening),
    };
    let opening = opening.map_or_else(String::new, |opening| opening.to_string());
    json!([position.board().board_fen().to_string(), opening, tree.line(at)])
}

fn hover_start(tree: &Tree) -> String {
    let line = first_label(tree);
    format!("<b>{line}</b><br>{}<br>{}", games(tree.tally.games()), results(tree.tally))
}

fn hover(tree: &Tree, at: usize) -> String {
    let it = &tree.moves()[at];
    let known = it.known.iter().flat_map(Known::values).map(|(_, text)| format!("<br>{text}"));
    format!(
        "<b>{}</b><br>{} of all games come this way<br>{} with this move in this position<br>{}{}",
        plain(&tree.line(Some(at))),
        percent(ratio(it.share, WHOLE)),
        games(it.tally.games()),
        results(it.tally),
        known.collect::<String>()
    )
}

fn results(tally: Tally) -> String {
    let share = |part| percent(ratio(part, tally.games()));
    format!(
        "White won {}, drawn {}, Black won {}<br>White’s score {}",
        share(tally.white),
        share(tally.draws),
        share(tally.black),
        percent(score(tally))
    )
}
