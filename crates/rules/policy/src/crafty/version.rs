//! The differences between Crafty's versions, according to `book.c` and `data.c` in all tags from 15.17 to
//! 25.2.

/// A preset: weights and rules that several versions have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Version {
    /// The preset's name in settings, which is the first version with these weights and rules.
    name: &'static str,
    /// The weights of frequency, learned value and evaluation.
    pub(super) weights: [f32; 3],
    pub(super) rules: Rules,
}

/// Sets of rules, each named after its latest change. Each set includes all earlier changes.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Rules {
    /// In 15.17, bonuses for flags are always added.
    First,
    /// From Crafty 16.0 on, bonuses are added only if some move has `!` or `!!`. A play percentage gives a
    /// move the flag `!` and protects the move from `?`.
    PlayPercent,
    /// From Crafty 18.0 on, all `!` moves are considered, even if there are more of them than the book width
    /// allows.
    WidthSparesGood,
    /// From Crafty 18.10 on, moves are flagged `?` before ranges are determined, and are then left out of the
    /// ranges. A narrow range of learned values is no longer widened to 50 centipawns.
    FlagsFirst,
    /// From Crafty 20.11 on, if any moves have a play percentage, only these moves are accepted.
    PercentAlone,
}

/// The presets. Some versions in between mix presets: 17.13 and 17.14 have the weights of 18.0 and the rules
/// of 16.0; 18.9 determines the range of learned values like 18.10; 20.11 to 21.1 have the weights of 19.0
/// and the rules of 22.
const VERSIONS: [Version; 6] = [
    //      name     freq learn eval rules
    version("15.17", [1.0, 1.0, 1.0], Rules::First),
    version("16", [1.0, 0.3, 0.1], Rules::PlayPercent),
    version("18", [0.5, 1.0, 0.1], Rules::WidthSparesGood),
    version("18.10", [0.5, 1.0, 0.1], Rules::FlagsFirst),
    version("19", [1.0, 1.0, 0.5], Rules::FlagsFirst),
    version("22", [1.0, 1.0, 0.1], Rules::PercentAlone),
];

/// The names of the presets, oldest first.
pub(super) const NAMES: &[&str] = &["15.17", "16", "18", "18.10", "19", "22"];

const fn version(name: &'static str, weights: [f32; 3], rules: Rules) -> Version {
    Version { name, weights, rules }
}

/// The preset called `name`, or the newest one if no preset has that name.
pub(super) fn named(name: &str) -> Version {
    VERSIONS.iter().copied().find(|version| version.name == name).unwrap_or(VERSIONS[VERSIONS.len() - 1])
}

#[cfg(test)]
mod tests {
    use super::{NAMES, VERSIONS};

    #[test]
    fn every_preset_has_its_name() {
        assert!(VERSIONS.iter().map(|version| version.name).eq(NAMES.iter().copied()));
    }
}
