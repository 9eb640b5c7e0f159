//! Flags of `tabia exchange`.

use std::{net::SocketAddr, path::PathBuf};

use clap::Args;
use count::KeptMoves;
use http::HostName;
use learn::{
    crafty::{Family, LessonLimits, ResultRecords},
    search::Trust,
};
use lessons::{GameRule, GameRules};
use run::{ByteSize, ParseMemoryError};

#[derive(Args)]
pub(crate) struct ExchangeArgs {
    /// The folder of the records and of the experience that they make; made where missing
    pub(crate) folder: PathBuf,
    /// The table that lessons are of; a book of it is made in the folder
    #[arg(long, value_name = "TABLE", required_unless_present = "book", conflicts_with = "book")]
    pub(crate) table: Option<PathBuf>,
    /// The book that lessons are of
    #[arg(long, value_name = "BOOK")]
    pub(crate) book: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) keep: KeptMoves,
    #[command(flatten)]
    pub(crate) serving: ServingArgs,
    #[command(flatten)]
    pub(crate) teaching: TeachingArgs,
    /// No progress bar
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

/// Who is served, and how.
#[derive(Args)]
#[command(next_help_heading = "Serving")]
pub(crate) struct ServingArgs {
    /// The address to listen on; one that others can reach needs --tokens
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9003")]
    pub(crate) listen: SocketAddr,
    /// Who may ask: a file of names and tokens [default: every program of this machine]
    #[arg(long, value_name = "FILE")]
    pub(crate) tokens: Option<PathBuf>,
    /// Another name that clients have for this server, as in `http://NAME:9003`; may be given again
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<HostName>,
    /// Requests that a client may make in a minute
    #[arg(long, value_name = "N", default_value_t = 600)]
    pub(crate) requests_a_minute: u32,
    /// The longest record, from 1KiB to 16MiB
    #[arg(long, value_name = "SIZE", default_value = "1MiB", value_parser = record_bytes)]
    pub(crate) max_record: usize,
    /// The longest record in KiB, by its former name
    #[arg(long, value_name = "KIB", hide = true, conflicts_with = "max_record",
        value_parser = clap::value_parser!(u32).range(1..=16_000))]
    record_kib: Option<u32>,
}

impl ServingArgs {
    /// The longest record.
    pub(crate) fn record_bytes_max(&self) -> usize {
        self.record_kib.map_or(self.max_record, |kib| kib as usize * 1024)
    }
}

/// Reads a size that a record may have.
fn record_bytes(text: &str) -> Result<usize, String> {
    let ByteSize(bytes) = text.parse().map_err(|error: ParseMemoryError| error.to_string())?;
    let sizes = 1 << 10..=16 << 20;
    if sizes.contains(&bytes) { Ok(bytes as usize) } else { Err("a record has 1KiB to 16MiB".into()) }
}

/// How games teach.
#[derive(Args)]
#[command(next_help_heading = "Learning")]
pub(crate) struct TeachingArgs {
    /// Which games add to own results: lokasoft (lost, won after more than 50 moves, or between close
    /// ratings), terra (all) or crafty (none)
    #[arg(long, value_name = "lokasoft|terra|crafty", default_value_t)]
    rule: GameRule,
    /// By which Crafty's rules searches and results teach
    #[arg(long, value_name = "FAMILY", default_value_t = Family::A)]
    family: Family,
    /// Which values of searches are trusted: auto (those bad for the engine, as in Crafty), always or never
    #[arg(long, value_name = "auto|always|never", default_value_t)]
    trust: Trust,
    /// What a lost game teaches its last choice: learn (-999: it is never played), soften (-3.00) or skip
    /// (nothing)
    #[arg(long, value_name = "learn|soften|skip", default_value_t)]
    result_records: ResultRecords,
    /// The most that one lesson says for or against a move, pawns: below 0.8, one lesson bans none
    /// [default: no limit]
    #[arg(long, value_name = "PAWNS", value_parser = lesson_pawns)]
    max_lesson: Option<f32>,
    /// Writers whose lessons must each rule a move out before it is banned; more than one needs --tokens
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) ban_writers: u8,
}

/// Reads a limit of a lesson.
fn lesson_pawns(text: &str) -> Result<f32, String> {
    let pawns = text.parse().ok().filter(|pawns: &f32| *pawns > 0.0 && pawns.is_finite());
    pawns.ok_or_else(|| "write a number of pawns above 0, as 0.75".to_owned())
}

impl TeachingArgs {
    pub(crate) fn rules(&self) -> GameRules {
        let limits = LessonLimits {
            result_records: self.result_records,
            lesson_pawns_max: self.max_lesson.unwrap_or(f32::INFINITY),
        };
        GameRules { limits, ..GameRules::new(self.rule, self.family, true, self.trust) }
    }
}
