//! Names of the variants of enums, as users write them.

use strum::VariantNames;

/// What is wrong with `text`, which is none of the names of `T`.
#[must_use]
pub fn no_name_of<T: VariantNames>(text: &str) -> String {
    format!("expected one of {}, not `{text}`", T::VARIANTS.join(", "))
}
