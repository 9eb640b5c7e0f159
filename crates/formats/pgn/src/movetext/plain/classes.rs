//! The classes of a window's bytes, one bit per byte.

use crate::simd::{Classify, Lanes};

/// The sets of bytes from which tokens are recognised; bit *i* stands for byte *i* of the window.
pub(super) struct Classes {
    /// Space, LF, CR.
    pub(super) blank: u64,
    /// `0` to `9`.
    pub(super) digit: u64,
    /// `1` to `9`.
    pub(super) nonzero: u64,
    /// `1` to `8`.
    pub(super) rank: u64,
    /// `a` to `h`.
    pub(super) file: u64,
    /// `K`, `Q`, `R`, `B`, `N`.
    pub(super) piece: u64,
    /// `+`, `#`.
    pub(super) check: u64,
    /// `x`.
    pub(super) capture: u64,
    /// `.`
    pub(super) dot: u64,
    /// `O`.
    pub(super) castling: u64,
    /// `-`
    pub(super) dash: u64,
}

impl Classify for Classes {
    #[inline]
    fn classify(lanes: &impl Lanes) -> Self {
        let digit = lanes.between(b'0', b'9');
        let nonzero = digit & !lanes.any(*b"0");
        Self {
            blank: lanes.any(*b" \n\r"),
            digit,
            nonzero,
            rank: nonzero & !lanes.any(*b"9"),
            file: lanes.between(b'a', b'h'),
            piece: lanes.any(*b"KQRBN"),
            check: lanes.any(*b"+#"),
            capture: lanes.any(*b"x"),
            dot: lanes.any(*b"."),
            castling: lanes.any(*b"O"),
            dash: lanes.any(*b"-"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{WINDOW_BYTES, classify};

    #[test]
    fn every_byte_is_in_its_classes_wherever_it_stands() {
        let class = |of: &str, byte: u8| of.as_bytes().contains(&byte);
        for byte in 0..=u8::MAX {
            for at in [0, 15, 16, 40, 63] {
                let mut bytes = [0; WINDOW_BYTES];
                bytes[at] = byte;
                let found = classify::<Classes>(&bytes);
                for (name, mask, members) in [
                    ("blank", found.blank, " \n\r"),
                    ("digit", found.digit, "0123456789"),
                    ("nonzero", found.nonzero, "123456789"),
                    ("rank", found.rank, "12345678"),
                    ("file", found.file, "abcdefgh"),
                    ("piece", found.piece, "KQRBN"),
                    ("check", found.check, "+#"),
                    ("capture", found.capture, "x"),
                    ("dot", found.dot, "."),
                    ("castling", found.castling, "O"),
                    ("dash", found.dash, "-"),
                ] {
                    assert_eq!(mask, u64::from(class(members, byte)) << at, "{name} of {byte} at {at}");
                }
            }
        }
    }
}
