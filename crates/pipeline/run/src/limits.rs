//! The limits on a run's memory and threads, and its folder for temporary files.

use std::{fs, path::PathBuf, str::FromStr, thread};

use serde::Deserialize;

/// The resources that a run may use; a limit that is not set is derived from the machine.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(default)]
pub struct Limits {
    /// Memory shared by all sorters, in MiB; by default a quarter of the memory of the machine or control
    /// group.
    pub memory_mib: Option<u64>,
    /// Worker threads; one for each core by default.
    pub threads: Option<usize>,
    /// The folder of spilled runs; the folder of the output by default.
    pub temp_dir: Option<PathBuf>,
}

/// A memory limit must be below this many MiB, so that its value in bytes fits into 64 bits with room to
/// spare.
pub const MEMORY_MIB_END: u64 = 1 << 40;

/// The memory that is assumed if the machine does not report how much it has.
const MEMORY_BYTES_FALLBACK: u64 = 1 << 30;

impl Limits {
    /// The keys of the limits in a recipe.
    pub const KEYS: [&str; 3] = ["memory_mib", "threads", "temp_dir"];

    /// Where a limit is not set, takes that limit from `other`.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            memory_mib: self.memory_mib.or(other.memory_mib),
            threads: self.threads.or(other.threads),
            temp_dir: self.temp_dir.or(other.temp_dir),
        }
    }

    /// The memory budget in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> u64 {
        self.memory_mib.map_or_else(
            || machine_memory_bytes().map_or(MEMORY_BYTES_FALLBACK, |all| all / 4),
            |mib| mib << 20,
        )
    }

    /// The folder for temporary files.
    #[must_use]
    pub fn temp_folder(&self) -> PathBuf {
        self.temp_dir.clone().unwrap_or_else(std::env::temp_dir)
    }

    /// The number of worker threads, at least one.
    #[must_use]
    pub fn threads(&self) -> usize {
        match self.threads {
            None | Some(0) => thread::available_parallelism().map_or(1, usize::from),
            Some(threads) => threads,
        }
    }
}

/// The memory of the machine, or of the control group if that is less.
fn machine_memory_bytes() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib << 10)
    });
    let group =
        fs::read_to_string("/sys/fs/cgroup/memory.max").ok().and_then(|text| text.trim().parse().ok());
    machine.into_iter().chain(group).min()
}

/// A size in MiB, parsed from a string such as `4GiB`, `256MiB`, `512M` or `2G`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct MemoryMib(pub u64);

/// A size in bytes, parsed from a string such as `1GiB`, `64MiB` or `256KiB`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ByteSize(pub u64);

/// A string is not a valid size.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("`{text}` is not a size: expected a number with a unit, such as 256MiB or 4GiB")]
pub struct ParseMemoryError {
    /// The string.
    pub text: String,
}

impl FromStr for MemoryMib {
    type Err = ParseMemoryError;

    fn from_str(text: &str) -> Result<Self, ParseMemoryError> {
        let mib = ByteSize::from_str(text)?.0;
        let mib = mib.is_multiple_of(1 << 20).then_some(mib >> 20);
        mib.map(MemoryMib).ok_or_else(|| ParseMemoryError { text: text.to_owned() })
    }
}

impl FromStr for ByteSize {
    type Err = ParseMemoryError;

    fn from_str(text: &str) -> Result<Self, ParseMemoryError> {
        let wrong = || ParseMemoryError { text: text.to_owned() };
        let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
        let number: u64 = text[..digits].parse().map_err(|_| wrong())?;
        let unit: u64 = match text[digits..].trim().to_ascii_lowercase().as_str() {
            "k" | "kb" | "kib" => 1 << 10,
            "m" | "mb" | "mib" => 1 << 20,
            "g" | "gb" | "gib" => 1 << 30,
            "t" | "tb" | "tib" => 1 << 40,
            _ => return Err(wrong()),
        };
        let bytes = number.checked_mul(unit).filter(|bytes| (1..MEMORY_MIB_END << 20).contains(bytes));
        bytes.map(Self).ok_or_else(wrong)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_as_people_write_them() {
        assert_eq!("256MiB".parse::<MemoryMib>().unwrap(), MemoryMib(256));
        assert_eq!("4GiB".parse::<MemoryMib>().unwrap(), MemoryMib(4096));
        assert_eq!("2g".parse::<MemoryMib>().unwrap(), MemoryMib(2048));
        for wrong in ["", "4", "4KiB", "-1GiB", "0MiB", "GiB", "99999999999999999999G"] {
            assert!(wrong.parse::<MemoryMib>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn defaults_come_from_the_machine() {
        assert!(Limits::default().threads() >= 1);
        assert!(Limits::default().memory_bytes() >= 1 << 20);
        assert_eq!(Limits { memory_mib: Some(256), ..Limits::default() }.memory_bytes(), 256 << 20);
    }
}
