//! Flags of `tabia uci`.

use std::{path::PathBuf, time::Duration};

use build::recipe::parse_policy_setting;
use clap::Args;
use player::BookOptions;

const EXAMPLES: &str = "\
Examples:
  tabia uci book.tabia --engine stockfish            a GUI's engine: book moves, then Stockfish
  tabia uci book.tabia --engine \"./engine --uci\" --policy terra --set book-limit=40
  tabia uci book.bin                                 the book alone, to try it

In a GUI, name `tabia` as the engine's program and the rest as its parameters. docs/playing.md has more.";

#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct UciArgs {
    /// The book: a .tabia book, a table or a Polyglot book
    pub(crate) book: PathBuf,
    /// The UCI engine that plays where the book has no move: its program and arguments
    #[arg(long, value_name = "COMMAND")]
    pub(crate) engine: Option<String>,
    /// The rule that chooses; `tabia policies` lists them
    #[arg(long, value_name = "NAME", default_value = "crafty")]
    pub(crate) policy: String,
    /// A setting of the policy, as book-width=3; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_policy_setting)]
    pub(crate) set: Vec<(String, String)>,
    /// The book plays up to this move of the game
    #[arg(long, value_name = "MOVE", default_value_t = 1000)]
    pub(crate) book_depth: u32,
    /// Seed of all draws [default: the clock]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Seconds that the engine may owe an answer before it is given up
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    pub(crate) engine_timeout: u32,
}

impl UciArgs {
    pub(crate) fn options(&self, seed: u64) -> player::Options {
        let book = BookOptions {
            book: self.book.clone(),
            policy: self.policy.clone(),
            settings: self.set.clone(),
            seed: self.seed.unwrap_or(seed),
        };
        player::Options {
            book,
            engine: self.engine.clone(),
            depth: self.book_depth,
            patience: Duration::from_secs(self.engine_timeout.into()),
        }
    }
}
