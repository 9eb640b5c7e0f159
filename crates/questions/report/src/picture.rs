//! Draws the opening tree of a simulation as an SVG picture. A branch's width shows how frequent it is, and
//! its colour shows how White scores there.
//!
//! The same simulation always yields the same picture, byte for byte.

mod layout;

use std::fmt::{self, Write as _};

use output::grouped;
use query::Simulation;
use shakmaty::{Chess, Color, EnPassantMode, fen::Fen};

use self::layout::{Branch, COLUMN, Layout, STROKE_MOST};
use crate::{
    color::Scale,
    markup::{self, MARGIN, escaped},
};

/// The colours for White's score.
const SCORES: Scale =
    Scale { bad: [204.0, 85.0, 0.0], even: [200.0, 200.0, 196.0], good: [20.0, 100.0, 190.0] };
/// The colour of an unknown score, paler than that of any known score.
const UNKNOWN: &str = "#e8e0f0";

/// The height of the title and legend.
const HEAD: f64 = 112.0;
/// The minimum width, which the legend needs.
const WIDTH_LEAST: f64 = 760.0;
/// A branch that is at least this wide has room for its label.
const STROKE_OF_TEXT: f64 = 13.0;
/// The maximum number of characters in a line of the title.
const TITLE_MOST: usize = 110;

/// Draws the walks of `simulation` as a tree that grows from left to right, one column per ply.
///
/// A branch's width shows its share of the walks, and its colour shows how White scores in the position that
/// it leads to, according to the counts. Moves played in less than half a percent of the walks are left out,
/// and so is everything after the sixteenth ply. If there are still too many moves, the rarest of them are
/// left out as well.
#[must_use]
pub fn picture(simulation: &Simulation) -> String {
    let layout = Layout::of(simulation);
    let width = (2.0 * MARGIN + layout.width).max(WIDTH_LEAST);
    let height = HEAD + layout.height + MARGIN;
    let mut svg = markup::picture(width, height, &escaped(&title(simulation)), 26);
    // Writing to a string cannot fail.
    let _ = write_tree(&mut svg, simulation, &layout);
    svg
}

fn write_tree(svg: &mut String, simulation: &Simulation, layout: &Layout) -> fmt::Result {
    writeln!(svg, "<text x=\"{MARGIN}\" y=\"44\">{}</text>", escaped(&subtitle(simulation)))?;
    write_legend(svg)?;
    writeln!(svg, "<g transform=\"translate({MARGIN} {HEAD})\" fill=\"none\">")?;
    layout.branches.iter().try_for_each(|branch| write_branch(svg, branch))?;
    writeln!(svg, "</g>\n<g transform=\"translate({MARGIN} {HEAD})\">")?;
    layout.branches.iter().try_for_each(|branch| write_label(svg, branch))?;
    writeln!(svg, "</g>\n</svg>")
}

fn title(simulation: &Simulation) -> String {
    let against = simulation.against.as_ref().map_or_else(String::new, |other| format!(" against {other}"));
    let from = if simulation.start == Chess::default() {
        "the start position".to_owned()
    } else {
        Fen::from_position(&simulation.start, EnPassantMode::Legal).to_string()
    };
    let (policy, walks) = (&simulation.policy, grouped(simulation.games));
    cut(format!("{policy}{against}: {walks} walks from {from}"))
}

fn subtitle(simulation: &Simulation) -> String {
    let score =
        simulation.score.map_or_else(String::new, |score| format!(", White scores {:.1} %", 100.0 * score));
    cut(format!(
        "seed {}; {:.1} plies on average{score}; {} different lines",
        simulation.seed, simulation.mean_plies, simulation.different
    ))
}

/// Truncates a string to fit on one line.
fn cut(text: String) -> String {
    match text.char_indices().nth(TITLE_MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Writes the legend, which explains the widths and colours.
fn write_legend(svg: &mut String) -> fmt::Result {
    writeln!(svg, "<g transform=\"translate({MARGIN} 76)\">")?;
    writeln!(svg, "<text y=\"10\">White’s score:</text>")?;
    for (at, percent) in [30, 35, 40, 45, 50, 55, 60, 65, 70].into_iter().enumerate() {
        let (x, fill) = (178 + 16 * at, SCORES.of(f64::from(percent) / 100.0));
        writeln!(svg, "<rect x=\"{x}\" y=\"1\" width=\"16\" height=\"11\" fill=\"{fill}\"/>")?;
    }
    writeln!(
        svg,
        "<text x=\"172\" y=\"24\">30 %</text><text x=\"238\" y=\"24\">50 %</text><text x=\"304\" y=\"24\">70 %</text>"
    )?;
    writeln!(
        svg,
        "<rect x=\"348\" y=\"1\" width=\"16\" height=\"11\" fill=\"{UNKNOWN}\"/><text x=\"370\" y=\"10\">unknown</text>"
    )?;
    writeln!(svg, "<text x=\"446\" y=\"10\">share of walks:</text>")?;
    for (x, percent) in [(540.0, 100.0), (588.0, 25.0), (636.0, 5.0)] {
        let height = STROKE_MOST * percent / 100.0;
        let y = 12.0 - height;
        writeln!(svg, "<rect x=\"{x}\" y=\"{y:.2}\" width=\"30\" height=\"{height:.2}\" fill=\"#999999\"/>")?;
        writeln!(svg, "<text x=\"{x}\" y=\"24\">{percent} %</text>")?;
    }
    writeln!(svg, "</g>")
}

/// Writes a branch as a curve from the end of its parent to its own end.
fn write_branch(svg: &mut String, branch: &Branch) -> fmt::Result {
    let Branch { from, to, stroke, .. } = branch;
    let bend = COLUMN * 0.35;
    writeln!(
        svg,
        "<path d=\"M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}H{:.1}\" stroke=\"{}\" stroke-width=\"{stroke:.2}\"/>",
        from.0,
        from.1,
        from.0 + bend,
        from.1,
        to.0 - COLUMN + bend * 0.4,
        to.1,
        to.0 - COLUMN + bend,
        to.1,
        to.0,
        branch.score.map_or_else(|| UNKNOWN.to_owned(), |score| SCORES.of(score)),
    )
}

/// Writes the move and its share. The text is placed on the branch if there is room, and above it otherwise.
/// A light outline keeps it readable.
fn write_label(svg: &mut String, branch: &Branch) -> fmt::Result {
    let side = match branch.mover {
        Color::White => "#111111",
        Color::Black => "#00325c",
    };
    let below = if branch.stroke >= STROKE_OF_TEXT { 4.0 } else { -2.0 - branch.stroke / 2.0 };
    writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{side}\" stroke=\"#ffffff\" stroke-width=\"3\" \
         paint-order=\"stroke\">{} {}</text>",
        branch.to.0 - 2.0,
        branch.to.1 + below,
        escaped(&branch.san),
        percent(branch.share),
    )
}

/// Formats a share as a percentage, such as `12 %`, with one decimal place if it is below 10 %.
fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    if percent < 9.95 { format!("{percent:.1} %") } else { format!("{percent:.0} %") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_titles_are_cut() {
        assert_eq!(cut("é".repeat(TITLE_MOST)), "é".repeat(TITLE_MOST));
        assert_eq!(cut("é".repeat(200)).chars().count(), TITLE_MOST + 1);
    }

    #[test]
    fn shares_have_a_decimal_where_it_matters() {
        assert_eq!([0.005, 0.0994, 0.0996, 1.0].map(percent), ["0.5 %", "9.9 %", "10 %", "100 %"]);
    }
}
