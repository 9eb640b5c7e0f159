//! Numbers of equal width, packed into little-endian 64-bit words from the lowest bit up.

/// The bytes that `count` numbers of `width` bits take, with the zero word that lets a reader load two.
pub(crate) fn packed_bytes(count: usize, width: u8) -> usize {
    if count == 0 { 0 } else { 8 * ((count * usize::from(width)).div_ceil(64) + 1) }
}

/// Appends `values`, each below 2^`width`, and the zero word after them.
pub(crate) fn pack(values: &[u64], width: u8, out: &mut Vec<u8>) {
    if values.is_empty() {
        return;
    }
    let width = u32::from(width);
    let (mut word, mut used) = (0u64, 0u32);
    for value in values {
        word |= value << used;
        used += width;
        if used >= 64 {
            out.extend_from_slice(&word.to_le_bytes());
            used -= 64;
            // What of the value did not fit; nothing if it ended with the word.
            word = value.checked_shr(width - used).unwrap_or(0);
        }
    }
    if used > 0 {
        out.extend_from_slice(&word.to_le_bytes());
    }
    out.extend_from_slice(&[0; 8]);
}

/// Reads the number at `index`; `None` past the end of `packed`.
#[inline]
pub(crate) fn unpack(packed: &[u8], width: u8, index: usize) -> Option<u64> {
    let bit = index * usize::from(width);
    let words = packed.get(bit / 64 * 8..)?.first_chunk::<16>()?;
    let value = (u128::from_le_bytes(*words) >> (bit % 64)) as u64;
    let unused = 64 - u32::from(width);
    Some(if unused == 64 { 0 } else { value << unused >> unused })
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn prop_round_trip(values in proptest::collection::vec(proptest::num::u64::ANY, 1..100), width in 1u8..=64) {
            let values: Vec<u64> = values.iter().map(|value| value >> (64 - width)).collect();
            let mut packed = Vec::new();
            pack(&values, width, &mut packed);
            proptest::prop_assert_eq!(packed.len(), packed_bytes(values.len(), width));
            for (index, value) in values.iter().enumerate() {
                proptest::prop_assert_eq!(unpack(&packed, width, index), Some(*value));
            }
            proptest::prop_assert_eq!(unpack(&packed, width, 10_000), None);
        }
    }
}
