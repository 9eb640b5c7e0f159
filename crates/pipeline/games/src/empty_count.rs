//! Explains why nothing was counted: how many games were filtered out or rejected and for which reasons, and
//! which mistake the user may have made.
//!
//! A mistaken filter nearly always asks for a tag or a name that no game has. Nothing checks for that while
//! games are being counted. If no game was counted, the beginning of the inputs is read again to find the
//! mistake.

mod names;
mod seen;

use std::{collections::BTreeMap, error::Error, fmt, path::Path};

use output::grouped;
use pgn::{
    filter::{Filter, Filters},
    verdict::Reason,
};
use query::Artefact;
use run::InputStatus;

use self::{names::alike, seen::SeenTags};

/// The error of a run that counted nothing. It states how many games or records were read, and why none of
/// them counts.
#[derive(Debug)]
pub struct EmptyCount {
    /// The unit that was read: `game` or `record`.
    what: &'static str,
    /// Names of the inputs.
    inputs: Vec<String>,
    read: u64,
    passed_over: BTreeMap<String, u64>,
    rejected: BTreeMap<String, u64>,
    copies: u64,
    hints: Vec<String>,
}

impl EmptyCount {
    /// Builds the explanation from the names of the inputs and the `status` of their games.
    #[must_use]
    pub fn of(what: &'static str, inputs: Vec<String>, status: InputStatus) -> Self {
        let InputStatus { games: read, passed_over, rejected, copies, .. } = status;
        Self { what, inputs, read, passed_over, rejected, copies, hints: Vec::new() }
    }

    /// Adds a hint that names the stage that counted nothing. Used if the recipe has several stages that
    /// count.
    pub fn in_stage(&mut self, stage: &str) {
        self.hints.push(format!("the counting stage is [stage.{stage}]"));
    }

    /// Adds hints about tags and names that the filters ask for but that no game near the beginning of the
    /// inputs has. `paths` names the inputs, and `limit` is the run's maximum number of games.
    pub fn look_again(&mut self, (paths, limit): (&[String], Option<u64>), filters: &Filters) {
        if limit == Some(0) {
            self.hints.push("the limit is 0 games".into());
        }
        if self.rejected.get(<&str>::from(Reason::Fragment)) == Some(&self.read) {
            self.hints.extend(self.inputs.first().map(|input| stranger(input)));
        }
        let refused = |filter: &Filter| self.passed_over.contains_key(<&str>::from(filter));
        let refused: Vec<Filter> = Filter::ALL.iter().copied().filter(refused).collect();
        if refused.is_empty() {
            return;
        }
        let Some(seen) = SeenTags::of(paths, limit) else {
            self.hints.push("the input cannot be read again to find out why".into());
            return;
        };
        self.hints.extend(refused.into_iter().filter_map(|filter| hint(filter, filters, &seen)));
    }
}

/// Describes an input in which no game has tags: what format it seems to be in, and which was expected.
fn stranger(input: &str) -> String {
    let seems = match Artefact::open(Path::new(input)) {
        Err(query::Error::Foreign { what, .. }) => format!("{input} looks like {what}"),
        _ => format!("{input} has no tags"),
    };
    format!("{seems}, but PGN was expected: games that begin with tags, such as [Event \"…\"]")
}

/// Explains why no game passed `filter`, if there is a likely mistake. There are two such mistakes: no game
/// has the tag that the filter asks for, or no player has the name that the filter asks for but some players
/// have similar names. Returns `None` if the filter has neither mistake.
fn hint(filter: Filter, filters: &Filters, seen: &SeenTags) -> Option<String> {
    match filter {
        Filter::Player => {
            let player = filters.player.as_ref()?;
            if seen.players().any(|name| player.is_named(name)) {
                return None;
            }
            let asked = player.to_string();
            let near = alike(&asked, seen.players());
            let near: Vec<_> = near.into_iter().map(|name| format!("`{name}`")).collect();
            let names = near.join(", ");
            (!near.is_empty()).then(|| format!("there are players with names similar to `{asked}`: {names}"))
        }
        Filter::Where => {
            let tags = filters.expression.as_ref()?.tags();
            let missing: Vec<_> = tags.into_iter().filter_map(|tags| missing(&tags, seen)).collect();
            (!missing.is_empty()).then(|| missing.join("; "))
        }
        _ => missing(filter.tags(), seen),
    }
}

/// If no game has any of these tags, says so and suggests a tag with a similar name, if there is one.
fn missing(tags: &[&str], seen: &SeenTags) -> Option<String> {
    if tags.is_empty() || tags.iter().any(|tag| seen.has_tag(tag)) {
        return None;
    }
    let asked: Vec<_> = tags.iter().map(|tag| format!("`{tag}`")).collect();
    let near = seen.nearest_tag(tags[0]).map_or_else(String::new, |near| format!(" (nearest: `{near}`)"));
    let (no_game, asked) = (seen.no_game(), asked.join(" or "));
    Some(format!("{no_game} has the tag {asked}{near}"))
}

impl fmt::Display for EmptyCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, inputs, read, passed_over, rejected, copies, hints } = self;
        match (read, inputs.as_slice()) {
            (0, [input]) => write!(f, "no {what} was read from {input}")?,
            (0, inputs) => write!(f, "no {what} was read from {} inputs", inputs.len())?,
            (1, _) => write!(f, "the only {what} does not count")?,
            _ => write!(f, "none of the {} {what}s counts", grouped(*read))?,
        }
        let is_filter = |name: &str| Filter::ALL.iter().any(|filter| <&str>::from(filter) == name);
        let (filtered, idle): (Vec<_>, Vec<_>) = passed_over.iter().partition(|(name, _)| is_filter(name));
        let outcomes = [("filtered", filtered), ("not used", idle), ("rejected", rejected.iter().collect())];
        let outcomes = outcomes.into_iter().filter(|(_, reasons)| !reasons.is_empty());
        let mut outcomes: Vec<_> =
            outcomes.map(|(outcome, reasons)| format!("{outcome} ({})", by_reason(&reasons))).collect();
        if *copies > 0 {
            outcomes.push(format!("copies of games already counted ({})", grouped(*copies)));
        }
        if !outcomes.is_empty() {
            write!(f, ": {}", outcomes.join(", "))?;
        }
        hints.iter().try_for_each(|hint| write!(f, "; {hint}"))
    }
}

impl Error for EmptyCount {}

fault::kinds!(EmptyCount: Empty);

/// Lists the reasons with their counts, such as `min-elo 3, where 2`.
fn by_reason(reasons: &[(&String, &u64)]) -> String {
    let reasons: Vec<_> =
        reasons.iter().map(|(name, count)| format!("{name} {}", grouped(**count))).collect();
    reasons.join(", ")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const GAMES: &str = "[Event \"a\"]\n[White \"Carlsen, Magnus\"]\n[Black \"Anand, V\"]\n[WhiteElo \"2800\"]\n\
        [Result \"1-0\"]\n\n1. e4 1-0\n\n[Event \"b\"]\n[White \"Svidler\"]\n[Black \"Carlsen, Magnus\"]\n\n1. d4 1/2-1/2\n";

    fn refused(filters: &Filters, by: Filter, limit: Option<u64>) -> String {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pgn");
        fs::write(&path, GAMES).unwrap();
        let passed_over = BTreeMap::from([(by.to_string(), 2)]);
        let status = InputStatus { games: 2, passed_over, ..InputStatus::default() };
        let mut nothing = EmptyCount::of("game", vec!["a.pgn".into()], status);
        nothing.look_again((&[path.display().to_string()], limit), filters);
        nothing.to_string()
    }

    #[test]
    fn a_tag_that_no_game_has_is_named_with_the_nearest() {
        let asked = |text: &str| Filters { expression: Some(text.parse().unwrap()), ..Filters::default() };
        assert_eq!(
            refused(&asked("WhitElo > 2400"), Filter::Where, None),
            "none of the 2 games counts: filtered (where 2); no game has the tag `WhitElo` (nearest: `WhiteElo`)"
        );
        let text = refused(&asked("whiteelo > 2400 or Colour = \"x\""), Filter::Where, None);
        assert!(text.ends_with("`whiteelo` (nearest: `WhiteElo`); no game has the tag `Colour`"), "{text}");
        let text = refused(&asked("WhiteElo > 2900"), Filter::Where, None);
        assert!(text.ends_with("filtered (where 2)"), "{text}");
        let text = refused(&Filters::default(), Filter::Speed, None);
        assert!(text.ends_with("; no game has the tag `TimeControl`"), "{text}");
        let text = refused(&Filters::default(), Filter::Since, Some(1));
        assert!(text.ends_with("; none of the first 1 games has the tag `UTCDate` or `Date`"), "{text}");
    }

    #[test]
    fn a_player_under_another_spelling_is_named() {
        let asked = |name: &str| Filters { player: Some(name.parse().unwrap()), ..Filters::default() };
        for name in ["Magnus Carlsen", "Karlsen, Magnus", "carlsen", "/Magnus Carlsen/"] {
            let text = refused(&asked(name), Filter::Player, None);
            let expected = format!("; there are players with names similar to `{name}`: `Carlsen, Magnus`");
            assert!(text.ends_with(&expected), "{text}");
        }
        let text = refused(&asked("CARLSEN, Magnus"), Filter::Player, None);
        assert!(text.ends_with("filtered (player 2)"), "with another colour: {text}");
        let text = refused(&asked("Kasparov"), Filter::Player, None);
        assert!(text.ends_with("filtered (player 2)"), "{text}");
    }
}
