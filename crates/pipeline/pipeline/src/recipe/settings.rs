//! Each stage has one settings struct, which clap reads from the command line and serde reads from a recipe,
//! so that every flag is also a key.

use clap::{Args, Command};
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use super::{RecipeError, text::nearest};

/// Old names of keys, which serde accepts as aliases. `color` is now `player_color`, a setting of `replay`.
const FORMER_KEYS: [&str; 1] = ["color"];

/// Reads the settings in one section of a recipe into their struct; errors refer to the section as `section`.
///
/// Keys are checked against the command line's flags, since serde cannot refuse unknown keys in a struct
/// that flattens others.
pub(super) fn read_settings<T: Args + DeserializeOwned>(
    section: &str,
    table: &Table,
) -> Result<T, RecipeError> {
    let known = keys_of::<T>();
    let is_known = |key: &&String| known.contains(key) || FORMER_KEYS.contains(&key.as_str());
    if let Some(key) = table.keys().find(|key| !is_known(key)) {
        return Err(unknown_key(section, key, known.iter().map(String::as_str)));
    }
    deserialize(section, table)
}

/// Reads a table into a struct. The caller has already refused unknown keys.
pub(super) fn deserialize<T: DeserializeOwned>(section: &str, table: &Table) -> Result<T, RecipeError> {
    let read = |table: Table| table.try_into::<T>().map_err(|error| error.message().to_owned());
    read(table.clone()).map_err(|message| {
        // Errors from flattened structs do not say which key is bad. A bad key causes the same error when it
        // is read alone, so each key is tried separately.
        let alone = |(key, value): (&String, &Value)| Table::from_iter([(key.clone(), value.clone())]);
        let is_wrong = |entry: &(&String, &Value)| read(alone(*entry)).is_err_and(|other| other == message);
        let key = table.iter().find(is_wrong).map(|(key, _)| format!(" `{key}`"));
        RecipeError::Settings { section: format!("{section}{}", key.unwrap_or_default()), message }
    })
}

/// The error for an unknown key of a section, with the nearest known key.
pub(super) fn unknown_key<'k>(section: &str, key: &str, known: impl Iterator<Item = &'k str>) -> RecipeError {
    let near = nearest(key, known).map(str::to_owned);
    RecipeError::UnknownKey { section: section.to_owned(), key: key.to_owned(), near }
}

/// The keys of a settings struct: the names of its flags.
fn keys_of<T: Args>() -> Vec<String> {
    let command = T::augment_args(Command::new(""));
    command.get_arguments().map(|argument| argument.get_id().to_string()).collect()
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::to_value;

    use super::*;
    use crate::stages;

    /// Keys without a flag, and flags without a key.
    fn strangers<T: Args + Default + Serialize + DeserializeOwned>() -> Vec<String> {
        let flags = keys_of::<T>();
        let written = to_value(T::default()).unwrap();
        let lone_keys = written.as_object().unwrap().keys().filter(|key| !flags.contains(key));
        // No setting is a list of lists. So serde fails at a known key whose value is a list of lists, but
        // ignores an unknown key, whatever its value.
        let is_key =
            |flag: &&String| Table::from_iter([((*flag).clone(), list_of_lists())]).try_into::<T>().is_err();
        lone_keys.chain(flags.iter().filter(|flag| !is_key(flag))).cloned().collect()
    }

    fn list_of_lists() -> Value {
        Value::Array(vec![Value::Array(vec![Value::Integer(1)])])
    }

    #[test]
    fn every_flag_is_a_key_and_every_key_a_flag() {
        let strangers = [
            strangers::<games::ReadGames>(),
            strangers::<stages::Open>(),
            strangers::<stages::BookCounts>(),
            strangers::<stages::BookExperience>(),
            strangers::<games::Replay>(),
            strangers::<stages::SortMerge>(),
            strangers::<teach::LearnCrafty>(),
            strangers::<teach::BackUp>(),
            strangers::<teach::LearnEvals>(),
            strangers::<teach::LearnEngine>(),
            strangers::<teach::LearnGames>(),
            strangers::<teach::LearnAnnotations>(),
            strangers::<stages::ExportGames>(),
            strangers::<stages::WriteGames>(),
            strangers::<stages::ReviewGames>(),
            strangers::<stages::ReviewGames>(),
            strangers::<stages::Compact>(),
            strangers::<stages::ExportParquet>(),
            strangers::<stages::ExportPolyglot>(),
            strangers::<stages::Report>(),
            strangers::<stages::Simulate>(),
            strangers::<stages::MakeSuite>(),
            strangers::<stages::RefineSuite>(),
        ];
        assert_eq!(strangers.concat(), [""; 0]);
    }
}
