//! Bit strings, with the least significant bit of each byte first.

/// Appends bits to a byte vector.
#[derive(Debug)]
pub(crate) struct BitWriter<'a> {
    out: &'a mut Vec<u8>,
    pending: u128,
    /// The number of pending bits, below 64.
    filled: u32,
}

impl<'a> BitWriter<'a> {
    pub(crate) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, pending: 0, filled: 0 }
    }

    /// Appends the `width` lowest bits of `value`; its other bits must be zero.
    #[inline]
    pub(crate) fn write(&mut self, value: u64, width: u32) {
        // Fewer than 64 bits are pending, so 64 more always fit into 128. Whole words are written at once.
        self.pending |= u128::from(value) << self.filled;
        self.filled += width;
        if self.filled >= 64 {
            self.out.extend((self.pending as u64).to_le_bytes());
            self.pending >>= 64;
            self.filled -= 64;
        }
    }

    /// Writes the pending bits, padded with zeros to a whole byte.
    pub(crate) fn finish(self) {
        let bytes = self.filled.div_ceil(8) as usize;
        self.out.extend(&self.pending.to_le_bytes()[..bytes]);
    }
}

/// The `width` (at most 64) bits starting at bit `at`; `None` if they extend past the end.
#[inline]
pub(crate) fn read_bits(bytes: &[u8], at: usize, width: u32) -> Option<u64> {
    let (start, shift) = (at / 8, at % 8);
    // Sixteen bytes are enough for 64 bits that start at any bit of the first byte, so one load suffices for
    // any width.
    let window = match bytes.get(start..).and_then(<[u8]>::first_chunk) {
        Some(&window) => u128::from_le_bytes(window),
        None => last_window(bytes, start, at.checked_add(width as usize)?)?,
    };
    let mask = (1u128 << width) - 1;
    Some((window >> shift & mask) as u64)
}

/// The bytes starting at `start`, padded with zeros; `None` if they end before bit `end`.
#[cold]
fn last_window(bytes: &[u8], start: usize, end: usize) -> Option<u128> {
    if end > bytes.len() * 8 {
        return None;
    }
    let rest = bytes.get(start..)?;
    let mut window = [0; 16];
    window[..rest.len()].copy_from_slice(rest);
    Some(u128::from_le_bytes(window))
}

/// The position of the `nth` zero bit, counting from 0; `None` if there is no such bit.
#[inline]
pub(crate) fn nth_zero(bytes: &[u8], mut nth: u32) -> Option<usize> {
    for (index, word) in bytes.chunks(8).enumerate() {
        let mut zeros = !load_ones(word);
        let count = zeros.count_ones();
        if nth < count {
            // Each round clears the lowest set bit; `nth` is at most 31, one less than the number of slots.
            for _ in 0..nth {
                zeros &= zeros - 1;
            }
            return Some(index * 64 + zeros.trailing_zeros() as usize);
        }
        nth -= count;
    }
    None
}

/// The indices of the bits set to one among the first `end` bits, in ascending order; `end` must not exceed
/// the length in bits.
#[inline]
pub(crate) fn ones(bytes: &[u8], end: usize) -> impl Iterator<Item = usize> + '_ {
    bytes[..end.div_ceil(8)].chunks(8).enumerate().flat_map(move |(index, word)| {
        // In the last word, the mask clears bit `end` and those after it, which belong to other fields.
        let bits_left = end - index * 64;
        let mut rest = load_ones(word) & u64::MAX >> 64usize.saturating_sub(bits_left);
        std::iter::from_fn(move || {
            // The lowest set bit comes first; `rest & (rest - 1)` clears it.
            let at = (rest != 0).then(|| index * 64 + rest.trailing_zeros() as usize);
            rest &= rest.wrapping_sub(1);
            at
        })
    })
}

/// Converts up to eight bytes to a number, padded with ones so that the padding is never counted as a zero
/// bit.
#[inline]
fn load_ones(word: &[u8]) -> u64 {
    if let Some(&whole) = word.first_chunk() {
        return u64::from_le_bytes(whole);
    }
    let mut filled = [0xff; 8];
    filled[..word.len()].copy_from_slice(word);
    u64::from_le_bytes(filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prop_bits_round_trip(parts: Vec<(u64, u8)>) {
            let parts: Vec<_> = parts
                .into_iter()
                .map(|(value, width)| (value, u32::from(width) % 60))
                .map(|(value, width)| (value & ((1 << width) - 1), width))
                .collect();
            let mut bytes = Vec::new();
            let mut writer = BitWriter::new(&mut bytes);
            for &(value, width) in &parts {
                writer.write(value, width);
            }
            writer.finish();
            let mut at = 0;
            for (value, width) in parts {
                prop_assert_eq!(read_bits(&bytes, at, width), Some(value));
                at += width as usize;
            }
            prop_assert_eq!(bytes.len(), at.div_ceil(8));
            prop_assert_eq!(read_bits(&bytes, at, 8), None);
        }

        #[test]
        fn prop_ones_are_found(bytes: Vec<u8>, end: prop::sample::Index) {
            let end = end.index(bytes.len() * 8 + 1);
            let bit = |at: usize| bytes[at / 8] >> (at % 8) & 1;
            let expected: Vec<_> = (0..end).filter(|&at| bit(at) == 1).collect();
            prop_assert_eq!(ones(&bytes, end).collect::<Vec<_>>(), expected);
        }

        #[test]
        fn prop_zeros_are_found(bytes: Vec<u8>) {
            let bit = |at: usize| bytes[at / 8] >> (at % 8) & 1;
            let zeros: Vec<_> = (0..bytes.len() * 8).filter(|&at| bit(at) == 0).collect();
            for (nth, &at) in zeros.iter().enumerate() {
                prop_assert_eq!(nth_zero(&bytes, nth as u32), Some(at));
            }
            prop_assert_eq!(nth_zero(&bytes, zeros.len() as u32), None);
        }
    }
}
