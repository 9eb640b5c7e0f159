//! `write-games` writes games as they are in their inputs: those that count, and the others.

mod games_file;
mod texts;

use std::path::PathBuf;

use clap::Args;
use games::{
    ReplayOperator,
    driver::{Reading, in_order::OrderedSink},
};
use pgn::{
    annotated::Form,
    batches::{Batch, ReadChunk},
    input::{Chunk, LineEnds, Place},
    verdict::{Reason, Verdict},
};
use run::{Context, FileFormat, Output, Result, SettingError};
use serde::{Deserialize, Serialize};
use stage::{Flow, Inputs, Parallelism, Port, Signature, Stage, StageInputs, check_whole_games};

use self::{games_file::GamesFile, texts::Texts};

/// Settings of `write-games`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct WriteGames {
    /// The file for the games that count, byte for byte as they are; compressed if it is named .zst, `-` is
    /// standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub output: PathBuf,
    /// A file for all others: filtered, rejected, copies
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rest: Option<PathBuf>,
}

impl Stage for WriteGames {
    fn signature(&self) -> Signature {
        Signature::new(&[Port::Observations], Port::File, Parallelism::Parallel)
    }

    fn note(&self) -> String {
        let rest = self.rest.as_ref().map_or_else(String::new, |rest| format!(", others {}", rest.display()));
        format!("{}{rest}", self.output.display())
    }

    fn outputs(&self) -> Vec<Output> {
        FileFormat::Pgn.at([&self.output].into_iter().chain(&self.rest))
    }

    fn check(&self, inputs: &Inputs<'_>) -> Result<(), SettingError> {
        GamesFile::check_name("output", &self.output)?;
        self.rest.as_deref().map_or(Ok(()), |rest| GamesFile::check_name("rest", rest))?;
        check_whole_games(inputs)
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let stream = StageInputs::new(inputs).take().observations()?;
        let create = |path| GamesFile::create(path, context.existing());
        let files =
            Files { kept: create(&self.output)?, rest: self.rest.as_deref().map(create).transpose()? };
        let options = stream.read_options(Form::Finished);
        let replay = ReplayOperator::new(&options.replay);
        let splitter = Splitter { replay, wants_rest: files.rest.is_some() };
        let (Files { kept, rest }, mut read) = stream.drive_in_order(context, &options, splitter, files)?;
        context.prepared(kept.finish()?);
        rest.map_or(Ok(()), |rest| rest.finish().map(|rest| drop(context.prepared(rest))))?;
        let sum = read.counts.sum();
        let cut = sum.rejected.get(Reason::TooLarge.name()).copied().unwrap_or(0);
        let mut summary = context.summary();
        if cut > 0 && self.rest.is_some() {
            summary.warnings.push(format!(
                "{cut} games are larger than a game may be; of those that are too long the rest has the beginning"
            ));
        }
        read.input_reports().into_iter().for_each(|input| summary.add_input(input));
        Ok(Flow::File)
    }
}

/// The files that games go to.
struct Files {
    kept: GamesFile,
    rest: Option<GamesFile>,
}

/// The games of a chunk: those that count, the others, and the fate of each.
struct SplitGames {
    place: Place,
    kept: Texts,
    rest: Texts,
    /// The offset of each game in the chunk, and its verdict.
    verdicts: Vec<(usize, Verdict)>,
}

impl Batch for SplitGames {
    fn place(&self) -> Place {
        self.place
    }

    fn items(&self) -> usize {
        self.verdicts.len()
    }

    fn bytes(&self) -> usize {
        self.kept.bytes() + self.rest.bytes() + size_of_val(&self.verdicts[..])
    }

    fn number_after(&mut self, _: u64) {}
}

/// Splits the games of chunks.
#[derive(Clone)]
struct Splitter {
    replay: ReplayOperator,
    wants_rest: bool,
}

impl ReadChunk for Splitter {
    type Batch = SplitGames;

    fn read_chunk(&mut self, chunk: &mut Chunk) -> SplitGames {
        let (kept, rest) = (Texts::default(), Texts::default());
        let mut split = SplitGames { place: chunk.place, kept, rest, verdicts: Vec::new() };
        for piece in chunk.games() {
            let verdict = self.replay.verdict(chunk, &piece);
            if let Verdict::Accepted { .. } = verdict {
                split.kept.push(piece.offset, piece.text);
            } else if self.wants_rest {
                split.rest.push(piece.offset, piece.text);
            }
            split.verdicts.push((piece.offset, verdict));
        }
        if chunk.line_ends() == LineEnds::Cr {
            [&mut split.kept, &mut split.rest].into_iter().for_each(Texts::end_lines_at_lf);
        }
        split
    }
}

impl OrderedSink<SplitGames> for Files {
    fn push(&mut self, games: SplitGames, reading: &Reading<'_>) -> Result<()> {
        let mut status = reading.chunk_status(games.place);
        for (offset, verdict) in &games.verdicts {
            status.note_verdict(*offset, verdict);
        }
        self.kept.push(games.place, &games.kept)?;
        self.rest.as_mut().map_or(Ok(()), |rest| rest.push(games.place, &games.rest))?;
        reading.add(&status)
    }
}
