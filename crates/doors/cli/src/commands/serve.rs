//! `tabia serve`: answers about openings over HTTP.

use std::io::Write as _;

use fault::Failure as _;
use http::Tokens;
use serve::{Artefacts, Settings};

use super::listening::listen_on;
use crate::{
    args::ServeArgs,
    exit::{Usage, warn},
    format::counted,
    signal, terminal,
};

/// `tabia serve`.
pub(crate) fn serve(args: &ServeArgs) -> anyhow::Result<()> {
    let (tokens, fragment) = tokens(args)?;
    // Anyone may read; edits ask for a token themselves.
    let listener = listen_on(args.listen, true)?;
    let served = args.artefacts();
    let names: Vec<_> = served.iter().map(|named| named.name.clone()).collect();
    let artefacts = Artefacts::open(served, args.weigh.weights()).map_err(or_usage)?;
    let stop = signal::interrupt_flag()?;
    let mut out = terminal::stdout();
    let all = counted(names.len() as u64, "artefact", "artefacts");
    writeln!(out, "http://{}{fragment} serves {all}: {}", listener.local_addr()?, names.join(", "))?;
    out.flush()?;
    drop(out);
    let settings = Settings {
        experience: args.experience.clone(),
        tokens,
        hosts: args.hosts.clone(),
        origins: args.origins.clone(),
        strict_filters: args.strict_filters,
        requests_a_minute: args.requests_a_minute,
        report: |text| warn(&[text.to_owned()]),
    };
    serve::serve(artefacts, listener, settings, &stop).map_err(or_usage)
}

/// The tokens of clients that may edit, and the end of the page's address if a token is made here. A fragment
/// is not sent to any server, so that no log has it.
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

fn or_usage(error: serve::Error) -> anyhow::Error {
    match error {
        serve::Error::Query(error) => error.into(),
        error if error.kind().is_usage() => Usage(error.to_string()).into(),
        error => error.into(),
    }
}
