//! Options are the same on the command line and in recipes.

use clap::{Command, FromArgMatches as _};
use position::{Outcome, Speed};
use shakmaty::Color;

use super::*;

/// Options in which nothing is as by default; no `..`, so that a new one cannot be forgotten.
fn all_set() -> ReplayOptions {
    ReplayOptions {
        counting: CountingOptions {
            max_ply: 40,
            repeats: Repeats::Once,
            illegal_move: IllegalMove::KeepPrefix,
            unknown_result: UnknownResult::Draw,
            text: TextOptions { result_from: ResultFrom::Tag, strict_san: true },
            repertoire: true,
            from_position: true,
            line: Some("1. e4 c5".parse().unwrap()),
            fen: Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1".parse().unwrap()),
            root: Some(Key::START),
            by: vec![Dimension::Month, Dimension::PlayerColor],
            ratings: true,
        },
        filters: Filters {
            min_elo: Some(2400),
            max_elo: Some(2800),
            elo_any: true,
            since: Some("2013".parse().unwrap()),
            until: Some("2014-12-31".parse().unwrap()),
            speed: vec![Speed::Rapid, Speed::UltraBullet],
            result: vec![Outcome::Draw, Outcome::White],
            min_plies: 10,
            player: Some("/^Anand, \"V/".parse().unwrap()),
            player_color: Some(Color::White),
            exclude_bots: true,
            rated_only: true,
            eco: vec!["C".parse().unwrap(), "B20".parse().unwrap()],
            expression: Some("WhiteElo >= 2400".parse().unwrap()),
        },
    }
}

fn recipe(options: &ReplayOptions) -> toml::Table {
    toml::Table::try_from(options).unwrap()
}

fn read(text: &str) -> std::result::Result<ReplayOptions, String> {
    toml::from_str(text).map_err(|error| error.message().to_owned())
}

fn command_line(arguments: &[&str]) -> std::result::Result<ReplayOptions, String> {
    let command = ReplayOptions::augment_args(Command::new("replay").no_binary_name(true));
    let matches = command.try_get_matches_from(arguments).map_err(|error| error.to_string())?;
    ReplayOptions::from_arg_matches(&matches).map_err(|error| error.to_string())
}

#[test]
fn every_key_is_a_flag_and_every_flag_a_key() {
    let command = ReplayOptions::augment_args(Command::new("replay"));
    let mut flags: Vec<_> = command.get_arguments().map(|flag| flag.get_id().as_str().to_owned()).collect();
    let mut keys: Vec<_> = recipe(&all_set()).keys().cloned().collect();
    flags.sort();
    keys.sort();
    assert_eq!(flags, keys);
    for flag in command.get_arguments() {
        assert_eq!(flag.get_long(), Some(flag.get_id().as_str().replace('_', "-").as_str()));
        assert!(flag.get_help().is_some(), "{}", flag.get_id());
    }
}

#[test]
fn recipes_round_trip() {
    for options in [ReplayOptions::default(), all_set()] {
        let written = recipe(&options);
        let read: ReplayOptions = written.clone().try_into().unwrap();
        assert_eq!(recipe(&read), written);
        assert_eq!(format!("{read:?}"), format!("{options:?}"));
    }
}

#[test]
fn the_command_line_and_a_recipe_read_alike() {
    let default = format!("{:?}", ReplayOptions::default());
    assert_eq!(format!("{:?}", command_line(&[]).unwrap()), default);
    assert_eq!(format!("{:?}", read("").unwrap()), default);
    let written = recipe(&all_set());
    let mut arguments = Vec::new();
    for (key, value) in &written {
        let flag = format!("--{}", key.replace('_', "-"));
        match value {
            toml::Value::Boolean(true) => arguments.push(flag),
            toml::Value::Array(items) => {
                let items: Vec<_> = items.iter().map(|item| item.as_str().unwrap()).collect();
                arguments.extend([flag, items.join(",")]);
            }
            toml::Value::String(text) => arguments.extend([flag, text.clone()]),
            number => arguments.extend([flag, number.to_string()]),
        }
    }
    let options = command_line(&arguments.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    assert_eq!(recipe(&options), written);
}

#[test]
fn items_of_lists_may_hold_commas() {
    let options = read("speed = ['rapid, blitz', 'bullet']\nby = ['month,speed']").unwrap();
    assert_eq!(options.filters.speed, [Speed::Rapid, Speed::Blitz, Speed::Bullet]);
    assert_eq!(options.counting.by, [Dimension::Month, Dimension::Speed]);
    let options = command_line(&["--speed", "rapid,blitz", "--speed", "bullet"]).unwrap();
    assert_eq!(options.filters.speed, [Speed::Rapid, Speed::Blitz, Speed::Bullet]);
}

#[test]
fn the_former_key_of_the_players_color_is_read() {
    let options = read("player = 'Anand, V'\ncolor = 'black'").unwrap();
    assert_eq!(options.filters.player_color, Some(Color::Black));
    assert_eq!(recipe(&options)["player_color"].as_str(), Some("black"));
}

#[test]
fn wrong_values_are_refused_by_both() {
    let why = "`January` is not a date: expected a year, month or day such as 2013, 2013-01 or 2013-01-31";
    assert_eq!(read("since = 'January'").unwrap_err(), why);
    assert!(command_line(&["--since", "January"]).unwrap_err().contains(why));
    assert!(command_line(&["--player-color", "white"]).is_err(), "without a player");
}

#[test]
fn settings_that_exclude_each_other_are_refused() {
    let check = |text: &str| read(text).unwrap().check().unwrap_err().to_string();
    assert_eq!(
        check("line = 'e4'\nfen = '4k3/8/8/8/8/8/8/4K3 w - - 0 1'"),
        "`line`: expected only one of `line`, `fen` and `root`, got `line`, `fen`"
    );
    assert_eq!(
        check("by = ['player-color']"),
        "`by`: expected a `player`, whose colour `player-color` is, got none"
    );
    assert_eq!(
        check("player_color = 'white'"),
        "`player_color`: expected a `player`, whose colour it is, got none"
    );
    read("by = ['player-color']\nplayer = 'x'\nplayer_color = 'white'\nline = 'e4'")
        .unwrap()
        .check()
        .unwrap();
}
