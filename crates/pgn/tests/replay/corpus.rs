//! Real files that stand beside the checkout and may be missing.

use std::{fs, path::PathBuf};

/// The file or folder `name` of the corpus; says so on stderr if there is none.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus").join(name);
    if path.exists() {
        return Some(path);
    }
    eprintln!("SKIPPED: {} is missing", path.display());
    None
}

/// The first `bytes_max` bytes of a `.zst` file of the corpus.
pub(crate) fn head(name: &str, bytes_max: u64) -> Option<Vec<u8>> {
    use std::io::Read as _;
    let file = fs::File::open(find(name)?).unwrap();
    let mut text = Vec::new();
    zstd::Decoder::new(file).unwrap().take(bytes_max).read_to_end(&mut text).unwrap();
    Some(text)
}
