//! Numbers of a fixed width, packed without gaps, least significant bit first.

/// Appends `values`, each below 2^`width`, and zero bits up to a whole byte.
#[inline]
pub(super) fn pack(values: impl Iterator<Item = u64>, width: u32, out: &mut Vec<u8>) {
    let (mut word, mut used) = (0_u64, 0_u32);
    for value in values {
        word |= value << used;
        used += width;
        if used >= 64 {
            out.extend_from_slice(&word.to_le_bytes());
            used -= 64;
            // The bits of the value that the word had no room for.
            word = if used == 0 { 0 } else { value >> (width - used) };
        }
    }
    out.extend_from_slice(&word.to_le_bytes()[..used.div_ceil(8) as usize]);
}

/// Appends an unsigned LEB128 number.
pub(super) fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed number as zigzag LEB128.
pub(super) fn zigzag(value: i64, out: &mut Vec<u8>) {
    varint(((value << 1) ^ (value >> 63)).cast_unsigned(), out);
}

/// Bits needed for `largest`.
pub(super) fn width_of(largest: u64) -> u32 {
    64 - largest.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prop_packed_values_stand_at_their_bits(width in 1_u32..=64, seeds in prop::collection::vec(any::<u64>(), 0..100)) {
            let values: Vec<u64> = seeds.iter().map(|seed| seed >> (64 - width)).collect();
            let mut out = Vec::new();
            pack(values.iter().copied(), width, &mut out);
            prop_assert_eq!(out.len(), (values.len() * width as usize).div_ceil(8));
            for (index, &value) in values.iter().enumerate() {
                for bit in 0..width as usize {
                    let at = index * width as usize + bit;
                    prop_assert_eq!(out[at / 8] >> (at % 8) & 1, (value >> bit & 1) as u8);
                }
            }
        }
    }

    #[test]
    fn varints_are_leb128() {
        let mut out = Vec::new();
        varint(300, &mut out);
        zigzag(-1, &mut out);
        zigzag(64, &mut out);
        assert_eq!(out, [0xac, 0x02, 0x01, 0x80, 0x01]);
        assert_eq!([0, 1, 255, 256].map(width_of), [0, 1, 8, 9]);
    }
}
