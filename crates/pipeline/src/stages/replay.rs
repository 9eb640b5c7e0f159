//! `replay`: which games count, how they are played, and which moves they give.

use std::{path::PathBuf, str::FromStr, sync::Arc};

use pgn::{
    filter::{Filters, GroupBy, PlayerFilter, Where, parse_outcome, parse_speed},
    replay::{IllegalMove, Repeats, ReplayOptions, Root},
};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::GameStream;
use crate::{Context, Error, Flow, Result, catalogue::Stage, flow::only_input, recipe::read_settings};

/// Plies replayed where nothing else is asked for.
const MAX_PLY_DEFAULT: u32 = 60;

/// The group that needs a named player.
const PLAYER_COLOR: &str = "player-color";

/// Settings of `replay`. What is left out filters nothing.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "settings that are on or off")]
pub struct ReplaySettings {
    /// Plies of each game that count; 0 is the whole game.
    pub max_ply: u32,
    /// `each` counts a position each time a game meets it, `once` once a game (the last visit's move).
    pub repeats: String,
    /// `reject` or `keep-prefix`: what becomes of a game with an illegal move.
    pub illegal_move: String,
    /// Whether games that start from a FEN count.
    pub from_position: bool,
    /// Lowest rating of both players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_elo: Option<u16>,
    /// Highest rating of both players.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_elo: Option<u16>,
    /// Ratings of either player are enough.
    pub elo_any: bool,
    /// Earliest date: `2013`, `2013-01` or `2013-01-31`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub since: Option<String>,
    /// Latest date.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Lichess's speeds.
    pub speed: Vec<String>,
    /// Results: `1-0`, `0-1`, `1/2-1/2`.
    pub result: Vec<String>,
    /// Fewest plies of a game.
    pub min_plies: u32,
    /// A player's name, exact but for case, or `/regex/`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The named player's colour: `white` or `black`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Leave out games of bots.
    pub exclude_bots: bool,
    /// Only rated games.
    pub rated_only: bool,
    /// Only games that play this line, counted from its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<String>,
    /// Only games that reach this position, counted from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// As `fen`, by the position's key: sixteen hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root: Option<String>,
    /// ECO codes or ranges: `B20..B99`.
    pub eco: Vec<String>,
    /// An expression over tags.
    #[serde(rename = "where", skip_serializing_if = "Option::is_none")]
    pub expression: Option<String>,
    /// Split edges by `speed`, `rating-band`, `month`, and by `player-color` where there is a `player`.
    pub by: Vec<String>,
    /// Sum the players' ratings beside the counts.
    pub ratings: bool,
    /// List rejected games in this file, one JSON object a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejects: Option<PathBuf>,
    /// List filtered games there too.
    pub rejects_filtered: bool,
}

impl Default for ReplaySettings {
    fn default() -> Self {
        Self {
            max_ply: MAX_PLY_DEFAULT,
            repeats: "each".into(),
            illegal_move: "reject".into(),
            from_position: false,
            min_elo: None,
            max_elo: None,
            elo_any: false,
            since: None,
            until: None,
            speed: Vec::new(),
            result: Vec::new(),
            min_plies: 1,
            player: None,
            color: None,
            exclude_bots: false,
            rated_only: false,
            line: None,
            fen: None,
            root: None,
            eco: Vec::new(),
            expression: None,
            by: Vec::new(),
            ratings: false,
            rejects: None,
            rejects_filtered: false,
        }
    }
}

/// Replays games.
pub struct Replay {
    settings: ReplaySettings,
    options: ReplayOptions,
}

/// Games, and how they are replayed.
pub struct ObservationStream {
    /// Where the games come from.
    pub games: Arc<GameStream>,
    /// How they are replayed.
    pub options: ReplayOptions,
    /// Where rejected games are listed.
    pub rejects: Option<PathBuf>,
    /// Whether filtered games are listed there too.
    pub rejects_filtered: bool,
}

impl Replay {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        let settings: ReplaySettings = read_settings(section, settings)?;
        let options =
            settings.options().map_err(|(key, why)| Error::Recipe(format!("{section} `{key}`: {why}")))?;
        Ok(Self { settings, options })
    }
}

impl Stage for Replay {
    fn note(&self) -> String {
        let limit = match self.settings.max_ply {
            0 => "whole games".into(),
            plies => format!("{plies} plies"),
        };
        let filters = self.options.filters.describe();
        if filters.is_empty() { limit } else { format!("{limit}, {filters}") }
    }

    fn outputs(&self) -> Vec<PathBuf> {
        self.settings.rejects.iter().cloned().collect()
    }

    fn run(&self, _: &Context, inputs: Vec<Flow>) -> Result<Flow> {
        let stream = ObservationStream {
            games: only_input!(inputs, Games),
            options: self.options.clone(),
            rejects: self.settings.rejects.clone(),
            rejects_filtered: self.settings.rejects_filtered,
        };
        Ok(Flow::Observations(stream.into()))
    }
}

/// A setting that makes no sense: its key, and why.
type SettingError = (&'static str, String);

impl ReplaySettings {
    /// The options the settings mean.
    fn options(&self) -> std::result::Result<ReplayOptions, SettingError> {
        if self.rejects_filtered && self.rejects.is_none() {
            return Err(("rejects_filtered", "needs `rejects`, the file to list them in".into()));
        }
        Ok(ReplayOptions {
            max_ply: self.max_ply,
            repeats: choice("repeats", &self.repeats, Repeats::ALL.map(|rule| (rule.name(), rule)))?,
            illegal_move: choice(
                "illegal_move",
                &self.illegal_move,
                IllegalMove::ALL.map(|rule| (rule.name(), rule)),
            )?,
            from_position: self.from_position,
            root: self.root()?,
            groups: self.groups()?,
            ratings: self.ratings,
            filters: self.filters()?,
        })
    }

    fn root(&self) -> std::result::Result<Option<Root>, SettingError> {
        match (&self.line, &self.fen, &self.root) {
            (None, None, None) => Ok(None),
            (Some(line), None, None) => {
                Root::from_line(line).map(Some).map_err(|why| ("line", why.to_string()))
            }
            (None, Some(fen), None) => Root::from_fen(fen).map(Some).map_err(|why| ("fen", why.to_string())),
            (None, None, Some(key)) => parse("root", key).map(Root::from_key).map(Some),
            _ => Err(("line", "goes without `fen` and `root`: each names one position".into())),
        }
    }

    fn groups(&self) -> std::result::Result<GroupBy, SettingError> {
        let names: Vec<&str> = self.by.iter().flat_map(|text| text.split(',')).map(str::trim).collect();
        let of_games: Vec<&str> = names.iter().copied().filter(|name| *name != PLAYER_COLOR).collect();
        let mut groups = match of_games.as_slice() {
            [] => GroupBy::default(),
            some => parse("by", &some.join(","))?,
        };
        if of_games.len() < names.len() {
            let Some(player) = &self.player else {
                return Err((
                    "by",
                    format!("`{PLAYER_COLOR}` goes with `player`: it is that player's colour"),
                ));
            };
            groups.player_color = Some(parse("player", player)?);
        }
        Ok(groups)
    }

    fn filters(&self) -> std::result::Result<Filters, SettingError> {
        Ok(Filters {
            min_elo: self.min_elo,
            max_elo: self.max_elo,
            elo_any: self.elo_any,
            since: parse_option("since", self.since.as_deref())?,
            until: parse_option("until", self.until.as_deref())?,
            speeds: parse_all("speed", &self.speed, parse_speed)?,
            results: parse_all("result", &self.result, parse_outcome)?,
            min_plies: self.min_plies,
            players: self.player_filter()?,
            exclude_bots: self.exclude_bots,
            rated_only: self.rated_only,
            eco: parse_all("eco", &self.eco, str::parse)?,
            expression: self
                .expression
                .as_deref()
                .map(Where::parse)
                .transpose()
                .map_err(|why| ("where", why.to_string()))?,
        })
    }

    fn player_filter(&self) -> std::result::Result<Option<PlayerFilter>, SettingError> {
        let Some(name) = &self.player else {
            return match self.color {
                Some(_) => Err(("color", "goes with `player`: it is that player's colour".into())),
                None => Ok(None),
            };
        };
        let color = self
            .color
            .as_deref()
            .map(|text| choice("color", text, [("white", Color::White), ("black", Color::Black)]));
        Ok(Some(PlayerFilter { name: parse("player", name)?, color: color.transpose()? }))
    }
}

/// One of a few words.
fn choice<T, const N: usize>(
    key: &'static str,
    text: &str,
    words: [(&str, T); N],
) -> std::result::Result<T, SettingError> {
    let known: Vec<_> = words.iter().map(|(word, _)| *word).collect();
    let why = format!("`{text}` is none of {}", known.join(", "));
    words.into_iter().find(|(word, _)| *word == text).map(|(_, value)| value).ok_or((key, why))
}

fn parse<T: FromStr<Err: ToString>>(key: &'static str, text: &str) -> std::result::Result<T, SettingError> {
    text.parse().map_err(|why: T::Err| (key, why.to_string()))
}

fn parse_option<T: FromStr<Err: ToString>>(
    key: &'static str,
    text: Option<&str>,
) -> std::result::Result<Option<T>, SettingError> {
    text.map(|text| parse(key, text)).transpose()
}

/// Every item of a list whose texts may themselves be lists with commas.
fn parse_all<T, E: ToString>(
    key: &'static str,
    texts: &[String],
    parse: impl Fn(&str) -> std::result::Result<T, E>,
) -> std::result::Result<Vec<T>, SettingError> {
    let items = texts.iter().flat_map(|text| text.split(','));
    items.map(|text| parse(text.trim()).map_err(|why| (key, why.to_string()))).collect()
}
