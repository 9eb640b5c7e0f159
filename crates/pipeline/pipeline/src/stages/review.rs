//! `review`: finds where a player's games left a book.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use clap::Args;
use craft::{Exit, Places, ReviewRows, ReviewedGame, Reviewer, drill, of_writing, push_annotated};
use output::OutputFile;
use pgn::{
    annotated::{AnnotatedGame, Form},
    filter::{Filters, day_of},
};
use position::named_position;
use run::{Context, FileFormat, Output, Result, SettingError, Status};
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color};
use stage::{
    EachGame, Flow, GameSink, Inputs, Parallelism, Port, Signature, Stage, StageInputs, check_player,
    check_whole_games,
};

/// Settings of `review`. The player whose games are reviewed is a setting of `replay`.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct ReviewGames {
    /// How many places to list for each kind of departure from the book
    #[arg(long, value_name = "N", default_value_t = ReviewGames::default().top)]
    pub top: usize,
    /// Write the positions in which the player left the book, with the book's answers, as CSV for a trainer
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub drill: Option<PathBuf>,
    /// Write the games as PGN, each with a comment where it left the book
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub pgn: Option<PathBuf>,
    /// Write a Parquet file with one row per game
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub parquet: Option<PathBuf>,
}

impl Default for ReviewGames {
    fn default() -> Self {
        Self { top: 10, drill: None, pgn: None, parquet: None }
    }
}

impl ReviewGames {
    /// The key, the format and the path of each output file.
    fn files(&self) -> impl Iterator<Item = (&'static str, FileFormat, &PathBuf)> {
        let files = [
            ("drill", FileFormat::Csv, &self.drill),
            ("pgn", FileFormat::Pgn, &self.pgn),
            ("parquet", FileFormat::Parquet, &self.parquet),
        ];
        files.into_iter().filter_map(|(key, format, path)| Some((key, format, path.as_ref()?)))
    }
}

impl Stage for ReviewGames {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Observations, Port::Counts], Port::File, Parallelism::Sequential)
    }

    fn note(&self) -> String {
        let files: Vec<_> = self.files().map(|(_, _, path)| path.display().to_string()).collect();
        if files.is_empty() { "a list of places".into() } else { files.join(", ") }
    }

    fn outputs(&self) -> Vec<Output> {
        self.files().flat_map(|(_, format, path)| format.at([path])).collect()
    }

    fn check(&self, inputs: &Inputs<'_>) -> Result<(), SettingError> {
        for (key, _, path) in self.files() {
            SettingError::check_not_stdout(key, path)?;
        }
        check_player(inputs)?;
        check_whole_games(inputs)
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let mut inputs = StageInputs::new(inputs);
        let stream = inputs.take().observations()?;
        let book = inputs.take().playable()?;
        let create = |path: &Path| OutputFile::create(path, context.existing()).map_err(fault::output(path));
        let mut rows = self.parquet.as_deref().map(create).transpose()?;
        let games = Games {
            filters: &stream.replay.options.filters,
            reviewer: Reviewer::new(&book)?,
            places: Places::new(context.memory.count),
            pgn: self.pgn.as_deref().map(create).transpose()?,
            rows: rows.as_mut().map(rows_of).transpose()?,
            followed: 0,
        };
        let (EachGame(games), read) = stream.drive_annotated(context, Form::Unfinished, EachGame(games))?;
        let Games { places, pgn, rows: written, reviewer, .. } = games;
        if let Some((path, rows)) = written {
            rows.finish().map_err(of_writing(&path))?;
        }
        for file in pgn.into_iter().chain(rows) {
            let path = file.path().to_owned();
            context.prepared(file.prepare().map_err(fault::output(&path))?);
        }
        let mut review = places.finish(reviewer.side());
        if let Some(path) = &self.drill {
            let prepared = output::prepare_text(path, &drill(&review), context.existing());
            context.prepared(prepared.map_err(fault::output(path))?);
        }
        review.shorten(self.top);
        let mut summary = context.summary();
        summary.add_games(&read.counts.sum());
        summary.review = Some(review);
        Ok(Flow::File)
    }
}

fn rows_of(file: &mut OutputFile) -> Result<(PathBuf, ReviewRows)> {
    let path = file.path().to_owned();
    let rows = ReviewRows::new(file.file()).map_err(of_writing(&path))?;
    Ok((path, rows))
}

/// Follows the player's games through the book, in the order of the input.
struct Games<'g> {
    filters: &'g Filters,
    reviewer: Reviewer<'g>,
    places: Places,
    pgn: Option<OutputFile>,
    rows: Option<(PathBuf, ReviewRows)>,
    /// Games followed so far.
    followed: i64,
}

impl GameSink for Games<'_> {
    /// Follows a game once for each side that the player played.
    fn take<'g>(&mut self, game: &AnnotatedGame<'g>) -> Result<Status<'g>> {
        let start = named_position(game.fen().as_deref(), None).map_err(SettingError::from)?;
        self.followed += 1;
        for own in self.filters.sides(&game.tags) {
            let exit = self.reviewer.follow(&start, own, game.plies.iter().map(|ply| ply.mv))?;
            self.places.add((&start, own), &exit, game.outcome, day_of(&game.tags))?;
            self.write(game, (&start, own), &exit)?;
        }
        Ok(Status::of(game.verdict))
    }
}

impl Games<'_> {
    fn write(&mut self, game: &AnnotatedGame<'_>, (start, own): (&Chess, Color), exit: &Exit) -> Result<()> {
        if let Some(file) = &mut self.pgn {
            let mut text = String::new();
            let moves = game.plies.iter().map(|ply| ply.mv);
            let tags = String::from_utf8_lossy(game.text);
            push_annotated((&tags, start), moves, game.outcome, exit, &mut text);
            let written = file.file().write_all(text.as_bytes());
            written.and_then(|()| file.wrote(text.len() as u64)).map_err(fault::output(file.path()))?;
        }
        if let Some((path, rows)) = &mut self.rows {
            let tags = ["White", "Black", "Date", "Result"].map(|name| game.tag(name));
            let tags = tags.each_ref().map(Option::as_deref);
            let game = ReviewedGame { number: self.followed, tags, start, own, exit };
            rows.push(&game).map_err(of_writing(path))?;
        }
        Ok(())
    }
}
