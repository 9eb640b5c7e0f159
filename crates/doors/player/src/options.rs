//! The player's own UCI options, which are shown along with the engine's.

use policy::{CATALOGUE, Parameter, ParameterKind};

/// An option of the player.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Ours {
    OwnBook,
    BookFile,
    BookDepth,
    Policy,
    /// A setting of a policy.
    Setting {
        policy: &'static str,
        setting: &'static Parameter,
    },
}

/// The maximum value of `Book Depth`, in moves.
pub(crate) const DEPTH_MAX: u32 = 1000;

/// The values that the options declare as their defaults.
pub(crate) struct DeclaredDefaults<'s> {
    pub(crate) own_book: bool,
    pub(crate) book_file: String,
    pub(crate) depth: u32,
    pub(crate) policy: &'static str,
    /// Returns the value that was set for a policy's setting, if any.
    pub(crate) given: &'s dyn Fn(&str, &str) -> Option<String>,
}

impl Ours {
    /// All options with their names.
    fn all() -> impl Iterator<Item = (String, Self)> {
        let of_book = [
            ("Own Book", Self::OwnBook),
            ("Book File", Self::BookFile),
            ("Book Depth", Self::BookDepth),
            ("Policy", Self::Policy),
        ];
        let settings = CATALOGUE.iter().flat_map(|spec| {
            spec.all_parameters().map(|parameter| {
                let name = format!("{} {}", spec.name, joined(parameter.name));
                (name, Self::Setting { policy: spec.name, setting: parameter })
            })
        });
        of_book.into_iter().map(|(name, ours)| (name.to_owned(), ours)).chain(settings)
    }

    /// The option that is shown under this name, ignoring case. `taken` returns whether the engine has an
    /// option with a given name.
    pub(crate) fn named(name: &str, taken: impl Fn(&str) -> bool) -> Option<Self> {
        Self::all()
            .find(|(known, _)| shown_name(known, &taken).eq_ignore_ascii_case(name))
            .map(|(_, ours)| ours)
    }

    /// The lines that declare all options.
    pub(crate) fn declared(shown: &DeclaredDefaults<'_>, taken: impl Fn(&str) -> bool) -> Vec<String> {
        Self::all()
            .map(|(name, ours)| format!("option name {} {}", shown_name(&name, &taken), ours.kind(shown)))
            .collect()
    }

    /// `type … default …`.
    fn kind(&self, shown: &DeclaredDefaults<'_>) -> String {
        match self {
            Self::OwnBook => format!("type check default {}", shown.own_book),
            Self::BookFile => format!("type string default {}", text(&shown.book_file)),
            Self::BookDepth => format!("type spin default {} min 0 max {DEPTH_MAX}", shown.depth),
            Self::Policy => {
                let names: Vec<_> = CATALOGUE.iter().map(|policy| policy.name).collect();
                format!("type combo default {} var {}", shown.policy, names.join(" var "))
            }
            Self::Setting { policy, setting } => setting_kind(setting, (shown.given)(policy, setting.name)),
        }
    }
}

/// Writes `min-games` as `MinGames`, because some programs mistake `min` in a name for UCI's keyword.
fn joined(setting: &str) -> String {
    let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
    setting.split('-').map(capital).collect()
}

/// The name under which an option is shown, prefixed with `Tabia` if the engine has an option of the same
/// name.
fn shown_name(name: &str, taken: impl Fn(&str) -> bool) -> String {
    if taken(name) { format!("Tabia {name}") } else { name.to_owned() }
}

/// Returns `text` or, if it is empty, UCI's notation for an empty string.
fn text(text: &str) -> &str {
    if text.is_empty() { "<empty>" } else { text }
}

/// The UCI type of a setting. It is `string` for numbers with decimals, for whole numbers of more than 32
/// bits, and for settings whose default depends on another setting.
fn setting_kind(parameter: &Parameter, given: Option<String>) -> String {
    let value = given.or(parameter.default.map(str::to_owned));
    let Some(value) = value else { return "type string default <empty>".into() };
    match parameter.kind {
        ParameterKind::Switch => format!("type check default {value}"),
        ParameterKind::Integer(least, most) if i32::try_from(most).is_ok() => {
            format!("type spin default {value} min {least} max {most}")
        }
        ParameterKind::Integer(..) | ParameterKind::Decimal(..) => {
            format!("type string default {}", text(&value))
        }
        ParameterKind::Choice(names) => format!("type combo default {value} var {}", names.join(" var ")),
    }
}
