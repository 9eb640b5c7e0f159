//! Chooses a table's examples from the games that were counted.
//!
//! # Flow
//!
//! 1. While games are counted, each thread stores them in a [`GameSpool`]: headers and moves, about 300 bytes
//!    per game.
//! 2. Once the table's rows are written, memory is reserved for the examples of each row with enough games,
//!    until the memory limit is reached ([`places`]). Every game is then considered as an example for each of
//!    these rows in which the game was counted. If rows remain for which there was no memory, this step is
//!    repeated for them, and the spools are read again.
//! 3. The games that became examples are then read from the spools, in several passes if they do not all fit
//!    in memory.
//!
//! # Memory
//!
//! Uses the count's share of memory, which the count's runs no longer need. In addition, each thread has a
//! spool.

mod places;
mod spool;

use clap::Args;
use output::grouped;
use position::Observation;
use run::{Context, Result, SettingError};
use serde::{Deserialize, Serialize};
use table::{ExampleRule, ExamplesInfo, ExamplesWriter, MoveExamples, ShardInfo, Table, TableWriter};

use self::places::Places;
pub(crate) use self::spool::GameSpool;
pub use self::spool::GameSpools;

/// Roughly how many bytes a game takes in memory until it is written.
const GAME_BYTES: u64 = 1 << 10;

/// The maximum number of examples of each kind. More than that would amount to a list of games.
const EXAMPLES_MAX: u32 = 64;

/// Which rows of a table have examples.
#[derive(Args, Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct ExampleSettings {
    /// Keep games as examples beside the counts: for each move, the K highest-rated games and the K newest
    #[arg(long, value_name = "K", help_heading = "Counting")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<u32>,
    /// Keep examples only for moves with at least N games
    #[arg(long, value_name = "N", default_value_t = ExampleSettings::default().examples_min_games, requires = "examples",
        help_heading = "Counting")]
    pub examples_min_games: u64,
}

impl Default for ExampleSettings {
    fn default() -> Self {
        Self { examples: None, examples_min_games: 20 }
    }
}

impl ExampleSettings {
    /// Refuses invalid numbers.
    pub fn check(&self) -> Result<(), SettingError> {
        let count = self.examples.unwrap_or(1);
        SettingError::new("examples", "1 to 64", count).unless((1..=EXAMPLES_MAX).contains(&count))?;
        SettingError::new("examples_min_games", "at least 1", 0).unless(self.examples_min_games > 0)
    }

    /// Returns the rule for choosing examples, or `None` if no examples are wanted.
    #[must_use]
    pub fn rule(&self) -> Option<ExampleRule> {
        self.examples.map(|per_row| ExampleRule { per_row, min_games: self.examples_min_games })
    }
}

/// Returns a warning if the joined table might have better examples had all games been counted together.
#[must_use]
pub fn examples_warning(tables: &[&Table], joined: &Table) -> Option<String> {
    const AGAIN: &str = "count all games with `tabia count --examples` to get them";
    match &joined.manifest().examples {
        Some(info) if info.incomplete > 0 => Some(format!(
            "the examples of {} edges may lack better games, because each table has only some games as examples; \
             {AGAIN}",
            grouped(info.incomplete)
        )),
        None if tables.iter().any(|table| table.manifest().examples.is_some()) => Some(format!(
            "the result has no games as examples, because the tables do not all have the same number of them; {AGAIN}"
        )),
        _ => None,
    }
}

/// Writes the examples of the rows in `shards`, which `writer` has finished.
pub fn write_examples(
    context: &Context,
    spools: &mut GameSpools,
    (writer, shards): (&TableWriter, &[ShardInfo]),
    rule: ExampleRule,
) -> Result<ExamplesInfo> {
    let mut out = writer.examples(rule)?;
    let mut places = Places::new(context.memory.count, rule.per_row as usize);
    let mut batch = Vec::new();
    for shard in shards {
        let mut rows = writer.rows_of(shard)?;
        while rows.next_batch(&mut batch)? {
            for row in batch.iter().filter(|row| row.tally.games() >= rule.min_games && !row.mv.is_terminal())
            {
                if places.is_full() {
                    choose(context, spools, &mut places, &mut out)?;
                }
                places.add(row.id());
            }
        }
    }
    choose(context, spools, &mut places, &mut out)?;
    let games_at_a_time = (context.memory.count / GAME_BYTES).max(1) as usize;
    out.finish(games_at_a_time, |ids, out| {
        let mut games = spools.games(context, ids)?;
        // Of games with the same id, only the one that sorts first is kept, even if their texts differ.
        games.sort_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.compared(right)));
        games.dedup_by_key(|(id, _)| *id);
        games.iter().try_for_each(|(id, game)| Ok(out.push(*id, game)?))
    })
}

/// Considers every game as an example for each row in `places`, writes the chosen examples, and empties
/// `places`.
fn choose(
    context: &Context,
    spools: &mut GameSpools,
    places: &mut Places,
    out: &mut ExamplesWriter,
) -> Result<()> {
    spools.offer_all(context, places)?;
    let per_row = places.per_row;
    places.drain(|id, games| {
        let row = Observation(id);
        let examples = MoveExamples::new((row.mv(), row.group()), true, games, per_row);
        Ok(out.push(row.key(), examples)?)
    })
}
