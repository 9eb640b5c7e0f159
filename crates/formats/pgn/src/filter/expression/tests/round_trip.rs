//! Printing an expression and reading it again changes nothing, and no text panics.

use proptest::prelude::*;

use crate::filter::{Where, testing::with_tags};

fn comparison() -> impl Strategy<Value = String> {
    let tag = prop::sample::select(vec!["WhiteElo", "Elo", "Player", "Event", "Date", "Round", "X_1"]);
    let operator = prop::sample::select(vec!["=", "==", "!=", "<", "<=", ">", ">=", "=~", "~", "!~"]);
    let value = prop_oneof![
        "[0-9]{1,4}(\\.[0-9]{1,2})?",
        "[+-][0-9]{1,3}",
        "\"[ -!#-&(-\\[\\]-~é]{0,8}\"",
        "'([ -&(-\\[\\]-~]|\\\\[ -~]){0,6}'",
        "\"(\\\\\"|\\\\\\\\|[a-c'.*]){0,6}\"",
        "\"20[0-9]{2}(-0[1-9])?\"",
    ];
    (tag, operator, value).prop_map(|(tag, operator, value)| format!("{tag} {operator}{value}"))
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![comparison(), Just("has Title".to_owned())];
    leaf.prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a} and {b}")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("{a}||{b}")),
            inner.clone().prop_map(|a| format!("not({a})")),
            inner.clone().prop_map(|a| format!("!{a}")),
            inner.prop_map(|a| format!("( {a} )")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn prop_printing_and_parsing_is_stable(text in expression(), elo in 0u16..3000, event in "[a-cA-Z .'0-9]{0,6}") {
        let Ok(parsed) = Where::parse(&text) else { return Ok(()) };
        let printed = parsed.to_string();
        let again = Where::parse(&printed).map_err(|error| TestCaseError::fail(format!("{text}\n{error}")))?;
        prop_assert_eq!(again.to_string(), printed);
        let elo = elo.to_string();
        let tags = [("WhiteElo", elo.as_str()), ("White", &event), ("Event", &event), ("Date", "2014.??.??"), ("Round", "3")];
        let verdicts = with_tags(&tags, |tags| (parsed.matches(tags), again.matches(tags)));
        prop_assert_eq!(verdicts.0, verdicts.1);
    }

    #[test]
    fn prop_the_parser_never_panics(text in "\\PC{0,60}") {
        if let Err(error) = Where::parse(&text) {
            prop_assert_eq!(error.to_string().lines().count(), 3);
        }
    }

    #[test]
    fn prop_broken_expressions_never_panic(text in expression(), cut in 0usize..200, put in "[()\"'=!<>~&|\\\\ a0é]{0,3}") {
        let cut = text.char_indices().map(|(at, _)| at).nth(cut).unwrap_or(text.len());
        let broken = format!("{}{put}{}", &text[..cut], &text[cut..]);
        if let Err(error) = Where::parse(&broken) {
            prop_assert!(error.at <= broken.len() && broken.is_char_boundary(error.at));
        }
    }
}
