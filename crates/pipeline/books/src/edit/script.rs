//! Reads the user's edits, those in the script first, then those on the command line.

use std::{fs, path::Path};

use super::{
    EditOptions,
    grammar::{Edit, parse},
};
use crate::BooksError;
use fault::FileFault;
use run::{Error, Result};

/// An edit and the place where the user wrote it.
pub(super) struct EditAt {
    /// The place as it appears in errors, such as `edit 2` or `my.edits, line 4`.
    place: String,
    /// The edit as written.
    pub(super) text: String,
    pub(super) edit: Edit,
}

impl EditAt {
    fn read(place: String, text: &str) -> Result<Self> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match parse(&text) {
            Ok(edit) => Ok(Self { place, text, edit }),
            Err(why) => Err(BooksError::NotAnEdit { place, edit: text, why }.into()),
        }
    }

    /// The error for an edit that sets a value that a book of this kind cannot store.
    pub(super) fn misread(&self, why: String) -> Error {
        BooksError::NotAnEdit { place: self.place.clone(), edit: self.text.clone(), why }.into()
    }

    /// The error for an edit that cannot be made, or that would change nothing.
    pub(super) fn refused(&self, why: String) -> Error {
        BooksError::Edit { place: self.place.clone(), edit: self.text.clone(), why }.into()
    }
}

/// All edits, in order.
pub(super) fn edits(options: &EditOptions) -> Result<Vec<EditAt>> {
    let mut given = options.script.as_deref().map_or_else(|| Ok(Vec::new()), of_script)?;
    for (text, number) in options.edits.iter().zip(1..) {
        given.push(EditAt::read(format!("edit {number}"), text)?);
    }
    if given.is_empty() { Err(BooksError::NoEdits.into()) } else { Ok(given) }
}

/// Reads one edit per line. Skips blank lines and comments. A comment begins with a `#`, either at the start
/// of a line or after a space or tab.
fn of_script(path: &Path) -> Result<Vec<EditAt>> {
    let text = fs::read_to_string(path).map_err(FileFault::of("read", path))?;
    let lines = text.trim_start_matches('\u{feff}').lines().map(without_comment).zip(1..);
    let edits = lines.filter(|(line, _)| !line.is_empty());
    edits.map(|(line, number)| EditAt::read(format!("{}, line {number}", path.display()), line)).collect()
}

/// A `#` right after a move is kept: it marks a mate.
fn without_comment(line: &str) -> &str {
    let begins = |at: &usize| *at == 0 || line[..*at].ends_with(char::is_whitespace);
    let end = line.match_indices('#').map(|(at, _)| at).find(begins).unwrap_or(line.len());
    line[..end].trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_not_mates() {
        assert_eq!(without_comment("add f3 e5 g4 Qh4# # fool's mate"), "add f3 e5 g4 Qh4#");
        assert_eq!(without_comment("# all of it"), "");
        assert_eq!(without_comment("drop e4"), "drop e4");
    }
}
