//! `tabia check`: reports a book's faults as text or JSON, and fails if it finds any of the kinds that the
//! user chose.

use std::{
    io::{self, Write},
    path::PathBuf,
};

use anyhow::bail;
use clap::Args;
use count::Side;
use craft::{BookCheck, CheckOptions, Finding, FindingKind, KindReport};
use query::Artefact;
use run::{Limits, MemoryMib};
use shakmaty::Color;

use crate::{
    exit::Usage,
    format::{counted, grouped},
    help::{Short, examples},
    terminal::{self, in_line},
};

#[derive(Args)]
#[command(add = Short("color against only fail own-share min-share min-games worse plies limit json"))]
#[command(after_help = examples("\
tabia check white.tabia   all kinds of faults
tabia check white.tabia --against games.table --only holes --min-games 100   exit code 1 if there are any
tabia check book.bin --color black --fail repetitions,weights --json

docs/material.md describes each kind of finding."))]
pub(crate) struct CheckArgs {
    /// A book or a Polyglot book
    book: PathBuf,
    /// The side of the repertoire [default: the only side that has moves]
    #[arg(long, value_name = "white|black")]
    color: Option<Side>,
    /// The table, book or Polyglot book whose moves the opponent plays [default: the book itself]
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// What to look for: holes, choices, worse, repetitions, dead-ends, unreachable, weights [default: all]
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    only: Vec<FindingKind>,
    /// Fail (exit 1) if there are findings of these kinds [default: the kinds named with --only]
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    fail: Vec<FindingKind>,
    /// For holes: follow one of our moves only if it was played in at least this share of the games from its
    /// position, 0 to 1; our most frequent move is always followed
    #[arg(long, value_name = "SHARE", default_value_t = CheckOptions::default().own_share)]
    own_share: f64,
    /// For holes: list only moves that the opponent played in at least this share of the games from their
    /// position, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = CheckOptions::default().min_share)]
    min_share: f64,
    /// For holes and worse moves: list only moves with at least this number of games
    #[arg(long, value_name = "N", default_value_t = CheckOptions::default().min_games)]
    min_games: u64,
    /// For worse moves: list only moves that score lower than the best move in their position by more than
    /// this, 0 to 1
    #[arg(long, value_name = "SCORE", default_value_t = CheckOptions::default().worse)]
    worse: f64,
    /// For dead ends: list lines that end before this ply
    #[arg(long, value_name = "N", default_value_t = CheckOptions::default().plies)]
    plies: u32,
    /// How many findings of each kind to list
    #[arg(long, value_name = "N", default_value_t = CheckOptions::default().limit)]
    limit: usize,
    /// Worker threads [default: one per core]
    #[arg(short = 'j', long, value_name = "N")]
    threads: Option<usize>,
    /// Memory for the book, such as 256MiB or 4GiB; a book that needs more is refused [default: a quarter of
    /// the machine's memory]
    #[arg(long, value_name = "SIZE")]
    memory: Option<MemoryMib>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl CheckArgs {
    /// How the book is checked.
    fn options(&self) -> CheckOptions {
        let Self { own_share, min_share, min_games, worse, plies, limit, .. } = *self;
        let color = self.color.map(|side| Color::from_white(side == Side::White));
        let kinds = self.kinds();
        let of_machine = CheckOptions::default().threads;
        let threads = self.threads.unwrap_or(of_machine).max(1);
        let memory_mib = self.memory.map(|memory| memory.0);
        let memory_bytes = Limits { memory_mib, ..Limits::default() }.memory_bytes();
        CheckOptions {
            color,
            kinds,
            own_share,
            min_share,
            min_games,
            worse,
            plies,
            limit,
            threads,
            memory_bytes,
        }
    }

    /// The kinds of findings to look for: with `--only`, those listed in `--only` or `--fail`; without it,
    /// all kinds.
    fn kinds(&self) -> Vec<FindingKind> {
        let is_named = |kind: &FindingKind| self.only.contains(kind) || self.fail.contains(kind);
        let all = FindingKind::ALL.iter().copied();
        if self.only.is_empty() { all.collect() } else { all.filter(is_named).collect() }
    }

    /// The kinds of findings that make the command fail.
    fn failing(&self) -> &[FindingKind] {
        if self.fail.is_empty() { &self.only } else { &self.fail }
    }
}

/// `tabia check`.
pub(crate) fn check(args: &CheckArgs) -> anyhow::Result<()> {
    for (flag, share) in [("own-share", args.own_share), ("min-share", args.min_share), ("worse", args.worse)]
    {
        if !(0.0..=1.0).contains(&share) {
            bail!(Usage(format!("--{flag}: must be from 0 to 1, not {share}")));
        }
    }
    let book = Artefact::open(&args.book)?;
    let against = args.against.as_deref().map(Artefact::open).transpose()?;
    let checked = craft::check(&book, against.as_ref(), &args.options())?;
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
    let is_asked = |kind| kind != FindingKind::Unreachable || args.only.contains(&kind);
    checked.kinds.iter().try_for_each(|report| write_kind(out, report, is_asked(report.kind)))
}

/// Writes the findings of one kind. Positions that no line reaches can only be listed by key, which tells
/// people little. They are therefore not listed unless the user asked for this kind.
fn write_kind(out: &mut impl Write, report: &KindReport, is_asked: bool) -> io::Result<()> {
    if let Some(why) = report.not_checked {
        return writeln!(out, "{}: not checked: {why}", report.kind);
    }
    let found = grouped(report.found);
    if !is_asked && report.found > 0 {
        return writeln!(out, "{}: {found} (--only unreachable lists their keys)", report.kind);
    }
    writeln!(out, "{}: {found}", report.kind)?;
    for of_place in report.findings.chunk_by(|one, other| one.line == other.line && one.key == other.key) {
        write_place(out, of_place)?;
    }
    let more = report.found - report.findings.len() as u64;
    if more > 0 && !report.findings.is_empty() {
        writeln!(out, "  … and {} more (--limit)", grouped(more))?;
    }
    Ok(())
}

/// Writes the findings for one position. A single finding is written after the moves that lead to the
/// position; several are written below the moves, one per line.
fn write_place(out: &mut impl Write, findings: &[Finding]) -> io::Result<()> {
    let [first, more @ ..] = findings else { return Ok(()) };
    let place = match first.line.as_str() {
        "" if first.key == position::Key::START.to_string() => "start position",
        "" => first.key.as_str(),
        line => line,
    };
    if more.is_empty() {
        return writeln!(out, "  {place}: {}", first.what);
    }
    writeln!(out, "  {place}:")?;
    findings.iter().try_for_each(|finding| writeln!(out, "    {}", finding.what))
}
