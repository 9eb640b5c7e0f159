//! Makes tables of the numbers in the pictures, for readers who cannot see the pictures or whose browser does
//! not run the script.

use std::collections::BTreeMap;

use experience::KnownExperience;
use output::grouped;
use position::Tally;
use table::CountedInput;

use super::{
    groups::Grouping,
    left_out::LeftOut,
    spread::{BoxPlot, Spread},
    tree::{Move, Tree, WHOLE},
};
use crate::numbers::{percent, ratio, score, score_error};

/// The maximum number of first moves that are listed.
const MOVES_MOST: usize = 20;
/// The maximum number of lines that are listed. Each line is listed up to ply `LINE_PLIES`.
const LINES_MOST: usize = 15;
const LINE_PLIES: u32 = 6;
/// The maximum number of inputs that are listed.
const SOURCES_MOST: usize = 200;

/// A table on the page, whose first column names the rows.
pub(super) struct Table {
    pub(super) caption: String,
    pub(super) head: Vec<Column>,
    pub(super) rows: Vec<Vec<String>>,
}

/// A column of a table.
#[derive(Clone, Copy)]
pub(super) struct Column {
    pub(super) name: &'static str,
    /// The column's CSS class. `text` is for words, which are left-aligned; `line` is for moves with the
    /// opening's name below them; any other class is for numbers.
    pub(super) class: &'static str,
}

const RESULTS: [Column; 4] =
    [number("White won"), number("drawn"), number("Black won"), number("White’s score")];

const fn words(name: &'static str) -> Column {
    Column { name, class: "text" }
}

const fn number(name: &'static str) -> Column {
    Column { name, class: "number" }
}

const fn line(name: &'static str) -> Column {
    Column { name, class: "line" }
}

/// A line of the tree, with the name of its opening below it.
fn line_and_opening(tree: &Tree, at: usize) -> String {
    let opening = tree.moves[at].opening.map_or_else(String::new, |opening| format!("\n{opening}"));
    tree.line(Some(at)) + &opening
}

/// The share of each result, and White's score.
fn results(tally: Tally) -> [String; 4] {
    let share = |part| percent(ratio(part, tally.games()));
    [share(tally.white), share(tally.draws), share(tally.black), percent(score(tally))]
}

/// Returns the columns for the results, with `first` before them and `last` after them.
fn around_results(first: &[Column], last: &[Column]) -> Vec<Column> {
    [first, &RESULTS, last].concat()
}

/// Lists the moves played in the first position and the most frequent continuation of each.
pub(super) fn first_moves(tree: &Tree) -> Table {
    let is_taught = tree.after(None).any(|at| tree.moves[at].known.is_some());
    let row = |at: usize| {
        let it = &tree.moves[at];
        let mut cells = vec![it.san.clone(), grouped(it.tally.games()), percent(ratio(it.share, WHOLE))];
        cells.extend(results(it.tally));
        cells.push(line_and_opening(tree, commonest_end(tree, at)));
        if is_taught {
            cells.push(known(it));
        }
        cells
    };
    let last = [line("goes on most often"), words("known besides")];
    Table {
        caption: "The most played moves".to_owned(),
        head: around_results(
            &[words("move"), number("games"), number("share")],
            if is_taught { &last } else { &last[..1] },
        ),
        rows: tree.after(None).take(MOVES_MOST).map(row).collect(),
    }
}

/// Describes what was learned or set by hand for a move.
fn known(it: &Move) -> String {
    let values = it.known.iter().flat_map(KnownExperience::values).map(|(_, text)| text);
    values.collect::<Vec<_>>().join("; ")
}

/// Follows the most frequent reply at every step, and returns the index of the last move.
fn commonest_end(tree: &Tree, mut at: usize) -> usize {
    while tree.moves[at].ply < LINE_PLIES
        && let Some(next) = tree.after(Some(at)).next()
    {
        at = next;
    }
    at
}

/// The first few plies of the most frequent lines.
pub(super) fn lines(tree: &Tree) -> Table {
    let deepest = tree.moves.iter().map(|it| it.ply).max().unwrap_or(0).min(LINE_PLIES);
    let moves = tree.moves.iter().enumerate().filter(|(_, it)| it.ply == deepest);
    let row = |(at, it): (usize, &Move)| {
        let mut cells =
            vec![line_and_opening(tree, at), percent(ratio(it.share, WHOLE)), grouped(it.tally.games())];
        cells.extend(results(it.tally));
        cells
    };
    Table {
        caption: format!(
            "The most played lines of {deepest} plies. A share is of the games that reach the tree’s first position, and an \
             estimate where games reach the line by another order of moves"
        ),
        head: around_results(&[line("line"), number("share"), number("games with the last move")], &[]),
        rows: moves.take(LINES_MOST).map(row).collect(),
    }
}

/// The quantiles shown in box plots.
pub(super) fn spread(spread: &Spread) -> Table {
    let row = |part: &str, one: &BoxPlot| {
        let mut cells = vec![one.opening.clone(), part.to_owned(), grouped(one.numbers)];
        cells.extend(one.quantiles.iter().map(|quantile| format!("{quantile:.1}")));
        cells
    };
    let rows = spread.parts.iter().flat_map(|(part, boxes)| boxes.iter().map(|one| row(part, one)));
    let ends = [number("5 %"), number("25 %"), number("half"), number("75 %"), number("95 %")];
    Table {
        caption: format!("Quantiles of {}", spread.unit),
        head: [&[words("opening"), words("of"), number("numbers")][..], &ends].concat(),
        rows: rows.collect(),
    }
}

/// The numbers that a chart shows for each group of games.
pub(super) fn groups(grouping: &Grouping) -> Table {
    let row = |(name, tally): &(String, Tally)| {
        let mut cells = vec![name.clone(), grouped(tally.games())];
        cells.extend(results(*tally));
        cells.push(
            score_error(*tally).map_or_else(|| "–".to_owned(), |error| format!("± {}", percent(Some(error)))),
        );
        cells
    };
    Table {
        caption: format!("Games by {}", grouping.name),
        head: around_results(&[words(grouping.name), number("games")], &[number("95 %")]),
        rows: grouping.groups.iter().map(row).collect(),
    }
}

/// The games that do not count.
pub(super) fn left_out(left_out: &LeftOut) -> Table {
    let named = |what: &'static str| {
        move |(reason, count): &(String, u64)| {
            vec![reason.clone(), what.to_owned(), grouped(*count), percent(ratio(*count, left_out.games))]
        }
    };
    let rejected = left_out.rejected.iter().map(named("rejected"));
    Table {
        caption: "Games that do not count".to_owned(),
        head: vec![words("reason"), words("what became of them"), number("games"), number("of all games")],
        rows: rejected.chain(left_out.filtered.iter().map(named("filtered"))).collect(),
    }
}

/// The inputs.
pub(super) fn sources(sources: &[CountedInput]) -> Table {
    let row = |it: &CountedInput| {
        let sum = |games: &BTreeMap<String, u64>| grouped(games.values().sum());
        let [games, accepted] = [it.games, it.accepted].map(grouped);
        vec![it.name.clone(), grouped(it.bytes), games, accepted, sum(&it.filtered), sum(&it.rejected)]
    };
    let mut sorted: Vec<_> = sources.iter().collect();
    sorted.sort();
    let more = sorted.len().saturating_sub(SOURCES_MOST);
    let caption = match more {
        0 => "The inputs".to_owned(),
        _ => {
            format!("The first {SOURCES_MOST} inputs, by name; {} more are not listed", grouped(more as u64))
        }
    };
    Table {
        caption,
        head: vec![
            words("input"),
            number("bytes"),
            number("games"),
            number("counted"),
            number("filtered"),
            number("rejected"),
        ],
        rows: sorted.into_iter().take(SOURCES_MOST).map(row).collect(),
    }
}
