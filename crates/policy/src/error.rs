//! The errors of this crate.

/// Why a policy cannot be had as asked for.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No policy has this name.
    #[error("there is no policy `{name}`{}", meant(*nearest, known))]
    UnknownPolicy {
        /// The name asked for.
        name: String,
        /// The policy it is nearest to, if any is near.
        nearest: Option<&'static str>,
        /// All policies.
        known: Vec<&'static str>,
    },
    /// The policy has no setting of this name.
    #[error("policy `{policy}` has no setting `{name}`{}", meant(*nearest, known))]
    UnknownSetting {
        /// The policy.
        policy: &'static str,
        /// The name asked for.
        name: String,
        /// The setting it is nearest to, if any is near.
        nearest: Option<&'static str>,
        /// All settings of the policy.
        known: Vec<&'static str>,
    },
    /// A setting is not what it may be.
    #[error("policy `{policy}`: setting `{name}` is `{got}`, expected {expected}")]
    OutOfRange {
        /// The policy.
        policy: &'static str,
        /// The setting.
        name: &'static str,
        /// The value given.
        got: String,
        /// What it may be.
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

/// How a message about an unknown name ends: with the name that was perhaps meant, else with all there are.
fn meant(nearest: Option<&str>, known: &[&str]) -> String {
    match nearest {
        Some(name) => format!("; did you mean `{name}`?"),
        None => format!("; there are: {}", known.join(", ")),
    }
}

/// The known name nearest to `name`, if one is near enough to be meant.
pub(crate) fn nearest(name: &str, known: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    let name = name.to_ascii_lowercase().replace('_', "-");
    known
        .map(|candidate| (strsim::damerau_levenshtein(&name, candidate), candidate))
        .filter(|(distance, _)| *distance <= name.len().div_ceil(3))
        .min()
        .map(|(_, candidate)| candidate)
}
