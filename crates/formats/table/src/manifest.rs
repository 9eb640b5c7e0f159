//! `_manifest.json`: describes a table, how it was counted, and what went into it.
//!
//! # Format
//!
//! The file is pretty-printed JSON in UTF-8 that ends with a newline. Its fields are in the order of
//! [`Manifest`]. Each shard takes one line of at most 150 bytes, or of at most 200 in a table with ratings.
//! If the part's name contains the number of a job, the line may have nine more bytes. The last field,
//! `xxh3`, is the XXH3-64 of the whole file, computed with zeros in place of that field's sixteen digits.
//! Keys and checksums are sixteen hexadecimal digits. Nothing in the manifest depends on time, host, path,
//! threads, memory or temporary files.
//!
//! # Stability
//!
//! `version` is increased whenever a change would make an older reader misread the file; readers refuse
//! versions newer than their own. Before version 4, each shard's range of keys was stored, although it
//! follows from the shard's position in the list, and sums were objects instead of arrays. Before version 3,
//! the file was called `manifest.json`. Since then, all names in a table's folder except those of parts have
//! begun with `_`, so that Spark, Trino and Hive can read the folder. In version 1, a source's `xxh3` was the
//! XXH3-64 of all its bytes rather than of its blocks. If an input has only one block, its identity in
//! version 2 can be computed from its hash in version 1. A longer input keeps the hash of version 1 as
//! [`CountedInput::whole_xxh3`] and is recognised only by it.

mod counted_input;

use std::path::Path;

use output::Marker;
use position::{Key, Tally};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

pub use self::counted_input::CountedInput;
use crate::{
    Counting, Error, ExamplesInfo, FingerprintsInfo, RatingSums, Result,
    fingerprints::{OLD_FINGERPRINTS_NAME, fingerprints_name},
    hash::check_hash,
    hex,
    shards::{is_part_name, key_range, shard_count_is_valid},
};

/// The newest table format, which this version writes.
pub const FORMAT_VERSION: u32 = 4;
/// `tabia` and its version, as recorded in every artefact.
pub const CREATED_BY: &str = concat!("tabia ", env!("CARGO_PKG_VERSION"));
/// How keys are computed: from Polyglot's 781 random numbers, with Polyglot's pseudo-legal rule for en
/// passant.
pub const KEY_SCHEME: &str = "polyglot-781;ep=pseudo-legal";
/// The manifest's file name in a table's directory.
pub const MANIFEST_NAME: &str = "_manifest.json";
/// The manifest's file name before version 3.
pub const OLD_MANIFEST_NAME: &str = "manifest.json";

const FORMAT: &str = "tabia-table";
/// The file that marks a folder as a table. A new table may replace only a folder that has this mark.
pub(crate) const MARKER: Marker =
    Marker { name: MANIFEST_NAME, old_name: Some(OLD_MANIFEST_NAME), format: FORMAT };
const CHECKSUM_PLACE: &str = "0000000000000000";
const CHECKSUM_TAIL: &str = "\"\n}\n";

/// The manifest's entry for the roots of a shard.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct RootsInfo {
    /// The number of roots in the file.
    pub roots: u64,
    /// The number of games that started from these roots, by result.
    #[serde(with = "tally")]
    pub tally: Tally,
    /// XXH3-64 of the file.
    pub xxh3: String,
}

/// One part file.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct ShardInfo {
    /// The file name: shard 0 is `part-00000.parquet`; in a store, the name also contains the number of the
    /// job that wrote the part, as in `part-00000-0a1b2c3d.parquet`.
    pub part: String,
    /// The first key of the shard's range, even if no row has it. It is not stored, because it follows from
    /// the shard's index.
    #[serde(default, skip_serializing, deserialize_with = "hex::key")]
    pub first: Key,
    /// The last key of the shard's range, inclusive.
    #[serde(default, skip_serializing, deserialize_with = "hex::key")]
    pub last: Key,
    /// The number of rows in the part.
    pub rows: u64,
    /// The sums of the columns `white`, `draws` and `black`.
    #[serde(with = "tally")]
    pub tally: Tally,
    /// The sums of the columns of ratings; `None` in a table without ratings.
    #[serde(default, with = "ratings", skip_serializing_if = "Option::is_none")]
    pub ratings: Option<RatingSums>,
    /// The size of the file in bytes.
    pub bytes: u64,
    /// XXH3-64 of the file.
    pub xxh3: String,
    /// The entry for the roots whose keys are in this range, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roots: Option<RootsInfo>,
}

impl ShardInfo {
    /// Sets this shard's range of keys, unless it is already set.
    pub fn set_range(&mut self, shard: u32, shards: u32) {
        if (self.first, self.last) == (Key(0), Key(0)) {
            (self.first, self.last) = key_range(shard, shards);
        }
    }
}

/// The contents of `_manifest.json`.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// Always `tabia-table`.
    pub format: String,
    /// [`FORMAT_VERSION`] when written.
    pub version: u32,
    /// `tabia` and its version.
    pub created_by: String,
    /// [`KEY_SCHEME`].
    pub key_scheme: String,
    /// How the table was counted.
    pub counting: Counting,
    /// The number of games counted: those accepted from the sources, minus those of subtracted inputs.
    pub games: u64,
    /// The number of rows in all shards.
    pub rows: u64,
    /// The part files, in ascending order of their key ranges; their number is a power of two.
    pub shards: Vec<ShardInfo>,
    /// The inputs that were counted, sorted by name, then hash.
    pub sources: Vec<CountedInput>,
    /// The inputs that were subtracted, sorted in the same way.
    pub subtracted: Vec<CountedInput>,
    /// The entry for the fingerprints of the table's games; `None` if the table has no fingerprints. A table
    /// has fingerprints only if copies of games were left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprints: Option<FingerprintsInfo>,
    /// The entry for the examples of the table's rows; `None` if the table has no examples.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub examples: Option<ExamplesInfo>,
    /// The checksum of the manifest.
    pub xxh3: String,
}

/// Whether the folder at `path`, which may be a URL, contains a table manifest of any version. The manifest
/// is not read.
#[must_use]
pub fn is_table(path: &Path) -> bool {
    let stored = |url: store::Url, name| url.join(name).and_then(|url| store::exists(&url)).unwrap_or(false);
    [MANIFEST_NAME, OLD_MANIFEST_NAME].into_iter().any(|name| match store::url_of(path) {
        Ok(Some(url)) => stored(url, name),
        _ => path.join(name).is_file(),
    })
}

impl Manifest {
    /// The first version in which the names of all files except parts begin with `_`.
    const UNDERSCORES: u32 = 3;

    /// The file name of the table's fingerprints.
    pub(crate) fn fingerprints_name(&self) -> String {
        if self.version >= Self::UNDERSCORES {
            fingerprints_name(&self.shards[0].part)
        } else {
            OLD_FINGERPRINTS_NAME.to_owned()
        }
    }

    /// Creates the manifest of a table from its finished shards.
    pub(crate) fn new(
        counting: Counting,
        shards: Vec<ShardInfo>,
        mut sources: Vec<CountedInput>,
        mut subtracted: Vec<CountedInput>,
    ) -> Self {
        sources.sort();
        subtracted.sort();
        let accepted = |list: &[CountedInput]| list.iter().map(|source| source.accepted).sum::<u64>();
        Self {
            format: FORMAT.to_owned(),
            version: FORMAT_VERSION,
            created_by: CREATED_BY.to_owned(),
            key_scheme: KEY_SCHEME.to_owned(),
            counting,
            games: accepted(&sources).saturating_sub(accepted(&subtracted)),
            rows: shards.iter().map(|shard| shard.rows).sum(),
            shards,
            sources,
            subtracted,
            fingerprints: None,
            examples: None,
            xxh3: CHECKSUM_PLACE.to_owned(),
        }
    }

    /// Creates the manifest of a table whose parts were written elsewhere; returns it together with its text.
    /// `shards` has one entry for each part, in order.
    #[must_use]
    pub fn sealed(
        counting: Counting,
        shards: Vec<ShardInfo>,
        (sources, subtracted): (Vec<CountedInput>, Vec<CountedInput>),
        fingerprints: Option<FingerprintsInfo>,
    ) -> (Self, String) {
        let mut manifest = Self { fingerprints, ..Self::new(counting, shards, sources, subtracted) };
        let text = manifest.seal();
        (manifest, text)
    }

    /// Whether `source` was counted more often than it was subtracted. An input is taken to be `source` if
    /// the two inputs [may be the same](CountedInput::may_be). A source that was not read to its end is never
    /// recognised.
    #[must_use]
    pub fn holds(&self, source: &CountedInput) -> bool {
        let times = |list: &[CountedInput]| list.iter().filter(|counted| counted.may_be(source)).count();
        times(&self.sources) > times(&self.subtracted)
    }

    /// Whether any source can be recognised only by the [hash of all its bytes](CountedInput::whole_xxh3). If
    /// so, that hash must also be computed for every input that is compared with the table.
    #[must_use]
    pub fn needs_whole_hashes(&self) -> bool {
        self.sources.iter().any(|source| source.xxh3.is_empty() && !source.whole_xxh3.is_empty())
    }

    /// The number of roots, and the number of games that started from them.
    #[must_use]
    pub fn roots(&self) -> (u64, u64) {
        let infos = self.shards.iter().filter_map(|shard| shard.roots.as_ref());
        infos.fold((0, 0), |(roots, games), info| (roots + info.roots, games + info.tally.games()))
    }

    /// Sets the checksum and returns the file's text.
    pub(crate) fn seal(&mut self) -> String {
        CHECKSUM_PLACE.clone_into(&mut self.xxh3);
        let shards = std::mem::take(&mut self.shards);
        let lines = shards.iter().map(|shard| serde_json::to_string(shard).map(|text| format!("    {text}")));
        let (Ok(lines), Ok(text)) =
            (lines.collect::<Result<Vec<_>, _>>(), serde_json::to_string_pretty(self))
        else {
            unreachable!("a manifest has only string keys and plain values")
        };
        self.shards = shards;
        // The text `"shards": []` can only be the field itself, because quotation marks in strings are
        // escaped.
        let lines = format!("\"shards\": [\n{}\n  ]", lines.join(",\n"));
        let mut text = text.replacen("\"shards\": []", &lines, 1);
        text.push('\n');
        self.xxh3 = hex::digits(xxh3_64(text.as_bytes()));
        let place = checksum_place(&text);
        text.replace_range(place..place + CHECKSUM_PLACE.len(), &self.xxh3);
        text
    }

    /// Reads and checks the text of a manifest.
    pub(crate) fn parse(text: &[u8], path: &Path) -> Result<Self> {
        let bad = |what: String| Error::Manifest { path: path.to_owned(), what };
        let text = std::str::from_utf8(text).map_err(|error| bad(error.to_string()))?;
        check_version(text, path)?;
        let mut manifest: Self = serde_json::from_str(text).map_err(|error| bad(error.to_string()))?;
        check_checksum(text, &manifest.xxh3, path)?;
        let count = manifest.shards.len() as u32;
        for (number, shard) in (0..).zip(&mut manifest.shards) {
            shard.set_range(number, count);
        }
        if manifest.version == 1 {
            manifest
                .sources
                .iter_mut()
                .chain(&mut manifest.subtracted)
                .for_each(CountedInput::convert_version_1);
        }
        manifest.check().map_err(|what| bad(what.to_owned()))?;
        Ok(manifest)
    }

    /// Checks that a manifest with a correct checksum is also consistent.
    fn check(&self) -> Result<(), &'static str> {
        let count = self.shards.len();
        if self.key_scheme != KEY_SCHEME {
            return Err("unknown key scheme");
        }
        if !shard_count_is_valid(count as u64) {
            return Err("the number of shards is not a power of two in 1..=65536");
        }
        let in_place = |(index, shard): (usize, &ShardInfo)| {
            (shard.first, shard.last) == key_range(index as u32, count as u32)
                && is_part_name(&shard.part, index as u32)
        };
        if self.shards.iter().any(|shard| shard.ratings.is_some() != self.counting.ratings) {
            return Err("sums of ratings in some of its parts, or in a table without ratings");
        }
        let placed = self.shards.iter().enumerate().all(in_place);
        placed.then_some(()).ok_or("the shards do not cover the keys in order")
    }
}

/// Refuses a newer format before parsing the rest of the text.
fn check_version(text: &str, path: &Path) -> Result<()> {
    #[derive(Deserialize)]
    struct Head {
        format: String,
        version: u32,
    }
    let head: Head = serde_json::from_str(text)
        .map_err(|error| Error::Manifest { path: path.to_owned(), what: error.to_string() })?;
    if head.format != FORMAT {
        return Err(Error::NotATable { path: path.to_owned(), what: "the manifest is of another format" });
    }
    if head.version > FORMAT_VERSION {
        return Err(Error::Version { path: path.to_owned(), expected: FORMAT_VERSION, got: head.version });
    }
    Ok(())
}

fn check_checksum(text: &str, recorded: &str, path: &Path) -> Result<()> {
    let place = checksum_place(text);
    let mut blank = text.to_owned();
    let end = place + CHECKSUM_PLACE.len();
    let at_the_end = text.ends_with(CHECKSUM_TAIL) && text.get(place..end) == Some(recorded);
    if !at_the_end {
        let what = "its checksum is not its last field".to_owned();
        return Err(Error::Manifest { path: path.to_owned(), what });
    }
    blank.replace_range(place..end, CHECKSUM_PLACE);
    check_hash(xxh3_64(blank.as_bytes()), path, recorded)
}

/// The offset at which the digits of the checksum begin in a manifest's text.
fn checksum_place(text: &str) -> usize {
    text.len().saturating_sub(CHECKSUM_PLACE.len() + CHECKSUM_TAIL.len())
}

/// `#[serde(with)]` for a tally, which is stored as an array of three numbers. Before version 4, it was
/// stored as an object.
mod tally {
    use position::Tally;
    use serde::{Deserialize, Deserializer, Serialize as _, Serializer};

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct TallyFields {
        white: u64,
        draws: u64,
        black: u64,
    }

    pub(super) fn serialize<S: Serializer>(tally: &Tally, serializer: S) -> Result<S::Ok, S::Error> {
        [tally.white, tally.draws, tally.black].serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Tally, D::Error> {
        let counts = TallyFields::deserialize(deserializer)?;
        Ok(Tally { white: counts.white, draws: counts.draws, black: counts.black })
    }
}

/// `#[serde(with)]` for sums of ratings, which may be absent. The sums are stored as an array of three
/// numbers. Before version 4, they were stored as an object.
mod ratings {
    use position::RatingSums;
    use serde::{Deserialize, Deserializer, Serialize as _, Serializer};

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Sums {
        mover_elo: u64,
        opponent_elo: u64,
        rated_games: u64,
    }

    #[expect(clippy::ref_option, reason = "serde calls it with a reference")]
    pub(super) fn serialize<S: Serializer>(
        ratings: &Option<RatingSums>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let sums = ratings.map(|sums| [sums.mover_elo, sums.opponent_elo, sums.rated_games]);
        sums.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<RatingSums>, D::Error> {
        let sums = Option::<Sums>::deserialize(deserializer)?;
        Ok(sums.map(|sums| RatingSums {
            mover_elo: sums.mover_elo,
            opponent_elo: sums.opponent_elo,
            rated_games: sums.rated_games,
        }))
    }
}
