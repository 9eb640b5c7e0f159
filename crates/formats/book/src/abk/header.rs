//! The header, which precedes the records.
//!
//! # Format
//!
//! The header has 25,200 bytes; numbers are little-endian. It begins with `\x03AB` and a letter, `pb`, two
//! zeros, and the size of a record in bytes (28) as a u32. The comment (up to 120 bytes) is stored at offset
//! 12 and the author (up to 80 bytes) at offset 133; both begin with a length byte. Ten u32 values start at
//! 214 (0xD6). The first two are the length of the longest line, in plies, and the number of moves. The next
//! four set the conditions for playing a move: the minimum numbers of games and wins, and the minimum winning
//! percentages for White and Black. The next three say how important a move's priority, number of games and
//! score are, each from 0 to 15. The last is the ply after which the book is left. The rest is filler.

use super::{HEADER_BYTES, RECORD_BYTES};

/// The bytes that every book begins with.
pub(super) const MAGIC: &[u8] = b"\x03AB";
const MAGIC_WRITTEN: &[u8; 8] = b"\x03ABKpb\0\0";
const SETTINGS_OFFSET: usize = 214;
/// The offsets and maximum lengths of the comment and the author. At each offset there is a length byte,
/// followed by the string.
const COMMENT: (usize, usize) = (12, 120);
const AUTHOR: (usize, usize) = (133, 80);

/// The comment that marks a book whose counts belong to positions: the moves of a position have the same
/// counts on every line that reaches it. In other books, counts belong to lines, and the counts of a position
/// are the sums over all lines that reach it.
pub const COUNTS_OF_POSITIONS: &str = "Made by tabia: moves have the counts of their positions";

/// The header of an Arena book.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Header {
    /// The comment, which can be any text.
    pub comment: String,
    /// The author.
    pub author: String,
    /// The length of the longest line, in plies.
    pub plies: u32,
    /// The number of moves, not counting deleted moves.
    pub moves: u32,
    /// How important the priority of a move is, from 0 to 15.
    pub priority_weight: u32,
    /// How important a move's number of games is, from 0 to 15.
    pub games_weight: u32,
}

impl Header {
    /// Reads the header from `bytes`, which must be long enough.
    pub(super) fn from_bytes(bytes: &[u8]) -> Self {
        let text = |(at, most): (usize, usize)| {
            let length = usize::from(bytes[at]).min(most);
            String::from_utf8_lossy(&bytes[at + 1..][..length]).into_owned()
        };
        let setting = |number: usize| {
            let at = SETTINGS_OFFSET + 4 * number;
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        Self {
            comment: text(COMMENT),
            author: text(AUTHOR),
            plies: setting(0),
            moves: setting(1),
            priority_weight: setting(6),
            games_weight: setting(7),
        }
    }

    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; HEADER_BYTES];
        bytes[..8].copy_from_slice(MAGIC_WRITTEN);
        bytes[8..12].copy_from_slice(&(RECORD_BYTES as u32).to_le_bytes());
        for ((at, most), text) in [(COMMENT, &self.comment), (AUTHOR, &self.author)] {
            let length = text.floor_char_boundary(most);
            bytes[at] = length as u8;
            bytes[at + 1..][..length].copy_from_slice(&text.as_bytes()[..length]);
        }
        let Self { plies, moves, priority_weight, games_weight, .. } = *self;
        let settings = [plies, moves, 0, 0, 0, 0, priority_weight, games_weight, 0, plies];
        for (place, setting) in bytes[SETTINGS_OFFSET..].chunks_exact_mut(4).zip(settings) {
            place.copy_from_slice(&setting.to_le_bytes());
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_header_comes_back_and_long_texts_are_cut_at_a_letter() {
        let header = Header {
            comment: COUNTS_OF_POSITIONS.into(),
            author: "é".repeat(80),
            plies: 12,
            moves: 345,
            priority_weight: 1,
            games_weight: 2,
        };
        let bytes = header.to_bytes();
        assert_eq!((bytes.len(), &bytes[..4]), (25_200, &b"\x03ABK"[..]));
        assert_eq!(Header::from_bytes(&bytes), Header { author: "é".repeat(40), ..header });
    }
}
