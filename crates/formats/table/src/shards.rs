//! How keys are divided into shards: by their top bits, into equal ranges whose number is a power of two.

use position::Key;

/// The file name of a shard.
pub(crate) fn part_name(shard: u32) -> String {
    format!("part-{shard:05}.parquet")
}

/// The file name of a shard in a store. It contains the number of the job that writes the part (eight
/// hexadecimal digits), because parts of several jobs may exist side by side until one of the jobs is
/// committed.
#[must_use]
pub fn part_name_of_job(shard: u32, job: &str) -> String {
    format!("part-{shard:05}-{job}.parquet")
}

/// Returns the job number in the name of a part file or a roots file. Only files in a store have a job number
/// in their names.
#[must_use]
pub fn job_of_part(name: &str) -> Option<&str> {
    let name = name.strip_prefix("_roots/").unwrap_or(name);
    let (shard, job) = name.trim_end_matches(".parquet").strip_prefix("part-")?.split_once('-')?;
    let is_digit = |letter: char| matches!(letter, '0'..='9' | 'a'..='f');
    let is_sound = shard.len() == 5 && job.len() == 8 && job.chars().all(is_digit);
    is_sound.then_some(job)
}

/// Whether `name` can be the name of the part file of `shard`.
pub(crate) fn is_part_name(name: &str, shard: u32) -> bool {
    job_of_part(name).map_or_else(|| part_name(shard), |job| part_name_of_job(shard, job)) == name
}

/// Whether a table may have `shards` shards.
pub(crate) fn shard_count_is_valid(shards: u64) -> bool {
    shards.is_power_of_two() && shards <= 65_536
}

/// First and last key of a shard, which holds the keys whose top bits are the shard's number.
pub(crate) fn key_range(shard: u32, shards: u32) -> (Key, Key) {
    let width = 64 - shards.trailing_zeros();
    let first = u64::from(shard).checked_shl(width).unwrap_or(0);
    (Key(first), Key(first | u64::MAX.checked_shr(64 - width).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn part_files_have_the_names_of_their_shards_alone() {
        for name in ["part-00003.parquet", "part-00003-0a1b2c3d.parquet"] {
            assert!(is_part_name(name, 3) && !is_part_name(name, 2), "{name}");
        }
        for name in [
            "part-00003-0a1b2c3.parquet",
            "part-00003-0A1B2C3D.parquet",
            "part-00003-../../..x.parquet",
            "_roots/part-00003-0a1b2c3d",
            "part-00003-0a1b2c3d",
            "x/part-00003-0a1b2c3d.parquet",
        ] {
            assert!(!is_part_name(name, 3), "{name}");
        }
        assert_eq!(job_of_part("_roots/part-00003-0a1b2c3d"), Some("0a1b2c3d"));
        assert_eq!(job_of_part("_roots/part-00003"), None);
    }

    #[test]
    fn ranges_cover_all_keys_in_order() {
        assert_eq!(key_range(0, 1), (Key(0), Key(u64::MAX)));
        assert_eq!(key_range(3, 4), (Key(3 << 62), Key(u64::MAX)));
        for shards in [2, 16, 65_536] {
            for shard in 1..shards {
                assert_eq!(key_range(shard - 1, shards).1.0 + 1, key_range(shard, shards).0.0);
            }
            assert_eq!(key_range(shards - 1, shards).1, Key(u64::MAX));
        }
        assert_eq!([0, 1, 3, 65_536, 131_072].map(shard_count_is_valid), [false, true, false, true, false]);
    }
}
