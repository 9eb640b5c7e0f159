//! Items with the distribution of chess edges, the same in every run.
//!
//! A quarter of them is drawn from 50,000 frequent ids (the openings, by Zipf's law), and the rest are
//! unique. Keys are hashes; moves and notes have about eleven and five bits of entropy.

use extsort::{Item, Sum};

/// An item with an id of 110 bits, a note of 16 and an outcome of 2.
#[derive(Clone, Copy)]
pub(crate) struct Edge(pub(crate) u128);

impl Item<3> for Edge {
    type Combine = Sum;
    const PAYLOAD_BITS: u32 = 18;
    #[inline]
    fn bits(&self) -> u128 {
        self.0
    }
    #[inline]
    fn note(&self) -> u16 {
        (self.0 >> 2) as u16
    }
    #[inline]
    fn add_to(&self, sums: &mut [u64; 3]) {
        sums[(self.0 & 3) as usize % 3] += 1;
    }
}

/// A stream of generated edges.
pub(crate) struct Edges {
    seed: u64,
    /// Ranks of hot ids, each as often as Zipf's law says.
    hot: Vec<u32>,
}

impl Edges {
    pub(crate) fn new(seed: u64) -> Self {
        let hot = (1..=50_000u32).flat_map(|rank| (0..=5000 / rank).map(move |_| rank)).collect();
        Self { seed: seed << 40, hot }
    }

    fn random(&mut self) -> u64 {
        self.seed = self.seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.seed)
    }

    pub(crate) fn next(&mut self) -> Edge {
        let random = self.random();
        // One item in four is hot: a few moves from each of the hot positions.
        let (key, pick) = if random.trailing_zeros() >= 2 {
            let rank = self.hot[(random >> 8) as usize % self.hot.len()];
            (mix(u64::from(rank / 3)), mix(u64::from(rank)))
        } else {
            (self.random(), self.random())
        };
        let [from, to, note] = [pick, pick >> 8, pick >> 16].map(skewed);
        let note = mix(note % 48) & 0xffff;
        let outcome = (random >> 2) % 3;
        Edge(u128::from(key) << 64 | u128::from(from << 58 | to << 52) | u128::from(note << 2 | outcome))
    }
}

/// A number of six bits, of which small ones are more frequent.
fn skewed(random: u64) -> u64 {
    random & (random >> 20 | random >> 40) & 0x3f
}

pub(crate) fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
