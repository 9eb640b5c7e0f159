//! Names of the variants of enums, as users write them.

use strum::VariantNames;

/// The message for `text`, which is not a name of a variant of `T`.
#[must_use]
pub fn no_name_of<T: VariantNames>(text: &str) -> String {
    let names = T::VARIANTS.join(", ");
    format!("expected one of {names}, not `{text}`")
}
