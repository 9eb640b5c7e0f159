//! Flags of `tabia learn`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use pipeline::stages::{
    CraftySettings, LearnAnnotationsSettings, LearnCraftySettings, LearnGamesSettings, OwnGamesSettings,
    ReadGamesSettings, ReplaySettings,
};

use super::{BookArgs, FilterArgs, RunArgs};

#[derive(Args)]
pub(crate) struct LearnArgs {
    #[command(subcommand)]
    pub(crate) teacher: Learn,
}

#[derive(Subcommand)]
pub(crate) enum Learn {
    /// Replay Crafty's learned PGN (book.lrn, position.lrn) over the book a table makes
    Crafty(Box<LearnCraftyArgs>),
    /// Learn from an engine's own games
    Games(Box<LearnGamesArgs>),
    /// Take the marks of annotated lines (! ? !! ?? !? ?!) as values set by hand
    Annotations(Box<LearnAnnotationsArgs>),
    /// Set a value for one move by hand
    Set(LearnSetArgs),
    /// Write learned values for others
    Export(LearnExportArgs),
}

/// Where experience goes, and what it goes on from.
#[derive(Args)]
#[command(next_help_heading = "Outputs")]
pub(crate) struct ExperienceArgs {
    /// The experience file to write
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Go on from this experience
    #[arg(long = "continue", value_name = "FILE")]
    pub(crate) old: Option<PathBuf>,
}

#[derive(Args)]
pub(crate) struct LearnCraftyArgs {
    /// Learned PGN: files, folders or globs, packed or plain; `-` is standard input
    #[arg(required = true, value_name = "LRN")]
    pub(crate) paths: Vec<String>,
    /// The table whose book learns
    #[arg(long, value_name = "DIR")]
    pub(crate) table: PathBuf,
    #[command(flatten)]
    pub(crate) records: RecordArgs,
    #[command(flatten)]
    pub(crate) experience: ExperienceArgs,
    /// List rejected records in this file, one JSON object a line
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) rejects: Option<PathBuf>,
    /// Which side's moves the book keeps
    #[arg(long, value_name = "white|black", help_heading = "What the book keeps")]
    pub(crate) color: Option<String>,
    #[command(flatten)]
    pub(crate) book: BookArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// How Crafty's records are understood.
#[derive(Args)]
#[command(next_help_heading = "How records are understood")]
pub(crate) struct RecordArgs {
    /// The family of records whose player tags name no version: M, M2, A, B, B1, C0, C1, C
    #[arg(long, value_name = "FAMILY")]
    pub(crate) family: Option<String>,
    /// The player that wrote records which name no Crafty
    #[arg(long, value_name = "NAME")]
    pub(crate) own_player: Option<String>,
    /// Whether copies of a record, which Craftys made when they imported each other's files, teach once
    #[arg(long, value_name = "on|off", default_value = "on", value_parser = ["on", "off"])]
    pub(crate) dedup: String,
}

impl LearnCraftyArgs {
    pub(crate) fn settings(&self) -> LearnCraftySettings {
        LearnCraftySettings {
            learning: CraftySettings {
                paths: self.paths.clone(),
                output: Some(self.experience.output.clone()),
                old: self.experience.old.clone(),
                rejects: self.rejects.clone(),
                ..self.records.settings()
            },
            keeps: self.book.keeps(self.color.as_deref()),
        }
    }
}

impl RecordArgs {
    pub(crate) fn settings(&self) -> CraftySettings {
        CraftySettings {
            family: self.family.clone(),
            own_player: self.own_player.clone(),
            dedup: self.dedup == "on",
            ..CraftySettings::default()
        }
    }
}

#[derive(Args)]
pub(crate) struct LearnGamesArgs {
    #[command(flatten)]
    pub(crate) games: TeachingGameArgs,
    /// The table whose book the games were played from
    #[arg(long, value_name = "DIR")]
    pub(crate) table: PathBuf,
    /// Which games teach: lokasoft (lost, won after more than 50 moves, or ratings less than 200 apart) or terra (all)
    #[arg(long, value_name = "lokasoft|terra", default_value = "lokasoft")]
    pub(crate) rule: String,
    /// Evaluations and depths in comments teach too, as Crafty's searches do
    #[arg(long)]
    pub(crate) search: bool,
    /// By which Crafty's rules searches teach
    #[arg(long, value_name = "FAMILY", default_value = "A", requires = "search")]
    pub(crate) family: String,
    #[command(flatten)]
    pub(crate) experience: ExperienceArgs,
    /// Which side's moves the book keeps
    #[arg(long, value_name = "white|black", help_heading = "What the book keeps")]
    pub(crate) book_color: Option<String>,
    #[command(flatten)]
    pub(crate) book: BookArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Games that teach: read whole, whoever counts them to which ply.
#[derive(Args)]
pub(crate) struct TeachingGameArgs {
    /// PGN files, folders or globs, packed or plain; `-` is standard input
    #[arg(required = true, value_name = "PGN")]
    pub(crate) paths: Vec<String>,
    /// Stop after so many games, in input order
    #[arg(long, value_name = "N", help_heading = "Which games count")]
    pub(crate) limit: Option<u64>,
    /// Games that start from a FEN too
    #[arg(long, help_heading = "Which games count")]
    pub(crate) from_position: bool,
    #[command(flatten)]
    pub(crate) filters: FilterArgs,
}

impl TeachingGameArgs {
    pub(crate) fn read_games(&self) -> ReadGamesSettings {
        ReadGamesSettings { paths: self.paths.clone(), limit: self.limit, ..ReadGamesSettings::default() }
    }

    pub(crate) fn replay(&self) -> ReplaySettings {
        let whole =
            ReplaySettings { max_ply: 0, from_position: self.from_position, ..ReplaySettings::default() };
        self.filters.replay(whole)
    }
}

impl LearnGamesArgs {
    pub(crate) fn settings(&self) -> LearnGamesSettings {
        LearnGamesSettings {
            learning: OwnGamesSettings {
                output: Some(self.experience.output.clone()),
                rule: self.rule.clone(),
                search: self.search,
                family: self.family.clone(),
                old: self.experience.old.clone(),
            },
            keeps: self.book.keeps(self.book_color.as_deref()),
        }
    }
}

#[derive(Args)]
pub(crate) struct LearnAnnotationsArgs {
    #[command(flatten)]
    pub(crate) games: TeachingGameArgs,
    #[command(flatten)]
    pub(crate) experience: ExperienceArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

impl LearnAnnotationsArgs {
    pub(crate) fn settings(&self) -> LearnAnnotationsSettings {
        let ExperienceArgs { output, old } = &self.experience;
        LearnAnnotationsSettings { output: Some(output.clone()), old: old.clone() }
    }
}

#[derive(Args)]
pub(crate) struct LearnSetArgs {
    /// The moves that lead there; the last one is set
    #[arg(long, value_name = "SANS")]
    pub(crate) line: String,
    /// Where the line begins; the start position if not given
    #[arg(long)]
    pub(crate) fen: Option<String>,
    /// 0–100, a mark (! ? !! ?? !? ?!), or clear
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true, required_unless_present = "priority")]
    pub(crate) value: Option<String>,
    /// Lokasoft's priority, 0 (never) to 5 (best)
    #[arg(long, value_name = "0-5")]
    pub(crate) priority: Option<u8>,
    #[command(flatten)]
    pub(crate) experience: ExperienceArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

#[derive(Args)]
pub(crate) struct LearnExportArgs {
    #[command(subcommand)]
    pub(crate) what: LearnExport,
}

#[derive(Subcommand)]
pub(crate) enum LearnExport {
    /// Learned lines as records in the layout of Crafty's book.lrn
    Crafty(LearnExportCraftyArgs),
}

#[derive(Args)]
pub(crate) struct LearnExportCraftyArgs {
    /// The experience file
    pub(crate) file: PathBuf,
    /// The learned PGN to write
    #[arg(short, long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) output: PathBuf,
    /// The version of Crafty that the records name, from 14.4 to 20.16; readers go by it
    #[arg(long = "as", value_name = "VERSION", default_value = "15.17")]
    pub(crate) version: String,
    #[command(flatten)]
    pub(crate) run: RunArgs,
}
