//! `compact`: a table's counts through the book filter into the final book.

use std::{
    path::{Path, PathBuf},
    str::FromStr,
};

use book::{BookFilter, PerColor, Ratio};
use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::{
    Context, Error, Flow, Result, bookmaking, catalogue::Stage, flow::only_input, recipe::read_settings,
};

/// Settings of `compact`.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct CompactSettings {
    /// The book.
    pub output: PathBuf,
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

/// Makes a book.
pub struct Compact {
    output: PathBuf,
    filter: BookFilter,
}

impl Compact {
    pub(crate) fn read(section: &str, settings: toml::Table) -> Result<Self> {
        let settings: CompactSettings = read_settings(section, settings)?;
        let filter = BookFilter {
            color: settings.color.as_deref().map(|text| color(section, text)).transpose()?,
            min_games: settings.min_games.parse::<u64>(section, "min_games")?,
            min_score: settings.min_score.parse::<Ratio>(section, "min_score")?,
            min_share: settings.min_share.parse::<Ratio>(section, "min_share")?,
            top: settings.top,
        };
        Ok(Self { output: settings.output, filter })
    }
}

fn color(section: &str, text: &str) -> Result<Color> {
    match text {
        "white" => Ok(Color::White),
        "black" => Ok(Color::Black),
        _ => Err(Error::Recipe(format!("{section} `color`: `{text}` is neither white nor black"))),
    }
}

impl Stage for Compact {
    fn note(&self) -> String {
        let (output, filter) = (self.output.display(), self.filter.describe());
        if filter.is_empty() { output.to_string() } else { format!("{output}, {filter}") }
    }

    fn outputs(&self) -> Vec<PathBuf> {
        vec![self.output.clone()]
    }

    fn run(&self, context: &Context, inputs: Vec<Flow>) -> Result<Flow> {
        let counts = only_input!(inputs, Table);
        let made = bookmaking::make(context, &counts, &self.filter, Path::new(&self.output))?;
        context.wrote(&self.output);
        let mut report = context.report();
        report.edges = made.rows;
        report.book_positions = made.book.positions;
        report.book_edges = made.book.edges;
        Ok(Flow::Book(self.output.clone()))
    }
}
