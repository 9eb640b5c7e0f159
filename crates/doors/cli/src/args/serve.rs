//! Flags of `tabia serve`.

use std::{net::SocketAddr, path::PathBuf};

use clap::Args;
use count::WeighGames;
use http::{HostName, PageOrigin};
use serve::Named;

#[derive(Args)]
pub(crate) struct ServeArgs {
    /// Books, tables and Polyglot books, named by their files without the ending; the first is the default
    #[arg(value_name = "FILE", required_unless_present = "named")]
    files: Vec<PathBuf>,
    /// Serve an artefact by this name: /x/NAME/lichess and so on
    #[arg(long = "name", id = "named", value_name = "NAME=PATH", value_parser = named)]
    named: Vec<Named>,
    /// The address to listen on; everyone who reaches it may ask
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:9002")]
    pub(crate) listen: SocketAddr,
    /// What was learned or set of the first artefact's moves, in place of what it holds itself; values set in
    /// the page go there
    #[arg(long, value_name = "FILE")]
    pub(crate) experience: Option<PathBuf>,
    /// Who may set values: a file of names and tokens [default: who has the random token in the address that
    /// is printed]
    #[arg(long, value_name = "FILE", requires = "experience")]
    pub(crate) tokens: Option<PathBuf>,
    /// Another name that clients and proxies have for this server, as in `Host: NAME`; may be given again
    #[arg(long = "host", value_name = "NAME")]
    pub(crate) hosts: Vec<HostName>,
    /// Let only pages of this origin ask, scheme and host, beside its own; may be given again
    /// [default: pages of every origin may read]
    #[arg(long = "origin", value_name = "URL")]
    pub(crate) origins: Vec<PageOrigin>,
    /// Refuse filters that cannot be answered (400); else they are ignored, and named in a header
    #[arg(long)]
    pub(crate) strict_filters: bool,
    /// Requests that a client of another machine may make in a minute
    #[arg(long, value_name = "N", default_value_t = 600)]
    pub(crate) requests_a_minute: u32,
    #[command(flatten)]
    pub(crate) weigh: WeighGames,
}

impl ServeArgs {
    /// The artefacts to serve, the default one first.
    pub(crate) fn artefacts(&self) -> Vec<Named> {
        Named::all(&self.files).into_iter().chain(self.named.iter().cloned()).collect()
    }
}

fn named(text: &str) -> Result<Named, String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok(Named { name: name.to_owned(), path: path.into() })
        }
        _ => Err("write NAME=PATH".into()),
    }
}
