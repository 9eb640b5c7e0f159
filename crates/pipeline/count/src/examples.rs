//! Games that show what was played: the examples of a table, chosen of the games that were counted.
//!
//! # Flow
//!
//! 1. While games are counted, each thread keeps them in a [`GameSpool`]: headers and moves, about 300 bytes
//!    a game.
//! 2. When the table's rows are written, those with enough games get places in memory, as many as it holds
//!    ([`places`]), and each game is offered to the places that it passes. If more rows have enough games,
//!    the next ones get places, and the spools are read once more.
//! 3. The spools are read again for the games that are examples, and again as often as memory asks for it.
//!
//! # Memory
//!
//! The share of the count, whose runs are not needed any more, and a spool for each thread.

mod places;
mod spool;

use clap::Args;
use output::grouped;
use position::{Key, Observation};
use run::{Context, Result, SettingError};
use serde::{Deserialize, Serialize};
use table::{
    ExampleRule, ExamplesInfo, ExamplesWriter, MoveExamples, MovesExamples, ShardInfo, Table, TableWriter,
};

use self::places::Places;
pub(crate) use self::spool::GameSpool;
pub use self::spool::GameSpools;

/// About what a game takes in memory until it is written.
const GAME_BYTES: u64 = 1 << 10;

/// The most examples of a kind: more would be a list of games.
const EXAMPLES_MAX: u32 = 64;

/// Which rows of a table have examples.
#[derive(Args, Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(default)]
pub struct ExampleSettings {
    /// Keep games as examples beside the counts: of each move the K best rated and the K newest ones
    #[arg(long, value_name = "K", help_heading = "Counting")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub examples: Option<u32>,
    /// The fewest games of a move that has examples
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
    /// Refuses numbers that make no sense.
    pub fn check(&self) -> Result<(), SettingError> {
        if self.examples.is_some_and(|count| count == 0 || count > EXAMPLES_MAX) {
            return Err(SettingError::new("examples", "1 to 64", self.examples.unwrap_or_default()));
        }
        if self.examples_min_games == 0 {
            return Err(SettingError::new("examples_min_games", "at least 1", 0));
        }
        Ok(())
    }

    /// The rule, if examples are wanted.
    #[must_use]
    pub fn rule(&self) -> Option<ExampleRule> {
        self.examples.map(|per_row| ExampleRule { per_row, min_games: self.examples_min_games })
    }
}

/// What became of the examples of joined tables, if they are not as good as those of a count of all games.
#[must_use]
pub fn examples_warning(tables: &[&Table], joined: &Table) -> Option<String> {
    const AGAIN: &str = "`tabia count --examples` of all games makes them whole";
    match &joined.manifest().examples {
        Some(info) if info.incomplete > 0 => Some(format!(
            "the examples of {} edges may lack better games, which one of the tables does not have among its own; \
             {AGAIN}",
            grouped(info.incomplete)
        )),
        None if tables.iter().any(|table| table.manifest().examples.is_some()) => {
            Some(format!("the result has no games as examples, because not all tables have as many; {AGAIN}"))
        }
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
    let mut out = PositionsOut { out: writer.examples(rule)?, rule, key: Key(0), rows: Vec::new() };
    let mut places = Places::new(context.memory.count, rule.per_row as usize);
    let mut batch = Vec::new();
    for shard in shards {
        let mut rows = writer.rows_of(shard)?;
        while rows.next_batch(&mut batch)? {
            for row in batch.iter().filter(|row| row.tally.games() >= rule.min_games && !row.mv.is_terminal())
            {
                if places.is_full() {
                    spools.offer_all(context, &mut places)?;
                    out.take(&mut places)?;
                }
                places.add(row.id());
            }
        }
    }
    spools.offer_all(context, &mut places)?;
    out.take(&mut places)?;
    out.end_position()?;
    write_games(context, spools, out.out.finish()?)
}

/// Adds the games of all examples, and ends the folder. Of several texts of one game the least one stays.
fn write_games(
    context: &Context,
    spools: &mut GameSpools,
    mut examples: MovesExamples,
) -> Result<ExamplesInfo> {
    let most = (context.memory.count / GAME_BYTES).max(1) as usize;
    let mut first = Some(0);
    while let Some(from) = first {
        let ids = examples.next_ids(from, most)?;
        let mut games = spools.games(context, &ids)?;
        games.sort_by(|(a, left), (b, right)| a.cmp(b).then_with(|| left.compared(right)));
        games.dedup_by_key(|(id, _)| *id);
        games.iter().try_for_each(|(id, game)| examples.push(*id, game))?;
        first = ids.last().filter(|_| ids.len() == most).and_then(|last| last.0.checked_add(1));
    }
    Ok(examples.finish()?)
}

/// The examples on their way to the table, position by position.
struct PositionsOut {
    out: ExamplesWriter,
    rule: ExampleRule,
    key: Key,
    rows: Vec<MoveExamples>,
}

impl PositionsOut {
    /// Takes the examples of all places, which are empty then.
    fn take(&mut self, places: &mut Places) -> Result<()> {
        places.drain(|id, games| {
            let row = Observation(id);
            if row.key() != self.key {
                self.end_position()?;
                self.key = row.key();
            }
            let row = (row.mv(), row.group());
            self.rows.push(MoveExamples::new(row, true, games, self.rule.per_row as usize));
            Ok(())
        })
    }

    fn end_position(&mut self) -> Result<()> {
        if !self.rows.is_empty() {
            self.out.push(self.key, &self.rows)?;
            self.rows.clear();
        }
        Ok(())
    }
}
