//! Numbers and reports as people read them.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use indicatif::HumanBytes;
pub(crate) use pipeline::numbers::grouped;
use pipeline::{Report, report::LearningReport};

/// `1 game`, `1,234 games`.
pub(crate) fn counted(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { one } else { many })
}

/// A share of a whole in percent: `12.3 %`.
#[expect(clippy::cast_precision_loss, reason = "a percentage for people")]
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "–".into() } else { format!("{:.1} %", part as f64 * 100.0 / whole as f64) }
}

/// The report of a run, in a few lines.
pub(crate) fn write_report(out: &mut impl Write, report: &Report) -> io::Result<()> {
    if !report.inputs.is_empty() {
        write_games(out, report)?;
    }
    if report.edges > 0 {
        write!(out, "{}", counted(report.edges, "edge", "edges"))?;
        if report.bytes_spilled > 0 {
            write!(out, ", {} spilled", HumanBytes(report.bytes_spilled))?;
        }
        writeln!(out)?;
    }
    if let Some(learning) = &report.learning {
        write_learning(out, learning)?;
    }
    if report.experience_rows > 0 {
        writeln!(out, "experience: {}", counted(report.experience_rows, "row", "rows"))?;
    }
    if report.book_positions > 0 {
        let moves = counted(report.book_edges, "move", "moves");
        write!(out, "book: {}, {moves}", counted(report.book_positions, "position", "positions"))?;
        if report.book_experience > 0 {
            write!(out, ", {} of experience", counted(report.book_experience, "row", "rows"))?;
        }
        writeln!(out)?;
    }
    if !report.exported.is_empty() {
        let parts: Vec<_> =
            report.exported.iter().map(|(what, rows)| format!("{} {what}", grouped(*rows))).collect();
        writeln!(out, "exported {}", parts.join(", "))?;
    }
    for output in &report.outputs {
        writeln!(out, "wrote {output}")?;
    }
    let seconds: f64 = report.seconds.values().sum();
    writeln!(out, "{seconds:.2} s, peak memory {}", HumanBytes(report.peak_rss_bytes))
}

fn write_games(out: &mut impl Write, report: &Report) -> io::Result<()> {
    write!(out, "{}: {} counted", counted(report.games, "game", "games"), grouped(report.accepted))?;
    if report.cut > 0 {
        write!(out, " ({} cut at an illegal move)", grouped(report.cut))?;
    }
    write_reasons(out, "filtered", &report.filtered)?;
    write_reasons(out, "rejected", &report.rejected)?;
    writeln!(out)
}

fn write_learning(out: &mut impl Write, learning: &LearningReport) -> io::Result<()> {
    let LearningReport { records, taught, idle, rejected } = learning;
    write!(out, "{}: {} taught", counted(*records, "record", "records"), grouped(*taught))?;
    write_reasons(out, "taught nothing", idle)?;
    write_reasons(out, "rejected", rejected)?;
    writeln!(out)
}

fn write_reasons(out: &mut impl Write, what: &str, reasons: &BTreeMap<String, u64>) -> io::Result<()> {
    let total: u64 = reasons.values().sum();
    if total == 0 {
        return Ok(());
    }
    let list: Vec<_> = reasons.iter().map(|(name, count)| format!("{name} {}", grouped(*count))).collect();
    write!(out, ", {} {what} ({})", grouped(total), list.join(", "))
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
