//! `tabia exchange`: runs a server through which players share lessons.

use std::{
    io::Write as _,
    net::SocketAddr,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use anyhow::bail;
use clap::Args;
use count::KeptMoves;
use exchange::{ServerSettings, Store, identity_of, serve};
use http::{HostName, Tokens};
use learn::{
    crafty::{Family, LessonLimits, ResultRecords},
    search::Trust,
};
use lessons::{GameRule, GameRules};
use pipeline::{
    recipe::{self, Plan, builtin},
    stages::Compact,
};
use query::Artefact;
use run::{ByteSize, Limits, ParseMemoryError, RunOptions};

use super::listening::{address, listen_on};
use crate::{
    execute::with_progress_unless,
    exit::Usage,
    format::counted,
    help::{Short, examples},
    signal, terminal,
};

#[derive(Args)]
#[command(add = Short("table book listen tokens requests-a-minute max-record min-games rule family quiet"))]
#[command(after_help = examples("\
tabia exchange shared --table games.table --min-games 3   for programs on this machine
tabia exchange shared --book book.tabia --listen 0.0.0.0:9003 --tokens tokens.txt
tabia uci book.tabia --engine stockfish --learn x.experience.parquet --exchange http://127.0.0.1:9003

A file of tokens has a line for each writer: its name, its token, and `all` if it may clear what
others wrote. docs/exchange.md has more."))]
pub(crate) struct ExchangeArgs {
    /// The folder for the records and the experience made from them; it is created if it does not exist
    folder: PathBuf,
    /// Instead of --book: make a book from this table, and keep that book in the folder
    #[arg(long, value_name = "TABLE", required_unless_present = "book", conflicts_with = "book")]
    table: Option<PathBuf>,
    /// The book whose moves the lessons are about
    #[arg(long, value_name = "BOOK")]
    book: Option<PathBuf>,
    #[command(flatten)]
    keep: KeptMoves,
    #[command(flatten)]
    serving: ServingArgs,
    #[command(flatten)]
    teaching: TeachingArgs,
    /// No progress bar
    #[arg(short, long)]
    quiet: bool,
}

/// The address to listen on, who may send requests, and the limits on them.
#[derive(Args)]
#[command(next_help_heading = "Serving")]
pub(crate) struct ServingArgs {
    /// The address to listen on; an address that other machines can reach needs --tokens
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9003", value_parser = address)]
    listen: SocketAddr,
    /// A file with the names and tokens of the clients that may send requests [default: every program on this
    /// machine may send them]
    #[arg(long, value_name = "FILE")]
    tokens: Option<PathBuf>,
    /// Another name by which clients address this server, as in `http://NAME:9003`; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<HostName>,
    /// The number of requests that a client may make per minute
    #[arg(long, value_name = "N", default_value_t = 600)]
    requests_a_minute: u32,
    /// The maximum size of a record, from 1KiB to 16MiB
    #[arg(long, value_name = "SIZE", default_value = "1MiB", value_parser = record_bytes)]
    max_record: usize,
    /// The former name of --max-record, with a value in KiB
    #[arg(long, value_name = "KIB", hide = true, conflicts_with = "max_record",
        value_parser = clap::value_parser!(u32).range(1..=16_000))]
    record_kib: Option<u32>,
}

impl ServingArgs {
    /// The maximum size of a record, in bytes.
    fn record_bytes_max(&self) -> usize {
        self.record_kib.map_or(self.max_record, |kib| kib as usize * 1024)
    }
}

/// Parses a maximum record size, and returns it in bytes.
fn record_bytes(text: &str) -> Result<usize, String> {
    let ByteSize(bytes) = text.parse().map_err(|error: ParseMemoryError| error.to_string())?;
    let sizes = 1 << 10..=16 << 20;
    if sizes.contains(&bytes) { Ok(bytes as usize) } else { Err("expected 1KiB to 16MiB".into()) }
}

/// How values are learned from games.
#[derive(Args)]
#[command(next_help_heading = "Learning")]
pub(crate) struct TeachingArgs {
    /// Which games count towards the results of the moves that the player chose: lokasoft (losses, wins after
    /// more than 50 moves, and games between players with close ratings), terra (all games) or crafty (no
    /// games)
    #[arg(long, value_name = "lokasoft|terra|crafty", default_value_t)]
    rule: GameRule,
    /// The family of Crafty versions whose rules turn searches and results into lessons
    #[arg(long, value_name = "FAMILY", default_value_t = Family::A)]
    family: Family,
    /// Which search values are trusted: auto (only those that are bad for the engine, as in Crafty), always
    /// or never
    #[arg(long, value_name = "auto|always|never", default_value_t)]
    trust: Trust,
    /// The value to give the player's last choice in a lost game: learn (-999, so it is never played again),
    /// soften (-3.00) or skip (no value)
    #[arg(long, value_name = "learn|soften|skip", default_value_t)]
    result_records: ResultRecords,
    /// The greatest value of a single lesson for or against a move, in pawns; if this is below 0.8, no single
    /// lesson can ban a move [default: no limit]
    #[arg(long, value_name = "PAWNS", value_parser = lesson_pawns)]
    max_lesson: Option<f32>,
    /// Ban a move only after lessons from at least N writers have ruled it out; values above 1 require
    /// --tokens
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u8).range(1..))]
    ban_writers: u8,
}

/// Reads the value of `--max-lesson`, in pawns.
fn lesson_pawns(text: &str) -> Result<f32, String> {
    let pawns = text.parse().ok().filter(|pawns: &f32| *pawns > 0.0 && pawns.is_finite());
    pawns.ok_or_else(|| "write a number of pawns above 0, such as 0.75".to_owned())
}

impl TeachingArgs {
    fn rules(&self) -> GameRules {
        let limits = LessonLimits {
            result_records: self.result_records,
            lesson_pawns_max: self.max_lesson.unwrap_or(f32::INFINITY),
        };
        GameRules { limits, ..GameRules::new(self.rule, self.family, true, self.trust) }
    }
}

/// The server can receive at least this many records of the maximum size at the same time.
const RECORDS_AT_ONCE: usize = 4;

/// `tabia exchange`.
pub(crate) fn exchange(args: &ExchangeArgs) -> anyhow::Result<()> {
    let serving = &args.serving;
    let tokens = serving.tokens.as_deref().map(Tokens::read).transpose()?;
    if args.teaching.ban_writers > 1 && tokens.is_none() {
        bail!(Usage(
            "--ban-writers counts writers, and only --tokens tells them apart: name a file of tokens too"
                .into()
        ));
    }
    let listener = listen_on(serving.listen, tokens.is_some())?;
    let (book, stop) = book(args)?;
    let book = Artefact::open_cached(&book)?;
    book.book()?;
    let identity = identity_of(&book)?;
    let store = Store::open(&args.folder, book, args.teaching.rules(), args.teaching.ban_writers.into())?;
    let limits = http::Limits::default();
    let body_bytes_max = serving.record_bytes_max();
    let bodies_bytes_max = limits.bodies_bytes_max.max(RECORDS_AT_ONCE * body_bytes_max);
    let limits = http::Limits { body_bytes_max, bodies_bytes_max, ..limits };
    let (records, _) = store.count();
    let mut out = terminal::stdout();
    let records = counted(records as u64, "record", "records");
    writeln!(out, "http://{} serves book {identity}: {records}", listener.local_addr()?)?;
    out.flush()?;
    drop(out);
    let (hosts, requests_a_minute) = (serving.hosts.clone(), serving.requests_a_minute);
    let settings = ServerSettings { tokens, hosts, requests_a_minute, limits };
    Ok(serve(store, listener, settings, &stop)?)
}

/// Returns the path of the book that the lessons are about, and the flag that a signal sets. If the arguments
/// name a table, the book is made from it.
fn book(args: &ExchangeArgs) -> anyhow::Result<(PathBuf, Arc<AtomicBool>)> {
    let Some(table) = &args.table else {
        let keeps = args.keep.describe();
        if !keeps.is_empty() {
            let text = format!(
                "a finished book cannot be filtered again ({keeps}): use --table TABLE in place of --book"
            );
            bail!(Usage(text));
        }
        return Ok((args.book.clone().unwrap_or_default(), signal::interrupt_flag()?));
    };
    std::fs::create_dir_all(&args.folder)?;
    let output = args.folder.join("book.tabia");
    let compact = Compact { output: Some(output.clone()), keep: args.keep.clone(), ..Compact::default() };
    let compacting = builtin::compact(table.clone(), &[], compact, Limits::default());
    let plan = Plan::new(&compacting)?;
    let options = RunOptions { force: true, ..RunOptions::default() };
    let stop = with_progress_unless(args.quiet, options, |options| {
        let stop = Arc::clone(&options.interrupt);
        recipe::run(&plan, options).map(|_| stop)
    })?;
    Ok((output, stop))
}
