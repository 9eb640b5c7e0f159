//! Refuses settings of a replay that the stages after it would ignore.

use pgn::replay::CountingOptions;
use run::SettingError;

use super::Inputs;

/// Refuses replay settings that affect only counts. A reader of annotations would ignore them, since it reads
/// every move and counts nothing.
pub fn check_annotated(inputs: &Inputs<'_>) -> Result<(), SettingError> {
    let Some(options) = inputs.first().and_then(|input| input.replays()) else { return Ok(()) };
    let defaults = CountingOptions::default();
    let CountingOptions { repeats, by, ratings, unknown_result, .. } = &options.counting;
    let ignored = [
        ("repeats", *repeats != defaults.repeats),
        ("by", *by != defaults.by),
        ("ratings", *ratings != defaults.ratings),
        ("unknown_result", *unknown_result != defaults.unknown_result),
    ];
    let why = "has no meaning here: each move of a game is read, nothing is counted";
    ignored.into_iter().try_for_each(|(key, is_set)| SettingError::because(key, why).unless(!is_set))
}

/// Checks, for stages that read one player's games, that the replay names the player.
pub fn check_player(inputs: &Inputs<'_>) -> Result<(), SettingError> {
    let replays = inputs.first().and_then(|input| input.replays());
    let is_named = replays.is_none_or(|options| options.filters.player.is_some());
    SettingError::missing("player", "whose games they are").unless(is_named)
}

/// Like [`check_annotated`], but also refuses the lines of a repertoire, for stages that read only whole
/// games.
pub fn check_whole_games(inputs: &Inputs<'_>) -> Result<(), SettingError> {
    let options = inputs.first().and_then(|input| input.replays());
    let of_lines =
        SettingError::because("repertoire", "has no meaning here: whole games are read, not lines");
    of_lines.unless(options.is_none_or(|options| !options.counting.repertoire))?;
    check_annotated(inputs)
}
