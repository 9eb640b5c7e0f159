//! Formats numbers and summaries for people.

pub(crate) mod explain;
pub(crate) mod known;
mod polyglot;
mod refined;
mod review;
mod suite;

use std::{
    cmp::Reverse,
    collections::BTreeMap,
    fmt::Display,
    io::{self, Write},
};

use craft::MinimaxReport;
use experience::signed;
use indicatif::HumanBytes;
pub(crate) use output::grouped;
use pgn::Misspelling;
use run::{
    Beginning, BookReport, DRAWN, LearningReport, PartReport, RejectedGame, Summary, UnplayableMove,
    WITHOUT_FEN,
};

pub(crate) use self::review::write_review;
use crate::terminal::in_line;

/// `1 game`, `1,234 games`.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// Formats a share as a percentage, such as `12.3 %`.
#[expect(clippy::cast_precision_loss, reason = "a percentage for people")]
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".into() } else { format!("{:.1} %", part as f64 * 100.0 / whole as f64) }
}

/// Writes the summary of a run in a few lines.
pub(crate) fn write_summary(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    if !summary.inputs.is_empty() || summary.games > 0 {
        write_games(out, summary)?;
    }
    if let Some(resumed) = &summary.resumed {
        let games = counted(resumed.games, "game", "games");
        writeln!(out, "of them {games} in {} counted before", counted(resumed.chunks, "chunk", "chunks"))?;
    }
    for PartReport { stage, games } in &summary.parts {
        writeln!(out, "{}: {}", in_line(stage), counted(*games, "game", "games"))?;
    }
    if summary.edges > 0 {
        write!(out, "{}", counted(summary.edges, "edge", "edges"))?;
        if summary.bytes_spilled > 0 {
            write!(out, ", {} spilled", HumanBytes(summary.bytes_spilled))?;
        }
        writeln!(out)?;
    }
    write_counts(out, "imported", &summary.imported)?;
    if let Some(learning) = &summary.learning {
        write_learning(out, learning, summary)?;
    }
    summary.minimax.iter().try_for_each(|values| write_values(out, values))?;
    if summary.experience_rows > 0 {
        writeln!(out, "experience: {}", counted(summary.experience_rows, "row", "rows"))?;
    }
    let several = summary.books.len() > 1;
    summary.books.iter().try_for_each(|book| write_book(out, book, several))?;
    summary.edited.iter().try_for_each(|edited| write_edited(out, edited))?;
    write_exported(out, summary)?;
    summary.suite.iter().try_for_each(|suite| suite::write_suite(out, suite))?;
    summary.refined.iter().try_for_each(|report| refined::write_refined(out, report))?;
    for output in &summary.outputs {
        let place = if output == "-" { "to standard output".into() } else { in_line(output) };
        writeln!(out, "wrote {place}")?;
    }
    let seconds: f64 = summary.seconds.values().sum();
    match summary.peak_rss_bytes {
        // The peak memory is unknown on systems without /proc.
        0 => writeln!(out, "{seconds:.2} s"),
        bytes => writeln!(out, "{seconds:.2} s, peak memory {}", HumanBytes(bytes)),
    }
}

/// Writes how many positions of a book have a value, how many have none and why, and the value of the start
/// position.
fn write_values(out: &mut impl Write, values: &MinimaxReport) -> io::Result<()> {
    let MinimaxReport { evaluations, positions, unknown, unreached, eval, mate, line, .. } = values;
    let evaluations = counted(*evaluations, "evaluation", "evaluations");
    write!(out, "{} valued, by {evaluations}", counted(*positions, "position", "positions"))?;
    for (count, why) in [(*unknown, "of which nothing is known"), (*unreached, "to which no line leads")] {
        if count > 0 {
            write!(out, "; {} {why}", grouped(count))?;
        }
    }
    writeln!(out)?;
    let mate = mate.map(|mate| format!("mate in {mate}"));
    let Some(value) = mate.or_else(|| eval.map(signed)) else { return Ok(()) };
    let by = if line.is_empty() { String::new() } else { format!(" by {line}") };
    writeln!(out, "start position: {value}{by}")
}

/// Writes how many edits of each kind were made to a book.
fn write_edited(out: &mut impl Write, edited: &BTreeMap<String, u64>) -> io::Result<()> {
    let done = edited.iter().filter(|(_, count)| **count > 0);
    let part = |(what, count): (&String, &u64)| match what.split_once("s ") {
        Some((one, done)) => format!("{} {done}", counted(*count, one, &format!("{one}s"))),
        None => format!("{} {what}", grouped(*count)),
    };
    let parts: Vec<_> = done.map(part).collect();
    let parts = if parts.is_empty() { "no move".into() } else { parts.join(", ") };
    writeln!(out, "edited: {parts}")
}

/// Writes one line of two parts: first the counts of what was read or written, then the counts of special
/// cases and of what was left out. Each part is sorted from the largest count to the smallest.
fn write_counts(out: &mut impl Write, done: &str, counts: &BTreeMap<String, u64>) -> io::Result<()> {
    let mut counts: Vec<_> = counts.iter().collect();
    counts.sort_by_key(|(what, count)| (what.contains(' '), Reverse(**count)));
    let parts: Vec<_> = counts.iter().map(|(what, count)| format!("{} {what}", grouped(**count))).collect();
    if parts.is_empty() { Ok(()) } else { writeln!(out, "{done} {}", parts.join(", ")) }
}

/// Writes how many rows were exported, what a Polyglot book leaves out, how many positions have no FEN, and
/// how many moves a page's tree has.
fn write_exported(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let mut rows = summary.exported.clone();
    let (drawn, nameless) = (rows.remove(DRAWN), rows.remove(WITHOUT_FEN).unwrap_or(0));
    let polyglot = polyglot::take_notes(&mut rows)?;
    write_counts(out, "exported", &rows)?;
    out.write_all(&polyglot)?;
    if nameless > 0 {
        let positions = counted(nameless, "position has", "positions have");
        writeln!(out, "{positions} no FEN: no line of exported moves leads there from the start position")?;
    }
    drawn.map_or(Ok(()), |moves| writeln!(out, "drew {}", counted(moves, "move", "moves")))
}

/// Writes the counts of one book, and its path if there are several books.
fn write_book(out: &mut impl Write, book: &BookReport, several: bool) -> io::Result<()> {
    let BookReport { path, positions, moves, experience, promoted, weights, begins } = book;
    let name = if several { in_line(path) } else { "book".into() };
    let (positions, moves) = (counted(*positions, "position", "positions"), counted(*moves, "move", "moves"));
    write!(out, "{name}: {positions}, {moves}")?;
    if *promoted > 0 {
        write!(out, " ({} promoted)", grouped(*promoted))?;
    }
    if *experience > 0 {
        write!(out, ", {} of experience", counted(*experience, "row", "rows"))?;
    }
    if let Some(weights) = weights {
        write!(out, "; games weigh by {weights}")?;
    }
    writeln!(out)?;
    match begins {
        Some(Beginning::Line(line)) => writeln!(
            out,
            "{name} begins after {line} and has no moves that lead there: --from-start adds those of the line"
        ),
        Some(Beginning::Position(key)) => {
            writeln!(out, "{name} begins at the position {key} and has no moves that lead there")
        }
        None => Ok(()),
    }
}

fn write_games(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    write!(out, "{}: {} counted", counted(summary.games, "game", "games"), grouped(summary.accepted))?;
    if summary.cut > 0 {
        write!(out, " ({} cut at an illegal move)", grouped(summary.cut))?;
    }
    write_reasons(out, "filtered", &summary.filtered)?;
    write_reasons(out, "rejected", &summary.rejected)?;
    write_copies(out, summary)?;
    writeln!(out)?;
    summary.few_rejected.iter().try_for_each(|game| write_rejected(out, game))?;
    write_lenient(out, &summary.lenient)
}

/// Writes where a rejected game is, and why it was rejected.
fn write_rejected(out: &mut impl Write, rejected: &RejectedGame) -> io::Result<()> {
    let RejectedGame { input, game, ply, reason, text } = rejected;
    let ply = ply.map_or_else(String::new, |ply| format!(", ply {ply}"));
    let text = if text.is_empty() { String::new() } else { format!(" `{}`", in_line(text)) };
    writeln!(out, "  {}, game {}{ply}: {reason}{text}", in_line(input), grouped(*game))
}

/// Writes how often spellings of each nonstandard kind were accepted, and a warning about skipped tags.
fn write_lenient(out: &mut impl Write, lenient: &BTreeMap<String, u64>) -> io::Result<()> {
    let spelled = lenient.iter().filter(|(kind, _)| *kind != <&str>::from(Misspelling::BrokenTags));
    let spelled: Vec<_> =
        spelled.map(|(kind, times)| format!("{} {}", grouped(*times), kind.replace('-', " "))).collect();
    if !spelled.is_empty() {
        writeln!(out, "read leniently: {}", spelled.join(", "))?;
    }
    lenient.get(<&str>::from(Misspelling::BrokenTags)).map_or(Ok(()), |&tags| {
        let tags = counted(tags, "tag that cannot be read was", "tags that cannot be read were");
        writeln!(out, "warning: {tags} passed over, since nothing needs them")
    })
}

fn write_copies(out: &mut impl Write, summary: &Summary) -> io::Result<()> {
    let Some(copies) = summary.copies else { return Ok(()) };
    write!(out, ", {}", counted(copies, "copy", "copies"))
}

fn write_learning(out: &mut impl Write, learning: &LearningReport, summary: &Summary) -> io::Result<()> {
    let LearningReport { records, taught, recorded, idle, rejected, unplayable, most_played_unplayable } =
        learning;
    write!(out, "{}: {} used", counted(*records, "record", "records"), grouped(*taught))?;
    if *recorded > 0 {
        write!(out, " ({} of them before)", grouped(*recorded))?;
    }
    write_reasons(out, "not used", idle)?;
    write_reasons(out, "rejected", rejected)?;
    write_copies(out, summary)?;
    writeln!(out)?;
    if *unplayable == 0 {
        return Ok(());
    }
    let moves = counted(*unplayable, "move is", "moves are");
    let named = most_played_unplayable.iter().map(|UnplayableMove { line, games, learned }| {
        let (games, learned) = (counted(*games, "game", "games"), signed(*learned));
        format!("  {} ({games}, learned {learned})", in_line(line))
    });
    writeln!(out, "{moves} not to be played any more; most played:")?;
    named.into_iter().try_for_each(|line| writeln!(out, "{line}"))
}

fn write_reasons(out: &mut impl Write, what: &str, reasons: &BTreeMap<String, u64>) -> io::Result<()> {
    let total: u64 = reasons.values().sum();
    if total == 0 {
        return Ok(());
    }
    write!(out, ", {} {what} ({})", grouped(total), listed(reasons))
}

/// Lists counts with their names, such as `elo 12, no-moves 3`.
fn listed(counts: &BTreeMap<impl Display, u64>) -> String {
    let listed: Vec<_> = counts.iter().map(|(what, count)| format!("{what} {}", grouped(*count))).collect();
    listed.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_shares() {
        assert_eq!(counted(1, "game", "games"), "1 game");
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(percent(0, 0), "–");
    }
}
