//! Collects the tag names and player names that occur in the first games of the inputs.
//!
//! # Memory
//!
//! The names of tags and players in at most the first [`GAMES_MAX`] games; each name is stored once.

use std::{collections::BTreeSet, fs};

use pgn::{
    input::{self, ChunkOptions, Chunks, Input},
    tags::{TagBuffer, Tags},
};

/// The maximum number of games that are read again, from all inputs together.
const GAMES_MAX: u64 = 10_000;
/// The maximum number of bytes of text that are read again.
const BYTES_MAX: usize = 32 << 20;
/// Each input gets an equal share of the games to read. A share is at least this many games, however many
/// inputs there are.
const GAMES_AN_INPUT_MIN: u64 = 100;

/// The tag names and player names that occur in the first games of the inputs.
#[derive(Default)]
pub(super) struct SeenTags {
    tags: BTreeSet<String>,
    players: BTreeSet<String>,
    games: u64,
    bytes: usize,
    /// Whether some games were not read.
    is_part: bool,
}

impl SeenTags {
    /// Reads the beginning of the inputs; `None` if none of them can be read again.
    pub(super) fn of(paths: &[String], limit: Option<u64>) -> Option<Self> {
        let inputs = input::expand(paths).ok()?.inputs;
        let games_max = limit.unwrap_or(u64::MAX).min(GAMES_MAX);
        let share = (GAMES_MAX / (inputs.len() as u64).max(1)).max(GAMES_AN_INPUT_MIN);
        let mut seen = Self::default();
        for input in inputs {
            let left = games_max.saturating_sub(seen.games);
            if left == 0 || seen.bytes >= BYTES_MAX || !is_file(&input) {
                seen.is_part = true;
            } else if seen.read(input, share.min(left)).is_err() {
                // Either the count itself stopped at this error, or the file has changed since the count. The
                // games before the error can still be used for hints.
                seen.is_part = true;
            }
        }
        (seen.games > 0).then_some(seen)
    }

    fn read(&mut self, input: Input, games_max: u64) -> pgn::Result<()> {
        let options = ChunkOptions { games_max: Some(games_max), ..ChunkOptions::default() };
        let chunks = Chunks::open(vec![input], options)?;
        let mut buffer = Vec::new();
        let mut tags = TagBuffer::default();
        let games_before = self.games;
        while self.bytes < BYTES_MAX
            && let Some(chunk) = chunks.next(0, buffer)?
        {
            for game in chunk.games() {
                self.take(tags.read(game.text));
            }
            self.bytes += chunk.text.len();
            buffer = chunk.text;
        }
        self.is_part |= self.bytes >= BYTES_MAX || self.games - games_before >= games_max;
        Ok(())
    }

    fn take(&mut self, tags: Tags<'_>) {
        self.games += 1;
        for (name, value) in tags.iter() {
            let name = String::from_utf8_lossy(name);
            if matches!(&*name, "White" | "Black") {
                add(&mut self.players, value.text().trim_ascii());
            }
            add(&mut self.tags, &name);
        }
    }

    /// Whether a game has a tag of this name.
    pub(super) fn has_tag(&self, name: &str) -> bool {
        self.tags.contains(name)
    }

    /// Returns the tag whose name is most similar to `name`, ignoring case, if at most a third of the letters
    /// differ. If there is no such tag, returns a tag for which one of the two names ends with the other.
    pub(super) fn nearest_tag(&self, name: &str) -> Option<&str> {
        let distance =
            |tag: &str| strsim::damerau_levenshtein(&name.to_ascii_lowercase(), &tag.to_ascii_lowercase());
        let near = self.tags.iter().map(|tag| (distance(tag), tag.as_str()));
        let nearest = near.filter(|(distance, _)| *distance <= name.len() / 3).min().map(|(_, tag)| tag);
        let is_part = |tag: &&str| tag.ends_with(name) || name.ends_with(tag);
        nearest.or_else(|| self.tags.iter().map(String::as_str).find(is_part))
    }

    /// The players' names.
    pub(super) fn players(&self) -> impl Iterator<Item = &str> {
        self.players.iter().map(String::as_str)
    }

    /// The subject of a sentence about a tag that no game has: `no game` or, if not all games were read,
    /// `none of the first N games`.
    pub(super) fn no_game(&self) -> String {
        if self.is_part { format!("none of the first {} games", self.games) } else { "no game".into() }
    }
}

/// Whether `input` is a file. Only files are read again, because a pipe has already been read to its end, and
/// reading it again would block.
fn is_file(input: &Input) -> bool {
    fs::metadata(input.name()).is_ok_and(|metadata| metadata.is_file())
}

fn add(set: &mut BTreeSet<String>, text: &str) {
    if !set.contains(text) {
        set.insert(text.to_owned());
    }
}
