//! Tags for tests.

use crate::tags::{TagBuffer, Tags};

/// Calls `judge` with the tags of a game that has the given ones.
pub(crate) fn with_tags<T>(pairs: &[(&str, &str)], judge: impl FnOnce(&Tags<'_>) -> T) -> T {
    let section: Vec<String> = pairs.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n")).collect();
    let text = section.concat() + "\n1. e4 *\n";
    judge(&TagBuffer::default().read(text.as_bytes()))
}
