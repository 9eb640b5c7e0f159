//! The inputs that a table counts, and the rules for deciding whether two inputs may be the same.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::{counting::is_default, hex};

/// The length in bytes of the blocks that an input's identity is computed from.
const BLOCK_BYTES: u64 = 64 << 20;

/// One input that was counted, identified by its content.
#[derive(Clone, Debug, Default, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CountedInput {
    /// The file name, without its directory.
    pub name: String,
    /// The input's identity, as sixteen hexadecimal digits. Each block of 64 MiB is hashed with XXH3-64, and
    /// the identity is the XXH3-64 of these hashes (little-endian). Empty if the input was not read to its
    /// end, or is recognised only by [`whole_xxh3`](Self::whole_xxh3).
    pub xxh3: String,
    /// The XXH3-64 of the whole input, which was its identity in version 1; empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub whole_xxh3: String,
    /// The size of the input in bytes.
    pub bytes: u64,
    /// The number of games in the input.
    pub games: u64,
    /// The number of games counted.
    pub accepted: u64,
    /// The number of games that each filter left out, by the filter's name.
    pub filtered: BTreeMap<String, u64>,
    /// The number of games rejected, by reason.
    pub rejected: BTreeMap<String, u64>,
    /// The number of games that were not counted because they are copies of others; left out of the JSON if
    /// zero.
    #[serde(default, skip_serializing_if = "is_default")]
    pub copies: u64,
}

impl CountedInput {
    /// Whether the two inputs may be the same input. If both have a hash of the same kind, these hashes are
    /// compared. If the hashes are of different kinds, inputs of equal length are assumed to be the same, so
    /// that no input is counted twice unless the user forces it.
    #[must_use]
    pub fn may_be(&self, other: &Self) -> bool {
        let both = |hash: fn(&Self) -> &str| {
            let (own, others) = (hash(self), hash(other));
            (!own.is_empty() && !others.is_empty()).then(|| own == others)
        };
        let known = |source: &Self| !source.xxh3.is_empty() || !source.whole_xxh3.is_empty();
        both(|source| &source.xxh3)
            .or_else(|| both(|source| &source.whole_xxh3))
            .unwrap_or_else(|| known(self) && known(other) && self.bytes == other.bytes)
    }

    /// The identity by which the input is recognised, as shown in messages.
    #[must_use]
    pub fn identity(&self) -> String {
        let bytes = self.bytes;
        match (self.xxh3.as_str(), self.whole_xxh3.as_str()) {
            ("", "") => "not read to its end".to_owned(),
            ("", whole) => format!("{bytes} bytes, {whole} (as hashed by an older version of tabia)"),
            (xxh3, _) => format!("{bytes} bytes, {xxh3}"),
        }
    }

    /// Converts a source from a version 1 manifest, in which `xxh3` is the hash of the whole input, to
    /// version 2.
    pub(super) fn convert_version_1(&mut self) {
        let whole = std::mem::take(&mut self.xxh3);
        match u64::from_str_radix(&whole, 16) {
            // An empty input has no blocks, so its identity in both versions is the hash of an empty string.
            Ok(_) if self.bytes == 0 => self.xxh3 = whole,
            Ok(hash) if self.bytes <= BLOCK_BYTES => self.xxh3 = hex::digits(xxh3_64(&hash.to_le_bytes())),
            _ => self.whole_xxh3 = whole,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_version_1(bytes: u64, whole: u64) -> CountedInput {
        let mut source = CountedInput { xxh3: hex::digits(whole), bytes, ..CountedInput::default() };
        source.convert_version_1();
        source
    }

    fn source(bytes: u64, xxh3: &str, whole_xxh3: &str) -> CountedInput {
        CountedInput { bytes, xxh3: xxh3.into(), whole_xxh3: whole_xxh3.into(), ..CountedInput::default() }
    }

    #[test]
    fn the_identity_of_one_block_follows_from_the_hash_of_version_1() {
        let identity = hex::digits(xxh3_64(&xxh3_64(b"games").to_le_bytes()));
        assert_eq!(of_version_1(5, xxh3_64(b"games")), source(5, &identity, ""));
        assert_eq!(of_version_1(0, xxh3_64(b"")), source(0, &hex::digits(xxh3_64(b"")), ""));
        assert_eq!(of_version_1(BLOCK_BYTES + 1, 7), source(BLOCK_BYTES + 1, "", "0000000000000007"));
        let mut unread = source(3, "", "");
        unread.convert_version_1();
        assert_eq!(unread, source(3, "", ""), "an input that was not read to its end");
    }

    #[test]
    fn hashes_of_one_kind_decide_and_then_the_length() {
        let new = source(9, "aa", "");
        assert!(new.may_be(&source(9, "aa", "bb")) && !new.may_be(&source(9, "ab", "")));
        let old = source(9, "", "bb");
        assert!(old.may_be(&source(9, "cc", "bb")) && !old.may_be(&source(9, "cc", "bc")));
        assert!(new.may_be(&old) && old.may_be(&new), "it may be the same");
        assert!(!new.may_be(&source(8, "", "bb")), "of another length it is not");
        let unread = source(9, "", "");
        assert!(!unread.may_be(&unread) && !unread.may_be(&new), "not read to its end");
    }
}
