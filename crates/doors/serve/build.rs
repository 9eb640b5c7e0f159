//! Embeds the explorer's page: each file of `page/built`, which `make page` writes, and a compressed copy of
//! it.

use std::{
    env, fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use flate2::{Compression, write::GzEncoder};
use xxhash_rust::xxh3::xxh3_64;

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=page/built");
    let variable = |name| env::var_os(name).map(PathBuf::from).ok_or(io::ErrorKind::NotFound);
    let (root, out) = (variable("CARGO_MANIFEST_DIR")?, variable("OUT_DIR")?);
    let mut files = built_files(&root.join("page/built"))?;
    files.sort();
    let entries: Vec<_> = files.iter().map(|path| entry(path, &out)).collect::<io::Result<_>>()?;
    fs::write(out.join("page_files.rs"), format!("&[{}]", entries.concat()))
}

/// The files of the page.
fn built_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
    Ok(paths.into_iter().filter(|path| media_type(path).is_some()).collect())
}

/// The media type of a file; `None` for files that are not part of the page.
fn media_type(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "html" => Some("text/html; charset=utf-8"),
        "js" => Some("text/javascript; charset=utf-8"),
        "css" => Some("text/css; charset=utf-8"),
        "txt" => Some("text/plain; charset=utf-8"),
        "svg" => Some("image/svg+xml"),
        _ => None,
    }
}

/// A Rust expression of the type `File` in `src/page.rs`.
fn entry(path: &Path, out: &Path) -> io::Result<String> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let content = fs::read(path)?;
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&content)?;
    let packed = out.join(format!("{name}.gz"));
    fs::write(&packed, encoder.finish()?)?;
    let path = text(path)?;
    let packed = text(&packed)?;
    let media_type = media_type(Path::new(path)).unwrap_or_default();
    let tag = format!("\"{:016x}\"", xxh3_64(&content));
    Ok(format!(
        "File {{ name: {name:?}, media_type: {media_type:?}, tag: {tag:?}, \
         plain: include_bytes!({path:?}), packed: include_bytes!({packed:?}) }},\n"
    ))
}

/// A path, quoted for Rust source.
fn text(path: &Path) -> io::Result<&str> {
    path.to_str().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "a path is not UTF-8"))
}
