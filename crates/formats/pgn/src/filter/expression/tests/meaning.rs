//! Truth of comparisons and of what joins them.

use crate::filter::{Where, testing::with_tags};

const GAME: [(&str, &str); 13] = [
    ("Event", "Rated Bullet game"),
    ("Site", "?"),
    ("White", "Carlsen, Magnus"),
    ("Black", "König \\\"K\\\" \\\\"),
    ("WhiteElo", "2870"),
    ("BlackElo", "?"),
    ("WhiteTitle", "GM"),
    ("BlackTitle", ""),
    ("Date", "2014.??.??"),
    ("WhiteRatingDiff", "-5"),
    ("PlyCount", " 80 "),
    ("Round", "3.1"),
    ("Result", "1-0"),
];

/// True, false or unknown: the last two differ when the opposite is asked for.
fn truth(expression: &str) -> Option<bool> {
    let matches = |text: &str| {
        let parsed = Where::parse(text).unwrap_or_else(|error| panic!("{error}"));
        with_tags(&GAME, |tags| parsed.matches(tags))
    };
    match (matches(expression), matches(&format!("not ({expression})"))) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
        (true, true) => panic!("{expression} is both"),
    }
}

fn check(table: &[(&str, Option<bool>)]) {
    for (expression, expected) in table {
        assert_eq!(truth(expression), *expected, "{expression}");
    }
}

const TRUE: Option<bool> = Some(true);
const FALSE: Option<bool> = Some(false);
const UNKNOWN: Option<bool> = None;

#[test]
fn numbers_compare_by_value() {
    check(&[
        ("WhiteElo >= 2870", TRUE),
        ("WhiteElo > 2870", FALSE),
        ("WhiteElo < 10000", TRUE),
        ("WhiteElo <= 2869.5", FALSE),
        ("WhiteElo = 2870.0", TRUE),
        ("WhiteElo == 2870", TRUE),
        ("WhiteElo != 2870", FALSE),
        ("PlyCount < 100", TRUE),
        ("WhiteRatingDiff < 0", TRUE),
        ("WhiteRatingDiff = -5", TRUE),
        ("Round > 3", TRUE),
        ("BlackElo > 0", UNKNOWN),
        ("BlackElo != 2870", UNKNOWN),
        ("Event > 3", UNKNOWN),
        ("Missing = 3", UNKNOWN),
    ]);
}

#[test]
fn text_compares_by_bytes() {
    check(&[
        ("Event = \"Rated Bullet game\"", TRUE),
        ("Event = 'rated bullet game'", FALSE),
        ("Event != \"x\"", TRUE),
        ("Event < \"Ratee\"", TRUE),
        ("Event >= \"S\"", FALSE),
        ("WhiteElo = \"2870\"", TRUE),
        ("BlackElo = \"?\"", TRUE),
        ("Site != \"x\"", TRUE),
        ("PlyCount = \"80\"", TRUE),
        (r#"Black = "König \"K\" \\""#, TRUE),
        (r#"Black = 'König "K" \\'"#, TRUE),
        ("Missing != \"x\"", UNKNOWN),
        ("BlackTitle != \"BOT\"", UNKNOWN),
    ]);
}

#[test]
fn patterns_are_found_anywhere() {
    check(&[
        ("Event =~ \"Bullet\"", TRUE),
        ("Event ~ \"^Bullet\"", FALSE),
        ("Event !~ \"bullet\"", TRUE),
        ("Event !~ \"(?i)bullet\"", FALSE),
        (r#"WhiteElo =~ "^\d+$""#, TRUE),
        (r#"Black =~ "\"K\" \\$""#, TRUE),
        ("Black =~ \"^K.nig\"", TRUE),
        ("Missing !~ \"x\"", UNKNOWN),
        ("BlackTitle =~ \"\"", UNKNOWN),
    ]);
}

#[test]
fn dates_compare_by_the_known_part() {
    check(&[
        ("Date >= \"2014\"", TRUE),
        ("Date >= \"2014.06\"", TRUE),
        ("Date > \"2014.06\"", FALSE),
        ("Date = \"2014-06-15\"", TRUE),
        ("Date != \"2014\"", FALSE),
        ("Date < 2015", TRUE),
        ("Date >= 2014.02.28", TRUE),
        ("Date >= 2015-01", FALSE),
        ("Date = \"2014.??.??\"", TRUE),
        ("Date =~ \"^2014\"", TRUE),
        ("Date = \"unknown\"", FALSE),
        ("UTCDate >= \"2014\"", UNKNOWN),
        ("EventDate < \"2014\"", UNKNOWN),
    ]);
}

#[test]
fn either_side_is_enough_unless_negated() {
    check(&[
        ("Player =~ \"Carlsen\"", TRUE),
        ("Player = \"Anand\"", FALSE),
        ("Player != \"Anand\"", TRUE),
        ("Player !~ \"Carlsen\"", FALSE),
        ("Elo >= 2800", TRUE),
        ("Elo >= 2900", UNKNOWN),
        ("Elo != 2870", FALSE),
        ("Elo != 2800", UNKNOWN),
        ("Title = \"GM\"", TRUE),
        ("Title = \"BOT\"", UNKNOWN),
    ]);
}

#[test]
fn has_is_never_unknown() {
    check(&[
        ("has WhiteElo", TRUE),
        ("has BlackElo", TRUE),
        ("has BlackTitle", FALSE),
        ("has Missing", FALSE),
        ("has Title", TRUE),
        ("not has BlackTitle or BlackTitle != \"BOT\"", TRUE),
    ]);
}

#[test]
fn joined_as_in_sql() {
    let values = [("Round = 3.1", TRUE), ("Round = 4", FALSE), ("Missing = 1", UNKNOWN)];
    for (a, a_truth) in values {
        for (b, b_truth) in values {
            let and = match (a_truth, b_truth) {
                (FALSE, _) | (_, FALSE) => FALSE,
                (TRUE, TRUE) => TRUE,
                _ => UNKNOWN,
            };
            let or = match (a_truth, b_truth) {
                (TRUE, _) | (_, TRUE) => TRUE,
                (FALSE, FALSE) => FALSE,
                _ => UNKNOWN,
            };
            check(&[(&format!("{a} and {b}"), and), (&format!("{a} or {b}"), or)]);
        }
    }
}

#[test]
fn not_binds_tightest_then_and_then_or() {
    check(&[
        ("Round = 3.1 or Round = 4 and Round = 4", TRUE),
        ("(Round = 3.1 or Round = 4) and Round = 4", FALSE),
        ("not Round = 4 and Round = 3.1", TRUE),
        ("not Round = 3.1 or Round = 3.1", TRUE),
        ("NOT Round = 4 AND Round = 3.1 OR Round = 9", TRUE),
        ("!(Round = 4) && Round = 3.1 || Round = 9", TRUE),
        ("!!(Round=3.1)", TRUE),
        ("not not Missing = 1", UNKNOWN),
    ]);
}
