//! The frame of a chart: names along the bottom, a vertical axis, and horizontal grid lines.

use super::axis::Axis;
use crate::markup::escaped;

/// The maximum width of a chart that fits on a phone without scrolling.
pub(super) const NARROW: f64 = 560.0;
/// The height of a chart.
const HEIGHT: f64 = 350.0;
/// The space above a chart for the heading and the legend.
const TOP: f64 = 52.0;
/// The space for the labels of the axis.
const LEFT: f64 = 92.0;
const RIGHT: f64 = 8.0;
/// The mean width of a character on a narrow screen, where text is larger.
pub(super) const LETTER: f64 = 8.2;
/// The height of a line of text.
const LINE: f64 = 16.0;
/// The fraction of a slot's width that bars take up.
const BAR: f64 = 0.75;

/// A chart being drawn.
pub(super) struct Plot {
    svg: String,
    axis: Axis,
    slot: f64,
    right: f64,
    bottom: f64,
}

/// The horizontal extent of a mark.
#[derive(Clone, Copy)]
pub(super) struct HorizontalSpan {
    left: f64,
    width: f64,
}

impl HorizontalSpan {
    pub(super) fn middle(self) -> f64 {
        self.left + self.width / 2.0
    }
}

impl Plot {
    /// Creates an empty chart with a slot for each name.
    pub(super) fn new(heading: &str, width: f64, axis: Axis, names: &[String]) -> Self {
        let right = width - RIGHT;
        let slot = (right - LEFT) / names.len().max(1) as f64;
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as f64 * LETTER;
        let is_turned = longest > slot - 4.0;
        let foot =
            if is_turned { 1.7 * LINE + longest * std::f64::consts::FRAC_1_SQRT_2 } else { 1.5 * LINE };
        let mut plot = Self { svg: begin(width, HEIGHT), axis, slot, right, bottom: HEIGHT - foot };
        plot.svg += &format!("<text y=\"14\" class=\"heading\">{heading}</text>");
        for (at, label) in plot.axis.ticks() {
            let (y, x) = (plot.up(at), LEFT - 6.0);
            plot.svg += &format!("<path class=\"grid\" d=\"M{LEFT} {y:.1}H{right}\"/>");
            plot.svg += &format!("<text class=\"end\" x=\"{x}\" y=\"{:.1}\">{label}</text>", y + 4.0);
        }
        // Names too long to fit side by side are rotated. If even that does not make enough room, some names
        // are left out.
        let each = if is_turned { (LINE / slot).ceil() as usize } else { 1 };
        for (at, name) in names.iter().enumerate().step_by(each) {
            let (x, y) = (plot.room(at, (0, 1)).middle(), plot.bottom + LINE);
            let turned = format!(" class=\"end\" transform=\"rotate(-45 {x:.1} {y:.1})\"");
            let how = if is_turned { turned.as_str() } else { " class=\"middle\"" };
            plot.svg += &format!("<text x=\"{x:.1}\" y=\"{y:.1}\"{how}>{}</text>", escaped(name));
        }
        plot
    }

    /// Adds a legend of colours above the chart.
    pub(super) fn legend<'n>(mut self, entries: impl IntoIterator<Item = (&'n str, String)>) -> Self {
        self.svg += &legend(LEFT, TOP - 22.0, entries);
        self
    }

    /// Divides the space for marks in a slot into `parts` equal spans. Returns the span with the index
    /// `part`, counted from 0.
    pub(super) fn room(&self, slot: usize, (part, parts): (usize, usize)) -> HorizontalSpan {
        let width = self.slot * BAR / parts as f64;
        let middle = LEFT + self.slot * (slot as f64 + 0.5);
        HorizontalSpan { left: middle + width * (part as f64 - parts as f64 / 2.0), width }
    }

    /// Adds marks that share a tooltip. The tooltip appears when the mouse pointer is on the marks, or
    /// anywhere above or below them.
    pub(super) fn add(&mut self, HorizontalSpan { left, width }: HorizontalSpan, title: &str, marks: &str) {
        let (title, height) = (escaped(title), self.bottom - TOP);
        self.svg += &format!(
            "<g><title>{title}</title>\
             <rect class=\"room\" x=\"{left:.1}\" y=\"{TOP}\" width=\"{width:.1}\" height=\"{height:.1}\"/>{marks}</g>\n"
        );
    }

    /// Returns a bar that extends from one value to another.
    pub(super) fn bar(
        &self,
        HorizontalSpan { left, width }: HorizontalSpan,
        (from, to): (f64, f64),
        look: &str,
    ) -> String {
        let (low, high) = (self.y(from), self.y(to));
        let height = low - high;
        format!("<rect x=\"{left:.1}\" y=\"{high:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {look}/>")
    }

    /// Returns a vertical line from one value to another, with a cap at each end.
    pub(super) fn whisker(&self, room: HorizontalSpan, ends: [f64; 2]) -> String {
        let ([low, high], x, left) = (ends.map(|end| self.y(end)), room.middle(), room.middle() - 4.0);
        format!(
            "<path class=\"whisker\" d=\"M{x:.1} {low:.1}V{high:.1}M{left:.1} {low:.1}h8M{left:.1} {high:.1}h8\"/>"
        )
    }

    /// Returns a horizontal line at `value`, as wide as the mark that it belongs to.
    pub(super) fn level(&self, HorizontalSpan { left, width }: HorizontalSpan, value: f64) -> String {
        format!("<path class=\"box\" d=\"M{left:.1} {:.1}h{width:.1}\"/>", self.y(value))
    }

    /// Adds a horizontal line at a value, across the whole chart.
    pub(super) fn line(&mut self, value: f64) {
        let (y, end) = (self.y(value), self.right);
        self.svg += &format!("<path class=\"even\" d=\"M{LEFT} {y:.1}H{end}\"/>");
    }

    /// Returns the vertical coordinate of a value, measured from the top of the chart.
    pub(super) fn y(&self, value: f64) -> f64 {
        self.up(self.axis.at(value))
    }

    /// The finished SVG.
    pub(super) fn finish(self) -> String {
        self.svg + "</svg>\n"
    }

    fn up(&self, share: f64) -> f64 {
        self.bottom - share * (self.bottom - TOP)
    }
}

/// Returns the opening tag of an SVG chart that fills the available width. On a phone, a chart that is too
/// wide can be scrolled.
pub(super) fn begin(width: f64, height: f64) -> String {
    let wide = if width > NARROW { " wide" } else { "" };
    format!("<svg class=\"chart{wide}\" viewBox=\"0 0 {width} {height}\">\n")
}

/// A legend of colours, on a single line.
pub(super) fn legend<'n>(mut x: f64, y: f64, entries: impl IntoIterator<Item = (&'n str, String)>) -> String {
    let mut svg = String::new();
    for (name, color) in entries {
        svg += &format!("<rect x=\"{x:.1}\" y=\"{y}\" width=\"12\" height=\"12\" fill=\"{color}\"/>");
        svg += &format!("<text x=\"{:.1}\" y=\"{}\">{name}</text>", x + 17.0, y + 11.0);
        x += 33.0 + LETTER * name.chars().count() as f64;
    }
    svg
}
