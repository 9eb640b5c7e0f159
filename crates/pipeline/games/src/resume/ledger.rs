//! The file of records.
//!
//! # Format
//!
//! Records follow each other. Each record is a JSON text ([`Record`]), preceded by the text's length (4
//! bytes, little-endian) and its XXH3-64 hash (8 bytes, little-endian). Records are only ever appended, and
//! each is synced before anything relies on it. So only the last record can be torn; a torn record is ignored
//! and overwritten. If an earlier record is damaged, the ledger is refused.
//!
//! A process that uses the ledger locks it with `flock`; the system releases the lock when the process ends.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read, Seek, SeekFrom, Write},
    path::Path,
};

use xxhash_rust::xxh3::xxh3_64;

use super::record::Record;

/// The length in bytes of the header that precedes the text of each record.
const HEADER_BYTES: usize = 12;

/// The ledger file in the folder of a job, open for appending.
pub(super) struct Ledger {
    file: File,
    /// The number of records.
    pub(super) records: usize,
}

impl Ledger {
    /// Opens the ledger at `path`, or makes an empty one, and returns its records.
    ///
    /// # Errors
    ///
    /// Fails if another process has locked the ledger, or if it is damaged or cannot be read.
    pub(super) fn open(path: &Path) -> io::Result<(Self, Vec<Record>)> {
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match output::try_lock(&file) {
            Err(TryLockError::WouldBlock) => return Err(io::Error::other("another process works with it")),
            Err(TryLockError::Error(error)) => return Err(error),
            Ok(()) => {}
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let (records, whole_bytes) =
            parse(&bytes).map_err(|why| io::Error::new(io::ErrorKind::InvalidData, why))?;
        file.set_len(whole_bytes)?;
        file.seek(SeekFrom::Start(whole_bytes))?;
        // Syncing a file does not sync its directory entry. If the entry is lost, so are the records.
        File::open(path.parent().unwrap_or(Path::new(".")))?.sync_all()?;
        Ok((Self { file, records: records.len() }, records))
    }

    /// Removes all records, and appends the record `first`.
    pub(super) fn begin(&mut self, first: &Record) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.seek(SeekFrom::Start(0))?;
        self.records = 0;
        self.append(first)
    }

    /// Appends a record, and waits until it is safe on disk.
    pub(super) fn append(&mut self, record: &Record) -> io::Result<()> {
        let text = serde_json::to_vec(record)?;
        let length =
            u32::try_from(text.len()).map_err(|_| io::Error::other("a record of more than 4 GiB"))?;
        let bytes = [&length.to_le_bytes()[..], &xxh3_64(&text).to_le_bytes(), &text].concat();
        self.file.write_all(&bytes)?;
        self.file.sync_data()?;
        self.records += 1;
        Ok(())
    }
}

/// Returns the complete records and the number of bytes that they occupy.
fn parse(bytes: &[u8]) -> Result<(Vec<Record>, u64), String> {
    let (mut records, mut at) = (Vec::new(), 0);
    while let Some((text, checksum)) = text_at(bytes, at) {
        let end = at + HEADER_BYTES + text.len();
        if xxh3_64(text) != checksum {
            // After a power cut, the file may have its full length but contain zeros in place of the last
            // record.
            if end == bytes.len() || bytes[at..].iter().all(|byte| *byte == 0) {
                break;
            }
            return Err(format!("the ledger is damaged at byte {at}"));
        }
        let record = serde_json::from_slice(text)
            .map_err(|error| format!("the record at byte {at} of the ledger cannot be read: {error}"))?;
        records.push(record);
        at = end;
    }
    Ok((records, at as u64))
}

/// Returns the text of the record at offset `at` and the text's checksum; `None` if the record is incomplete.
fn text_at(bytes: &[u8], at: usize) -> Option<(&[u8], u64)> {
    let (length, rest) = bytes.get(at..)?.split_first_chunk::<4>()?;
    let (checksum, rest) = rest.split_first_chunk::<8>()?;
    Some((rest.get(..u32::from_le_bytes(*length) as usize)?, u64::from_le_bytes(*checksum)))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{
        super::record::{CountedChunks, Merge, RecordedRun},
        *,
    };

    fn merge(number: u64) -> Record {
        let run =
            RecordedRun { name: format!("{number}.run"), rows: number, bytes: 7, xxh3: u64::MAX - number };
        Record::Merge(Merge { run, parts: vec!["a".into()] })
    }

    fn ledger_of(records: u64) -> (tempfile::TempDir, std::path::PathBuf, Vec<usize>) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ledger");
        let (mut ledger, found) = Ledger::open(&path).unwrap();
        assert!(found.is_empty());
        let mut ends = vec![0];
        for number in 0..records {
            ledger.append(&merge(number)).unwrap();
            ends.push(fs::metadata(&path).unwrap().len() as usize);
        }
        (dir, path, ends)
    }

    #[test]
    fn a_torn_last_record_is_ignored_wherever_it_is_torn() {
        let (_dir, path, ends) = ledger_of(3);
        let bytes = fs::read(&path).unwrap();
        for length in 0..=bytes.len() {
            fs::write(&path, &bytes[..length]).unwrap();
            let whole = ends.iter().filter(|end| **end <= length).count() - 1;
            let (mut ledger, records) = Ledger::open(&path).unwrap();
            assert_eq!(records, (0..whole as u64).map(merge).collect::<Vec<_>>(), "{length} bytes");
            ledger.append(&Record::Group(CountedChunks::default())).unwrap();
            drop(ledger);
            assert_eq!(
                Ledger::open(&path).unwrap().1.len(),
                whole + 1,
                "records go on behind the whole ones"
            );
        }
    }

    #[test]
    fn a_record_of_zeros_at_the_end_is_torn() {
        let (_dir, path, _) = ledger_of(2);
        let mut bytes = fs::read(&path).unwrap();
        bytes.extend([0; 500]);
        fs::write(&path, &bytes).unwrap();
        assert_eq!(Ledger::open(&path).unwrap().1.len(), 2);
    }

    #[test]
    fn every_flipped_bit_before_the_last_record_is_found() {
        let (_dir, path, ends) = ledger_of(3);
        let bytes = fs::read(&path).unwrap();
        for at in 0..ends[2] {
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x10;
            fs::write(&path, &flipped).unwrap();
            // If the damage makes a length point past the end of the file, the record looks torn. Then it is
            // not returned, and neither are the records after it.
            match Ledger::open(&path) {
                Ok((_, records)) => assert!(records.len() < 2, "byte {at}: {records:?}"),
                Err(error) => assert!(error.to_string().contains("ledger"), "{error}"),
            }
        }
    }

    #[test]
    fn one_process_at_a_time_works_with_it() {
        let (_dir, path, _) = ledger_of(1);
        let first = Ledger::open(&path).unwrap();
        let refused = Ledger::open(&path).err().unwrap();
        assert_eq!(refused.to_string(), "another process works with it");
        drop(first);
        assert_eq!(Ledger::open(&path).unwrap().1, [merge(0)]);
    }
}
