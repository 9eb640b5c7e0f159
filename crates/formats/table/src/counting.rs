//! How a table was counted: the options that change its counts.

use std::collections::BTreeSet;

use position::{Group, IllegalMove, Key, Repeats, ResultFrom, Spelling, UnknownResult};
use serde::{Deserialize, Serialize};

use crate::hex;

/// The dimensions that edges are split by.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "four independent columns that are there or not")]
pub struct Groups {
    /// The game's speed category, as Lichess defines it.
    pub speed: bool,
    /// The band in which the mean of the two players' ratings lies.
    pub rating_band: bool,
    /// The year and month of the game.
    pub month: bool,
    /// The colour of the named player.
    pub player_color: bool,
}

impl Groups {
    /// No dimension: edges are not split.
    pub const NONE: Groups = Groups { speed: false, rating_band: false, month: false, player_color: false };

    /// The bits of a [`Group`] that these dimensions use.
    #[must_use]
    pub fn mask(self) -> u32 {
        let all = Group::from_bits(u32::MAX).bits();
        let without = |used: bool, rest: Group| if used { all & !rest.bits() } else { 0 };
        without(self.speed, Group::from_bits(all).with_speed(None))
            | without(self.rating_band, Group::from_bits(all).with_rating_band(None))
            | without(self.month, Group::from_bits(all).with_month(None))
            | without(self.player_color, Group::from_bits(all).with_player_color(None))
    }

    /// The dimensions by name, comma-separated; `none` if there are none.
    #[must_use]
    pub fn describe(self) -> String {
        let dimensions = [
            (self.speed, "speed"),
            (self.rating_band, "rating_band"),
            (self.month, "month"),
            (self.player_color, "player_color"),
        ];
        let names: Vec<_> = dimensions.into_iter().filter_map(|(used, name)| used.then_some(name)).collect();
        if names.is_empty() { "none".to_owned() } else { names.join(",") }
    }
}

/// The options that change what a table counts.
///
/// Tables can be joined only if their options agree, except for `filters` and `line`. `filters` merely
/// records which games were counted. `line` merely records the moves by which the user specified the position
/// that games must reach. `groups` may differ too if rows are first summed over the groups.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Counting {
    /// The number of plies of each game that count; 0 means all.
    pub max_ply: u32,
    /// How positions that are repeated within a game are counted.
    #[serde(with = "named")]
    pub repeats: Repeats,
    /// What to do with games that have an illegal move.
    #[serde(with = "named")]
    pub illegal_move: IllegalMove,
    /// Whether games that do not begin at the start position count.
    pub from_position: bool,
    /// The dimensions that edges are split by.
    pub groups: Groups,
    /// Whether the players' ratings are summed along with the counts; left out of the JSON if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ratings: bool,
    /// What to do with games whose result is unknown; left out of the JSON if they are rejected.
    #[serde(default, with = "named", skip_serializing_if = "is_default")]
    pub unknown_result: UnknownResult,
    /// How strictly moves had to be spelled; left out of the JSON if only exact SAN was accepted.
    #[serde(default, with = "named", skip_serializing_if = "is_default")]
    pub spelling: Spelling,
    /// Where the results of games come from; left out of the JSON if the tag and the moves had to agree.
    #[serde(default, with = "named", skip_serializing_if = "is_default")]
    pub result_from: ResultFrom,
    /// Whether the lines of a repertoire were counted instead of games. Each line is counted as a draw. Left
    /// out of the JSON if false.
    #[serde(default, skip_serializing_if = "is_default")]
    pub repertoire: bool,
    /// The position that games must reach, and from which they are counted; `None` if whole games count.
    #[serde(with = "hex::optional_key")]
    pub root: Option<Key>,
    /// The moves by which the user specified that position, from the start position, in UCI notation,
    /// separated by spaces. `None`, and left out of the JSON, if no moves were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// One string for each count that this table comes from: the filters of that count, in canonical form.
    /// The string is empty if all games were counted. A table from a single count has one string; a merged
    /// table has the strings of all its inputs.
    pub filters: BTreeSet<String>,
}

impl Default for Counting {
    /// The default: sixty plies of every game, read leniently, ungrouped and without ratings.
    fn default() -> Self {
        Self {
            max_ply: 60,
            repeats: Repeats::Each,
            illegal_move: IllegalMove::Reject,
            from_position: false,
            groups: Groups::NONE,
            ratings: false,
            unknown_result: UnknownResult::Reject,
            spelling: Spelling::Lenient,
            result_from: ResultFrom::Both,
            repertoire: false,
            root: None,
            line: None,
            filters: BTreeSet::from([String::new()]),
        }
    }
}

impl Counting {
    /// The name of the option that sets the groups. Tables that differ in this option can be joined only if
    /// their rows are first summed over groups.
    pub const GROUP_OPTION: &'static str = "group-by";

    /// Finds the first option that must agree but does not; returns its name, and its values in this table
    /// and in the other.
    #[must_use]
    pub fn disagreement(&self, other: &Counting) -> Option<(&'static str, String, String)> {
        self.values()
            .into_iter()
            .zip(other.values())
            .find(|((_, ours, _), (_, theirs, _))| ours != theirs)
            .map(|((name, ours, _), (_, theirs, _))| (name, ours, theirs))
    }

    /// Adds the filters and the line of `other`; filters and lines may differ between joined tables. All
    /// filters are kept. If both tables have a line, only the alphabetically first line is kept, since both
    /// lines reach the same position.
    pub fn join(&mut self, other: Counting) {
        self.filters.extend(other.filters);
        self.line = self.line.take().into_iter().chain(other.line).min();
    }

    /// Lists the options that must agree: each option's name on the command line, its value, and whether it
    /// is recorded in the metadata of part files. Options that were added later appear in the metadata only
    /// if they differ from their default. How strictly moves were read is recorded only in the manifest.
    /// Games in exact SAN therefore give the same part files, no matter how strictly they were read.
    fn values(&self) -> [(&'static str, String, bool); 11] {
        let is_strict = self.spelling == Spelling::Strict;
        [
            ("max-ply", self.max_ply.to_string(), true),
            ("repeats", self.repeats.to_string(), true),
            ("illegal-move", self.illegal_move.to_string(), true),
            ("from-position", self.from_position.to_string(), true),
            (Self::GROUP_OPTION, self.groups.describe(), true),
            ("root", self.root.map_or("start".to_owned(), |key| key.to_string()), true),
            ("ratings", self.ratings.to_string(), self.ratings),
            ("unknown-result", self.unknown_result.to_string(), !is_default(&self.unknown_result)),
            ("repertoire", self.repertoire.to_string(), self.repertoire),
            ("strict-san", is_strict.to_string(), false),
            ("result-from", self.result_from.to_string(), !is_default(&self.result_from)),
        ]
    }

    /// The names and values of the options that a part file's metadata records.
    pub(crate) fn metadata(&self) -> Vec<(&'static str, String)> {
        let filters = self.filters.iter().map(String::as_str).collect::<Vec<_>>().join(" | ");
        let written = |(name, value, is_written)| if is_written { Some((name, value)) } else { None };
        self.values().into_iter().filter_map(written).chain([("filters", filters)]).collect()
    }
}

pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// `#[serde(with)]` for values that are stored by name.
mod named {
    use std::{fmt::Display, str::FromStr};

    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<R: Display, S: Serializer>(rule: &R, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(rule)
    }

    pub(super) fn deserialize<'de, R: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<R, D::Error> {
        let name = String::deserialize(deserializer)?;
        name.parse().map_err(|_| D::Error::custom(format!("unknown rule `{name}`")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn masks_are_disjoint_and_follow_the_dimensions() {
        assert_eq!(Groups::NONE.mask(), 0);
        let one = |f: fn(&mut Groups)| {
            let mut groups = Groups::NONE;
            f(&mut groups);
            groups.mask()
        };
        let masks = [
            one(|g| g.speed = true),
            one(|g| g.rating_band = true),
            one(|g| g.month = true),
            one(|g| g.player_color = true),
        ];
        assert_eq!(masks.map(u32::count_ones), [3, 4, 16, 2]);
        assert!(masks.is_sorted_by(|a, b| a > b));
        assert_eq!(masks.iter().fold(0, |all, mask| all | mask).count_ones(), 25);
    }

    #[test]
    fn a_disagreement_is_named() {
        let ours = Counting::default();
        assert_eq!(ours.disagreement(&ours.clone()), None);
        let theirs = Counting { max_ply: 40, filters: BTreeSet::from(["x".to_owned()]), ..ours.clone() };
        assert_eq!(ours.disagreement(&theirs), Some(("max-ply", "60".into(), "40".into())));
        let theirs = Counting { groups: Groups { month: true, ..Groups::NONE }, ..ours.clone() };
        assert_eq!(ours.disagreement(&theirs), Some(("group-by", "none".into(), "month".into())));
        let theirs = Counting { ratings: true, ..ours.clone() };
        assert_eq!(ours.disagreement(&theirs), Some(("ratings", "false".into(), "true".into())));
        let theirs = Counting { unknown_result: UnknownResult::Draw, ..ours.clone() };
        assert_eq!(ours.disagreement(&theirs), Some(("unknown-result", "reject".into(), "draw".into())));
        let theirs = Counting { spelling: Spelling::Strict, ..ours.clone() };
        assert_eq!(ours.disagreement(&theirs), Some(("strict-san", "false".into(), "true".into())));
        let theirs = Counting { result_from: ResultFrom::Tag, ..ours.clone() };
        assert_eq!(ours.disagreement(&theirs), Some(("result-from", "both".into(), "tag".into())));
        let theirs = Counting { repertoire: true, ..ours.clone() };
        assert_eq!(ours.disagreement(&theirs), Some(("repertoire", "false".into(), "true".into())));
    }

    #[test]
    fn of_lines_to_one_position_the_first_stays() {
        let of = |line: Option<&str>| Counting { line: line.map(Into::into), ..Counting::default() };
        for (a, b) in [(Some("d2d4 g8f6 c2c4"), Some("c2c4 g8f6 d2d4")), (Some("c2c4 g8f6 d2d4"), None)] {
            for (mut a, b) in [(of(a), of(b)), (of(b), of(a))] {
                a.join(b);
                assert_eq!(a.line.as_deref(), Some("c2c4 g8f6 d2d4"));
            }
        }
    }

    #[test]
    fn what_is_as_in_earlier_releases_is_written_as_they_wrote_it() {
        let names =
            |counting: &Counting| counting.metadata().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        let games = Counting::default();
        assert!(!serde_json::to_string(&games).unwrap().contains("repertoire") && names(&games).len() == 7);
        let strict = Counting { spelling: Spelling::Strict, ..games.clone() };
        let written = serde_json::to_string(&strict).unwrap();
        assert!(!written.contains("spelling"), "a table without the key is of strict reading");
        assert_eq!(serde_json::from_str::<Counting>(&written).unwrap(), strict);
        assert!(serde_json::to_string(&games).unwrap().contains(r#""spelling":"lenient""#));
        let lines = Counting { repertoire: true, unknown_result: UnknownResult::Draw, ..games };
        assert_eq!(names(&lines).len(), 9);
        let text = serde_json::to_string(&lines).unwrap();
        assert_eq!(serde_json::from_str::<Counting>(&text).unwrap(), lines);
    }
}
