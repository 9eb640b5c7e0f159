//! Flags that say which games count and how.

use std::path::PathBuf;

use clap::Args;
use pipeline::stages::{ReadGamesSettings, ReplaySettings, SortMergeSettings};

#[derive(Args)]
pub(crate) struct GameArgs {
    /// PGN files, folders or globs, packed or plain; `-` is standard input
    #[arg(required = true, value_name = "PGN")]
    pub(crate) paths: Vec<String>,
    /// Stop after so many games, in input order
    #[arg(long, value_name = "N", help_heading = "Which games count")]
    pub(crate) limit: Option<u64>,
    #[command(flatten)]
    pub(crate) counting: CountingArgs,
    #[command(flatten)]
    pub(crate) filters: FilterArgs,
    /// Size of a chunk of input in KiB; counts never depend on it
    #[arg(long, value_name = "KIB", hide = true)]
    pub(crate) chunk_kib: Option<u32>,
    /// Number of part files of the table, a power of two
    #[arg(long, value_name = "N", default_value_t = 16, help_heading = "Counting")]
    pub(crate) shards: u32,
    /// How many spilled runs are merged at once
    #[arg(long, value_name = "N", hide = true)]
    pub(crate) fan_in: Option<usize>,
}

impl GameArgs {
    pub(crate) fn read_games(&self) -> ReadGamesSettings {
        ReadGamesSettings { paths: self.paths.clone(), limit: self.limit, chunk_kib: self.chunk_kib }
    }

    pub(crate) fn replay(&self) -> ReplaySettings {
        self.filters.replay(self.counting.replay())
    }

    pub(crate) fn sort_merge(&self, output: Option<PathBuf>) -> SortMergeSettings {
        SortMergeSettings { output, shards: self.shards, fan_in: self.fan_in }
    }
}

/// What must be the same for all games of one table.
#[derive(Args)]
#[command(next_help_heading = "Counting")]
pub(crate) struct CountingArgs {
    /// Plies of each game that count; 0 is the whole game
    #[arg(long, value_name = "N", default_value_t = 60)]
    pub(crate) max_ply: u32,
    /// A position met again in one game counts each time, or once
    #[arg(long, value_name = "each|once", default_value = "each")]
    pub(crate) repeats: String,
    /// What becomes of a game with an illegal move
    #[arg(long, value_name = "reject|keep-prefix", default_value = "reject")]
    pub(crate) illegal_move: String,
    /// Count games that start from a FEN too
    #[arg(long)]
    pub(crate) from_position: bool,
    /// Only games that play this line, counted from its end
    #[arg(long, value_name = "SANS")]
    pub(crate) line: Option<String>,
    /// Only games that reach this position, counted from there
    #[arg(long)]
    pub(crate) fen: Option<String>,
    /// Split edges by speed, rating-band, month, and with --player by player-color (comma-separated)
    #[arg(long, value_name = "DIMENSIONS", value_delimiter = ',')]
    pub(crate) by: Vec<String>,
    /// Sum the players' ratings too, over the games in which both are known
    #[arg(long)]
    pub(crate) ratings: bool,
}

impl CountingArgs {
    fn replay(&self) -> ReplaySettings {
        ReplaySettings {
            max_ply: self.max_ply,
            repeats: self.repeats.clone(),
            illegal_move: self.illegal_move.clone(),
            from_position: self.from_position,
            line: self.line.clone(),
            fen: self.fen.clone(),
            by: self.by.clone(),
            ratings: self.ratings,
            ..ReplaySettings::default()
        }
    }
}

/// Filters: games they refuse are counted by filter and are not rejections.
#[derive(Args)]
#[command(next_help_heading = "Which games count")]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command line")]
pub(crate) struct FilterArgs {
    /// Both players rated at least this
    #[arg(long, value_name = "ELO")]
    pub(crate) min_elo: Option<u16>,
    /// Both players rated at most this
    #[arg(long, value_name = "ELO")]
    pub(crate) max_elo: Option<u16>,
    /// One player within the ratings is enough
    #[arg(long)]
    pub(crate) elo_any: bool,
    /// Played on or after: 2013, 2013-01 or 2013-01-31
    #[arg(long, value_name = "DATE")]
    pub(crate) since: Option<String>,
    /// Played on or before
    #[arg(long, value_name = "DATE")]
    pub(crate) until: Option<String>,
    /// Lichess speeds: ultraBullet, bullet, blitz, rapid, classical, correspondence
    #[arg(long, value_delimiter = ',')]
    pub(crate) speed: Vec<String>,
    /// 1-0, 0-1 or 1/2-1/2
    #[arg(long, value_delimiter = ',')]
    pub(crate) result: Vec<String>,
    /// Games of at least N plies; 0 admits games without a move
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) min_plies: u32,
    /// Games of this player: the name in any case, or /regex/
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// The colour of --player
    #[arg(long, value_name = "white|black", requires = "player")]
    pub(crate) color: Option<String>,
    /// Leave out games of bots
    #[arg(long)]
    pub(crate) exclude_bots: bool,
    /// Only rated games
    #[arg(long)]
    pub(crate) rated_only: bool,
    /// ECO codes or ranges: B20..B99
    #[arg(long, value_name = "RANGE", value_delimiter = ',')]
    pub(crate) eco: Vec<String>,
    /// An expression over tags: 'WhiteElo >= 2400 and Event !~ "Bullet"'
    #[arg(long = "where", value_name = "EXPR")]
    pub(crate) expression: Option<String>,
    /// List rejected games in this file, one JSON object a line
    #[arg(long, value_name = "FILE", help_heading = "Outputs")]
    pub(crate) rejects: Option<PathBuf>,
    /// List filtered games there too
    #[arg(long, requires = "rejects", help_heading = "Outputs")]
    pub(crate) rejects_filtered: bool,
}

impl FilterArgs {
    /// `counting` with these filters.
    pub(crate) fn replay(&self, counting: ReplaySettings) -> ReplaySettings {
        ReplaySettings {
            min_elo: self.min_elo,
            max_elo: self.max_elo,
            elo_any: self.elo_any,
            since: self.since.clone(),
            until: self.until.clone(),
            speed: self.speed.clone(),
            result: self.result.clone(),
            min_plies: self.min_plies,
            player: self.player.clone(),
            color: self.color.clone(),
            exclude_bots: self.exclude_bots,
            rated_only: self.rated_only,
            eco: self.eco.clone(),
            expression: self.expression.clone(),
            rejects: self.rejects.clone(),
            rejects_filtered: self.rejects_filtered,
            ..counting
        }
    }
}
