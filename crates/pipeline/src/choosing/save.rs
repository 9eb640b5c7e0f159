//! Texts that appear whole or not at all.

use std::{io::Write as _, path::Path};

use output::{Existing, OutputFile};

use crate::{Error, Result};

/// Writes `text` to `path`: all of it or nothing.
///
/// # Errors
///
/// [`Error::OutputExists`] if something is there, unless `force`; [`Error::File`].
pub fn save(path: &Path, text: &str, force: bool) -> Result<()> {
    let existing = Existing::replaced_if(force);
    let written = OutputFile::create(path, existing).and_then(|mut file| {
        file.file().write_all(text.as_bytes())?;
        file.finish()
    });
    written.map_err(Error::output(path))
}
