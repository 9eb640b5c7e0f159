//! AVX2's 32-byte registers, for processors that have them. Code that uses them needs half as many
//! instructions as the portable code.
#![expect(unsafe_code, reason = "instructions that not every processor has are reached by unsafe calls")]
#![expect(
    clippy::inline_always,
    reason = "so that everything is compiled for AVX2 with `classify_with_avx2`"
)]

use std::arch::x86_64::{
    __m256i, _mm256_cmpeq_epi8, _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_set1_epi8,
    _mm256_setr_epi64x, _mm256_sub_epi8,
};

use super::{Classify, Lanes, WINDOW_BYTES};

/// Proof that the processor has AVX2; only [`detect`](Self::detect) can make one.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    #[inline]
    pub(super) fn detect() -> Option<Self> {
        std::is_x86_feature_detected!("avx2").then_some(Self(()))
    }

    #[inline]
    pub(super) fn classify<L: Classify>(self, bytes: &[u8; WINDOW_BYTES]) -> L {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { classify_with_avx2(self, bytes) }
    }
}

#[target_feature(enable = "avx2")]
fn classify_with_avx2<L: Classify>(avx2: Avx2, bytes: &[u8; WINDOW_BYTES]) -> L {
    L::classify(&Registers::new(avx2, bytes))
}

/// A window in two registers. It is made from an [`Avx2`], so it can exist only if the processor has AVX2.
struct Registers([__m256i; 2]);

impl Registers {
    #[inline(always)]
    fn new(_: Avx2, bytes: &[u8; WINDOW_BYTES]) -> Self {
        let (words, _) = bytes.as_chunks::<8>();
        let word = |at: usize| u64::from_le_bytes(words[at]).cast_signed();
        // SAFETY: the first argument proves that the processor has AVX2.
        let low = unsafe { _mm256_setr_epi64x(word(0), word(1), word(2), word(3)) };
        // SAFETY: as above.
        let high = unsafe { _mm256_setr_epi64x(word(4), word(5), word(6), word(7)) };
        Self([low, high])
    }
}

// These methods avoid closures: a closure does not inherit the target feature, so it would not be inlined,
// and every call would pass the registers through memory.
impl Lanes for Registers {
    #[inline(always)]
    fn any<const N: usize>(&self, values: [u8; N]) -> u64 {
        let Self([low, high]) = *self;
        let mut any = [splat(0); 2];
        for value in values {
            let value = splat(value);
            any = [or(any[0], equal(low, value)), or(any[1], equal(high, value))];
        }
        bits(any)
    }

    #[inline(always)]
    fn between(&self, first: u8, last: u8) -> u64 {
        let Self([low, high]) = *self;
        bits([is_between(low, first, last), is_between(high, first, last)])
    }

    #[inline(always)]
    fn words(&self) -> u64 {
        let Self([low, high]) = *self;
        bits([is_word(low), is_word(high)])
    }
}

// The functions below are called only by methods of `Registers`, which exist only on processors with AVX2.
// The unsafe calls in these functions are therefore sound. The methods of `Registers` implement a trait, so
// they cannot have the `target_feature` attribute themselves.

/// Packs the results for both halves into one bit per byte: each byte is 0 or 255, and `movemask` extracts
/// its top bit.
#[inline(always)]
fn bits([low, high]: [__m256i; 2]) -> u64 {
    // SAFETY: `Registers` exist only on processors with AVX2.
    let low = unsafe { _mm256_movemask_epi8(low) }.cast_unsigned();
    // SAFETY: as above.
    let high = unsafe { _mm256_movemask_epi8(high) }.cast_unsigned();
    u64::from(high) << 32 | u64::from(low)
}

// Setting bit 5 makes upper-case letters lower-case, and turns no other byte into a letter.
#[inline(always)]
fn is_word(half: __m256i) -> __m256i {
    let letters = is_between(or(half, splat(0x20)), b'a', b'z');
    or(letters, or(is_between(half, b'0', b'9'), equal(half, splat(b'_'))))
}

#[inline(always)]
fn splat(value: u8) -> __m256i {
    // SAFETY: `Registers` exist only on processors with AVX2.
    unsafe { _mm256_set1_epi8(value.cast_signed()) }
}

#[inline(always)]
fn equal(one: __m256i, other: __m256i) -> __m256i {
    // SAFETY: `Registers` exist only on processors with AVX2.
    unsafe { _mm256_cmpeq_epi8(one, other) }
}

#[inline(always)]
fn or(one: __m256i, other: __m256i) -> __m256i {
    // SAFETY: `Registers` exist only on processors with AVX2.
    unsafe { _mm256_or_si256(one, other) }
}

// AVX2 can compare only signed bytes, but it has an unsigned minimum. First, `first` is subtracted from every
// byte; bytes below `first` wrap around to large values. A byte is in range if its difference from `first` is
// at most `last - first`, that is, if the minimum of the difference and `last - first` is the difference
// itself.
#[inline(always)]
fn is_between(half: __m256i, first: u8, last: u8) -> __m256i {
    // SAFETY: `Registers` exist only on processors with AVX2.
    let above = unsafe { _mm256_sub_epi8(half, splat(first)) };
    // SAFETY: as above.
    equal(unsafe { _mm256_min_epu8(above, splat(last - first)) }, above)
}
