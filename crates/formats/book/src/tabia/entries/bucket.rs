//! A bucket: the positions whose keys share their top bits.
//!
//! # Format
//!
//! An empty bucket has no bytes. Any other bucket begins with a bit string (least significant bit of each
//! byte first), padded with zero bits to a whole byte. The [bodies](super::body) of its positions follow, in
//! ascending order of key. The top b bits of a key, where b is the book's number of *bucket bits*, select its
//! bucket. The next five bits select one of 32 *slots*, and the other 59 − b bits are the *low bits*. The bit
//! string is
//!
//! 1. for each slot in turn, a 1 bit for each of its positions, followed by a 0 bit (so there are 32 of these
//!    0 bits in all),
//! 2. the low bits of each position, in ascending order of key, 59 − b bits each, least significant first.
//!
//! The slot of a position is thus the number of 0 bits before the 1 bit of the position. (This is the
//! Elias–Fano code of a sorted list.)

use position::Key;

use super::{
    bits::{BitWriter, nth_zero, ones, read_bits},
    body::{self, Body},
    cursor::Cursor,
};
use crate::error::DecodeFault;

/// The number of bits in a key that select the slot.
pub(crate) const SLOT_BITS: u32 = 5;
const SLOTS: u32 = 1 << SLOT_BITS;
const NO_BITS: DecodeFault = DecodeFault("the bucket ends inside its keys");

/// How a book divides the bits of a key into bucket, slot and low bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct KeyBits {
    /// The number of top bits that select the bucket.
    pub(crate) bucket: u32,
}

impl KeyBits {
    fn low(self) -> u32 {
        64 - SLOT_BITS - self.bucket
    }

    /// The bucket of a key.
    #[inline]
    pub(crate) fn bucket_of(self, key: Key) -> u64 {
        key.0.checked_shr(64 - self.bucket).unwrap_or(0)
    }

    fn slot_of(self, key: Key) -> u32 {
        (key.0 >> self.low()) as u32 % SLOTS
    }

    fn low_of(self, key: Key) -> u64 {
        key.0 & ((1 << self.low()) - 1)
    }

    fn key(self, bucket: u64, slot: u32, low: u64) -> Key {
        let top = bucket.checked_shl(64 - self.bucket).unwrap_or(0);
        Key(top | u64::from(slot) << self.low() | low)
    }
}

/// A bucket that is being filled.
///
/// # Memory
///
/// Holds eight bytes per position, and the bodies of the positions. A whole bucket needs a few hundred bytes
/// if keys are distributed like hashes.
#[derive(Clone, Debug, Default)]
pub(crate) struct OpenBucket {
    keys: Vec<Key>,
    bodies: Vec<u8>,
}

impl OpenBucket {
    /// Adds a position; its key must be greater than all keys in the bucket.
    #[inline]
    pub(crate) fn push(&mut self, key: Key, body: Body<'_>) {
        self.keys.push(key);
        body.write(&mut self.bodies);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Adds the positions of another part of the same bucket; their keys must be greater than all keys added
    /// so far.
    pub(crate) fn append(&mut self, mut other: OpenBucket) {
        self.keys.append(&mut other.keys);
        self.bodies.append(&mut other.bodies);
    }

    /// Appends the bucket to `out` and empties it.
    pub(crate) fn close(&mut self, bits: KeyBits, out: &mut Vec<u8>) {
        if self.keys.is_empty() {
            return;
        }
        let mut writer = BitWriter::new(out);
        let mut slot = 0;
        for &key in &self.keys {
            let skipped = bits.slot_of(key) - slot;
            writer.write(1 << skipped, skipped + 1);
            slot += skipped;
        }
        writer.write(0, SLOTS - slot);
        for &key in &self.keys {
            writer.write(bits.low_of(key), bits.low());
        }
        writer.finish();
        out.extend(&self.bodies);
        self.keys.clear();
        self.bodies.clear();
    }
}

/// A bucket of a book, open for reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bucket<'a> {
    bytes: &'a [u8],
    bits: KeyBits,
    number: u64,
}

impl<'a> Bucket<'a> {
    pub(crate) fn new(bytes: &'a [u8], bits: KeyBits, number: u64) -> Self {
        Self { bytes, bits, number }
    }

    /// The number of bits in part 1 of the bit string. The last bit of part 1 is the last of the 32 zeros.
    fn slot_bits(&self) -> Result<usize, DecodeFault> {
        nth_zero(self.bytes, SLOTS - 1).map(|last| last + 1).ok_or(NO_BITS)
    }

    fn low(&self, slot_bits: usize, index: usize) -> Result<u64, DecodeFault> {
        let width = self.bits.low();
        read_bits(self.bytes, slot_bits + index * width as usize, width).ok_or(NO_BITS)
    }

    fn bodies(&self, slot_bits: usize) -> Cursor<'a> {
        let count = slot_bits - SLOTS as usize;
        Cursor::new(self.bytes, (slot_bits + count * self.bits.low() as usize).div_ceil(8))
    }

    /// Returns a cursor at the body of the position with `key`; `None` if the bucket does not contain it.
    #[inline]
    pub(crate) fn find(&self, key: Key) -> Result<Option<Cursor<'a>>, DecodeFault> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let slot = self.bits.slot_of(key);
        let start = match slot {
            0 => 0,
            slot => nth_zero(self.bytes, slot - 1).ok_or(NO_BITS)? + 1,
        };
        let end = nth_zero(self.bytes, slot).ok_or(NO_BITS)?;
        if start == end {
            return Ok(None);
        }
        let slot_bits = self.slot_bits()?;
        for index in start - slot as usize..end - slot as usize {
            if self.low(slot_bits, index)? == self.bits.low_of(key) {
                let mut cursor = self.bodies(slot_bits);
                for _ in 0..index {
                    body::skip(&mut cursor)?;
                }
                return Ok(Some(cursor));
            }
        }
        Ok(None)
    }

    /// Reads all keys into `keys`, and returns a cursor at the first body.
    pub(crate) fn keys(&self, keys: &mut Vec<Key>) -> Result<Cursor<'a>, DecodeFault> {
        keys.clear();
        if self.bytes.is_empty() {
            return Ok(Cursor::new(self.bytes, 0));
        }
        let slot_bits = self.slot_bits()?;
        for at in ones(self.bytes, slot_bits) {
            let index = keys.len();
            let low = self.low(slot_bits, index)?;
            keys.push(self.bits.key(self.number, (at - index) as u32, low));
        }
        Ok(self.bodies(slot_bits))
    }
}

#[cfg(test)]
mod tests;
