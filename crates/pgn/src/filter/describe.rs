//! The canonical text of filters.

use super::Filters;

impl Filters {
    /// Canonical text of the filters that are set, for metadata and plans: equal filters give equal text; empty if none is set.
    /// Example: `min-elo 2400; since 2013-01; speed bullet,blitz; where WhiteElo >= 2400`.
    #[must_use]
    pub fn describe(&self) -> String {
        let mut parts = Vec::new();
        let mut part =
            |name: &str, value: Option<String>| parts.extend(value.map(|value| format!("{name} {value}")));
        part("min-elo", shown(self.min_elo));
        part("max-elo", shown(self.max_elo));
        let has_limits = self.min_elo.is_some() || self.max_elo.is_some();
        part("elo", shown((self.elo_any && has_limits).then_some("any")));
        part("since", shown(self.since));
        part("until", shown(self.until));
        part("speed", list(&self.speeds, |&speed| speed as u8, |speed| speed.name().into()));
        part("result", list(&self.results, |&outcome| outcome as u8, ToString::to_string));
        part("player", self.describe_player());
        part("exclude-bots", shown(self.exclude_bots.then_some("yes")));
        part("rated-only", shown(self.rated_only.then_some("yes")));
        part("eco", list(&self.eco, |range| range.order(), ToString::to_string));
        part("where", self.expression.as_ref().map(ToString::to_string));
        part("min-plies", shown((self.min_plies != 1).then_some(self.min_plies)));
        parts.join("; ")
    }

    /// The name in quotes, so that nothing in it can look like another filter.
    fn describe_player(&self) -> Option<String> {
        let player = self.players.as_ref()?;
        let color = player.color.map_or("", |color| color.fold_wb(" white", " black"));
        let name = player.name.to_string().replace('\\', r"\\").replace('"', r#"\""#);
        Some(format!("\"{name}\"{color}"))
    }
}

fn shown(value: Option<impl ToString>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// The items sorted by `order`, each once, separated by commas.
fn list<T, K: Ord>(items: &[T], order: impl Fn(&T) -> K, name: impl Fn(&T) -> String) -> Option<String> {
    let mut sorted: Vec<&T> = items.iter().collect();
    sorted.sort_by_key(|item| order(item));
    sorted.dedup_by_key(|item| order(item));
    let names: Vec<String> = sorted.into_iter().map(name).collect();
    (!names.is_empty()).then(|| names.join(","))
}
