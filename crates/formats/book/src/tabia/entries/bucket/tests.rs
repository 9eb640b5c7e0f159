//! Keys and bodies of buckets, written and read back.

use position::Tally;
use proptest::prelude::*;
use shakmaty::Color;

use super::*;
use crate::PositionEntry;

fn leaf(key: u64) -> PositionEntry {
    let tally = Tally { white: key % 7, draws: 0, black: 1 };
    PositionEntry { key: Key(key), turn: Color::White, tally, edges: Vec::new() }
}

proptest! {
    #[test]
    fn prop_every_key_of_a_bucket_is_found(bucket_bits in 0u32..33, lows in prop::collection::btree_set(0u64.., 1..80), probe: u64) {
        let bits = KeyBits { bucket: bucket_bits };
        let number = bits.bucket_of(Key(probe));
        let own = |low: u64| bits.key(number, 0, low >> bucket_bits);
        let keys: std::collections::BTreeSet<Key> = lows.into_iter().map(own).collect();
        let mut open = OpenBucket::default();
        for key in &keys {
            open.push(*key, Body::of(&leaf(key.0)).unwrap());
        }
        let mut bytes = Vec::new();
        open.close(bits, &mut bytes);
        let bucket = Bucket::new(&bytes, bits, number);
        let mut found = Vec::new();
        let mut bodies = bucket.keys(&mut found).unwrap();
        prop_assert_eq!(&found, &keys.iter().copied().collect::<Vec<_>>());
        let mut entry = PositionEntry::default();
        for &key in &keys {
            body::read(&mut bodies, &mut entry).unwrap();
            prop_assert_eq!(entry.tally, leaf(key.0).tally);
            let mut body = bucket.find(key).unwrap().unwrap();
            body::read(&mut body, &mut entry).unwrap();
            prop_assert_eq!(entry.tally, leaf(key.0).tally);
        }
        prop_assert_eq!(bodies.at, bytes.len());
        let absent = own(probe);
        prop_assert_eq!(bucket.find(absent).unwrap().is_some(), keys.contains(&absent));
    }
}
