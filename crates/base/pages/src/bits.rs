//! Numbers of a fixed width, packed without gaps, least significant bit first.

/// The number of values that are packed at a time. At any width, a group of this size fills a whole number of
/// bytes. It is also one miniblock of `delta`.
pub(crate) const GROUP: usize = 32;

/// The length in bytes of a group of values at the maximum width.
const GROUP_BYTES_MAX: usize = GROUP * 8;

/// Packs a group of values into the beginning of a buffer.
type Packer = fn(&[u64; GROUP], &mut [u8; GROUP_BYTES_MAX]);

/// One packer per width, so that the compiler knows where each value's bits go.
macro_rules! packers {
    ($($width:literal)*) => { [$(pack_group::<$width>),*] };
}

static PACKERS: [Packer; 65] = packers![
    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32
    33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64
];

/// Calls `number` for each of `values` and appends the results, packed into `width` bits each and padded with
/// zero bits to a multiple of 32 values. `number` must return numbers below 2^`width`.
#[inline]
pub(crate) fn pack<T: Copy>(values: &[T], number: impl Fn(T) -> u64, width: u32, out: &mut Vec<u8>) {
    let pack_group = PACKERS[width as usize];
    let bytes = GROUP / 8 * width as usize;
    let mut packed = [0; GROUP_BYTES_MAX];
    for values in values.chunks(GROUP) {
        let mut group = [0; GROUP];
        group.iter_mut().zip(values).for_each(|(slot, value)| *slot = number(*value));
        pack_group(&group, &mut packed);
        out.extend_from_slice(&packed[..bytes]);
    }
}

/// Packs the values that have these indices into `words`. Every index is written out, because the compiler
/// does not unroll a loop this long.
macro_rules! add_values {
    ($values:ident, $words:ident, $($index:literal)*) => {
        $(
            let (word, used) = ($index * WIDTH / 64, $index * WIDTH % 64);
            $words[word] |= $values[$index] << used;
            if used + WIDTH > 64 {
                // The high bits of the value did not fit in the word.
                $words[word + 1] = $values[$index] >> (64 - used);
            }
        )*
    };
}

fn pack_group<const WIDTH: usize>(values: &[u64; GROUP], packed: &mut [u8; GROUP_BYTES_MAX]) {
    // The words that hold the packed values, plus one extra word, so that `word + 1` is always a valid index.
    let mut words = [0_u64; GROUP + 1];
    add_values!(values, words, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15);
    add_values!(values, words, 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31);
    for (bytes, word) in packed.chunks_exact_mut(8).zip(words).take(WIDTH.div_ceil(2)) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
}

/// Appends an unsigned LEB128 number.
pub(crate) fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed number as zigzag LEB128.
pub(crate) fn zigzag(value: i64, out: &mut Vec<u8>) {
    varint(((value << 1) ^ (value >> 63)).cast_unsigned(), out);
}

/// The number of bits needed to store `largest`.
#[must_use]
pub fn width_of(largest: u64) -> u32 {
    64 - largest.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prop_packed_values_stand_at_their_bits(width in 0_u32..=64, seeds in prop::collection::vec(any::<u64>(), 0..100)) {
            let values: Vec<u64> = seeds.iter().map(|seed| seed.checked_shr(64 - width).unwrap_or(0)).collect();
            let mut out = Vec::new();
            pack(&values, |value| value, width, &mut out);
            prop_assert_eq!(out.len(), values.len().div_ceil(32) * 4 * width as usize);
            for bit in 0..8 * out.len() {
                let value = values.get(bit / width as usize).copied().unwrap_or(0);
                prop_assert_eq!(u64::from(out[bit / 8] >> (bit % 8) & 1), value >> (bit % width as usize) & 1);
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
