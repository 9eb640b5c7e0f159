//! Draws bars: games and scores by group, and games that do not count by reason.

use position::Tally;
use serde_json::{Value, json};

use super::{BLACK, EVEN, Figure, GRID, INK, WHITE, layout};
use crate::{
    markup::plain,
    numbers::{games, percent, score, score_error},
    page::{groups::Grouping, left_out::LeftOut},
};

const HEIGHT: u32 = 360;
/// Games that a group must have for its score to be drawn.
pub(in crate::page) const GAMES_SCORED: u64 = 20;
/// Height of a horizontal bar, with the space around it.
const BAR_HEIGHT: u32 = 30;
/// Heading, axis and legend around horizontal bars.
const AROUND_BARS: u32 = 110;
/// The colour of rejected games, which is neither side's.
const REJECTED: &str = "#8a4f7d";
/// The colour of filtered games.
const FILTERED: &str = "#9aa5b1";

/// The games of each group and, beside them, White's score with its 95 % interval.
pub(in crate::page) fn by_group(id: &str, grouping: &Grouping) -> Figure {
    let groups = Groups {
        names: grouping.groups.iter().map(|(name, _)| plain(name)).collect(),
        tallies: grouping.groups.iter().map(|(_, tally)| *tally).collect(),
        hover: grouping.groups.iter().map(|(name, tally)| hover(name, *tally)).collect(),
    };
    let data = json!([
        groups.bars("White won", WHITE, |tally| tally.white),
        groups.bars("drawn", EVEN, |tally| tally.draws),
        groups.bars("Black won", BLACK, |tally| tally.black),
        groups.scores(),
    ]);
    Figure { id: id.to_owned(), height: HEIGHT, data, layout: layout(HEIGHT, two_charts(&groups.names)) }
}

/// The numbers of the groups that are drawn.
struct Groups {
    names: Vec<String>,
    tallies: Vec<Tally>,
    hover: Vec<String>,
}

impl Groups {
    /// The bars of one result in each group's games.
    fn bars(&self, name: &str, color: &str, part: fn(Tally) -> u64) -> Value {
        json!({
            "type": "bar", "name": name, "x": self.names,
            "y": self.tallies.iter().map(|tally| part(*tally)).collect::<Vec<_>>(),
            "marker": { "color": color, "line": { "color": "#fff", "width": 0.5 } },
            "hovertext": self.hover, "hoverinfo": "text",
        })
    }

    /// A point for each group that has enough games.
    fn scores(&self) -> Value {
        let of_scored = |number: fn(Tally) -> Option<f64>| -> Vec<_> {
            let scored = |tally: &Tally| (tally.games() >= GAMES_SCORED).then_some(*tally);
            self.tallies.iter().map(|tally| scored(tally).and_then(number)).collect()
        };
        json!({
            "type": "scatter", "mode": "markers", "name": "White’s score", "showlegend": false,
            "xaxis": "x2", "yaxis": "y2", "x": self.names, "y": of_scored(score),
            "error_y": { "type": "data", "array": of_scored(score_error), "thickness": 1.2, "color": "#777" },
            "marker": { "size": 8, "color": INK },
            "hovertext": self.hover, "hoverinfo": "text",
        })
    }
}

/// Two charts side by side, both with the groups along the horizontal axis.
fn two_charts(names: &[String]) -> Value {
    let end = f64::from(names.len() as u32) - 0.4;
    let across = |domain: [f64; 2], anchor: &str| {
        json!({
            "type": "category", "categoryorder": "array", "categoryarray": names, "range": [-0.6, end],
            "domain": domain, "anchor": anchor, "automargin": true, "linecolor": "#999", "tickcolor": "#999", "ticks": "outside",
        })
    };
    let heading = |text: &str, x: f64| {
        json!({
            "text": text, "x": x, "xanchor": "left", "xref": "paper", "y": 1.02, "yanchor": "bottom", "yref": "paper",
            "showarrow": false, "font": { "size": 14 },
        })
    };
    json!({
        "barmode": "stack",
        "bargap": 0.25,
        "margin": { "l": 60, "r": 16, "t": 56, "b": 60 },
        "legend": { "orientation": "h", "x": 0.1, "xanchor": "left", "y": 1.02, "yanchor": "bottom", "traceorder": "normal" },
        "xaxis": across([0.0, 0.47], "y"),
        "xaxis2": across([0.55, 1.0], "y2"),
        "yaxis": { "gridcolor": GRID, "rangemode": "tozero", "tickformat": ",d", "nticks": 6 },
        "yaxis2": { "gridcolor": GRID, "anchor": "x2", "tickformat": ".0%" },
        "annotations": [heading("<b>Games</b>", 0.0), heading("<b>White’s score</b> with its 95 % interval", 0.55)],
        "shapes": [{ "type": "line", "xref": "x2 domain", "yref": "y2", "x0": 0, "x1": 1, "y0": 0.5, "y1": 0.5,
                     "layer": "below", "line": { "color": "#777", "width": 1, "dash": "dot" } }],
    })
}

fn hover(name: &str, tally: Tally) -> String {
    let error = score_error(tally).map_or_else(String::new, |error| format!(" ± {}", percent(Some(error))));
    format!(
        "<b>{}</b><br>{}<br>White’s score {}{error}",
        plain(name),
        games(tally.games()),
        percent(score(tally))
    )
}

/// Games that do not count, by reason, as horizontal bars, which leave room for the names of reasons.
pub(in crate::page) fn left_out(id: &str, left_out: &LeftOut) -> Figure {
    let bars = |name: &str, color: &str, reasons: &[(String, u64)]| {
        let numbers: Vec<_> = reasons.iter().map(|(_, count)| *count).collect();
        json!({
            "type": "bar", "orientation": "h", "name": name, "marker": { "color": color },
            "y": reasons.iter().map(|(reason, _)| plain(reason)).collect::<Vec<_>>(), "x": numbers,
            "texttemplate": "%{x:,d}", "textposition": "outside", "cliponaxis": false,
            "hovertemplate": "%{y}: %{x:,d}<extra></extra>",
        })
    };
    let count = (left_out.rejected.len() + left_out.filtered.len()) as u32;
    let height = AROUND_BARS + BAR_HEIGHT * count;
    let layout = layout(
        height,
        json!({
            "margin": { "l": 20, "r": 70, "t": 36, "b": 40 },
            "bargap": 0.3,
            "barmode": "relative",
            "showlegend": true,
            "legend": { "orientation": "h", "x": 0, "y": 1, "yanchor": "bottom" },
            "xaxis": { "gridcolor": GRID, "rangemode": "tozero", "tickformat": ",d", "nticks": 6 },
            "yaxis": { "automargin": true, "autorange": "reversed", "type": "category" },
        }),
    );
    let data = json!([
        bars("rejected", REJECTED, &left_out.rejected),
        bars("filtered", FILTERED, &left_out.filtered),
    ]);
    Figure { id: id.to_owned(), height, data, layout }
}
