//! Sixty-four bytes looked at together: what is asked of each is answered by one bit.

use wide::u8x16;

/// As many bytes as a machine word has bits.
pub(crate) const WINDOW_BYTES: usize = 64;

const LANES: usize = WINDOW_BYTES / 16;

/// The bytes of a window in vector registers; bit *i* of every answer stands for byte *i*.
pub(crate) struct Lanes([u8x16; LANES]);

impl Lanes {
    #[inline]
    pub(crate) fn new(bytes: &[u8; WINDOW_BYTES]) -> Self {
        let (lanes, _) = bytes.as_chunks::<16>();
        Self(std::array::from_fn(|lane| u8x16::new(lanes[lane])))
    }

    /// Which bytes are one of `values`.
    #[inline]
    pub(crate) fn any<const N: usize>(&self, values: [u8; N]) -> u64 {
        self.mask(|lane| {
            let equal = values.map(|value| lane.simd_eq(u8x16::splat(value)));
            equal.into_iter().fold(u8x16::ZERO, |any, one| any | one)
        })
    }

    /// Which bytes are from `first` to `last`.
    #[inline]
    pub(crate) fn between(&self, first: u8, last: u8) -> u64 {
        self.mask(|lane| is_between(lane, first, last))
    }

    /// Which bytes are ASCII letters, digits or underscores.
    #[inline]
    pub(crate) fn words(&self) -> u64 {
        self.mask(|lane| {
            let letters = is_between(lane | u8x16::splat(0x20), b'a', b'z');
            letters | is_between(lane, b'0', b'9') | lane.simd_eq(u8x16::splat(b'_'))
        })
    }

    #[inline]
    fn mask(&self, is: impl Fn(u8x16) -> u8x16) -> u64 {
        let masks = self.0.map(|lane| u64::from(is(lane).to_bitmask()));
        masks.into_iter().rev().fold(0, |all, mask| all << 16 | mask)
    }
}

#[inline]
fn is_between(lane: u8x16, first: u8, last: u8) -> u8x16 {
    let above = lane - u8x16::splat(first);
    above.min(u8x16::splat(last - first)).simd_eq(above)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_is_told_wherever_it_stands() {
        for byte in 0..=u8::MAX {
            for at in [0, 15, 16, 40, 63] {
                let mut bytes = [0; WINDOW_BYTES];
                bytes[at] = byte;
                let lanes = Lanes::new(&bytes);
                let expect = |found: u64, is: bool| {
                    assert_eq!(found, u64::from(is) << at, "{byte} at {at}");
                };
                expect(lanes.any(*b"a[9"), b"a[9".contains(&byte));
                expect(lanes.between(b'1', b'8'), (b'1'..=b'8').contains(&byte));
                expect(lanes.words(), byte.is_ascii_alphanumeric() || byte == b'_');
            }
        }
    }
}
