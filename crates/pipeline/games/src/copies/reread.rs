//! Inputs that are read twice. An input that can be read only once is kept in a temporary file.

use std::{
    fs::File,
    io::{self, Read, Seek, Write},
    path::{Path, PathBuf},
};

use fault::{FileFault, Interrupt};
use pgn::input::Input;
use run::{Context, Result};

/// The action that an error message names if a stream could not be copied to the folder for temporary files.
const KEEP: &str = "keep a stream in";

/// The number of bytes between two checks for an interrupt.
const PIECE_BYTES: u64 = 1 << 20;

/// An input that can be read again.
pub(super) enum Reread {
    File(PathBuf),
    Kept { name: String, file: File },
}

impl Reread {
    /// Makes an input that can be read again.
    pub(super) fn of(input: Input, context: &Context) -> Result<Self> {
        if let Some(path) = input.regular_file()? {
            return Ok(Self::File(path.into()));
        }
        let name = input.name().to_owned();
        let kept = kept(input.into_stream()?, context);
        match kept.map_err(FileFault::of(KEEP, &context.temp_dir))? {
            Some(file) => Ok(Self::Kept { name, file }),
            None => Err(Interrupt.into()),
        }
    }

    /// Opens the input at its beginning. Only one input opened in this way may be read at a time.
    pub(super) fn input(&self, folder: &Path) -> Result<Input> {
        match self {
            Self::File(path) => Ok(Input::file(path)),
            Self::Kept { name, file } => {
                let file = file.try_clone().and_then(|mut file| file.rewind().map(|()| file));
                Ok(Input::stream(name, file.map_err(FileFault::of(KEEP, folder))?))
            }
        }
    }
}

/// Copies a stream into a temporary file; returns `None` if the user interrupts.
fn kept(mut stream: Box<dyn Read + Send>, context: &Context) -> io::Result<Option<File>> {
    let mut file = tempfile::tempfile_in(&context.temp_dir)?;
    while io::copy(&mut stream.by_ref().take(PIECE_BYTES), &mut file)? > 0 {
        if context.options.flow().is_break() {
            return Ok(None);
        }
    }
    file.flush()?;
    Ok(Some(file))
}
