//! The names of enum variants, as users write them.

use strum::VariantNames;

/// The error message if `text` is not the name of a variant of `T`.
#[must_use]
pub fn no_name_of<T: VariantNames>(text: &str) -> String {
    let names = T::VARIANTS.join(", ");
    format!("expected one of {names}, not `{text}`")
}
