//! The version of Crafty that wrote a record, as given by its player tag.

use super::Family;

/// A version of Crafty, written in player tags as `Crafty 15.17` (14 and later) or `Crafty v11.23`.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Version {
    /// The number before the point, such as 15 in 15.17.
    pub major: u16,
    /// The number after the point, such as 17 in 15.17.
    pub minor: u16,
}

impl Version {
    /// The version in a player's name; `None` if the player is not Crafty or the name has no version.
    ///
    /// Names are parsed leniently: upper and lower case are equivalent, the `v` is optional, the number may
    /// be preceded by spaces, tabs, `-` or `_`, and anything may follow the number.
    #[must_use]
    pub fn of_player(name: &str) -> Option<Self> {
        let rest = after_crafty(name)?;
        let rest = rest.trim_start_matches([' ', '\t', '-', '_']);
        let rest = rest.strip_prefix(['v', 'V']).unwrap_or(rest);
        let (major, rest) = number(rest)?;
        let (minor, _) = number(rest.strip_prefix('.')?)?;
        Some(Self { major, minor })
    }

    /// The version's family; `None` if it does not export records.
    ///
    /// Versions from 11.8 to 20.16 export records (Crafty's changelog in `main.c`).
    #[must_use]
    pub fn family(self) -> Option<Family> {
        Some(match (self.major, self.minor) {
            (11, 8..=14) => Family::M,
            (11, 15..) | (12, 0..=5) => Family::M2,
            (12, 6..) | (13, _) | (14, 0..=3) => Family::M3,
            (14 | 15, _) | (16, 0..=6) => Family::A,
            (16 | 17, _) => Family::B,
            (18, 0..=1) => Family::B1,
            (18, 2) => Family::C0,
            (18, 3) => Family::C1,
            (18, _) | (19, 0..=19) => Family::C,
            (19, _) | (20, 0..=16) => Family::C2,
            _ => return None,
        })
    }
}

/// Whether a player's name is that of Crafty, with or without a version.
#[must_use]
pub fn is_crafty(name: &str) -> bool {
    after_crafty(name).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphabetic() && next != 'v'))
}

fn after_crafty(name: &str) -> Option<&str> {
    let name = name.trim_start();
    let head = name.get(..6)?;
    head.eq_ignore_ascii_case("crafty").then(|| &name[6..])
}

/// Splits `text` into its leading number and the rest; `None` if it does not begin with a digit, or if the
/// number does not fit into 16 bits.
fn number(text: &str) -> Option<(u16, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, &text[end..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_as_met() {
        let version = |major, minor| Some(Version { major, minor });
        assert_eq!(Version::of_player("Crafty 15.17"), version(15, 17));
        assert_eq!(Version::of_player("Crafty v11.23"), version(11, 23));
        assert_eq!(Version::of_player("crafty-19.20 SMP"), version(19, 20));
        assert_eq!(Version::of_player("Crafty"), None);
        assert_eq!(Version::of_player("Crafty 15"), None);
        assert_eq!(Version::of_player("GuestABC"), None);
        assert_eq!(Version::of_player("Crafty 99999999.1"), None);
        assert_eq!(Version::of_player("Schröder"), None);
    }

    #[test]
    fn who_is_crafty() {
        assert!(is_crafty("Crafty"));
        assert!(is_crafty("crafty v12.6"));
        assert!(!is_crafty("Craftyman"));
        assert!(!is_crafty("rev"));
    }

    #[test]
    fn versions_without_exports_have_no_family() {
        for (major, minor) in [(8, 11), (11, 7), (20, 17), (21, 0), (25, 2)] {
            assert_eq!(Version { major, minor }.family(), None);
        }
    }
}
