//! Charts as plotly.js takes them: traces and a layout, in JSON (<https://plotly.com/javascript/reference/>).
//!
//! Blue is White's and orange Black's everywhere: people who confuse red and green can distinguish them.
//! Plotly reads markup in the texts of a chart, so a text from outside goes through [`plain`].

mod bars;
mod boxes;
mod icicle;

use serde::Serialize;
use serde_json::{Value, json};

pub(super) use bars::{GAMES_SCORED, by_group, left_out};
pub(super) use boxes::boxes;
pub(super) use icicle::icicle;

/// The colour of games won by White.
const WHITE: &str = "#5b9bd5";
/// The colour of draws, and of a score of one half.
const EVEN: &str = "#dcdcd6";
/// The colour of games won by Black.
const BLACK: &str = "#e58c3c";
/// The colour of text and lines.
const INK: &str = "#1f2328";
/// The colour of grid lines.
const GRID: &str = "#e4e4e0";

/// A chart.
#[derive(Serialize)]
pub(super) struct Figure {
    /// The id of the element it is drawn in.
    pub(super) id: String,
    /// Height in pixels.
    pub(super) height: u32,
    data: Value,
    layout: Value,
}

/// The layout that all charts share; entries of `own` replace its entries.
fn layout(height: u32, own: Value) -> Value {
    let mut layout = json!({
        "height": height,
        "paper_bgcolor": "#fff",
        "plot_bgcolor": "#fff",
        "font": { "family": "system-ui, sans-serif", "size": 13, "color": INK },
        "hoverlabel": { "bgcolor": "#fff", "bordercolor": "#888", "font": { "color": INK }, "align": "left" },
    });
    if let (Some(layout), Value::Object(own)) = (layout.as_object_mut(), own) {
        layout.extend(own);
    }
    layout
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_layout_keeps_what_all_share() {
        let layout = layout(300, json!({ "height": 400, "barmode": "stack" }));
        assert_eq!((&layout["height"], &layout["barmode"]), (&json!(400), &json!("stack")));
        assert_eq!(layout["font"]["color"], INK);
    }
}
