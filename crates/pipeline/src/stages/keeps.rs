//! What a book keeps: settings that every stage has which makes a book, or learns in one.

use std::str::FromStr;

use book::{BookFilter, PerColor, Ratio};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::{Error, Result, recipe::read_settings};

/// The book filters, as settings of a stage.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct KeepsSettings {
    /// Games a move must have: `5`, or `"white=5,black=3"`.
    #[serde(default)]
    pub min_games: Threshold,
    /// Score a move must have, 0 to 1.
    #[serde(default)]
    pub min_score: Threshold,
    /// Share of the position's games a move must have, 0 to 1.
    #[serde(default)]
    pub min_share: Threshold,
    /// Only this side's moves: `white` or `black`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<String>,
    /// Only so many moves of a position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<u32>,
}

impl KeepsSettings {
    /// Its keys: they stand among the other settings of a stage.
    pub(crate) const KEYS: [&str; 5] = ["min_games", "min_score", "min_share", "color", "top"];

    /// Takes the filter out of the settings of a stage, which keep the rest.
    pub(crate) fn take(section: &str, settings: &mut toml::Table) -> Result<BookFilter> {
        let ours = Self::KEYS.iter().filter_map(|&key| Some((key.to_owned(), settings.remove(key)?)));
        read_settings::<Self>(section, ours.collect())?.filter(section)
    }

    fn filter(&self, section: &str) -> Result<BookFilter> {
        Ok(BookFilter {
            color: self.color.as_deref().map(|text| color(section, text)).transpose()?,
            min_games: self.min_games.parse::<u64>(section, "min_games")?,
            min_score: self.min_score.parse::<Ratio>(section, "min_score")?,
            min_share: self.min_share.parse::<Ratio>(section, "min_share")?,
            top: self.top,
        })
    }
}

/// A number, or one for each colour as text.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged)]
pub enum Threshold {
    /// `5`.
    Whole(u64),
    /// `0.4`.
    Part(f64),
    /// `"white=5,black=3"`.
    Text(String),
}

impl Default for Threshold {
    fn default() -> Self {
        Threshold::Whole(0)
    }
}

impl From<String> for Threshold {
    fn from(text: String) -> Self {
        Threshold::Text(text)
    }
}

impl Threshold {
    fn parse<T>(&self, section: &str, key: &str) -> Result<PerColor<T>>
    where
        PerColor<T>: FromStr<Err = book::Error>,
    {
        let text = match self {
            Threshold::Whole(number) => number.to_string(),
            Threshold::Part(number) => number.to_string(),
            Threshold::Text(text) => text.clone(),
        };
        text.parse().map_err(|why| Error::Recipe(format!("{section} `{key}`: {why}")))
    }
}

fn color(section: &str, text: &str) -> Result<Color> {
    match text {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => Err(Error::Recipe(format!("{section} `color`: `{text}` is neither white nor black"))),
    }
}
