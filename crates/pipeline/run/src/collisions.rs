//! Finds conflicts between outputs and inputs before anything is read or written.
//!
//! Before paths are compared, `.` is removed from them, and links are resolved in the part of each path that
//! exists. Two names that refer to the same file are treated as equal. An output must not be an input, and
//! must not lie inside another output or a table that is read. An input may not lie inside a folder that is
//! written. Outputs may lie inside a folder of games, since no output is ever read as games.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use pgn::input;
use table::is_table;

use crate::{
    Error,
    format::{FileFormat, OtherFormat},
};

/// Why an output or an input cannot be at the given path.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PathError {
    /// The output's name has another format's extension.
    #[error(
        "{path}: the ending .{ending} is that of {format}, but {written} would be written there; {writer}",
        ending = other.ending, format = other.what, writer = other.writer
    )]
    Ending {
        /// The output.
        path: PathBuf,
        /// The format that the extension belongs to.
        other: OtherFormat,
        /// The format that would be written.
        written: FileFormat,
    },
    /// An output is inside another output or inside a table that is read, or an input is inside an output.
    #[error("{inner} is inside {outer}: choose a path outside it")]
    Inside {
        /// The path that lies inside `outer`.
        inner: PathBuf,
        /// The path that contains `inner`.
        outer: PathBuf,
    },
    /// An output is also an input.
    #[error("{path} is both read and written", path = .0.display())]
    ReadAndWritten(PathBuf),
}

fault::kinds!(PathError: Usage);

impl FileFormat {
    /// Refuses an output whose extension belongs to another format.
    ///
    /// # Errors
    ///
    /// Fails with [`PathError::Ending`], which names the format that the extension belongs to and the
    /// command that writes it.
    pub fn check_ending(self, path: &Path) -> Result<(), PathError> {
        match self.other_by_ending(path) {
            Some(other) => Err(PathError::Ending { path: path.into(), other, written: self }),
            None => Ok(()),
        }
    }
}

/// What to do if an output is also an input.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum SamePath {
    /// The output is refused.
    #[default]
    Refused,
    /// The output replaces the input once all of the input has been read.
    Replaced,
}

/// Checks the paths that a command without a recipe reads and writes.
///
/// # Errors
///
/// Fails with [`PathError`] if paths conflict, or if an output's name has another format's extension.
pub fn check_paths(reads: &[&Path], writes: &[(&Path, FileFormat)], same: SamePath) -> Result<(), Error> {
    let paths: Vec<_> = writes.iter().map(|(path, _)| *path).collect();
    Collisions { same, ..Collisions::of(&paths) }.check(reads, None)?;
    Ok(writes.iter().try_for_each(|(path, format)| format.check_ending(path))?)
}

/// The outputs of a run, by their resolved paths.
#[derive(Default)]
pub struct Collisions {
    outputs: BTreeMap<PathBuf, PathBuf>,
    /// The device and inode numbers of the outputs that exist.
    files: BTreeMap<(u64, u64), PathBuf>,
    same: SamePath,
}

impl Collisions {
    /// The outputs at `paths`.
    #[must_use]
    pub fn of(paths: &[&Path]) -> Self {
        let mut collisions = Self::default();
        for path in paths {
            collisions.add_output(path);
        }
        collisions
    }

    /// Adds an output; returns `false` if it has already been added.
    pub fn add_output(&mut self, path: &Path) -> bool {
        self.files.extend(identity(path).map(|file| (file, path.to_owned())));
        self.outputs.insert(resolved(path), path.to_owned()).is_none()
    }

    /// Checks that the outputs, the inputs and the folder for temporary files do not conflict.
    pub fn check(&self, reads: &[&Path], temp_dir: Option<&Path>) -> Result<(), PathError> {
        for (place, output) in &self.outputs {
            let outer = place.ancestors().skip(1).find_map(|folder| self.outputs.get(folder));
            refuse_inside(output, outer)?;
        }
        let mut tables = BTreeMap::new();
        for read in reads {
            self.check_input(read)?;
            if is_table(read) {
                tables.insert(resolved(read), read.to_path_buf());
            }
        }
        for (place, output) in &self.outputs {
            refuse_inside(output, place.ancestors().skip(1).find_map(|folder| tables.get(folder)))?;
        }
        let Some(temp_dir) = temp_dir else { return Ok(()) };
        let place = resolved(temp_dir);
        let outer = place.ancestors().find_map(|folder| self.outputs.get(folder).or(tables.get(folder)));
        refuse_inside(temp_dir, outer)
    }

    /// Checks an input, which is a file, a folder or a glob pattern.
    fn check_input(&self, read: &Path) -> Result<(), PathError> {
        if read == Path::new("-") {
            return Ok(());
        }
        if self.files.is_empty() {
            // No output exists yet, so no existing file can lie inside an output, and inputs need not be
            // looked up on disk. This saves a lot of time if there are very many inputs.
            return self.check_place(read, &absolute(read));
        }
        self.check_file(read)?;
        if read.is_file() || is_table(read) {
            return Ok(());
        }
        let place = resolved(read);
        if read.is_dir() && !self.outputs.keys().any(|output| output.starts_with(&place)) {
            return Ok(());
        }
        // If the pattern cannot be expanded, the stage that reads it will say why.
        let expanded = input::expand(&[read.to_string_lossy().into_owned()]).unwrap_or_default();
        expanded.inputs.iter().try_for_each(|input| self.check_file(Path::new(input.name())))
    }

    fn check_file(&self, read: &Path) -> Result<(), PathError> {
        match identity(read).and_then(|file| self.files.get(&file)) {
            Some(output) => self.check_same(output),
            None => self.check_place(read, &resolved(read)),
        }
    }

    fn check_place(&self, read: &Path, place: &Path) -> Result<(), PathError> {
        if let Some(output) = self.outputs.get(place) {
            return self.check_same(output);
        }
        refuse_inside(read, place.ancestors().skip(1).find_map(|folder| self.outputs.get(folder)))
    }

    /// Refuses an output that is also an input, unless it may replace the input.
    fn check_same(&self, output: &Path) -> Result<(), PathError> {
        match self.same {
            SamePath::Refused => Err(PathError::ReadAndWritten(output.to_owned())),
            SamePath::Replaced => Ok(()),
        }
    }
}

fn refuse_inside(inner: &Path, outer: Option<&PathBuf>) -> Result<(), PathError> {
    match outer {
        None => Ok(()),
        Some(outer) => Err(PathError::Inside { inner: inner.to_owned(), outer: outer.clone() }),
    }
}

/// The device and inode numbers of an existing file or folder. These numbers are the same under all names of
/// the file or folder.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = fs::metadata(path).ok().filter(|metadata| metadata.is_file() || metadata.is_dir())?;
    Some((metadata.dev(), metadata.ino()))
}

/// Resolves links in the part of a path that exists, and appends the rest unchanged.
#[must_use]
pub fn resolved(path: &Path) -> PathBuf {
    let absolute = absolute(path);
    let exists = |folder: &Path| Some((folder.canonicalize().ok()?, folder.components().count()));
    let Some((mut place, known)) = absolute.ancestors().find_map(exists) else { return absolute };
    place.extend(absolute.components().skip(known));
    place
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    /// A folder that contains a table and a folder of games.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("t.table/_manifest.json", "{}"), ("games/a.pgn", "[Event \"x\"]\n\n1. e4 *\n")]
        {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        symlink("t.table", folder.path().join("link")).unwrap();
        fs::hard_link(folder.path().join("games/a.pgn"), folder.path().join("b.pgn")).unwrap();
        folder
    }

    fn check(reads: &[&str], writes: &[&str]) -> Result<(), String> {
        let folder = folder();
        let there =
            |paths: &[&str]| -> Vec<_> { paths.iter().map(|path| folder.path().join(path)).collect() };
        let (reads, writes) = (there(reads), there(writes));
        let reads: Vec<_> = reads.iter().map(PathBuf::as_path).collect();
        let writes: Vec<_> = writes.iter().map(PathBuf::as_path).collect();
        let name = format!("{}/", folder.path().display());
        Collisions::of(&writes).check(&reads, None).map_err(|error| error.to_string().replace(&name, ""))
    }

    #[test]
    fn an_output_is_not_in_an_input() {
        for (output, inner, outer) in [
            ("t.table/part.parquet", "t.table/part.parquet", "t.table"),
            ("games/../t.table/x", "games/../t.table/x", "t.table"),
            ("link/./x/y", "link/./x/y", "t.table"),
        ] {
            assert_eq!(
                check(&["t.table"], &[output]),
                Err(format!("{inner} is inside {outer}: choose a path outside it"))
            );
        }
        assert_eq!(
            check(&["link"], &["t.table/x"]),
            Err("t.table/x is inside link: choose a path outside it".into())
        );
        assert_eq!(check(&["t.table"], &["t.tables/x", "u.table"]), Ok(()));
    }

    #[test]
    fn an_input_is_not_an_output_or_in_one() {
        for (input, output) in [
            ("t.table", "./t.table"),
            ("t.table", "link"),
            ("b.pgn", "games/a.pgn"),
            ("games/a.pgn", "b.pgn"),
            ("games", "games/a.pgn"),
            ("games/*.pgn", "b.pgn"),
        ] {
            assert_eq!(check(&[input], &[output]), Err(format!("{output} is both read and written")));
        }
        let inside = check(&["games/a.pgn"], &["games"]).unwrap_err();
        assert_eq!(inside, "games/a.pgn is inside games: choose a path outside it");
        assert_eq!(check(&["games", "-", "no.pgn"], &["games/book.tabia"]), Ok(()));
    }

    #[test]
    fn outputs_are_not_in_each_other() {
        let inside = check(&[], &["new.table", "new.table/rejects.jsonl"]).unwrap_err();
        assert_eq!(inside, "new.table/rejects.jsonl is inside new.table: choose a path outside it");
        assert_eq!(check(&[], &["new.table", "new.tabia"]), Ok(()));
    }
}
