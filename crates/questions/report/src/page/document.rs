//! The HTML file that contains the pictures and numbers. It loads no other files.
//!
//! The template is `templates/report.html`. The crate askama escapes every string that it inserts into the
//! template, except for the pictures, which are SVG markup.

use askama::Template;
use output::grouped;
use position::Repeats;
use shakmaty::{Chess, EnPassantMode, fen::Fen};
use table::{CountedInput, Counting};

use super::{
    Subject, figures,
    groups::{Grouping, Groupings},
    left_out::LeftOut,
    spread::Spread,
    tables::{self, Table},
    tree::Tree,
};
use crate::numbers::games;

const TREE: &str = "tree";
const LEFT_OUT: &str = "left-out";

/// The values for the template.
#[derive(Template)]
#[template(path = "report.html")]
pub(super) struct Document<'p> {
    title: &'p str,
    /// Facts about what was counted, as names and values.
    facts: Vec<(&'static str, String)>,
    sections: Vec<Section>,
    maker: &'static str,
}

/// A section: a heading and what is below it.
struct Section {
    heading: String,
    text: String,
    picture: Option<Picture>,
    tables: Vec<Table>,
    /// Whether the tables are collapsed when the page opens.
    is_folded: bool,
}

/// A chart, or two charts side by side.
struct Picture {
    id: &'static str,
    /// A description of the picture for readers who cannot see it.
    alt: String,
    svg: String,
}

impl Picture {
    /// Whether this picture is the chart of the opening tree. Next to that chart, the page has a board, which
    /// shows the position of the box under the mouse pointer.
    fn is_tree(&self) -> bool {
        self.id == TREE
    }
}

impl<'p> Document<'p> {
    pub(super) fn new(
        title: &'p str,
        subject: &Subject<'_>,
        tree: &Tree,
        groupings: &Groupings,
        left_out: &LeftOut,
    ) -> Self {
        let mut page = Self {
            title,
            facts: facts(subject, tree, left_out),
            sections: Vec::new(),
            maker: table::CREATED_BY,
        };
        page.add_tree(tree);
        groupings.by.iter().for_each(|grouping| page.add_groups(grouping));
        subject.spreads.iter().for_each(|spread| page.add_spread(spread));
        page.add_left_out(subject.sources, left_out);
        page
    }

    fn add_tree(&mut self, tree: &Tree) {
        let heading = "The opening tree".to_owned();
        if tree.moves.is_empty() {
            let text = "No counted game goes on from this position.".to_owned();
            self.sections.push(Section { heading, text, picture: None, tables: vec![], is_folded: false });
            return;
        }
        let taught = if tree.moves.iter().any(|it| it.known.is_some()) {
            "After a move is its mark and what was learned of it, in pawns, from the view of the side that plays it. "
        } else {
            ""
        };
        let text = "Each column is a ply, each box a move: the taller, the more games play it; blue where White scores above \
            50 %, orange where Black does. Games that came by another order of moves count in every position they came to, \
            so a box shows its move’s share of the position. Moves below one game in a thousand are not drawn. ";
        let how_to = "Point at a box to see its numbers and its position; click it to go there, and the path above to come back.";
        let text = [text, taught, how_to].concat();
        let alt = "The opening tree as an icicle chart; the tables below list its commonest moves and lines."
            .to_owned();
        let picture = Some(Picture { id: TREE, alt, svg: figures::icicle(tree) });
        let tables = vec![tables::first_moves(tree), tables::lines(tree)];
        self.sections.push(Section { heading, text, picture, tables, is_folded: false });
    }

    fn add_groups(&mut self, grouping: &Grouping) {
        let name = grouping.name;
        if grouping.groups.is_empty() {
            return;
        }
        let alt = format!("Games and White’s score by {name}; the table below has the numbers.");
        let picture = Some(Picture { id: grouping.id, alt, svg: figures::by_group(grouping) });
        self.sections.push(Section {
            heading: format!("By {name}"),
            text: format!(
                "The games of the position that the tree begins with, by {name}. Groups of fewer than {} games have no score.",
                figures::GAMES_SCORED
            ),
            picture,
            tables: vec![tables::groups(grouping)],
            is_folded: true,
        });
    }

    fn add_spread(&mut self, spread: &Spread) {
        let alt = format!("{}, as box plots by opening; the table below has the numbers.", spread.heading);
        let picture = Some(Picture { id: spread.id, alt, svg: figures::boxes(spread) });
        self.sections.push(Section {
            heading: spread.heading.to_owned(),
            text: spread.text.clone(),
            picture,
            tables: vec![tables::spread(spread)],
            is_folded: true,
        });
    }

    fn add_left_out(&mut self, sources: &[CountedInput], left_out: &LeftOut) {
        let nothing_lost = left_out.rejected.is_empty() && left_out.filtered.is_empty();
        let mut section = Section {
            heading: "Games that do not count".to_owned(),
            text: "Every game of the inputs counts.".to_owned(),
            picture: None,
            tables: vec![tables::sources(sources)],
            is_folded: true,
        };
        if !nothing_lost {
            let of = |list: &[(String, u64)]| list.iter().map(|(_, games)| games).sum::<u64>();
            let (rejected, filtered) = (of(&left_out.rejected), of(&left_out.filtered));
            section.text = format!(
                "Left out: {} of {}. Rejected, because they cannot be read as intended: {}. Filtered, because they were not asked for: {}.",
                grouped(rejected + filtered),
                games(left_out.games),
                grouped(rejected),
                grouped(filtered)
            );
            let alt = "Games that do not count, by reason; the table below has the numbers.".to_owned();
            section.picture = Some(Picture { id: LEFT_OUT, alt, svg: figures::left_out(left_out) });
            section.tables.insert(0, tables::left_out(left_out));
        }
        self.sections.push(section);
    }
}

/// Facts about what was counted, and how.
fn facts(subject: &Subject<'_>, tree: &Tree, left_out: &LeftOut) -> Vec<(&'static str, String)> {
    let counting = subject.rows.counting();
    let mut facts = vec![
        ("Games counted", grouped(subject.games)),
        ("Games met", grouped(left_out.games)),
        ("The tree begins with", beginning(tree)),
        ("Games there", grouped(tree.tally.games())),
        ("Plies counted of a game", plies(counting)),
        ("A position that a game repeats", repeats(counting).to_owned()),
        ("Filters", filters(counting)),
    ];
    if let Some(table) = subject.table
        && !table.manifest().subtracted.is_empty()
    {
        let subtracted = table.manifest().subtracted.iter().map(|source| source.accepted).sum();
        facts.insert(1, ("Games subtracted again", grouped(subtracted)));
    }
    facts
}

/// Describes the first position: the moves that lead to it, `the start position` or a FEN, followed by the
/// opening if it is known.
fn beginning(tree: &Tree) -> String {
    let (line, position) = (tree.line(None), &tree.way.position);
    let place = match line.as_str() {
        "" if *position == Chess::default() => "the start position".to_owned(),
        "" => Fen::from_position(position, EnPassantMode::PseudoLegal).to_string(),
        _ => line,
    };
    tree.opening.map_or(place.clone(), |opening| format!("{place}, {opening}"))
}

fn plies(counting: &Counting) -> String {
    if counting.max_ply == 0 { "all".to_owned() } else { format!("the first {}", counting.max_ply) }
}

fn repeats(counting: &Counting) -> &'static str {
    match counting.repeats {
        Repeats::Each => "counts each time",
        Repeats::Once => "counts once",
    }
}

/// Describes the filters of each count; a count without filters is described as `none`.
fn filters(counting: &Counting) -> String {
    let texts = counting.filters.iter().map(|text| if text.is_empty() { "none" } else { text });
    texts.collect::<Vec<_>>().join("; ")
}
