//! Completes words in a shell: policies, their settings, paths, and the values that a flag's help lists.

use std::{ffi::OsStr, path::Path};

use clap::Arg;
use clap_complete::{ArgValueCompleter, CompletionCandidate, PathCompleter};

/// Adds completion to an argument if its words can be completed.
pub(super) fn with_words(arg: Arg) -> Arg {
    let value = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
    match (arg.get_id().as_str(), value.as_deref().unwrap_or_default()) {
        ("policy" | "against", _) => arg.add(ArgValueCompleter::new(policies)),
        ("name", _) if arg.is_positional() => arg.add(ArgValueCompleter::new(policies)),
        ("set" | "settings" | "against_settings", _) => arg.add(ArgValueCompleter::new(settings)),
        ("recipe", _) => arg.add(ArgValueCompleter::new(PathCompleter::any().filter(is_recipe))),
        ("paths" | "learn", _) => arg.add(ArgValueCompleter::new(PathCompleter::any())),
        (_, words) if words.contains('|') && !words.contains("DIR") => {
            let words: Vec<String> = words.split('|').map(Into::into).collect();
            arg.add(ArgValueCompleter::new(move |typed: &OsStr| beginning(typed, words.iter().cloned())))
        }
        _ => arg,
    }
}

fn is_recipe(path: &Path) -> bool {
    path.is_dir() || path.extension().is_some_and(|extension| extension == "toml")
}

fn policies(typed: &OsStr) -> Vec<CompletionCandidate> {
    beginning(typed, query::CATALOGUE.iter().map(|policy| policy.name.into()))
}

/// Returns shell completions for the typed text: the matching names of all policies' settings, without
/// duplicates.
fn settings(typed: &OsStr) -> Vec<CompletionCandidate> {
    let parameters = query::CATALOGUE.iter().flat_map(query::PolicySpec::all_parameters);
    let mut names: Vec<_> = parameters.map(|parameter| format!("{}=", parameter.name)).collect();
    names.sort();
    names.dedup();
    beginning(typed, names.into_iter())
}

/// Returns the words that begin with the typed text.
fn beginning(typed: &OsStr, words: impl Iterator<Item = String>) -> Vec<CompletionCandidate> {
    let typed = typed.to_string_lossy();
    words.filter(|word| word.starts_with(&*typed)).map(CompletionCandidate::new).collect()
}
