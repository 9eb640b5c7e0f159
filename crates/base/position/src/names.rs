//! Names of the variants of enums, as users write them.

use strum::VariantNames;

/// The error message for a `text` that names no variant of `T`.
#[must_use]
pub fn no_name_of<T: VariantNames>(text: &str) -> String {
    let names = T::VARIANTS.join(", ");
    format!("expected one of {names}, not `{text}`")
}
