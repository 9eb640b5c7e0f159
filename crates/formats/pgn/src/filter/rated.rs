//! Whether a game was rated, and whether a bot played in it; each site marks this in its own way.

use crate::tags::{TagValue, Tags};

/// Whether White or Black is titled BOT (Lichess's title for programs). A player without a title counts as a
/// person.
pub(super) fn is_bot_game(tags: &Tags<'_>) -> bool {
    ["WhiteTitle", "BlackTitle"]
        .into_iter()
        .any(|name| tags.get(name).is_some_and(|title| title.bytes().eq_ignore_ascii_case(b"BOT")))
}

/// Whether the game is marked as rated: by the tag Rated (`true`, `1`, `yes` or `rated`) or, if that has no
/// value, by the word `rated` in the tag Event (Lichess, FICS, ICC).
pub(super) fn is_rated(tags: &Tags<'_>) -> bool {
    match tags.get("Rated").map(TagValue::bytes) {
        Some(value) if !value.is_empty() => {
            [&b"true"[..], b"1", b"yes", b"rated"].iter().any(|yes| value.eq_ignore_ascii_case(yes))
        }
        _ => tags.get("Event").is_some_and(|event| says_rated(event.bytes())),
    }
}

/// Whether the text has the word `rated`, in upper or lower case and not negated (`unrated`, `non-rated`,
/// `not rated`).
fn says_rated(event: &[u8]) -> bool {
    const WORD: &[u8] = b"rated";
    event.windows(WORD.len()).enumerate().any(|(start, window)| {
        let (before, after) = (&event[..start], &event[start + WORD.len()..]);
        window.eq_ignore_ascii_case(WORD)
            && !before.last().copied().is_some_and(is_word_byte)
            && !after.first().copied().is_some_and(is_word_byte)
            && !is_negated_by(before)
    })
}

/// Whether the text before `rated` ends with a negation. Between the negation and `rated`, there may be only
/// spaces, tabs and hyphens.
fn is_negated_by(before: &[u8]) -> bool {
    let end = before.iter().rposition(|byte| !matches!(byte, b' ' | b'\t' | b'-')).map_or(0, |last| last + 1);
    let start = before[..end].iter().rposition(|&byte| !is_word_byte(byte)).map_or(0, |last| last + 1);
    [&b"non"[..], b"not", b"un"].iter().any(|negation| before[start..end].eq_ignore_ascii_case(negation))
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::testing::with_tags;

    #[test]
    fn sites_mark_rated_games_in_the_event() {
        for (event, rated) in [
            ("Rated Blitz game", true),
            ("Rated Blitz tournament https://lichess.org/tournament/abcdefgh", true),
            ("FICS rated standard game", true),
            ("internet, rated crazyhouse match", true),
            ("Rated", true),
            ("Casual Blitz game", false),
            ("FICS unrated standard game", false),
            ("ICS Unrated match", false),
            ("Non-rated open", false),
            ("club game, not rated", false),
            ("not-rated", false),
            ("not  rated", false),
            ("Non - Rated", false),
            ("un-rated", false),
            ("Canon rated", true),
            ("not a rated", true),
            ("The Accelerated Dragon", false),
            ("Ratedx", false),
            ("Live Chess", false),
            ("", false),
            ("unrated warm-up of a rated event", true),
        ] {
            assert_eq!(with_tags(&[("Event", event)], is_rated), rated, "{event}");
        }
        assert!(!with_tags(&[], is_rated));
    }

    #[test]
    fn a_rated_tag_decides() {
        for (value, rated) in
            [("true", true), ("Yes", true), ("1", true), ("RATED", true), ("false", false), ("0", false)]
        {
            assert_eq!(with_tags(&[("Rated", value)], is_rated), rated, "{value}");
        }
        assert!(!with_tags(&[("Event", "Rated game"), ("Rated", "false")], is_rated));
        assert!(with_tags(&[("Event", "Rated game"), ("Rated", "")], is_rated));
    }

    #[test]
    fn bots_are_known_by_title() {
        assert!(with_tags(&[("WhiteTitle", "BOT")], is_bot_game));
        assert!(with_tags(&[("WhiteTitle", "GM"), ("BlackTitle", " bot")], is_bot_game));
        assert!(!with_tags(&[("WhiteTitle", "GM"), ("BlackTitle", "?")], is_bot_game));
        assert!(!with_tags(&[("White", "BOT")], is_bot_game));
    }
}
