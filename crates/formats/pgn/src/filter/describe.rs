//! The canonical text of filters.

use shakmaty::Color;

use super::{Filters, PlayerName};

impl Filters {
    /// The canonical text of the filters that are set, for metadata and plans; empty if no filter is set.
    /// Filters that are equal have the same text, for example
    /// `min-elo 2400; since 2013-01; speed bullet,blitz; where WhiteElo >= 2400`.
    #[must_use]
    pub fn describe(&self) -> String {
        // All fields are listed, so that forgetting a new one here is a compile error; otherwise, the
        // provenance of tables would lack it.
        let Self {
            min_elo,
            max_elo,
            elo_any,
            since,
            until,
            speed,
            result,
            min_plies,
            player,
            player_color,
            exclude_bots,
            rated_only,
            eco,
            expression,
        } = self;
        let mut parts = Vec::new();
        let mut part =
            |name: &str, value: Option<String>| parts.extend(value.map(|value| format!("{name} {value}")));
        part("min-elo", shown(*min_elo));
        part("max-elo", shown(*max_elo));
        let has_limits = min_elo.is_some() || max_elo.is_some();
        part("elo", shown((*elo_any && has_limits).then_some("any")));
        part("since", shown(*since));
        part("until", shown(*until));
        part("speed", list(speed, |&speed| speed as u8, ToString::to_string));
        part("result", list(result, |&outcome| outcome as u8, ToString::to_string));
        part("player", player.as_ref().map(|player| describe_player(player, *player_color)));
        part("exclude-bots", shown(exclude_bots.then_some("yes")));
        part("rated-only", shown(rated_only.then_some("yes")));
        part("eco", list(eco, |range| range.order(), ToString::to_string));
        part("where", shown(expression.as_ref()));
        part("min-plies", shown((*min_plies != 1).then_some(*min_plies)));
        parts.join("; ")
    }
}

/// Puts the player's name in quotes, so that no part of it can be mistaken for another filter.
fn describe_player(name: &PlayerName, color: Option<Color>) -> String {
    let color = color.map_or("", |color| color.fold_wb(" white", " black"));
    let name = name.to_string().replace('\\', r"\\").replace('"', r#"\""#);
    format!("\"{name}\"{color}")
}

fn shown(value: Option<impl ToString>) -> Option<String> {
    value.map(|value| value.to_string())
}

/// Sorts the items by `order`, removes duplicates and joins their names with commas.
fn list<T, K: Ord>(items: &[T], order: impl Fn(&T) -> K, name: impl Fn(&T) -> String) -> Option<String> {
    let mut sorted: Vec<&T> = items.iter().collect();
    sorted.sort_by_key(|item| order(item));
    sorted.dedup_by_key(|item| order(item));
    let names: Vec<String> = sorted.into_iter().map(name).collect();
    (!names.is_empty()).then(|| names.join(","))
}
