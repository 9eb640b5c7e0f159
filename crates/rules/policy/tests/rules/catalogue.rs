//! The catalogue: names, settings, refusals.

use policy::{CATALOGUE, COMMON, Error, Parameter, ParameterKind, Situation, by_name};
use shakmaty::Color;

fn refused(name: &str, settings: &[(&str, &str)]) -> String {
    let settings: Vec<(String, String)> =
        settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    by_name(name, &settings).map(|policy| policy.name()).unwrap_err().to_string()
}

#[test]
fn every_policy_is_built_with_its_defaults() {
    for spec in CATALOGUE {
        assert_eq!(spec.with(&[]).unwrap().name(), spec.name);
        assert_eq!(CATALOGUE.iter().filter(|other| other.name == spec.name).count(), 1);
    }
}

/// A default outside its own range could not be given as a setting.
#[test]
fn every_default_is_in_its_range_and_every_name_is_kebab_case() {
    for spec in CATALOGUE {
        for parameter in spec.all_parameters() {
            let kebab = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            assert!(parameter.name.chars().all(kebab), "{}", parameter.name);
            assert!(!parameter.meaning.is_empty() && !parameter.source.is_empty(), "{}", parameter.name);
            let default = parameter.default.unwrap_or("1");
            let pair = (parameter.name.to_owned(), default.to_owned());
            spec.with(&[pair]).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}

#[test]
fn every_end_of_a_range_is_allowed_and_a_step_past_it_is_not() {
    for spec in CATALOGUE {
        for parameter in spec.all_parameters() {
            let build = |value: String| spec.with(&[(parameter.name.to_owned(), value)]);
            let (inside, outside) = match parameter.kind {
                ParameterKind::Integer(least, most) => (
                    vec![least.to_string(), most.to_string()],
                    vec![(most + 1).to_string(), "-1".to_owned(), "1.5".to_owned()],
                ),
                ParameterKind::Decimal(least, most) => (
                    vec![least.to_string(), most.to_string()],
                    vec![
                        (least - 0.01).to_string(),
                        (most * 1.01 + 0.01).to_string(),
                        "NaN".to_owned(),
                        "inf".to_owned(),
                    ],
                ),
                ParameterKind::Choice(names) => {
                    (names.iter().map(ToString::to_string).collect(), vec!["none".to_owned()])
                }
                ParameterKind::Switch => {
                    (vec!["true".to_owned(), "false".to_owned()], vec!["yes".to_owned()])
                }
            };
            for value in inside {
                build(value).unwrap_or_else(|error| panic!("{error}"));
            }
            for value in outside {
                let error = build(value.clone()).map(|policy| policy.name()).unwrap_err();
                assert!(matches!(error, Error::OutOfRange { .. }), "{} {value}: {error}", parameter.name);
            }
        }
    }
}

#[test]
fn refusals_name_what_was_meant_or_allowed() {
    assert_eq!(refused("tera", &[]), "there is no policy `tera`; did you mean `terra`?");
    assert_eq!(
        refused("stockfish", &[]),
        "there is no policy `stockfish`; the known ones are postmodernist, lokasoft, terra, crafty-5.1, crafty-5.2, crafty, \
         polyglot, wilson, bayes, minimax"
    );
    assert_eq!(
        refused("terra", &[("BookLimit", "33")]),
        "policy `terra` has no setting `BookLimit`; did you mean `book-limit`?"
    );
    assert_eq!(
        refused("polyglot", &[("colour", "1")]),
        "policy `polyglot` has no setting `colour`; the known ones are threshold, best-only, honour-bans"
    );
    assert_eq!(
        refused("terra", &[("book-limit", "101")]),
        "policy `terra`: setting `book-limit` must be a whole number from 0 to 100, not `101`"
    );
    assert_eq!(
        refused("lokasoft", &[("move-distribution", "rnd")]),
        "policy `lokasoft`: setting `move-distribution` must be one of learned, random, times-played, not `rnd`"
    );
    assert_eq!(
        refused("terra", &[("book-limit", "1"), ("book-limit", "2")]),
        "policy `terra`: setting `book-limit` is given twice"
    );
}

#[test]
fn no_candidates_are_an_answer() {
    for spec in CATALOGUE {
        let judgement = spec.with(&[]).unwrap().judge(&Situation { turn: Color::White, candidates: &[] });
        assert!(judgement.moves.is_empty());
        assert_eq!(judgement.notes, ["there is no candidate"], "{}", spec.name);
    }
}

/// A source that names a system names sections of its chapter in `docs/sources.md`.
#[test]
fn every_source_is_a_section_of_the_documentation() {
    let text = include_str!("../../../../../docs/sources.md");
    let parameters = CATALOGUE.iter().flat_map(|spec| spec.parameters).map(|parameter| parameter.source);
    let mut sections = 0;
    for source in CATALOGUE.iter().map(|spec| spec.source).chain(parameters) {
        let names = source.split(';').next().unwrap();
        let Some((system, names)) = names.split_once(": ") else { continue };
        if !["PostModernist", "ChessPartner", "Terra", "Crafty"].contains(&system) {
            continue;
        }
        for name in names.split(", ") {
            assert!(text.contains(&format!("**{system}: {name}.**")), "{source}: {name}");
            sections += 1;
        }
    }
    assert!(sections > 20, "{sections}");
}

/// The tables of the documentation match the catalogue.
#[test]
fn every_setting_is_a_row_of_the_documentation() {
    let text = include_str!("../../../../../docs/policies.md");
    let heading = |section: &&str| section.lines().next().unwrap().to_owned();
    let is_policy = |section: &&str| heading(section).starts_with(|c: char| c.is_ascii_lowercase());
    let sections: Vec<&str> = text.split("\n## ").skip(1).filter(is_policy).collect();
    assert!(sections.iter().map(heading).eq(CATALOGUE.iter().map(|spec| spec.name)));
    let row = |parameter: &Parameter| {
        let Parameter { name, kind, default, meaning, source, .. } = parameter;
        let unit = if parameter.unit.is_empty() { String::new() } else { format!(" ({})", parameter.unit) };
        let other = if name.starts_with("window") { "by window" } else { "by version" };
        let default = default.unwrap_or(other);
        format!("| `{name}` | {default} | {kind}{unit} | {meaning} | {source} |\n")
    };
    for (spec, section) in CATALOGUE.iter().zip(sections) {
        assert!(section.contains(spec.source), "{}", spec.source);
        for row in spec.parameters.iter().map(row) {
            assert!(section.contains(&row), "docs/policies.md, {}: {row}", spec.name);
        }
    }
    for row in COMMON.iter().map(row) {
        assert!(text.contains(&row), "docs/policies.md: {row}");
    }
}
