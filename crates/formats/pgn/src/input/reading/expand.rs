//! Expands the names given on the command line: files, directories, patterns and standard input.

use std::{
    collections::HashSet,
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use super::{
    open_input::begins_as,
    origin::{Input, refused},
};
use crate::{
    Error, Result,
    input::{
        cutting::{Games, PieceKind, Unit},
        packings::Packing,
    },
};

/// Inputs in the order in which they are read.
#[derive(Debug, Default)]
pub struct InputList {
    /// The inputs, without repeated files.
    pub inputs: Vec<Input>,
    /// The names of inputs that are not read again, because an earlier name stands for the same input.
    pub repeated: Vec<String>,
}

/// Expands names in the order given:
///
/// - `-` stands for standard input.
/// - The path of a file stands for that file, whatever the file is called.
/// - A directory stands for the PGN files in it, at any depth, in the byte order of their paths. A file in
///   the directory is taken if it has the name of a PGN file (`*.pgn`, `*.pgn.zst` and so on), or if its
///   decompressed text begins as PGN. Hidden files and directories are skipped.
/// - A name that does not exist and contains `*`, `?` or `[` is a pattern. A pattern stands for the files and
///   directories that match it, in the byte order of their paths; `**` matches directories at any depth. A
///   hidden file matches only a pattern that spells out the dot.
///
/// A file that is named again, even by another path, is not read again.
///
/// # Errors
/// Fails if a name does not exist or cannot be read, is a directory without PGN, or is a pattern that matches
/// no file.
pub fn expand(names: &[String]) -> Result<InputList> {
    expand_to(names, &GAMES)
}

/// The rule for which files in a directory become inputs.
pub struct WantedFiles {
    /// Files with this extension become inputs whatever they contain.
    pub extension: &'static str,
    /// The unit into which the beginning of a file is cut if its extension is not [`Self::extension`].
    pub unit: Unit,
    /// Decides whether a file with another extension becomes an input, given the units at the beginning of
    /// its text.
    pub begins: fn(Games<'_>) -> bool,
    /// Builds the error for a directory in which no file becomes an input.
    pub none: fn(String) -> Error,
}

const GAMES: WantedFiles = WantedFiles {
    extension: "pgn",
    unit: Unit::Games,
    begins: |mut games| games.next().is_some_and(|piece| piece.kind == PieceKind::Game),
    none: |name| Error::NoPgn(name),
};

/// Expands names as [`expand`] does, but takes from a directory only the files that `wanted` describes.
///
/// # Errors
///
/// Fails for the same reasons as [`expand`]. If a directory contains no file that `wanted` describes,
/// [`WantedFiles::none`] builds the error.
pub fn expand_to(names: &[String], wanted: &WantedFiles) -> Result<InputList> {
    let mut seen = Expansion {
        wanted,
        expanded: InputList::default(),
        canonical: HashSet::new(),
        standard_input: false,
    };
    for name in names {
        match fs::metadata(name) {
            _ if name == "-" => seen.standard_input(),
            Ok(meta) => seen.path(Path::new(name), meta.is_dir())?,
            Err(error) if error.kind() == io::ErrorKind::NotFound && name.contains(['*', '?', '[']) => {
                seen.pattern(name)?;
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(Error::NoSuchFile(name.clone()));
            }
            Err(source) => return Err(refused(Path::new(name), source)),
        }
    }
    Ok(seen.expanded)
}

/// The inputs found so far.
struct Expansion<'w> {
    wanted: &'w WantedFiles,
    expanded: InputList,
    canonical: HashSet<PathBuf>,
    standard_input: bool,
}

impl Expansion<'_> {
    fn standard_input(&mut self) {
        if std::mem::replace(&mut self.standard_input, true) {
            self.expanded.repeated.push("-".into());
        } else {
            self.expanded.inputs.push(Input::stream("-", io::stdin()));
        }
    }

    fn path(&mut self, path: &Path, is_dir: bool) -> Result<()> {
        if !is_dir {
            return self.file(path);
        }
        let mut files = Vec::new();
        walk(path, self.wanted, &mut HashSet::new(), &mut files)?;
        if files.is_empty() {
            return Err((self.wanted.none)(path.display().to_string()));
        }
        files.sort_by(|a, b| a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes()));
        files.iter().try_for_each(|file| self.file(file))
    }

    fn file(&mut self, path: &Path) -> Result<()> {
        let canonical = fs::canonicalize(path).map_err(|source| refused(path, source))?;
        let input = Input::file(path);
        if self.canonical.insert(canonical) {
            self.expanded.inputs.push(input);
        } else {
            self.expanded.repeated.push(input.name().to_owned());
        }
        Ok(())
    }

    fn pattern(&mut self, pattern: &str) -> Result<()> {
        let as_shells_do =
            glob::MatchOptions { require_literal_leading_dot: true, ..glob::MatchOptions::new() };
        let matches = glob::glob_with(pattern, as_shells_do)
            .map_err(|error| Error::FilePattern { pattern: pattern.into(), why: error.msg })?;
        let mut paths = Vec::new();
        for path in matches {
            paths.push(path.map_err(|error| Error::Read {
                path: error.path().into(),
                offset: 0,
                source: error.into(),
            })?);
        }
        if paths.is_empty() {
            return Err(Error::NoMatch(pattern.into()));
        }
        paths.sort_by(|a, b| a.as_os_str().as_bytes().cmp(b.as_os_str().as_bytes()));
        paths.iter().try_for_each(|path| self.path(path, path.is_dir()))
    }
}

/// Collects the wanted files in a directory and its subdirectories; a directory that was visited before, for
/// example through a link, is skipped.
fn walk(
    directory: &Path,
    wanted: &WantedFiles,
    visited: &mut HashSet<PathBuf>,
    files: &mut Vec<PathBuf>,
) -> Result<()> {
    let at = |source| refused(directory, source);
    if !visited.insert(fs::canonicalize(directory).map_err(at)?) {
        return Ok(());
    }
    for entry in fs::read_dir(directory).map_err(at)? {
        let entry = entry.map_err(at)?;
        let path = entry.path();
        if entry.file_name().as_bytes().starts_with(b".") {
            continue;
        }
        let kind = match fs::metadata(&path) {
            Ok(meta) => Some(meta.file_type()),
            // The link leads nowhere.
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(source) => return Err(refused(&path, source)),
        };
        if kind.is_some_and(|kind| kind.is_dir()) {
            walk(&path, wanted, visited, files)?;
        } else if is_named(&path, wanted.extension)
            || kind.is_some_and(|kind| kind.is_file())
                && begins_as(Input::file(&path), wanted.unit, wanted.begins)
        {
            files.push(path);
        }
    }
    Ok(())
}

/// Whether a file has the name of a PGN file, plain or compressed (`*.pgn`, `*.pgn.zst` and so on).
#[must_use]
pub fn is_named_pgn(path: &Path) -> bool {
    is_named(path, GAMES.extension)
}

fn is_named(path: &Path, wanted: &str) -> bool {
    let extension =
        |path: &Path| path.extension().map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let named = |path: &Path| extension(path).is_some_and(|extension| extension == wanted);
    let packed = extension(path).is_some_and(|extension| Packing::of_extension(&extension).is_some());
    named(path) || packed && path.file_stem().is_some_and(|stem| named(Path::new(stem)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_as_pgn_plain_or_packed() {
        for name in ["a.pgn", "a.PGN", "a.pgn.zst", "a.pgn.7z", "b/a.b.Pgn.Gz"] {
            assert!(is_named(Path::new(name), "pgn"), "{name}");
        }
        for name in ["pgn", "a.zst", "a.pgn.txt", "a.pgn.sha256", "a.pgnx", "a.zip"] {
            assert!(!is_named(Path::new(name), "pgn"), "{name}");
        }
    }
}
