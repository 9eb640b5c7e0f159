//! `write-games`: copies the texts of games unchanged. Games that count go to one file, and all other games
//! to a second file.

mod games_file;
mod in_book;
mod texts;

use std::path::{Path, PathBuf};

use clap::Args;
use games::{
    ReplayOperator,
    driver::{Reading, in_order::OrderedSink},
};
use pgn::{
    annotated::Form,
    batches::{Batch, ReadChunk},
    filter::Filter,
    input::{Chunk, LineEnds, Piece, Place},
    verdict::{Reason, Verdict},
};
use run::{Context, Error, FileFormat, Output, Result, SettingError};
use serde::{Deserialize, Serialize};
use stage::{Flow, Inputs, Parallelism, Port, Signature, Stage, StageInputs, check_whole_games};

use self::{games_file::GamesFile, in_book::InBook, texts::Texts};

/// Settings of `write-games`.
#[derive(Args, Clone, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct WriteGames {
    /// Write the games that count to this file, byte for byte; the file is compressed if its name ends in
    /// .zst; `-` is standard output
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub output: PathBuf,
    /// Write all other games (those filtered out or rejected, and copies) to this file
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub rest: Option<PathBuf>,
    /// Only games whose first moves are in BOOK, which may be a book, a table or a Polyglot book
    #[arg(id = "in", long = "in", value_name = "BOOK", help_heading = "Which games count")]
    #[serde(rename = "in")]
    pub in_book: Option<PathBuf>,
    /// How many of a game's first plies must be in the book
    #[arg(long, value_name = "N", default_value_t = WriteGames::default().in_plies, requires = "in",
        help_heading = "Which games count")]
    pub in_plies: u32,
}

impl Default for WriteGames {
    fn default() -> Self {
        Self { output: PathBuf::new(), rest: None, in_book: None, in_plies: 10 }
    }
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

    fn reads(&self) -> Vec<&Path> {
        self.in_book.as_deref().into_iter().collect()
    }

    fn check(&self, inputs: &Inputs<'_>) -> Result<(), SettingError> {
        SettingError::new("in_plies", "at least 1", 0).unless(self.in_plies > 0)?;
        GamesFile::check_name("output", &self.output)?;
        self.rest.as_deref().map_or(Ok(()), |rest| GamesFile::check_name("rest", rest))?;
        check_whole_games(inputs)
    }

    fn run(&self, context: &Context, _: &str, inputs: Vec<Flow>) -> Result<Flow> {
        let stream = StageInputs::new(inputs).take().observations()?;
        let create = |path| GamesFile::create(path, context.existing());
        let files =
            Files { kept: create(&self.output)?, rest: self.rest.as_deref().map(create).transpose()? };
        let mut options = stream.read_options(Form::Finished);
        let book = self.in_book.as_deref().map(|path| InBook::open(path, self.in_plies)).transpose()?;
        let counting = &mut options.replay.counting;
        counting.max_ply = if book.is_some() { self.in_plies } else { counting.max_ply };
        let replay = ReplayOperator::new(&options.replay);
        let splitter = Splitter { replay, wants_rest: files.rest.is_some(), book };
        let (Files { kept, rest }, mut read) = stream.drive_in_order(context, &options, splitter, files)?;
        context.prepared(kept.finish()?);
        rest.map_or(Ok(()), |rest| rest.finish().map(|rest| drop(context.prepared(rest))))?;
        let sum = read.counts.sum();
        let cut = sum.rejected.get(<&str>::from(Reason::TooLarge)).copied().unwrap_or(0);
        let mut summary = context.summary();
        if cut > 0 && self.rest.is_some() {
            summary.warnings.push(format!(
                "{cut} games are too large; the file of other games has only the beginning of those that are too long"
            ));
        }
        read.input_reports().into_iter().for_each(|input| summary.add_input(input));
        Ok(Flow::File)
    }
}

/// The files to which games are written.
struct Files {
    kept: GamesFile,
    rest: Option<GamesFile>,
}

/// The games of a chunk: the texts of those that count, the texts of the others, and all verdicts.
struct SplitGames {
    place: Place,
    kept: Texts,
    rest: Texts,
    /// The offset of each game in the chunk, and its verdict.
    verdicts: Vec<(usize, Verdict)>,
    /// The error, if the book could not be read.
    failed: Option<Error>,
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

/// Splits the games of each chunk into games that count and games that do not count.
#[derive(Clone)]
struct Splitter {
    replay: ReplayOperator,
    wants_rest: bool,
    book: Option<InBook>,
}

impl Splitter {
    /// Returns the verdict on a game.
    fn verdict(&mut self, chunk: &Chunk, piece: &Piece<'_>) -> Result<Verdict> {
        let verdict = self.replay.verdict(chunk, piece);
        let (Some(book), Verdict::Accepted { .. }) = (&mut self.book, &verdict) else { return Ok(verdict) };
        let stays = book.has(self.replay.replay())?;
        Ok(if stays { verdict } else { Verdict::Filtered(Filter::In) })
    }
}

impl ReadChunk for Splitter {
    type Batch = SplitGames;

    fn read_chunk(&mut self, chunk: &mut Chunk) -> SplitGames {
        let (kept, rest) = (Texts::default(), Texts::default());
        let mut split = SplitGames { place: chunk.place, kept, rest, verdicts: Vec::new(), failed: None };
        for piece in chunk.games() {
            let verdict = match self.verdict(chunk, &piece) {
                Ok(verdict) => verdict,
                Err(error) => {
                    split.failed = Some(error);
                    break;
                }
            };
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
        games.failed.map_or(Ok(()), Err)?;
        let mut status = reading.chunk_status(games.place);
        for (offset, verdict) in &games.verdicts {
            status.note_verdict(*offset, verdict);
        }
        self.kept.push(games.place, &games.kept)?;
        self.rest.as_mut().map_or(Ok(()), |rest| rest.push(games.place, &games.rest))?;
        reading.add(&status)
    }
}
