//! `tabia exchange`: a server that shares lessons.

use std::{
    io::Write as _,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use anyhow::bail;
use exchange::{ServerSettings, Store, identity_of, serve};
use http::Tokens;
use pipeline::{
    recipe::{Plan, builtin, run},
    stages::Compact,
};
use query::Artefact;
use run::{Limits, RunOptions};

use super::{listening::listen_on, pipelines::with_progress_unless};
use crate::{args::ExchangeArgs, exit::Usage, format::counted, signal, terminal};

/// How many of the largest records fit in memory while they arrive.
const RECORDS_AT_ONCE: usize = 4;

/// `tabia exchange`.
pub(crate) fn exchange(args: &ExchangeArgs) -> anyhow::Result<()> {
    let serving = &args.serving;
    let tokens = serving.tokens.as_deref().map(Tokens::read).transpose()?;
    if args.teaching.ban_writers > 1 && tokens.is_none() {
        bail!(Usage(
            "--ban-writers counts writers, who are known by --tokens alone: name that file, too".into()
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

/// The book that lessons are about, made of the table if one is named, and the flag that a signal sets.
fn book(args: &ExchangeArgs) -> anyhow::Result<(PathBuf, Arc<AtomicBool>)> {
    let Some(table) = &args.table else {
        let keeps = args.keep.describe();
        if !keeps.is_empty() {
            let text = format!("{keeps}: a book keeps what it keeps; name its table to choose");
            bail!(Usage(text));
        }
        return Ok((args.book.clone().unwrap_or_default(), signal::interrupt_flag()?));
    };
    std::fs::create_dir_all(&args.folder)?;
    let output = args.folder.join("book.tabia");
    let compact = Compact { output: Some(output.clone()), keep: args.keep.clone(), ..Compact::default() };
    let recipe = builtin::compact(table.clone(), &[], compact, Limits::default());
    let plan = Plan::new(&recipe)?;
    let options = RunOptions { force: true, ..RunOptions::default() };
    let stop = with_progress_unless(args.quiet, options, |options| {
        let stop = Arc::clone(&options.interrupt);
        run(&plan, options).map(|_| stop)
    })?;
    Ok((output, stop))
}
