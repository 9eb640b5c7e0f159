//! A file of games.

use std::{
    fs::File,
    io::{self, Write},
    path::{Path, PathBuf},
};

use output::{Existing, OutputFile, Prepared};
use pgn::input::Place;
use run::{Result, SettingError};
use zstd::Encoder;

use super::texts::Texts;

/// The extensions of compressed files that can be read but not written.
const NOT_WRITTEN: [&str; 5] = ["gz", "bz2", "xz", "zip", "7z"];

/// The default compression level of zstd.
const LEVEL: i32 = 3;

/// A file of games, compressed if its extension says so.
pub(super) struct GamesFile {
    path: PathBuf,
    output: OutputFile,
    packer: Option<Encoder<'static, File>>,
    /// The place in the inputs at which the most recently written text ends; `None` before the first text.
    end: Option<Place>,
    /// Whether the file ends with a blank line.
    is_separated: bool,
}

impl GamesFile {
    /// Refuses names with the extension of a compression format that can be read but not written.
    pub(super) fn check_name(setting: &'static str, path: &Path) -> Result<(), SettingError> {
        let is_written = !NOT_WRITTEN.iter().any(|name| has_extension(path, name));
        SettingError::new(setting, "a name that ends with .pgn or .zst", path.display()).unless(is_written)
    }

    pub(super) fn create(path: &Path, existing: Existing) -> Result<Self> {
        let create = || {
            let mut output = OutputFile::create(path, existing)?;
            let pack = has_extension(path, "zst");
            let packer = pack.then(|| packer(output.file().try_clone()?)).transpose()?;
            Ok(Self { path: path.into(), output, packer, end: None, is_separated: true })
        };
        create().map_err(fault::output(path))
    }

    /// Adds games of the chunk at `place`, byte for byte. A blank line separates games that were not
    /// adjacent in the input.
    pub(super) fn push(&mut self, place: Place, games: &Texts) -> Result<()> {
        for (offset, text) in games.runs() {
            let start = Place { offset: place.offset + offset as u64, ..place };
            let written = self.separate(start).and_then(|()| self.write(text));
            written.map_err(fault::output(&self.path))?;
            self.end = Some(Place { offset: start.offset + text.len() as u64, ..start });
            self.is_separated = ends_with_blank_line(text);
        }
        Ok(())
    }

    fn separate(&mut self, start: Place) -> io::Result<()> {
        if self.is_separated || self.end == Some(start) { Ok(()) } else { self.write(b"\n\n") }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some(packer) = &mut self.packer {
            return packer.write_all(bytes);
        }
        self.output.file().write_all(bytes)?;
        self.output.wrote(bytes.len() as u64)
    }

    /// Finishes the file, which appears together with the other outputs of the run.
    pub(super) fn finish(self) -> Result<Prepared> {
        let Self { path, output, packer, .. } = self;
        let packed = packer.map_or(Ok(()), |packer| packer.finish().map(drop));
        packed.and_then(|()| output.prepare()).map_err(fault::output(&path))
    }
}

/// Whether a string ends with a blank line, for any kind of line ending.
fn ends_with_blank_line(text: &[u8]) -> bool {
    [&b"\n\n"[..], b"\n\r\n", b"\r\r"].iter().any(|end| text.ends_with(end))
}

/// Compresses with a checksum, as the program zstd does.
fn packer(file: File) -> io::Result<Encoder<'static, File>> {
    let mut packer = Encoder::new(file, LEVEL)?;
    packer.include_checksum(true)?;
    Ok(packer)
}

fn has_extension(path: &Path, name: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(name))
}
