//! Draws bars for games and scores by group, and for the games that do not count, by reason.

use output::grouped;
use position::Tally;

use super::{
    BLACK, EVEN, WHITE,
    axis::Axis,
    plot::{LETTER, NARROW, Plot, begin, legend},
};
use crate::{
    color::hex,
    markup::escaped,
    numbers::{games, percent, score, score_error},
    page::{groups::Grouping, left_out::LeftOut},
};

/// The minimum number of games that a group needs for its score to appear in the chart.
pub(in crate::page) const GAMES_SCORED: u64 = 20;
/// The range of scores, in percent, that the axis always covers.
const SCORES_SHOWN: [f64; 2] = [45.0, 55.0];
/// The height of a horizontal bar and the space around it.
const BAR_HEIGHT: f64 = 30.0;
/// The height of the legend above horizontal bars.
const LEGEND: f64 = 30.0;
/// The colour of rejected games. It differs from the colours of games won by White or Black.
const REJECTED: &str = "#8a4f7d";
/// The colour of filtered games.
const FILTERED: &str = "#9aa5b1";

/// Draws the number of games in each group and, next to it, White's score with its 95 % confidence interval.
pub(in crate::page) fn by_group(grouping: &Grouping) -> String {
    let names: Vec<_> = grouping.groups.iter().map(|(name, _)| name.clone()).collect();
    number_of_games(grouping, &names) + &scores(grouping, &names)
}

fn number_of_games(grouping: &Grouping, names: &[String]) -> String {
    let all = grouping.groups.iter().map(|(_, tally)| tally.games() as f64);
    let axis = Axis::over(all.chain([0.0]), 1.0, "");
    let colors = [WHITE, EVEN, BLACK].map(hex);
    let entries = ["White won", "drawn", "Black won"].into_iter().zip(colors.clone());
    let mut plot = Plot::new("Games", NARROW, axis, names).legend(entries);
    for (at, (name, tally)) in grouping.groups.iter().enumerate() {
        let (room, mut bars, mut below) = (plot.room(at, (0, 1)), String::new(), 0);
        for (games, color) in [tally.white, tally.draws, tally.black].into_iter().zip(&colors) {
            let ends = (below as f64, (below + games) as f64);
            bars += &plot.bar(room, ends, &format!("fill=\"{color}\""));
            below += games;
        }
        plot.add(room, &title(name, *tally), &bars);
    }
    plot.finish()
}

/// Draws a point for the score of each group that has enough games.
fn scores(grouping: &Grouping, names: &[String]) -> String {
    let scored = grouping.groups.iter().enumerate().filter_map(|(at, (name, tally))| {
        let (score, error) = (score(*tally)?, score_error(*tally)?);
        (tally.games() >= GAMES_SCORED).then(|| (at, title(name, *tally), 100.0 * score, 100.0 * error))
    });
    let scored: Vec<_> = scored.collect();
    let ends = scored.iter().flat_map(|(_, _, score, error)| [score - error, score + error]);
    let axis = Axis::over(ends.chain(SCORES_SHOWN), 0.1, " %");
    let mut plot = Plot::new("White’s score with its 95 % interval", NARROW, axis, names);
    plot.line(50.0);
    for (at, title, score, error) in scored {
        let (room, y, ends) = (plot.room(at, (0, 1)), plot.y(score), [score - error, score + error]);
        let point = format!("<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\"/>", room.middle());
        let marks = plot.whisker(room, ends) + &point;
        plot.add(room, &title, &marks);
    }
    plot.finish()
}

fn title(name: &str, tally: Tally) -> String {
    let error = score_error(tally).map_or_else(String::new, |error| format!(" ± {}", percent(Some(error))));
    format!("{name}\n{}\nWhite’s score {}{error}", games(tally.games()), percent(score(tally)))
}

/// Draws a bar for each reason why games do not count. The length of a bar shows the number of games that do
/// not count for this reason. The bars are horizontal because the names of the reasons are long.
pub(in crate::page) fn left_out(left_out: &LeftOut) -> String {
    let colored =
        |reasons: &'_ [(String, u64)], color| reasons.iter().map(move |it| (it.clone(), color)).collect();
    let [rejected, filtered]: [Vec<_>; 2] =
        [colored(&left_out.rejected, REJECTED), colored(&left_out.filtered, FILTERED)];
    let reasons = [rejected, filtered].concat();
    let longest = reasons.iter().map(|((reason, _), _)| reason.chars().count()).max().unwrap_or(0) as f64;
    let left = 20.0 + LETTER * longest;
    let across = NARROW - left - 80.0;
    let bottom = LEGEND + BAR_HEIGHT * reasons.len() as f64;
    let mut svg = begin(NARROW, bottom + 24.0);
    svg += &legend(left, 4.0, [("rejected", REJECTED.to_owned()), ("filtered", FILTERED.to_owned())]);
    let axis = Axis::over(reasons.iter().map(|((_, count), _)| *count as f64).chain([0.0]), 1.0, "");
    for (at, label) in axis.ticks() {
        let x = left + across * at;
        svg += &format!("<path class=\"grid\" d=\"M{x:.1} {LEGEND}V{bottom}\"/>");
        svg += &format!("<text class=\"middle\" x=\"{x:.1}\" y=\"{}\">{label}</text>", bottom + 16.0);
    }
    for (at, ((reason, count), color)) in reasons.iter().enumerate() {
        let (above, width) = (LEGEND + BAR_HEIGHT * at as f64, across * axis.at(*count as f64));
        let (reason, count, y) = (escaped(reason), grouped(*count), above + BAR_HEIGHT / 2.0 + 4.0);
        svg += &format!(
            "<g><title>{reason}: {count}</title><text class=\"end\" x=\"{}\" y=\"{y}\">{reason}</text>\
             <rect x=\"{left}\" y=\"{}\" width=\"{width:.1}\" height=\"{}\" fill=\"{color}\"/>\
             <text x=\"{:.1}\" y=\"{y}\">{count}</text></g>\n",
            left - 6.0,
            above + 4.0,
            BAR_HEIGHT - 8.0,
            left + width + 6.0
        );
    }
    svg + "</svg>\n"
}
