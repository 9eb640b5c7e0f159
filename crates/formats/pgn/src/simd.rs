//! Determines which bytes of a 64-byte window belong to a set, and returns one bit per byte.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

/// The number of bytes in a window. A set of bytes in a window is a `u64`, with one bit for each byte.
pub(crate) const WINDOW_BYTES: usize = 64;

/// The bytes of a window in vector registers. Every method returns a set of bytes, in which bit *i* stands
/// for byte *i*.
pub(crate) trait Lanes {
    /// Which bytes are one of `values`.
    fn any<const N: usize>(&self, values: [u8; N]) -> u64;

    /// Which bytes have a value from `first` to `last`, inclusive.
    fn between(&self, first: u8, last: u8) -> u64;

    /// Which bytes are ASCII letters, digits or underscores.
    fn words(&self) -> u64;
}

/// Sets of bytes within a window, computed from its registers.
pub(crate) trait Classify {
    /// Computes the sets. The method must be inlined: only then is it compiled with the instructions for
    /// these registers.
    fn classify(lanes: &impl Lanes) -> Self;
}

/// Computes the sets of a window with the widest registers that the processor has.
#[inline]
pub(crate) fn classify<L: Classify>(bytes: &[u8; WINDOW_BYTES]) -> L {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = avx2::Avx2::detect() {
        return avx2.classify(bytes);
    }
    L::classify(&portable::Portable::new(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results of all methods of [`Lanes`].
    struct All {
        any: u64,
        between: u64,
        words: u64,
    }

    impl Classify for All {
        fn classify(lanes: &impl Lanes) -> Self {
            Self { any: lanes.any(*b"a[9"), between: lanes.between(b'1', b'8'), words: lanes.words() }
        }
    }

    #[test]
    fn every_byte_is_recognised_at_every_place() {
        for byte in 0..=u8::MAX {
            for at in [0, 15, 16, 31, 32, 40, 63] {
                let mut bytes = [0; WINDOW_BYTES];
                bytes[at] = byte;
                for All { any, between, words } in
                    [classify(&bytes), All::classify(&portable::Portable::new(&bytes))]
                {
                    assert_eq!(any, u64::from(b"a[9".contains(&byte)) << at, "{byte} at {at}");
                    assert_eq!(between, u64::from((b'1'..=b'8').contains(&byte)) << at, "{byte} at {at}");
                    let word = byte.is_ascii_alphanumeric() || byte == b'_';
                    assert_eq!(words, u64::from(word) << at, "{byte} at {at}");
                }
            }
        }
    }
}
