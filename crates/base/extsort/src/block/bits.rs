//! Numbers of equal width, packed into little-endian 64-bit words from the lowest bit up.

/// The number of bytes that `count` numbers of `width` bits take. This includes a zero word at the end, so
/// that a reader can always load two words.
pub(crate) fn packed_bytes(count: usize, width: u8) -> usize {
    if count == 0 { 0 } else { 8 * ((count * usize::from(width)).div_ceil(64) + 1) }
}

/// A number of at most this width lies within eight bytes, even if it begins at the last bit of the first
/// byte.
const NARROW_BITS: u8 = 56;

/// Appends `values`, each less than 2^`width`, followed by a zero word. If there are no values, it appends
/// nothing.
pub(crate) fn pack(values: &[u64], width: u8, out: &mut Vec<u8>) {
    if values.is_empty() {
        return;
    }
    let start = out.len();
    out.resize(start + packed_bytes(values.len(), width), 0);
    let bytes = &mut out[start..];
    if width <= NARROW_BITS { pack_narrow(values, width, bytes) } else { pack_wide(values, width, bytes) }
}

/// A number may begin in the middle of a byte. Each write therefore also writes the bits that this byte
/// already has. This needs no branch.
fn pack_narrow(values: &[u64], width: u8, bytes: &mut [u8]) {
    let (mut bits, mut used, mut at) = (0u64, 0, 0);
    for value in values {
        bits |= value << used;
        bytes[at..at + 8].copy_from_slice(&bits.to_le_bytes());
        used += u32::from(width);
        let full = used / 8;
        at += full as usize;
        bits >>= 8 * full;
        used %= 8;
    }
}

fn pack_wide(values: &[u64], width: u8, bytes: &mut [u8]) {
    let width = usize::from(width);
    for (index, value) in values.iter().enumerate() {
        let (word, shift) = (index * width / 64 * 8, index * width % 64);
        for (part, byte) in (u128::from(*value) << shift).to_le_bytes().iter().zip(&mut bytes[word..]) {
            *byte |= part;
        }
    }
}

/// Reads the number at `index`; `None` past the end of `packed`.
#[inline]
pub(crate) fn unpack(packed: &[u8], width: u8, index: usize) -> Option<u64> {
    let bit = index * usize::from(width);
    if width <= NARROW_BITS {
        let word = packed.get(bit / 8..)?.first_chunk::<8>()?;
        return Some(u64::from_le_bytes(*word) >> (bit % 8) & ((1 << width) - 1));
    }
    let words = packed.get(bit / 64 * 8..)?.first_chunk::<16>()?;
    let value = (u128::from_le_bytes(*words) >> (bit % 64)) as u64;
    let unused = 64 - u32::from(width);
    Some(value << unused >> unused)
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
