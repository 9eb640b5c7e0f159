//! `tabia uci`: plays as a UCI engine, with moves from a book.

use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use count::WeighGames;
use learn::{crafty::Family, search::Trust};
use lessons::{GameRule, GameRules, OpponentWeight};
use player::{BookOptions, ExchangeOptions, LearnOptions};
use run::{FileFormat, values::parse_policy_setting};

use crate::{
    clock::{seed_of_clock, today},
    exit::Usage,
    help::{Short, examples},
    signal,
    terminal::{self, tell_gui},
};

#[derive(Args)]
#[command(add = Short("engine policy set book-depth seed learn name exchange token-file"))]
#[command(after_help = examples("\
tabia uci book.tabia --engine stockfish   as the engine of a GUI: book moves, then Stockfish
tabia uci book.tabia --engine \"./engine --uci\" --policy terra --set book-limit=40
tabia uci book.tabia --engine stockfish --learn x.experience.parquet   also learns from each game
tabia uci book.bin   the book alone, to try it

In a GUI, enter `tabia` as the engine's program and the rest as its parameters (docs/playing.md)."))]
pub(crate) struct UciArgs {
    /// The book: a .tabia book, a table or a Polyglot book
    book: PathBuf,
    /// The program and arguments of the UCI engine that plays where the book has no move
    #[arg(long, value_name = "COMMAND")]
    engine: Option<String>,
    /// The policy that chooses moves; `tabia policies` lists all policies [default: crafty, or polyglot for a
    /// Polyglot book without --learn]
    #[arg(long, value_name = "NAME")]
    policy: Option<String>,
    /// A setting of the policy, such as book-width=3; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_policy_setting)]
    set: Vec<(String, String)>,
    /// The last move number at which the book is used
    #[arg(long, value_name = "MOVE", default_value_t = 1000)]
    book_depth: u32,
    /// Seed of all random choices [default: from the clock]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Seconds to wait for an answer from the engine; the answers to `uci` and `isready` may take six
    /// times as long
    #[arg(long, value_name = "SECONDS", default_value_t = 10)]
    engine_timeout: u32,
    #[command(flatten)]
    weigh: WeighGames,
    #[command(flatten)]
    learning: LearningArgs,
}

/// Flags for learning from the games that are played.
#[derive(Args)]
#[command(next_help_heading = "Learning")]
pub(crate) struct LearningArgs {
    /// Learn from each game, and keep what is learned in this experience file; it is created if it does not
    /// exist, and used in place of the book's own experience
    #[arg(long, value_name = "FILE")]
    learn: Option<PathBuf>,
    /// Which games add to the results of the player's own moves: lokasoft (every loss, every win after more
    /// than 50 moves, and every game between players with close ratings), terra (all games) or crafty (none)
    #[arg(long, value_name = "lokasoft|terra|crafty", default_value_t, requires = "learn")]
    rule: GameRule,
    /// The family of Crafty versions whose rules turn searches and results into lessons
    #[arg(long, value_name = "FAMILY", default_value_t = Family::A, requires = "learn")]
    family: Family,
    /// Which search values are trusted: auto (only those that are bad for the engine, as in Crafty), always
    /// or never
    #[arg(long, value_name = "auto|always|never", default_value_t, requires = "learn")]
    trust: Trust,
    /// The player's name in its games [default: the engine's]
    #[arg(long, value_name = "NAME", requires = "learn")]
    name: Option<String>,
    /// The player's Elo rating
    #[arg(long, value_name = "ELO", requires = "learn")]
    own_rating: Option<u32>,
    /// The opponent's Elo rating, if the GUI does not report it
    #[arg(long, value_name = "ELO", requires = "learn")]
    opponent_rating: Option<u32>,
    /// How many times to learn from each game against this opponent, 0 to 100 [other opponents: once]; NAME
    /// is a full name or a /regular expression/, and is compared with the UCI option `UCI_Opponent`
    #[arg(long, value_name = "NAME=WEIGHT", requires = "learn")]
    opponent: Vec<OpponentWeight>,
    /// Count a game without a reported result as lost if the engine's last score, in pawns, is this or lower
    /// [default: only if the engine is mated]
    #[arg(long, value_name = "PAWNS", allow_negative_numbers = true, value_parser = lost_centipawns,
          requires = "learn")]
    adjudicate: Option<i32>,
    /// Share lessons with the other players of the `tabia exchange` at this URL (http://HOST:PORT)
    #[arg(long, value_name = "URL", requires = "learn")]
    exchange: Option<String>,
    /// A file with the player's token for the exchange
    #[arg(long, value_name = "FILE", requires = "exchange")]
    token_file: Option<PathBuf>,
}

impl LearningArgs {
    fn options(&self, token: Option<String>) -> Option<LearnOptions> {
        let &Self { rule: results, family, trust, own_rating, opponent_rating, .. } = self;
        Some(LearnOptions {
            file: self.learn.clone()?,
            rules: GameRules {
                opponents: self.opponent.clone(),
                ..GameRules::new(results, family, true, trust)
            },
            name: self.name.clone(),
            own_elo: own_rating,
            opponent_elo: opponent_rating,
            lost_centipawns: self.adjudicate,
            exchange: self.exchange.clone().map(|url| ExchangeOptions { url, token }),
        })
    }
}

/// Reads the score in pawns at which a game counts as lost, and returns it in centipawns.
fn lost_centipawns(text: &str) -> Result<i32, String> {
    let pawns = text.parse().ok().filter(|pawns: &f64| (-1000.0..0.0).contains(pawns));
    pawns
        .map(|pawns| (pawns * 100.0).round() as i32)
        .ok_or_else(|| "expected a number below 0, such as -5.0".into())
}

impl UciArgs {
    /// The player's options. `seed` is used if the user set none, and `token` identifies the player to the
    /// exchange.
    fn options(
        &self,
        (seed, today): (u64, Option<(u16, u8)>),
        token: Option<String>,
    ) -> player::SessionOptions {
        let book = BookOptions {
            weights: self.weigh.weights(),
            book: self.book.clone(),
            policy: self.policy.clone(),
            settings: self.set.clone(),
            seed: self.seed.unwrap_or(seed),
            today,
        };
        player::SessionOptions {
            book,
            engine: self.engine.clone(),
            depth: self.book_depth,
            patience: Duration::from_secs(self.engine_timeout.into()),
            learn: self.learning.options(token),
        }
    }
}

/// `tabia uci`.
pub(crate) fn uci(args: &UciArgs) -> anyhow::Result<()> {
    terminal::check_stdout()?;
    let token = checked(args).inspect_err(tell_gui)?;
    let options = args.options((seed_of_clock(), today()), token);
    Ok(player::play(&options, io::stdin(), io::stdout().lock(), signal::interrupt_waiter()?)?)
}

/// Checks the name of the experience file, then reads the token from the token file, if there is one.
fn checked(args: &UciArgs) -> anyhow::Result<Option<String>> {
    let LearningArgs { learn, token_file, .. } = &args.learning;
    learn.as_deref().map_or(Ok(()), |path| FileFormat::Experience.check_ending(path))?;
    Ok(token_file.as_deref().map(token).transpose()?)
}

/// Reads a token from the first line of a file.
fn token(path: &Path) -> Result<String, Usage> {
    let wrong = |why: String| Usage(format!("--token-file: {}: {why}", path.display()));
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    let token = text.lines().next().unwrap_or_default().trim();
    if token.is_empty() { Err(wrong("there is no token in its first line".into())) } else { Ok(token.into()) }
}
