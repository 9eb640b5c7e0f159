//! Settings for reading games: which inputs, and how they are cut into chunks.

use clap::Args;
use pgn::{
    input::{self, ChunkOptions, GameBounds, Input},
    replay::ReplayOptions,
};
use run::{Context, Result, SettingError};
use serde::{Deserialize, Serialize};

/// Settings of `read-games`.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ReadGames {
    /// PGN files, folders or globs, compressed or not; `-` is standard input
    #[arg(required = true, value_name = "PGN")]
    pub paths: Vec<String>,
    /// How the inputs are read.
    #[command(flatten)]
    #[serde(flatten)]
    pub options: ReadOptions,
}

/// How games are read, and how many.
#[derive(Args, Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub struct ReadOptions {
    /// Stop after N games, in input order; filtered games do not count towards N, but rejected games do
    #[arg(long, value_name = "N", help_heading = "Which games count")]
    pub limit: Option<u64>,
    /// How large a game may be.
    #[command(flatten)]
    #[serde(flatten)]
    pub bounds: GameBounds,
    /// Decompress Zstandard and xz files that need a window of more than 128 MiB of memory
    #[arg(long, help_heading = "Input")]
    pub long_window: bool,
    /// Size of a chunk of input in KiB; counts never depend on it
    #[arg(long, value_name = "KIB", hide = true)]
    pub chunk_kib: Option<u32>,
    /// Whether to compute a single hash of all bytes of each input, in addition to the hashes of its blocks.
    /// Tables of version 1 contain such hashes.
    #[arg(skip)]
    #[serde(skip)]
    pub whole_hash: bool,
}

impl ReadGames {
    /// Expands the paths into inputs.
    pub fn inputs(&self, context: &Context) -> Result<Vec<Input>> {
        Ok(context.inputs(input::expand(&self.paths)?))
    }

    /// How inputs are cut into chunks if games are replayed with `replay` on all threads.
    pub fn chunk_options(&self, context: &Context, replay: &ReplayOptions) -> ChunkOptions {
        let ReadOptions { limit, bounds, long_window, chunk_kib, whole_hash } = self.options;
        let defaults = ChunkOptions::default();
        ChunkOptions {
            threads: context.threads,
            chunk_bytes: chunk_kib.map_or(defaults.chunk_bytes, |kib| (kib as usize) << 10),
            games_max: limit,
            filtered_by: limit.map(|_| replay.into()),
            bounds,
            long_window,
            window_bytes_max: context.memory.window_bytes_max(),
            whole_hash,
            ..defaults
        }
    }

    /// Refuses settings that make no sense.
    pub fn check(&self) -> Result<(), SettingError> {
        SettingError::missing("paths", "files, folders or globs of PGN").unless(!self.paths.is_empty())?;
        SettingError::new("chunk_kib", "at least 1", 0).unless(self.options.chunk_kib != Some(0))?;
        self.options.bounds.check().map_err(SettingError::of_replay)
    }
}
