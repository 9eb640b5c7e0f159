//! The dictionary of a column chunk: its distinct values, numbered in the order in which they first occur.

use std::{collections::HashMap, fmt};

/// The number of slots at first, a power of two.
const SLOTS_MIN: usize = 1 << 6;

/// The memory for each value beside itself: its code and two to four slots.
const VALUE_BYTES: usize = 24;

/// The code of all longer strings, which no short string has.
const LONG: u64 = u64::MAX;

/// The maximum length of a string that fits in a code.
const SHORT_BYTES: usize = 7;

/// The distinct values and their indices.
///
/// # Memory
///
/// Uses about 24 bytes for each distinct value, plus the value itself; a longer string is kept twice.
pub(crate) struct Interner {
    /// A hash table with open addressing, at most half full: the index of a value plus one, or 0. Slots are
    /// small, so that those of frequent values stay in the cache.
    slots: Vec<u32>,
    /// The code of each value.
    codes: Vec<u64>,
    /// The indices of longer strings.
    long: HashMap<Box<str>, u32>,
    /// The values, in PLAIN encoding.
    pub(crate) plain: Vec<u8>,
}

impl Interner {
    pub(crate) fn new() -> Self {
        Self { slots: vec![0; SLOTS_MIN], codes: Vec::new(), long: HashMap::new(), plain: Vec::new() }
    }

    /// The number of distinct values.
    pub(crate) fn count(&self) -> usize {
        self.codes.len()
    }

    /// The memory that the values take, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        let copies = if self.long.is_empty() { 1 } else { 2 };
        self.plain.len() * copies + self.codes.len() * VALUE_BYTES
    }

    pub(crate) fn clear(&mut self) {
        self.slots.fill(0);
        self.codes.clear();
        self.long.clear();
        self.plain.clear();
    }

    /// Returns the index of a value that takes `width` bytes in PLAIN encoding, the lower bytes of its code.
    #[inline]
    pub(crate) fn number(&mut self, code: u64, width: usize) -> u32 {
        self.find(code, |plain| plain.extend_from_slice(&code.to_le_bytes()[..width]))
    }

    /// Returns the index of a string.
    #[inline]
    pub(crate) fn text(&mut self, text: &str) -> u32 {
        match short_code(text.as_bytes()) {
            Some(code) => self.find(code, |plain| push_plain(text, plain)),
            None => self.long_text(text),
        }
    }

    /// Returns the index of the string that `code` stands for.
    #[inline]
    pub(crate) fn named(&mut self, code: u64, name: impl fmt::Display) -> u32 {
        self.find(code, |plain| push_plain(&name.to_string(), plain))
    }

    fn long_text(&mut self, text: &str) -> u32 {
        if let Some(index) = self.long.get(text) {
            return *index;
        }
        let index = self.codes.len() as u32;
        self.long.insert(text.into(), index);
        self.codes.push(LONG);
        push_plain(text, &mut self.plain);
        index
    }

    #[inline]
    fn find(&mut self, code: u64, push: impl FnOnce(&mut Vec<u8>)) -> u32 {
        let mut at = self.place(code);
        loop {
            match self.slots[at] {
                0 => return self.add(code, at, push),
                number if self.codes[number as usize - 1] == code => return number - 1,
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    /// The slot at which the search for a code begins.
    #[inline]
    fn place(&self, code: u64) -> usize {
        // The upper bits of the product depend on all bits of the code (Fibonacci hashing).
        (code.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - self.slots.len().trailing_zeros())) as usize
    }

    #[cold]
    fn add(&mut self, code: u64, at: usize, push: impl FnOnce(&mut Vec<u8>)) -> u32 {
        push(&mut self.plain);
        let index = self.codes.len() as u32;
        self.codes.push(code);
        self.slots[at] = index + 1;
        if self.codes.len() * 2 > self.slots.len() {
            self.grow();
        }
        index
    }

    fn grow(&mut self) {
        self.slots = vec![0; self.slots.len() * 2];
        let has_slot = |code: u64| self.long.is_empty() || code != LONG;
        for (number, code) in (1..).zip(&self.codes).filter(|(_, code)| has_slot(**code)) {
            let mut at = self.place(*code);
            while self.slots[at] > 0 {
                at = (at + 1) & (self.slots.len() - 1);
            }
            self.slots[at] = number;
        }
    }
}

fn push_plain(text: &str, plain: &mut Vec<u8>) {
    plain.extend_from_slice(&(text.len() as u32).to_le_bytes());
    plain.extend_from_slice(text.as_bytes());
}

/// Packs a short string into a number: its bytes, with the length in the top byte. `None` if the string is
/// longer.
#[inline]
fn short_code(text: &[u8]) -> Option<u64> {
    let bytes = match text {
        [] => 0,
        [a] => u64::from(*a),
        [a, .., b] if text.len() < 4 => {
            u64::from(*a) | u64::from(text[1]) << 8 | u64::from(*b) << (8 * (text.len() - 1))
        }
        // The two halves overlap unless there are eight bytes.
        _ if text.len() <= SHORT_BYTES => {
            let (first, last) = (text.first_chunk()?, text.last_chunk()?);
            u64::from(u32::from_le_bytes(*first))
                | u64::from(u32::from_le_bytes(*last)) << (8 * (text.len() - 4))
        }
        _ => return None,
    };
    Some(bytes | (text.len() as u64) << 56)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_codes_are_the_bytes_and_the_length() {
        for text in ["", "a", "ab", "abc", "e2e4", "e7e8q", "Nbxd7+", "exd8=Q#", "\0", "\0\0"] {
            let mut bytes = [0; 8];
            bytes[..text.len()].copy_from_slice(text.as_bytes());
            bytes[7] = text.len() as u8;
            assert_eq!(short_code(text.as_bytes()), Some(u64::from_le_bytes(bytes)), "{text:?}");
        }
        assert_eq!(short_code(b"exd8=Q+!"), None);
    }

    #[test]
    fn values_are_numbered_as_they_first_occur() {
        let mut interner = Interner::new();
        let numbers: Vec<u64> = (0..5000).map(|number| (number * number % 1777) << 20).collect();
        for _ in 0..2 {
            interner.clear();
            let mut seen = Vec::new();
            for &number in &numbers {
                let expected = seen.iter().position(|other| *other == number).unwrap_or_else(|| {
                    seen.push(number);
                    seen.len() - 1
                });
                assert_eq!(interner.number(number, 8), expected as u32);
            }
            assert_eq!(interner.count(), seen.len());
            assert_eq!(
                interner.plain,
                seen.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>()
            );
        }
    }

    #[test]
    fn strings_of_any_length_share_a_dictionary() {
        let mut interner = Interner::new();
        let texts = ["Nf3", "a rather long name", "Nf3", "", "a rather long name", "d4"];
        assert_eq!(texts.map(|text| interner.text(text)), [0, 1, 0, 2, 1, 3]);
        let plain = b"\x03\0\0\0Nf3\x12\0\0\0a rather long name\0\0\0\0\x02\0\0\0d4";
        assert_eq!(interner.plain, plain);
    }
}
