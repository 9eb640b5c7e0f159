//! The errors of this crate.

/// Why a policy cannot be built.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No policy has this name.
    #[error("there is no policy `{name}`{hint}", hint = hint(*nearest, known))]
    UnknownPolicy {
        /// The requested name.
        name: String,
        /// The most similar policy name; `None` if none is similar.
        nearest: Option<&'static str>,
        /// All policies.
        known: Vec<&'static str>,
    },
    /// No setting of the policy has this name.
    #[error("policy `{policy}` has no setting `{name}`{hint}", hint = hint(*nearest, known))]
    UnknownSetting {
        /// The policy.
        policy: &'static str,
        /// The requested name.
        name: String,
        /// The most similar setting name; `None` if none is similar.
        nearest: Option<&'static str>,
        /// All settings of the policy.
        known: Vec<&'static str>,
    },
    /// A setting's value has the wrong type or is outside its range.
    #[error("policy `{policy}`: setting `{name}` must be {expected}, not `{got}`")]
    OutOfRange {
        /// The policy.
        policy: &'static str,
        /// The setting.
        name: &'static str,
        /// The rejected value.
        got: String,
        /// The type and range of the setting.
        expected: String,
    },
    /// A setting is given twice.
    #[error("policy `{policy}`: setting `{name}` is given twice")]
    GivenTwice {
        /// The policy.
        policy: &'static str,
        /// The setting.
        name: &'static str,
    },
}

/// The end of a message about an unknown name, which suggests the most similar name or, if none is similar,
/// lists all names.
fn hint(nearest: Option<&str>, known: &[&str]) -> String {
    nearest.map_or_else(
        || format!("; the known ones are {known}", known = known.join(", ")),
        |name| format!("; did you mean `{name}`?"),
    )
}

/// The known name most similar to `name`; `None` if all known names differ from it in more than a third of
/// the letters.
pub(crate) fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    known
        .map(|candidate| (strsim::damerau_levenshtein(&name, candidate), candidate))
        .filter(|(distance, _)| *distance <= name.len().div_ceil(3))
        .min()
        .map(|(_, candidate)| candidate)
}
