//! Ratings, read from the tags `WhiteElo` and `BlackElo`.

use position::RatingBand;

use crate::tags::Tags;

/// The ratings of White and Black. A rating is known if it is a plain number other than 0.
#[must_use]
pub fn elos_of(tags: &Tags<'_>) -> [Option<u16>; 2] {
    ["WhiteElo", "BlackElo"].map(|name| tags.get(name).and_then(|value| read_elo(value.bytes())))
}

/// Reads one to four digits that are not all 0. `0`, `-`, `?`, `2500?` and `2500.5` are unknown.
pub(super) fn read_elo(value: &[u8]) -> Option<u16> {
    if !(1..=4).contains(&value.len()) || !value.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let elo = value.iter().fold(0, |elo, digit| elo * 10 + u16::from(digit - b'0'));
    (elo > 0).then_some(elo)
}

/// The band of the two players' mean rating, rounded down; unknown if either rating is unknown.
pub(super) fn band_of(tags: &Tags<'_>) -> Option<RatingBand> {
    let [white, black] = elos_of(tags);
    Some(RatingBand::of_mean(white?.midpoint(black?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::testing::with_tags;

    #[test]
    fn only_plain_numbers_are_ratings() {
        let table = [("2451", Some(2451)), ("1", Some(1)), ("9999", Some(9999)), ("0850", Some(850))];
        for (value, elo) in table {
            assert_eq!(read_elo(value.as_bytes()), elo, "{value}");
        }
        for value in [
            "",
            "0",
            "0000",
            "-",
            "?",
            "2500?",
            "2500.5",
            "-100",
            "+100",
            "12345",
            "99999999999999999999",
            "unknown",
            "24 51",
        ] {
            assert_eq!(read_elo(value.as_bytes()), None, "{value}");
        }
    }

    #[test]
    fn unknown_ratings_are_none() {
        assert_eq!(with_tags(&[("WhiteElo", "2451"), ("BlackElo", "-")], elos_of), [Some(2451), None]);
    }

    #[test]
    fn the_band_is_of_the_mean() {
        let lower_bound = |white, black| {
            with_tags(&[("WhiteElo", white), ("BlackElo", black)], |tags| {
                band_of(tags).map(RatingBand::lower_bound)
            })
        };
        assert_eq!(lower_bound("2399", "2600"), Some(2200));
        assert_eq!(lower_bound("2400", "2600"), Some(2500));
        assert_eq!(lower_bound(" 9999 ", "9999"), Some(3200));
        assert_eq!(lower_bound("?", "2600"), None);
        assert_eq!(lower_bound("2600", ""), None);
    }
}
