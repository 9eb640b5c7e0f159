//! Keys and checksums as sixteen hexadecimal digits, since numbers in JSON are exact only up to 2^53.

use position::Key;
use serde::{Deserialize, Deserializer, de::Error as _};

/// Sixteen lower-case hexadecimal digits.
#[must_use]
pub fn digits(value: u64) -> String {
    format!("{value:016x}")
}

/// `#[serde(deserialize_with)]` for a key.
pub(crate) fn key<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Key, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}

/// `#[serde(with)]` for a key that may be absent (null).
pub(crate) mod optional_key {
    use position::Key;
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    #[expect(clippy::ref_option, reason = "serde calls it with a reference")]
    pub(crate) fn serialize<S: Serializer>(key: &Option<Key>, serializer: S) -> Result<S::Ok, S::Error> {
        match key {
            Some(key) => serializer.collect_str(key),
            None => serializer.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Key>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        text.map(|text| text.parse().map_err(D::Error::custom)).transpose()
    }
}
