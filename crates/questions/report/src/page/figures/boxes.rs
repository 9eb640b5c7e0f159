//! Box plots by opening.

use output::grouped;
use serde_json::{Value, json};

use super::{Figure, GRID, layout};
use crate::{
    markup::plain,
    page::spread::{Spread, Spreading},
};

const HEIGHT: u32 = 420;
/// Colours of the parts of an opening, in their order.
const PARTS: [&str; 3] = ["#9db8d2", "#5b9bd5", "#1f5f9e"];

/// A box for each opening and part; the boxes of an opening are side by side.
pub(in crate::page) fn boxes(spread: &Spread) -> Figure {
    let parts = spread.parts.iter().zip(PARTS.iter().cycle());
    let data: Vec<_> = parts.map(|((name, boxes), color)| part(name, boxes, color)).collect();
    let own = json!({
        "boxmode": "group", "legend": { "orientation": "h", "y": 1.12 }, "margin": { "t": 40, "r": 20 },
        "xaxis": { "automargin": true },
        "yaxis": { "title": { "text": spread.unit }, "gridcolor": GRID, "zeroline": false, "automargin": true },
    });
    Figure { id: spread.id.to_owned(), height: HEIGHT, data: data.into(), layout: layout(HEIGHT, own) }
}

fn part(name: &str, boxes: &[Spreading], color: &str) -> Value {
    let quantile = |at: usize| boxes.iter().map(|one| one.quantiles[at]).collect::<Vec<_>>();
    json!({
        "type": "box", "name": name, "x": boxes.iter().map(|one| plain(&one.opening)).collect::<Vec<_>>(),
        "lowerfence": quantile(0), "q1": quantile(1), "median": quantile(2), "q3": quantile(3), "upperfence": quantile(4),
        "hovertext": boxes.iter().map(|one| format!("{} numbers", grouped(one.numbers))).collect::<Vec<_>>(),
        "fillcolor": color, "line": { "color": "#444", "width": 1 }, "boxpoints": false,
    })
}
