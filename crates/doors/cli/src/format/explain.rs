//! Explains how a policy computed its chances.

use std::io::{self, Write};

use query::{Choice, ChosenMove, PolicySpec, Scores};

/// Formats a chance for a table; `out` means that a rule excludes the move.
pub(crate) fn chances(chosen: Option<&ChosenMove>) -> String {
    match chosen {
        Some(ChosenMove { excluded: Some(_), .. }) => "out".into(),
        Some(chosen) => format!("{:.1} %", 100.0 * chosen.probability),
        None => String::new(),
    }
}

/// Writes the whole computation: the settings, the position's figures, and each move's values or the rule
/// that excludes it.
pub(crate) fn explain(out: &mut impl Write, choice: &Choice) -> io::Result<()> {
    let chooser = &choice.chooser;
    let PolicySpec { name, summary, source, .. } = chooser.spec();
    writeln!(out, "\n{name}: {summary} ({source})")?;
    for setting in chooser.settings() {
        let given = if setting.given { "" } else { " (default)" };
        writeln!(out, "  {setting}{given}")?;
    }
    if let Some(weights) = chooser.describe_weights() {
        writeln!(out, "  games weigh by {weights}")?;
    }
    if choice.figures.iter().len() > 0 {
        writeln!(out, "\nof the position: {}", values(&choice.figures))?;
    }
    if !choice.moves.is_empty() {
        writeln!(out)?;
    }
    let width = |text: fn(&ChosenMove) -> usize| choice.moves.iter().map(text).max().unwrap_or(0);
    let widths = (width(|mv| mv.san.len()), width(|mv| chances(Some(mv)).len()));
    for chosen in &choice.moves {
        write_move(out, chosen, widths)?;
    }
    Ok(())
}

/// Writes the notes on a choice.
pub(crate) fn notes(out: &mut impl Write, choice: &Choice) -> io::Result<()> {
    choice.notes.iter().try_for_each(|note| writeln!(out, "note: {note}"))
}

fn write_move(out: &mut impl Write, chosen: &ChosenMove, (name, chance): (usize, usize)) -> io::Result<()> {
    let group = chosen.group.map(|group| format!("group {group}"));
    let outside = (!chosen.in_book).then(|| "not a move of the book".to_owned());
    let scores = Some(values(&chosen.scores)).filter(|text| !text.is_empty());
    let facts: Vec<_> = group.into_iter().chain(outside).chain(scores).collect();
    let line = format!("{:name$}  {:>chance$}  {}", chosen.san, chances(Some(chosen)), facts.join("; "));
    writeln!(out, "{}", line.trim_end())?;
    match &chosen.excluded {
        Some(reason) => writeln!(out, "{:name$}  {:>chance$}  by: {reason}", "", ""),
        None => Ok(()),
    }
}

/// Formats named numbers, such as `value 60, frequency-sum 2107`. Whole numbers have no decimal point; others
/// have up to four decimals, without trailing zeros.
fn values(named: &Scores) -> String {
    let texts: Vec<_> = named.iter().map(|(name, value)| format!("{name} {}", number(value))).collect();
    texts.join(", ")
}

fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    match text.trim_end_matches('0').trim_end_matches('.') {
        "-0" => "0".into(),
        short => short.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_keep_what_matters_of_their_decimals() {
        let shown = [2107.0, 0.7875, -0.98, 1.0 / 3.0, 100.0, -0.00001].map(number);
        assert_eq!(shown, ["2107", "0.7875", "-0.98", "0.3333", "100", "0"]);
    }
}
