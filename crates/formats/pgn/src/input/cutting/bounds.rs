//! The limits on the size of one game.

use clap::Args;
use serde::{Deserialize, Serialize};

use super::start::LOOK_BYTES_MAX;
use crate::{
    Error, Result,
    movetext::{Movetext, Token},
    tags::TagBuffer,
};

/// The limits on the size of one game. A larger game is rejected, because the data of a game must fit in
/// memory.
#[derive(Args, Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[command(next_help_heading = "Which games count")]
#[serde(default)]
pub struct GameBounds {
    /// The maximum size of a game's text, such as 16MiB, or a number of bytes; a longer game is rejected as
    /// too-large
    #[arg(long, value_name = "SIZE", default_value = "16MiB", value_parser = bytes)]
    pub max_game_bytes: usize,
    /// The maximum number of plies in a game; a longer game is rejected as too-large
    #[arg(long, value_name = "N", default_value_t = GameBounds::default().max_game_plies)]
    pub max_game_plies: u32,
}

/// A size as people write it (`16MiB`, `64KiB`), or in bytes.
fn bytes(text: &str) -> std::result::Result<usize, String> {
    let units = [("KiB", 10), ("MiB", 20), ("GiB", 30)];
    let unit = units.iter().find(|(name, _)| text.ends_with(name));
    let (digits, shift) = unit.map_or((text, 0), |(name, shift)| (text.trim_end_matches(name), *shift));
    let number = digits.parse::<usize>().ok().and_then(|number| number.checked_mul(1 << shift));
    number.ok_or_else(|| {
        format!("`{text}` is not a size: expected a number of bytes, such as 1000000 or 16MiB")
    })
}

impl Default for GameBounds {
    /// Sixteen mebibytes and a hundred thousand plies: more than any real game has.
    fn default() -> Self {
        Self { max_game_bytes: 16 << 20, max_game_plies: 100_000 }
    }
}

impl GameBounds {
    /// The smallest allowed [`Self::max_game_bytes`], because up to this many bytes are needed to recognise a
    /// game start.
    pub const GAME_BYTES_LEAST: usize = LOOK_BYTES_MAX;

    /// Checks the bounds.
    ///
    /// # Errors
    ///
    /// Fails with [`Error::Setting`] if a bound is too small for any game.
    pub fn check(self) -> Result<()> {
        if self.max_game_bytes < Self::GAME_BYTES_LEAST {
            let got = self.max_game_bytes.to_string();
            return Err(Error::Setting { setting: "max_game_bytes", expected: "at least 65536", got });
        }
        if self.max_game_plies == 0 {
            return Err(Error::Setting {
                setting: "max_game_plies",
                expected: "at least 1",
                got: "0".into(),
            });
        }
        Ok(())
    }

    /// Whether a game has too many moves or too many tags.
    pub(crate) fn exceeded_within(self, text: &[u8]) -> bool {
        let moves_bytes_least = (self.max_game_plies as usize).saturating_mul(MOVE_BYTES_LEAST);
        // Nearly every game is so short that it cannot exceed these limits. Such a game is not read here.
        if text.len() <= moves_bytes_least.min(TagBuffer::TAGS_MAX * TAG_BYTES_LEAST) {
            return false;
        }
        let (tags, movetext_at) = TagBuffer::measure(text);
        tags > TagBuffer::TAGS_MAX || has_more_moves(text, movetext_at, self.max_game_plies)
    }
}

/// The shortest move is `e4`.
const MOVE_BYTES_LEAST: usize = 2;

/// The shortest tag is `[A""]`.
const TAG_BYTES_LEAST: usize = 5;

fn has_more_moves(text: &[u8], at: usize, plies_max: u32) -> bool {
    let mut movetext = Movetext::new(text, at);
    let mut plies = 0;
    loop {
        plies += movetext.skip_moves();
        match movetext.next() {
            _ if plies > plies_max => return true,
            Some(Token::Move(_)) => plies += 1,
            Some(_) => {}
            None => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_moves_or_tags_than_allowed_are_too_many() {
        let bounds = GameBounds { max_game_plies: 7, ..GameBounds::default() };
        let game =
            |plies: usize| format!("[Event \"{}\"]\n\n{}*", "x".repeat(20), "e4 (e5 e6) ".repeat(plies));
        assert!(!bounds.exceeded_within(game(7).as_bytes()) && bounds.exceeded_within(game(8).as_bytes()));
        assert!(!GameBounds::default().exceeded_within(game(8).as_bytes()));
        let tags = |count: usize| "[A\"\"]\n".repeat(count);
        assert!(!GameBounds::default().exceeded_within(tags(TagBuffer::TAGS_MAX).as_bytes()));
        assert!(GameBounds::default().exceeded_within(tags(TagBuffer::TAGS_MAX + 1).as_bytes()));
    }

    #[test]
    fn bounds_too_small_for_any_game_are_refused() {
        GameBounds::default().check().unwrap();
        assert!(GameBounds { max_game_bytes: 65_535, ..GameBounds::default() }.check().is_err());
        assert!(GameBounds { max_game_plies: 0, ..GameBounds::default() }.check().is_err());
    }
}
