//! Every mistake is marked at its place.

use crate::filter::Where;

fn shown(text: &str) -> String {
    Where::parse(text).unwrap_err().to_string()
}

/// Compares the message and checks that the mark is under the text `at`.
fn check(text: &str, at: &str, message: &str) {
    let error = Where::parse(text).unwrap_err();
    assert_eq!(error.message, message, "{text}");
    assert_eq!(&error.text[error.at..], at, "{text}");
}

#[test]
fn an_error_is_three_lines() {
    assert_eq!(
        shown("WhiteElo >= 2400 and Event => \"x\""),
        "`=>` is not an operator: did you mean `>=`?\n  \
           WhiteElo >= 2400 and Event => \"x\"\n  \
         \x20                          ^"
    );
    assert_eq!(shown("Événement = 1").lines().nth(2), Some("  ^"));
    assert_eq!(shown("White = \"é\" é").lines().nth(2), Some("              ^"), "columns, not bytes");
    assert_eq!(shown(""), "the expression is empty: expected a comparison such as WhiteElo >= 2400\n  \n  ^");
}

#[test]
fn a_long_expression_is_shown_around_the_place() {
    let text = format!("{}Event => 1{}", "Round = 1 and ".repeat(100), " and Round = 1".repeat(100));
    let error = shown(&text);
    let lines: Vec<&str> = error.lines().collect();
    assert!(lines[1].starts_with("  …") && lines[1].ends_with('…') && lines[1].chars().count() < 150);
    assert_eq!(lines[1].chars().nth(lines[2].chars().count() - 1), Some('='));
}

#[test]
fn tags_and_operators() {
    check(" \t", "", "the expression is empty: expected a comparison such as WhiteElo >= 2400");
    check(
        "2400 <= WhiteElo",
        "2400 <= WhiteElo",
        "expected the name of a tag, as in WhiteElo >= 2400: write the tag first, without quotes",
    );
    check("WhiteElo 2400", "2400", "expected a comparison after WhiteElo: = != < <= > >= =~ !~");
    check("WhiteElo", "", "expected a comparison after WhiteElo: = != < <= > >= =~ !~ (or `has WhiteElo`)");
    check("White = \"a\" and", "", "expected the name of a tag, as in WhiteElo >= 2400");
    check("has", "", "expected the name of a tag after `has`");
    check(
        "has \"White\"",
        "\"White\"",
        "expected the name of a tag after `has`: write the tag first, without quotes",
    );
    check("Event like \"x\"", "like \"x\"", "`like` is not an operator: did you mean `=~`?");
    check("Event <> \"x\"", "<> \"x\"", "`<>` is not an operator: did you mean `!=`?");
    check("Event <=> 1", "<=> 1", "`<=>` is not an operator: the comparisons are = != < <= > >= =~ !~");
    check("Event = 1 & Round = 1", "& Round = 1", "`&` is not an operator: did you mean `&&`?");
    check("Event = 1 | Round = 1", "| Round = 1", "`|` is not an operator: did you mean `||`?");
    check(
        "Event = 1; Round = 1",
        "; Round = 1",
        "`;` is not allowed here: if it belongs to a string, put the string in quotes",
    );
}

#[test]
fn values() {
    check("ECO = B20", "B20", "expected a number, or text in quotes: did you mean \"B20\"?");
    check("WhiteElo > ", "", "expected a number, or text in quotes");
    check(
        "WhiteElo > BlackElo",
        "BlackElo",
        "expected a number, or text in quotes: a tag cannot be compared with another tag, such as BlackElo",
    );
    check("WhiteElo > 2400x", "2400x", "`2400x` is not a number: if it is text, put it in quotes");
    check("TimeControl = 180+2", "180+2", "`180+2` is not a number: if it is text, put it in quotes");
    check("WhiteElo > \"2400\"", "\"2400\"", "to compare numbers, write 2400 without quotes");
    check("Event = \"x", "\"x", "this quote is never closed");
    check("Event = 'x\\'", "'x\\'", "this quote is never closed");
    check("Event =~ 3", "3", "expected a regular expression in quotes");
    check("Event =~ \"a(b\"", "\"a(b\"", "invalid regular expression: unclosed group");
    check(
        "Date >= \"January\"",
        "\"January\"",
        "`January` is not a date: expected a year, month or day such as 2013, 2013-01 or 2013-01-31",
    );
    check(
        "Date >= 2014.02.31",
        "2014.02.31",
        "`2014.02.31` is not a date: expected a year, month or day such as 2013, 2013-01 or 2013-01-31",
    );
}

#[test]
fn parentheses_and_ends() {
    check("(Round = 1", "(Round = 1", "this parenthesis is never closed");
    check("Round = 1)", ")", "this parenthesis closes nothing");
    check("()", ")", "expected the name of a tag, as in WhiteElo >= 2400");
    check("Round = 1 Round = 2", "Round = 2", "expected `and`, `or` or the end of the expression");
    check("(Round = 1 Round = 2)", "Round = 2)", "expected `and`, `or` or `)`");
    check(
        "2000 < Elo < 2400",
        "2000 < Elo < 2400",
        "expected the name of a tag, as in WhiteElo >= 2400: write the tag first, without quotes",
    );
    check("Elo > 2000 < 2400", "< 2400", "expected `and`, `or` or the end of the expression");
}

#[test]
fn nesting_is_bounded() {
    let nested = |depth: usize| format!("{}Round = 1{}", "(".repeat(depth), ")".repeat(depth));
    assert!(Where::parse(&nested(99)).is_ok());
    let error = Where::parse(&nested(100)).unwrap_err();
    assert_eq!(
        (error.at, error.message.as_str()),
        (100, "the expression is nested more than 100 levels deep")
    );
    assert!(Where::parse(&nested(100_000)).is_err());
    assert!(Where::parse(&format!("{}Round = 1", "not ".repeat(100_000))).is_err());
    let flat = vec!["Round = 1"; 100_000].join(" or ");
    assert!(Where::parse(&flat).is_ok());
}
