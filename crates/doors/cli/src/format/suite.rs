//! Describes an opening suite for people.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use craft::{Bin, SuiteReport};

use super::{counted, grouped, listed, percent};
use crate::terminal::in_line;

/// The maximum number of ECO codes that are listed.
const CODES: usize = 8;

/// The length of the longest bar, in characters.
const BAR: u64 = 40;

/// Writes the size of a suite, and how its openings are distributed by plies, White's score, draws and ECO
/// code.
pub(super) fn write_suite(out: &mut impl Write, suite: &SuiteReport) -> io::Result<()> {
    let openings = counted(suite.openings, "opening", "openings");
    writeln!(out, "{openings} of {}", counted(suite.candidates, "position that fits", "positions that fit"))?;
    write_left_out(out, &suite.left_out)?;
    if suite.plies.len() > 1 {
        let plies: Vec<_> =
            suite.plies.iter().map(|(plies, openings)| format!("{plies}: {openings}")).collect();
        writeln!(out, "plies: {}", plies.join(", "))?;
    }
    write_bins(out, "White's score", &suite.score)?;
    write_bins(out, "draws", &suite.draws)?;
    write_codes(out, &suite.eco, suite.openings)?;
    if suite.evaluated > 0 {
        writeln!(out, "{} evaluated", counted(suite.evaluated, "opening is", "openings are"))?;
    }
    suite.overlaps.iter().try_for_each(|other| {
        let share = percent(other.shared, suite.openings);
        let positions = counted(other.positions, "position", "positions");
        writeln!(
            out,
            "{}: {} shared of its {positions}, {share} of these",
            in_line(&other.path),
            grouped(other.shared)
        )
    })
}

/// Writes how many openings were left out, by reason.
pub(super) fn write_left_out(out: &mut impl Write, left_out: &BTreeMap<&str, u64>) -> io::Result<()> {
    if left_out.is_empty() { Ok(()) } else { writeln!(out, "left out: {}", listed(left_out)) }
}

/// Writes one line with a bar for each bin.
pub(super) fn write_bins(out: &mut impl Write, what: &str, bins: &[Bin]) -> io::Result<()> {
    let Some(most) = bins.iter().map(|bin| bin.openings).max() else { return Ok(()) };
    writeln!(out, "{what}")?;
    bins.iter().try_for_each(|bin| {
        let bar = "#".repeat((bin.openings * BAR).div_ceil(most.max(1)) as usize);
        let (from, to) = (100.0 * bin.from, 100.0 * bin.to);
        writeln!(out, "  {from:>3.0} to {to:>3.0} %  {:>7}  {bar}", grouped(bin.openings))
    })
}

/// Writes the shares of openings in each ECO volume, and the most frequent ECO codes.
fn write_codes(out: &mut impl Write, codes: &BTreeMap<String, u64>, all: u64) -> io::Result<()> {
    let mut volumes = BTreeMap::<&str, u64>::new();
    for (code, openings) in codes {
        *volumes.entry(code.get(..1).unwrap_or("none")).or_default() += openings;
    }
    let part = |(name, openings): (&str, u64)| format!("{name} {}", percent(openings, all));
    let volumes: Vec<_> = volumes.into_iter().map(part).collect();
    let mut most: Vec<_> = codes.iter().filter(|(code, _)| !code.is_empty()).collect();
    let named = most.len() as u64;
    most.sort_by_key(|(code, openings)| (std::cmp::Reverse(**openings), *code));
    let most: Vec<_> =
        most.into_iter().take(CODES).map(|(code, openings)| format!("{code} {openings}")).collect();
    writeln!(out, "ECO: {}", volumes.join(", "))?;
    if most.is_empty() {
        return Ok(());
    }
    writeln!(out, "{}; most: {}", counted(named, "code", "codes"), most.join(", "))
}
