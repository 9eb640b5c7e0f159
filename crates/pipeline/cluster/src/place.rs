//! Where files are: in folders that all machines see at the same path, or in an object store.

use std::{
    ffi::OsStr,
    fmt,
    fs::File,
    io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::Arc,
    thread::available_parallelism,
};

use fault::{Exists, FileFault};
use output::check_file_or_folder;
use pgn::input::{self, Input, ReadAt};
use run::{FileFormat, Result, RunOptions};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use store::{Object, Url, is_url};
use table::{MANIFEST_NAME, OLD_MANIFEST_NAME};

use super::trace::PresentInput;

/// How many requests to a store may be waiting for an answer at once.
const REQUESTS_AT_ONCE: usize = 32;

/// A file or a folder, by path or by URL.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Place {
    /// A path.
    Folder(PathBuf),
    /// A URL.
    Store(Url),
}

impl Place {
    /// Refuses an output that a count will not be able to write, before anything is counted.
    ///
    /// # Errors
    ///
    /// Fails with [`Exists`] if the output exists and must not be replaced. Any other error says why the
    /// place cannot be used.
    pub(super) fn check_output(&self, run: &RunOptions) -> Result<()> {
        match self {
            Place::Folder(output) => {
                FileFormat::Table.check_ending(output)?;
                let place =
                    output::recover(output).and_then(|()| check_file_or_folder(output, run.existing()));
                place.map_err(fault::output(output))
            }
            Place::Store(url) => {
                for name in [MANIFEST_NAME, OLD_MANIFEST_NAME] {
                    if !run.force && store::exists(&url.join(name)?)? {
                        return Err(Exists { path: url.to_string().into() }.into());
                    }
                }
                Ok(())
            }
        }
    }

    /// The place that `name` refers to.
    ///
    /// # Errors
    ///
    /// Fails with [`store::Error`] if the URL belongs to a store that is not supported.
    pub fn new(name: &str) -> Result<Self> {
        Ok(if is_url(name) { Self::Store(name.parse()?) } else { Self::Folder(name.into()) })
    }

    /// The last component of the path or URL.
    pub(super) fn file_name(&self) -> &str {
        let name = match self {
            Self::Folder(path) => path.file_name().and_then(OsStr::to_str),
            Self::Store(url) => url.file_name(),
        };
        name.unwrap_or_default()
    }

    /// How many files to read at once: in a folder, one per core; in a store, many, because it answers many
    /// requests at the same time.
    pub(super) fn threads(&self) -> usize {
        match self {
            Self::Folder(_) => available_parallelism().map_or(1, usize::from),
            Self::Store(_) => REQUESTS_AT_ONCE,
        }
    }

    /// Makes a path absolute, since an engine gives each task a working folder of its own.
    pub(super) fn absolute(name: &str) -> Result<String> {
        if is_url(name) {
            return Ok(name.to_owned());
        }
        let path = std::path::absolute(name);
        let path = path.map_err(|source| FileFault::new("find", name, source))?;
        Ok(path.to_string_lossy().into_owned())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Folder(path) => path.display().fmt(f),
            Place::Store(url) => url.fmt(f),
        }
    }
}

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(&String::deserialize(deserializer)?).map_err(serde::de::Error::custom)
    }
}

/// An object read as a source of games.
struct Games(Object);

impl ReadAt for Games {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.0.read_at(buffer, offset)
    }
}

/// Opens an object for reading at any offset; also returns its length.
pub(super) fn open_stored(url: &Url) -> Result<(Arc<dyn ReadAt>, u64)> {
    let object = Object::open(url)?;
    let bytes = object.bytes();
    Ok((Arc::new(Games(object)), bytes))
}

fn open_object(url: &Url) -> Result<Input> {
    let (object, bytes) = open_stored(url)?;
    Ok(Input::object(url.to_string(), object, bytes))
}

/// Returns the inputs that `names` refers to, expanded as by [`input::expand`]. A name may also be the URL of
/// an object, or a URL that ends in `/`, which means all PGN objects below it. The second value lists the
/// names that were given more than once.
pub(super) fn expand(names: &[String]) -> Result<(Vec<Input>, Vec<String>)> {
    let (urls, paths): (Vec<_>, Vec<_>) = names.iter().cloned().partition(|name| is_url(name));
    let expanded = input::expand(&paths)?;
    let (mut inputs, mut repeated) = (expanded.inputs, expanded.repeated);
    for name in urls {
        for url in objects(&name)? {
            if inputs.iter().any(|input| input.name() == url.to_string()) {
                repeated.push(url.to_string());
            } else {
                inputs.push(open_object(&url)?);
            }
        }
    }
    Ok((inputs, repeated))
}

fn objects(name: &str) -> Result<Vec<Url>> {
    let url: Url = name.parse()?;
    if !name.ends_with('/') {
        return Ok(vec![url]);
    }
    let games = store::list(&url)?.into_iter().filter(|(name, _)| input::is_named_pgn(Path::new(name)));
    let urls = games.map(|(name, _)| Ok(url.join(&name)?)).collect::<Result<Vec<_>>>()?;
    if urls.is_empty() {
        return Err(pgn::Error::NoPgn(name.to_owned()).into());
    }
    Ok(urls)
}

/// Opens an input.
pub(super) fn open(file: &str) -> Result<Input> {
    Ok(match Place::new(file)? {
        Place::Store(url) => open_object(&url)?,
        Place::Folder(path) => Input::file(path),
    })
}

/// Looks up the current state of an input.
pub(super) fn look(file: &str) -> Result<PresentInput> {
    Ok(match Place::new(file)? {
        Place::Store(url) => {
            let object = Object::open(&url)?;
            let (bytes, version) = (object.bytes(), object.version().to_owned());
            PresentInput { bytes, version, is_tagged: true, stored: Arc::new(Games(object)) }
        }
        Place::Folder(path) => {
            let opened = File::open(&path).and_then(|file| Ok((file.metadata()?, file)));
            let (meta, file) = opened.map_err(FileFault::of("read", &path))?;
            let version = format!("{}.{:09}", meta.mtime(), meta.mtime_nsec());
            PresentInput { bytes: meta.len(), version, is_tagged: false, stored: Arc::new(file) }
        }
    })
}
