//! A number of nodes with an optional unit, such as `50k` or `1M`.

use std::{fmt, str::FromStr};

/// A number of nodes, such as `1000000`, `1M` or `50k`; 0 if the setting is missing.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Nodes(pub u64);

impl fmt::Display for Nodes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Nodes {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        let unit: Option<u64> = match &text[digits.len()..] {
            "" => Some(1),
            "k" | "K" => Some(1000),
            "m" | "M" => Some(1_000_000),
            "g" | "G" => Some(1_000_000_000),
            _ => None,
        };
        let nodes = digits.parse::<u64>().ok().zip(unit).and_then(|(number, unit)| number.checked_mul(unit));
        nodes.map(Self).ok_or_else(|| {
            format!("`{text}` is not a number of nodes: expected a number such as 1000000, 1M or 50k")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_as_people_write_them() {
        for (text, nodes) in [("0", 0), ("1", 1), ("50k", 50_000), ("1M", 1_000_000), ("2G", 2_000_000_000)] {
            assert_eq!(text.parse(), Ok(Nodes(nodes)));
        }
        for wrong in ["", "k", "-1", "1.5M", "1MB", "1 M", "99999999999999G"] {
            assert!(wrong.parse::<Nodes>().is_err(), "{wrong}");
        }
    }
}
