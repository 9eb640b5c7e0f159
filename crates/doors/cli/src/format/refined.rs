//! Writes the report about a refined suite as text for people.

use std::io::{self, Write};

use craft::RefineReport;

use super::{
    counted, grouped, percent,
    suite::{write_bins, write_left_out},
};

/// Writes how many openings were kept, how many were left out for each reason, and how the games ended.
pub(super) fn write_refined(out: &mut impl Write, report: &RefineReport) -> io::Result<()> {
    let openings = counted(report.openings, "opening", "openings");
    writeln!(out, "{} of {openings} stay", grouped(report.kept))?;
    write_left_out(out, &report.left_out)?;
    if report.unjudged > 0 {
        let few = counted(report.unjudged, "opening has", "openings have");
        writeln!(out, "{few} too few pairs to be judged, and stay")?;
    }
    let tally = report.tally;
    let games = tally.games();
    let [white, draws, black, unpaired] =
        [tally.white, tally.draws, tally.black, report.unpaired].map(grouped);
    let (of_games, share) = (counted(games, "game", "games"), percent(tally.draws, games));
    writeln!(
        out,
        "{of_games}: {white} won by White, {draws} drawn ({share}), {black} won by Black; {unpaired} without a partner",
    )?;
    let (pairs, all) = (report.pairs, report.pairs.iter().sum());
    let points: Vec<_> = ["0", "0.5", "1", "1.5", "2"]
        .iter()
        .zip(pairs)
        .map(|(points, pairs)| format!("{points}: {}", grouped(pairs)))
        .collect();
    writeln!(
        out,
        "{} by points: {} ({} of them 1)",
        counted(all, "pair", "pairs"),
        points.join(", "),
        percent(pairs[2], all)
    )?;
    write_bins(out, "draws", &report.by_draws)?;
    write_bins(out, "pair draws", &report.by_pair_draws)?;
    write_bins(out, "White's score less a half", &report.by_bias)
}
