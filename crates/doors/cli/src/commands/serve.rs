//! `tabia serve`: answers questions about openings over HTTP.

use std::{io::Write as _, net::SocketAddr, path::PathBuf};

use clap::Args;
use count::WeighGames;
use http::{HostName, PageOrigin, Tokens};
use serve::{Artefacts, Database, Endpoints, NamedPath, Settings};

use super::listening::{address, listen_on};
use crate::{
    exit::warn,
    format::counted,
    help::{Short, examples},
    signal, terminal,
};

#[derive(Args)]
#[command(add = Short("name masters lichess player listen experience tokens strict-filters half-life"))]
#[command(after_help = examples("\
tabia serve book.tabia   then open http://127.0.0.1:9002
tabia serve mine.tabia --name masters=twic.table --experience mine.experience.parquet
tabia serve --masters twic.table --lichess lichess.table --player mine.table   as Lichess's three databases
tabia serve games.table --half-life 3y   for policies, old games count less

Try curl 'http://127.0.0.1:9002/lichess?play=e2e4,c7c5': the server answers like Lichess's explorer.
docs/serve.md lists the requests, and explains how to point programs at this server instead of Lichess."))]
pub(crate) struct ServeArgs {
    /// Books, tables and Polyglot books, each served under its file name without the extension; the first is
    /// the default
    #[arg(value_name = "FILE", required_unless_present_any = ["named", "masters", "lichess", "player"])]
    files: Vec<PathBuf>,
    /// Serve an artefact under this name: /x/NAME/lichess and so on
    #[arg(long = "name", id = "named", value_name = "NAME=PATH", value_parser = named)]
    named: Vec<NamedPath>,
    /// Answer /masters from this artefact: the name of a served artefact, or a file to serve as well
    #[arg(long, value_name = "NAME|FILE")]
    masters: Option<PathBuf>,
    /// Answer /lichess from this artefact
    #[arg(long, value_name = "NAME|FILE")]
    lichess: Option<PathBuf>,
    /// Answer /player from this table; it must have been counted with --player and --by player-color
    #[arg(long, value_name = "NAME|FILE")]
    player: Option<PathBuf>,
    /// The address to listen on; anyone who can reach it may send requests
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9002", value_parser = address)]
    listen: SocketAddr,
    /// An experience file for the first artefact, in place of its own experience; values set on the page are
    /// written to it
    #[arg(long, value_name = "FILE")]
    experience: Option<PathBuf>,
    /// A file with the names and tokens of the clients that may set values [default: anyone with the random
    /// token in the printed address may set them]
    #[arg(long, value_name = "FILE", requires = "experience")]
    tokens: Option<PathBuf>,
    /// Another name by which clients and proxies address this server, as in `Host: NAME`; may be repeated
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<HostName>,
    /// An origin (scheme and host) whose pages may read answers, in addition to the server's own page; may be
    /// repeated [default: pages of every origin may read them]
    #[arg(long = "origin", value_name = "URL")]
    origins: Vec<PageOrigin>,
    /// Refuse requests with filters that cannot be applied (status 400); without this flag, such filters are
    /// ignored and named in a header
    #[arg(long)]
    strict_filters: bool,
    /// The number of requests that a client on another machine may make per minute
    #[arg(long, value_name = "N", default_value_t = 600)]
    requests_a_minute: u32,
    #[command(flatten)]
    weigh: WeighGames,
}

impl ServeArgs {
    /// Lists the artefacts to serve, the default one first. Also returns the artefacts from which requests
    /// for Lichess's databases are answered.
    fn artefacts(&self) -> serve::Result<(Vec<NamedPath>, Endpoints)> {
        let mut served = NamedPath::all(&self.files);
        served.extend(self.named.iter().cloned());
        let mut endpoints = Endpoints::default();
        for (database, given) in Database::ALL.into_iter().zip([&self.masters, &self.lichess, &self.player]) {
            if let Some(given) = given {
                endpoints.give(database, given, &mut served)?;
            }
        }
        Ok((served, endpoints))
    }
}

fn named(text: &str) -> Result<NamedPath, String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok(NamedPath { name: name.to_owned(), path: path.into() })
        }
        _ => Err("write NAME=PATH".into()),
    }
}

/// `tabia serve`.
pub(crate) fn serve(args: &ServeArgs) -> anyhow::Result<()> {
    let (tokens, fragment) = tokens(args)?;
    // `true` allows any address: reading needs no token, and the token of a request to edit is checked later.
    let listener = listen_on(args.listen, true)?;
    let (served, endpoints) = args.artefacts()?;
    let names: Vec<_> = served.iter().map(|named| named.name.clone()).collect();
    let artefacts = Artefacts::open(served, args.weigh.weights())?;
    endpoints.check(&artefacts)?;
    let stop = signal::interrupt_flag()?;
    let mut out = terminal::stdout();
    let all = counted(names.len() as u64, "artefact", "artefacts");
    writeln!(out, "http://{}{fragment} serves {all}: {}", listener.local_addr()?, names.join(", "))?;
    out.flush()?;
    drop(out);
    let settings = Settings {
        experience: args.experience.clone(),
        tokens,
        endpoints,
        hosts: args.hosts.clone(),
        origins: args.origins.clone(),
        strict_filters: args.strict_filters,
        requests_a_minute: args.requests_a_minute,
        report: |text| warn(&[text.to_owned()]),
    };
    Ok(serve::serve(artefacts, listener, settings, &stop)?)
}

/// Returns the tokens of the clients that may edit. If the user names an experience file but no file of
/// tokens, generates a random token, and also returns this token as a URL fragment. Browsers do not send
/// fragments to servers, so the token is not logged anywhere.
fn tokens(args: &ServeArgs) -> anyhow::Result<(Tokens, String)> {
    if let Some(file) = &args.tokens {
        return Ok((Tokens::read(file)?, String::new()));
    }
    if args.experience.is_none() {
        return Ok((Tokens::default(), String::new()));
    }
    let (tokens, token) = Tokens::random("page")?;
    Ok((tokens, format!("/#token={token}")))
}
