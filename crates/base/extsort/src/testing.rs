//! Items for the tests of this crate.

use crate::{Item, Least, Sum};

/// An item like an edge's observation: 110 bits of identity, 16 bits of note, and in 2 bits the number of the
/// sum that it adds to (3 means none).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Count(pub(crate) u128);

impl Item<3> for Count {
    type Combine = Sum;
    const PAYLOAD_BITS: u32 = 18;
    fn bits(&self) -> u128 {
        self.0
    }
    fn note(&self) -> u16 {
        (self.0 >> 2) as u16
    }
    fn add_to(&self, sums: &mut [u64; 3]) {
        for (index, sum) in sums.iter_mut().enumerate() {
            *sum += u64::from(self.0 as usize & 3 == index);
        }
    }
}

/// An item with an identity and ratings: six sums.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rated {
    pub(crate) bits: u128,
    pub(crate) ratings: [u16; 2],
}

impl Item<6> for Rated {
    type Combine = Sum;
    const PAYLOAD_BITS: u32 = 18;
    fn bits(&self) -> u128 {
        self.bits
    }
    fn note(&self) -> u16 {
        (self.bits >> 2) as u16
    }
    fn add_to(&self, sums: &mut [u64; 6]) {
        sums[self.bits as usize % 3] += 1;
        sums[3] += u64::from(self.ratings[0]);
        sums[4] += u64::from(self.ratings[1]);
        sums[5] += 1;
    }
}

/// A member of a set, without sums.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member(pub(crate) u64);

impl Item<0> for Member {
    type Combine = Sum;
    const PAYLOAD_BITS: u32 = 64;
    fn bits(&self) -> u128 {
        u128::from(self.0) << 64
    }
    fn note(&self) -> u16 {
        0
    }
    fn add_to(&self, _: &mut [u64; 0]) {}
}

/// A record of four words. Of records with the same identity, the smallest is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Record {
    pub(crate) key: u64,
    pub(crate) words: [u64; 4],
}

impl Item<4> for Record {
    type Combine = Least;
    const PAYLOAD_BITS: u32 = 64;
    fn bits(&self) -> u128 {
        u128::from(self.key) << 64
    }
    fn note(&self) -> u16 {
        0
    }
    fn add_to(&self, words: &mut [u64; 4]) {
        Least::keep(words, &self.words);
    }
}
