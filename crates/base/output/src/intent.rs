//! The intent: a file that records the renames that a command is about to make, so that another process can
//! complete them.
//!
//! # Format
//!
//! The intent of an output `NAME` is the file `.NAME.tabia-journal` next to it; the intents of all outputs of
//! a command have the same text. Fields end with a zero byte, which no path contains. The first is
//! `tabia-journal 1`. Each output has seven fields: `file` or `folder`, its inode, the inode that it replaces
//! (0 if none), its folder, the folder's inode, its temporary name there, and its name. The file ends with
//! the XXH3-64 checksum of all preceding bytes, as 16 hexadecimal digits. Temporary names are random, so no
//! two commands write the same intent.
//!
//! The intent of the first output is called the decision. It is written last. Once it exists, the command
//! will be completed, even if its process is killed. An intent without its decision was left by a command
//! that was killed before it replaced anything, or after it had replaced everything.

use std::{
    ffi::{OsStr, OsString},
    io,
    os::unix::ffi::{OsStrExt as _, OsStringExt as _},
    path::{Path, PathBuf},
};

use xxhash_rust::xxh3::xxh3_64;

use crate::{folder_of, place::inode, temporary::OutputKind};

const HEAD: &str = "tabia-journal 1";
const SUFFIX: &str = ".tabia-journal";
/// The maximum length of a file name in bytes on Linux file systems.
const NAME_BYTES_MAX: usize = 255;
const DIGITS: usize = 16;

/// The renames that a command is about to make.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Intent {
    /// The outputs of the command. The intent of the first output is the decision.
    pub(crate) entries: Vec<Replacement>,
}

/// An output that is renamed from its temporary name to its final name.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Replacement {
    pub(crate) kind: OutputKind,
    /// The inode of the new file or folder.
    pub(crate) inode: u64,
    /// The inode of the file or folder that it replaces; 0 if there is none.
    pub(crate) old_inode: u64,
    pub(crate) folder: PathBuf,
    pub(crate) folder_inode: u64,
    pub(crate) temporary: OsString,
    pub(crate) name: OsString,
}

impl Replacement {
    /// The temporary path of the output.
    pub(crate) fn from(&self) -> PathBuf {
        self.folder.join(&self.temporary)
    }

    /// The final path of the output.
    pub(crate) fn to(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    /// The path to which the older folder is moved before it is removed, if the two names cannot be swapped
    /// atomically.
    pub(crate) fn previous(&self) -> PathBuf {
        sibling(&self.to(), "previous")
    }

    /// The path of the output's intent.
    pub(crate) fn intent(&self) -> PathBuf {
        intent_of(&self.to())
    }

    /// Whether the output's folder exists and is still the one that the intent recorded. While a volume is
    /// not mounted, folders below its mount point are missing, and the mount point itself is a different
    /// folder.
    pub(crate) fn is_reachable(&self) -> io::Result<bool> {
        Ok(inode(&self.folder)? == Some(self.folder_inode))
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let kind = if self.kind == OutputKind::File { "file" } else { "folder" };
        let [inode, old_inode, folder_inode] =
            [self.inode, self.old_inode, self.folder_inode].map(|number| number.to_string());
        let texts: [&OsStr; 7] = [
            kind.as_ref(),
            inode.as_ref(),
            old_inode.as_ref(),
            self.folder.as_ref(),
            folder_inode.as_ref(),
            &self.temporary,
            &self.name,
        ];
        for text in texts {
            field(bytes, text.as_bytes());
        }
    }

    fn read(fields: &[&[u8]]) -> Option<Self> {
        let &[kind, inode, old_inode, folder, folder_inode, temporary, name] = fields else { return None };
        let number = |digits| std::str::from_utf8(digits).ok()?.parse().ok();
        let text = |bytes: &[u8]| OsString::from_vec(bytes.to_vec());
        Some(Self {
            kind: if kind == b"file" { OutputKind::File } else { OutputKind::Folder },
            inode: number(inode)?,
            old_inode: number(old_inode)?,
            folder: text(folder).into(),
            folder_inode: number(folder_inode)?,
            temporary: text(temporary),
            name: text(name),
        })
    }
}

impl Intent {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        field(&mut bytes, HEAD.as_bytes());
        for entry in &self.entries {
            entry.write(&mut bytes);
        }
        let checksum = xxh3_64(&bytes);
        bytes.extend(format!("{checksum:016x}").bytes());
        bytes
    }

    /// Parses an intent; `None` if it is incomplete or damaged.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let (fields, digits) = bytes.split_at_checked(bytes.len().checked_sub(DIGITS)?)?;
        if digits != format!("{:016x}", xxh3_64(fields)).as_bytes() {
            return None;
        }
        let fields: Vec<_> = fields.strip_suffix(b"\0")?.split(|&byte| byte == 0).collect();
        let (head, entries) = fields.split_first()?;
        let entries: Vec<_> = entries.chunks(7).map(Replacement::read).collect::<Option<_>>()?;
        (*head == HEAD.as_bytes() && !entries.is_empty()).then_some(Self { entries })
    }

    /// Corrects the intent, which was found at `path`, in case its folder has been renamed. Wherever the
    /// intent mentions the old folder of its own output, the folder of `path` replaces it.
    pub(crate) fn found_at(mut self, path: &Path) -> Self {
        let own = self.entries.iter().find(|entry| entry.intent().file_name() == path.file_name());
        if let Some(recorded) = own.map(|own| own.folder.clone()) {
            let folder = folder_of(path);
            for entry in self.entries.iter_mut().filter(|entry| entry.folder == recorded) {
                folder.clone_into(&mut entry.folder);
                entry.folder_inode = inode(folder).ok().flatten().unwrap_or(entry.folder_inode);
            }
        }
        self
    }
}

fn field(bytes: &mut Vec<u8>, text: &[u8]) {
    bytes.extend_from_slice(text);
    bytes.push(0);
}

/// The path of the intent file that belongs to the output at `path`.
pub(crate) fn intent_of(path: &Path) -> PathBuf {
    let mut name = sibling_name(path, "tabia-journal");
    if name.len() > NAME_BYTES_MAX {
        let hash = xxh3_64(path.file_name().unwrap_or_default().as_bytes());
        name = format!(".{hash:016x}{SUFFIX}").into();
    }
    folder_of(path).join(name)
}

/// Whether a file of that name is an intent.
pub(crate) fn is_intent(name: &OsStr) -> bool {
    name.as_bytes().starts_with(b".") && name.as_bytes().ends_with(SUFFIX.as_bytes())
}

/// The path of a hidden file or folder next to an output; its name ends in `role`.
pub(crate) fn sibling(path: &Path, role: &str) -> PathBuf {
    folder_of(path).join(sibling_name(path, role))
}

fn sibling_name(path: &Path, role: &str) -> OsString {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".");
    name.push(role);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intent() -> Intent {
        let entry = |kind, old_inode, name: &str| Replacement {
            kind,
            inode: 7,
            old_inode,
            folder: "/a\nb".into(),
            folder_inode: u64::MAX,
            temporary: ".tabia-0123456789.partial".into(),
            name: name.into(),
        };
        let entries =
            vec![entry(OutputKind::File, 0, "book.tabia"), entry(OutputKind::Folder, 8, "games.table")];
        Intent { entries }
    }

    #[test]
    fn an_intent_comes_back_as_it_was_and_a_damaged_one_does_not() {
        let bytes = intent().to_bytes();
        assert_eq!(Intent::parse(&bytes), Some(intent()));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(Intent::parse(&damaged), None, "byte {at}");
            assert_eq!(Intent::parse(&bytes[..at]), None, "{at} bytes");
        }
    }

    #[test]
    fn an_intent_of_another_kind_or_without_outputs_is_none() {
        assert_eq!(Intent::parse(&Intent { entries: Vec::new() }.to_bytes()), None);
        let mut bytes = intent().to_bytes();
        bytes.truncate(bytes.len() - DIGITS);
        bytes[0] ^= 1;
        let checksum = xxh3_64(&bytes);
        bytes.extend(format!("{checksum:016x}").bytes());
        assert_eq!(Intent::parse(&bytes), None);
    }

    #[test]
    fn a_folder_that_was_renamed_is_where_its_intent_is() {
        let moved = intent().found_at(Path::new("/elsewhere/.games.table.tabia-journal"));
        assert_eq!(moved.entries[0].to(), Path::new("/elsewhere/book.tabia"));
        assert_eq!(moved.entries[1].to(), Path::new("/elsewhere/games.table"));
    }

    #[test]
    fn the_intent_of_a_long_name_has_a_name_too() {
        let long = PathBuf::from("x".repeat(250));
        let name = intent_of(&long).file_name().unwrap().to_owned();
        assert!(name.len() <= NAME_BYTES_MAX && is_intent(&name), "{name:?}");
        assert_eq!(intent_of(Path::new("a/b.bin")), Path::new("a/.b.bin.tabia-journal"));
    }
}
