//! `export-games`: writes games as typed Parquet rows.

mod row;

use std::path::PathBuf;

use analysis::{DEFAULT_GAMES_A_PART, GameOptions, GamesWriter, KeyType, MoveList};
use clap::Args;
use pgn::annotated::{AnnotatedGame, Form};
use run::{
    Context, FileFormat, Output, Result, SettingError, Status,
    values::{as_text, defaults},
};
use serde::{Deserialize, Serialize};
use stage::{
    EachGame, Flow, GameSink, Inputs, Parallelism, Port, Signature, Stage, StageInputs, check_whole_games,
};

use self::row::row;

/// Settings of `export-games`.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct ExportGames {
    /// The folder to write
    #[arg(short, long, value_name = "DIR", help_heading = "Outputs")]
    pub output: PathBuf,
    /// How moves are written: uci, or packed as Polyglot packs them
    #[arg(long, value_name = "uci|packed", default_value_t)]
    #[serde(with = "as_text")]
    pub moves: MoveList,
    /// How keys are written: u64, or i64 for Spark and Iceberg
    #[arg(long, value_name = "u64|i64", default_value_t)]
    #[serde(with = "as_text")]
    pub key_type: KeyType,
    /// Also write a folder `observations`: one row per move played
    #[arg(long)]
    pub observations: bool,
    /// Columns to leave out
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub without: Vec<String>,
    /// Games per part file
    #[arg(long, value_name = "N", default_value_t = DEFAULT_GAMES_A_PART)]
    pub games_a_part: u64,
}

impl Default for ExportGames {
    fn default() -> Self {
        Self { output: PathBuf::new(), ..defaults(&["--output=-"]) }
    }
}

impl Stage for ExportGames {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Observations], Port::File, Parallelism::Parallel)
    }

    fn note(&self) -> String {
        let observations = if self.observations { ", observations" } else { "" };
        format!("{}, moves {}{observations}", self.output.display(), self.moves)
    }

    fn outputs(&self) -> Vec<Output> {
        FileFormat::Parquet.at([&self.output])
    }

    fn check(&self, inputs: &Inputs<'_>) -> Result<(), SettingError> {
        SettingError::check_not_stdout("output", &self.output)?;
        SettingError::new("games_a_part", "at least 1", 0).unless(self.games_a_part > 0)?;
        check_whole_games(inputs)
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let stream = StageInputs::new(inputs).take().observations()?;
        let options = GameOptions {
            moves: self.moves,
            key_type: self.key_type,
            observations: self.observations,
            without: self.without.clone(),
            games_a_part: self.games_a_part,
            force: context.options.force,
            ..GameOptions::default()
        };
        let writer = GamesWriter::create(&self.output, options)?;
        let rows = EachGame(GameRows(writer));
        let (EachGame(GameRows(writer)), read) = stream.drive_annotated(context, Form::Finished, rows)?;
        let (report, prepared) = writer.prepare()?;
        context.prepared(prepared);
        let mut summary = context.summary();
        summary.add_games(&read.counts.sum());
        summary.exported.insert("games".into(), report.games);
        summary.exported.extend(report.observations.map(|moves| ("observations".into(), moves)));
        Ok(Flow::File)
    }
}

/// The games that count, as rows in the order of the input.
struct GameRows(GamesWriter);

impl GameSink for GameRows {
    fn take<'g>(&mut self, game: &AnnotatedGame<'g>) -> Result<Status<'g>> {
        self.0.push(&row(game))?;
        Ok(Status::of(game.verdict))
    }
}
