//! Random numbers that are the same on every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

/// A seeded random number generator, which uses `ChaCha` with eight rounds. All random numbers are made from
/// 64-bit integers.
///
/// # Stability
///
/// The key is the seed in little-endian order, followed by 24 zero bytes; the nonce is the number of the
/// stream. The output of `ChaCha` is fixed by its specification, and its 64-bit words are used in order. A
/// seed therefore gives the same moves on every machine and in every version.
#[derive(Clone, Debug)]
#[must_use]
pub struct Rng(ChaCha8Rng);

impl Rng {
    /// The generator of `seed`.
    pub fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// Creates one of a seed's 2^64 independent generators, which are called streams. If each task uses its
    /// own stream, the results do not depend on how the tasks are divided among threads. Stream 0 is the
    /// generator that [`Self::new`] creates.
    pub fn stream(seed: u64, stream: u64) -> Self {
        let mut rng = Self::new(seed);
        rng.0.set_stream(stream);
        rng
    }

    /// Draws a multiple of 2^-53 that is at least 0 and less than 1. The result is exact, so it is the same
    /// on every machine.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit an f64 exactly")]
    pub fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Draws an integer in 0..`bound`, where all are equally likely; 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        // To make all remainders equally likely, a word is discarded unless it is below the largest multiple
        // of `bound` that does not exceed 2^64.
        let Some(spare) = u64::MAX.checked_rem(bound) else { return 0 };
        loop {
            let word = self.0.next_u64();
            if word <= u64::MAX - (spare + 1) % bound {
                return word % bound;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_draws_the_same_everywhere() {
        let mut rng = Rng::new(1);
        let drawn: Vec<u64> = (0..8).map(|_| rng.below(1000)).collect();
        assert_eq!(drawn, [407, 230, 458, 594, 360, 526, 700, 210]);
        // The first 64 bits of the published ChaCha8 key stream for an all-zero key.
        assert_eq!(Rng::new(0).below(u64::MAX), 0xd640_5f89_2fef_003e);
    }

    #[test]
    fn streams_of_a_seed_differ_and_the_first_is_the_seeds() {
        let first = |mut rng: Rng| rng.below(u64::MAX);
        assert_eq!(first(Rng::stream(9, 0)), first(Rng::new(9)));
        assert_ne!(first(Rng::stream(9, 1)), first(Rng::new(9)));
        assert_eq!(first(Rng::stream(9, 1)), first(Rng::stream(9, 1)));
    }

    #[test]
    fn units_stay_below_one() {
        let mut rng = Rng::new(2);
        assert!((0..1000).map(|_| rng.unit()).all(|unit| (0.0..1.0).contains(&unit)));
    }

    #[test]
    fn bounds_of_zero_and_one_draw_zero() {
        let mut rng = Rng::new(3);
        assert_eq!((rng.below(0), rng.below(1)), (0, 0));
    }
}
