//! Draws histograms of a suite's openings by their results in matches, as an SVG picture.

#![expect(clippy::cast_precision_loss, reason = "sizes of a picture")]

use std::fmt::Write as _;

use craft::{Bin, RefineReport};
use output::grouped;

use crate::markup::{self, MARGIN};

/// The dimensions of the picture in pixels.
const WIDTH: f64 = 760.0;
const HEAD: f64 = 56.0;
const PANEL: f64 = 190.0;
const BARS: f64 = 120.0;
/// The number of histogram bins for shares from 0 to 1.
const BINS: f64 = 20.0;

/// Draws three histograms of the openings: by share of draws, by share of drawn pairs, and by bias.
#[must_use]
pub fn refined(report: &RefineReport) -> String {
    let panels = [
        ("Openings by their share of drawn games", &report.by_draws, 0.0),
        ("by the share of pairs in which both players made a point", &report.by_pair_draws, 0.0),
        ("by White’s score less a half", &report.by_bias, -0.5),
    ];
    let height = HEAD + PANEL * panels.len() as f64;
    let title = format!("{} of {} openings stay", grouped(report.kept), grouped(report.openings));
    let mut svg = markup::picture(WIDTH, height, &title, 30);
    for (number, (name, bins, first)) in panels.into_iter().enumerate() {
        push_panel(&mut svg, HEAD + PANEL * number as f64, name, bins, first);
    }
    svg + "</svg>\n"
}

fn push_panel(svg: &mut String, top: f64, name: &str, bins: &[Bin], first: f64) {
    let (step, most) =
        ((WIDTH - 2.0 * MARGIN) / BINS, bins.iter().map(|bin| bin.openings).max().unwrap_or(1));
    let (base, place) = (top + 20.0 + BARS, |value: f64| MARGIN + (value - first) * BINS * step);
    // Writing to a string cannot fail.
    let _ = writeln!(svg, "<text x=\"{MARGIN}\" y=\"{:.0}\" font-weight=\"bold\">{name}</text>", top + 10.0);
    for bin in bins {
        let (x, high) = (place(bin.from), BARS * bin.openings as f64 / most as f64);
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{high:.1}\" fill=\"#4878a8\">\
             <title>{:.0} to {:.0} %: {}</title></rect>",
            x + 1.0,
            base - high,
            step - 2.0,
            100.0 * bin.from,
            100.0 * bin.to,
            grouped(bin.openings),
        );
    }
    let _ = writeln!(svg, "<path d=\"M{MARGIN} {base:.1}H{:.1}\" stroke=\"#888888\"/>", WIDTH - MARGIN);
    for tick in 0..=4 {
        let value = first + f64::from(tick) / 4.0;
        let (x, y) = (place(value), base + 16.0);
        let _ = writeln!(
            svg,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{:.0} %</text>",
            100.0 * value
        );
    }
}
