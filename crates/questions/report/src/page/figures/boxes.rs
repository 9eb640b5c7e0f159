//! Box plots by opening.

use output::grouped;

use super::{
    axis::Axis,
    plot::{HorizontalSpan, Plot},
};
use crate::page::spread::{BoxPlot, Spread};

const WIDTH: f64 = 1120.0;
/// The colours of the boxes for an opening's parts, in the order of the parts.
const PARTS: [&str; 3] = ["#cfdfee", "#8db8e0", "#4a8ccc"];

/// Draws a box for each part of each opening; an opening's boxes are side by side.
pub(in crate::page) fn boxes(spread: &Spread) -> String {
    let all = || spread.parts.iter().flat_map(|(_, boxes)| boxes);
    let mut openings: Vec<String> = Vec::new();
    for one in all() {
        if !openings.contains(&one.opening) {
            openings.push(one.opening.clone());
        }
    }
    let axis = Axis::over(all().flat_map(|one| one.quantiles), 0.1, "");
    let parts = || spread.parts.iter().zip(PARTS.into_iter().cycle());
    let entries = parts().map(|((name, _), color)| (*name, color.to_owned()));
    let mut plot = Plot::new(spread.unit, WIDTH, axis, &openings).legend(entries);
    for (part, ((name, boxes), color)) in parts().enumerate() {
        for (at, opening) in openings.iter().enumerate() {
            for one in boxes.iter().filter(|one| one.opening == *opening) {
                let room = plot.room(at, (part, spread.parts.len()));
                let (title, marks) = (title(name, one), marks(&plot, room, one.quantiles, color));
                plot.add(room, &title, &marks);
            }
        }
    }
    plot.finish()
}

fn marks(plot: &Plot, room: HorizontalSpan, [least, low, half, high, most]: [f64; 5], color: &str) -> String {
    let middle_half = plot.bar(room, (low, high), &format!("class=\"box\" fill=\"{color}\""));
    plot.whisker(room, [least, most]) + &middle_half + &plot.level(room, half)
}

fn title(name: &str, one: &BoxPlot) -> String {
    let [least, low, half, high, most] = one.quantiles;
    format!(
        "{}, {name}: {} numbers\nmedian {half:.1}\nmiddle half {low:.1} to {high:.1}\n5 to 95 of a hundred {least:.1} to {most:.1}",
        one.opening,
        grouped(one.numbers)
    )
}
