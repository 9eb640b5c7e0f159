//! Recognises the form of a list from its first line.

use crate::{bare, csv::Columns, epd, printed, shown};

/// The form of a list.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ListFormat {
    /// Lichess's database: one JSON object per line.
    Lichess,
    /// EPD.
    Epd,
    /// Comma-separated values.
    Csv(Columns),
}

impl ListFormat {
    /// Determines the form of the list that begins with `text`.
    ///
    /// # Errors
    ///
    /// Fails with a message that states why the text is not a list of evaluated positions.
    pub fn of(text: &[u8]) -> Result<Self, String> {
        let text = bare(text);
        let line = text.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default().trim_ascii();
        if line.starts_with(b"{") {
            Ok(Self::Lichess)
        } else if epd::begins(line) {
            Ok(Self::Epd)
        } else if let Some(columns) = Columns::of(line) {
            columns.map(Self::Csv)
        } else {
            if printed::begins(line) {
                return Err(
                    "the output of cdbdirect must be named directly and must not be compressed".into()
                );
            }
            let begins = String::from_utf8_lossy(shown(line)).into_owned();
            Err(format!(
                "it begins with `{begins}`, which is neither JSON as in Lichess's list, nor EPD, nor the names of columns"
            ))
        }
    }
}
