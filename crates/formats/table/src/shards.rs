//! How the keys are cut into shards: by their top bits, into a power of two of equal ranges.

use position::Key;

/// The file name of a shard.
pub(crate) fn part_name(shard: u32) -> String {
    format!("part-{shard:05}.parquet")
}

/// Whether a table may have this many shards.
pub(crate) fn shard_count_is_valid(shards: u64) -> bool {
    shards.is_power_of_two() && shards <= 65_536
}

/// First and last key of a shard: the keys whose top bits are its number.
pub(crate) fn key_range(shard: u32, shards: u32) -> (Key, Key) {
    let width = 64 - shards.trailing_zeros();
    let first = u64::from(shard).checked_shl(width).unwrap_or(0);
    (Key(first), Key(first | u64::MAX.checked_shr(64 - width).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

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
