//! `tabia check`: what a player of a book should know, as text or JSON, and as an exit code.

use std::io::{self, Write};

use anyhow::bail;
use craft::{BookCheck, KindReport};
use query::Artefact;

use crate::{
    args::CheckArgs,
    exit::Usage,
    format::{counted, grouped},
    terminal::{self, in_line},
};

/// `tabia check`.
pub(crate) fn check(args: &CheckArgs) -> anyhow::Result<()> {
    for (flag, share) in [("min-share", args.min_share), ("worse", args.worse)] {
        if !(0.0..=1.0).contains(&share) {
            bail!(Usage(format!("--{flag}: must be within 0..1, not {share}")));
        }
    }
    let book = Artefact::open(&args.book)?;
    let against = args.against.as_deref().map(Artefact::open).transpose()?;
    let checked = craft::check(&book, against.as_ref(), &args.options()).map_err(run::Error::from)?;
    let mut out = terminal::stdout();
    if args.json {
        out.json(&checked)?;
    } else {
        write_checked(&mut out, args, &checked)?;
    }
    let failing = |report: &&KindReport| report.found > 0 && args.failing().contains(&report.kind);
    let named = |report: &KindReport| format!("{} {}", report.kind, grouped(report.found));
    let kinds: Vec<_> = checked.kinds.iter().filter(failing).map(named).collect();
    if kinds.is_empty() { Ok(()) } else { bail!("the check failed: {}", kinds.join(", ")) }
}

fn write_checked(out: &mut impl Write, args: &CheckArgs, checked: &BookCheck) -> io::Result<()> {
    let BookCheck { reached, positions, color, .. } = checked;
    let side = color.map_or_else(|| "both sides".to_owned(), |color| format!("the repertoire of {color}"));
    let positions = counted(*positions, "position", "positions");
    let book = args.book.display().to_string();
    writeln!(out, "{}: {side}, {positions}, {} reached", in_line(&book), grouped(*reached))?;
    if checked.castling_as_king_move > 0 {
        let moves = counted(checked.castling_as_king_move, "castling move", "castling moves");
        writeln!(out, "{moves} written as the king's two squares (e1g1), and read as castling")?;
    }
    checked.kinds.iter().try_for_each(|report| write_kind(out, report))
}

fn write_kind(out: &mut impl Write, report: &KindReport) -> io::Result<()> {
    if let Some(why) = report.not_checked {
        return writeln!(out, "{}: not checked: {why}", report.kind);
    }
    writeln!(out, "{}: {}", report.kind, grouped(report.found))?;
    for finding in &report.findings {
        let place = match finding.line.as_str() {
            "" if finding.key == position::Key::START.to_string() => "start position",
            "" => finding.key.as_str(),
            line => line,
        };
        writeln!(out, "  {place}: {}", finding.what)?;
    }
    let more = report.found - report.findings.len() as u64;
    if more > 0 && !report.findings.is_empty() {
        writeln!(out, "  … and {} more (--limit)", grouped(more))?;
    }
    Ok(())
}
