//! What an engine does with a book: opens it once, looks positions up, and draws moves by a policy.
//!
//!     cargo run --release -p tabia-query --example probe -- book.tabia "e4 e5"
//!
//! The file may be a book, a table or a Polyglot book.

use std::{env, error::Error, path::Path};

use position::{Key, named_position};
use query::{Artefact, Chooser};

#[expect(clippy::print_stdout, reason = "it prints what it finds")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [path, line @ ..] = arguments.as_slice() else { return Err("probe BOOK [LINE]".into()) };
    let position = named_position(None, Some(&line.join(" ")))?;
    let book = Artefact::open(Path::new(path))?;

    // This asks by key alone: no board is needed, and nothing but the answer is allocated.
    match query::probe_key(&book, Key::of(&position))? {
        None => println!("the position is not in {}", book.name()),
        Some(found) => println!("{} moves in {}", found.moves.len(), book.name()),
    }

    // This asks with a board, and gets names of moves and what was learned about them.
    let probe = query::probe(&book, &position)?;
    for known in probe.moves.iter().take(5) {
        let games = known.tally.unwrap_or_default().games();
        println!("{:6} {games:8} games, score {:.3}", known.name(), known.score.unwrap_or_default());
    }

    // A policy chooses, here with one setting; the same seed draws the same move on every machine.
    let chooser = Chooser::new("polyglot", &[("threshold".into(), "50".into())])?;
    let pick = query::pick(&book, &position, &chooser, 7)?;
    println!("{} plays {}", chooser.describe(), pick.san.as_deref().unwrap_or("nothing"));
    Ok(())
}
