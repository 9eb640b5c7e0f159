//! Registers of sixteen bytes. For a processor without such registers, the compiler emulates them.

use wide::u8x16;

use super::{Lanes, WINDOW_BYTES};

const REGISTERS: usize = WINDOW_BYTES / 16;

/// A window in four registers.
pub(super) struct Portable([u8x16; REGISTERS]);

impl Portable {
    #[inline]
    pub(super) fn new(bytes: &[u8; WINDOW_BYTES]) -> Self {
        let (parts, _) = bytes.as_chunks::<16>();
        Self(std::array::from_fn(|part| u8x16::new(parts[part])))
    }

    #[inline]
    fn mask(&self, is: impl Fn(u8x16) -> u8x16) -> u64 {
        let masks = self.0.map(|part| u64::from(is(part).to_bitmask()));
        masks.into_iter().rev().fold(0, |all, mask| all << 16 | mask)
    }
}

impl Lanes for Portable {
    #[inline]
    fn any<const N: usize>(&self, values: [u8; N]) -> u64 {
        self.mask(|part| {
            let equal = values.map(|value| part.simd_eq(u8x16::splat(value)));
            equal.into_iter().fold(u8x16::ZERO, |any, one| any | one)
        })
    }

    #[inline]
    fn between(&self, first: u8, last: u8) -> u64 {
        self.mask(|part| is_between(part, first, last))
    }

    #[inline]
    fn words(&self) -> u64 {
        self.mask(|part| {
            let letters = is_between(part | u8x16::splat(0x20), b'a', b'z');
            letters | is_between(part, b'0', b'9') | part.simd_eq(u8x16::splat(b'_'))
        })
    }
}

/// One unsigned comparison is enough, because bytes below `first` wrap around to large values.
#[inline]
fn is_between(part: u8x16, first: u8, last: u8) -> u8x16 {
    let above = part - u8x16::splat(first);
    above.min(u8x16::splat(last - first)).simd_eq(above)
}
