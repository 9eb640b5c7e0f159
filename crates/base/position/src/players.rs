//! The players and the date of a game, as far as they are known.

use std::ops::BitAnd;

/// The two players and the date of a game in 128 bits, as far as they are known.
///
/// From the highest bit: White's surname (48 bits of a hash) and initial (6), Black's surname and initial,
/// year (11), month (4), day (5). If all bits of one of these seven parts are 0, its value is unknown. If
/// there were only 64 bits, 16 would be left for each surname. Among a thousand games with the same moves and
/// one player in common, some would then be mistaken for copies.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[must_use]
pub struct Players(pub u128);

/// A mask for each of the seven parts of [`Players`], in the order of the parts.
const PARTS: [u128; 7] = {
    let widths = [48, 6, 48, 6, 11, 4, 5];
    let (mut parts, mut left, mut part) = ([0; 7], 128, 0);
    while part < widths.len() {
        left -= widths[part];
        parts[part] = ((1 << widths[part]) - 1) << left;
        part += 1;
    }
    parts
};

impl Players {
    /// Packs the values of all parts, in order. A value of 0 means that the part is unknown. A value that is
    /// too large for its part becomes the largest value that fits.
    pub fn new(values: [u64; 7]) -> Self {
        let place = |(part, value): (&u128, u64)| {
            let shift = part.trailing_zeros();
            u128::from(value).min(part >> shift) << shift
        };
        Self(PARTS.iter().zip(values).map(place).fold(0, |bits, part| bits | part))
    }

    /// A mask of all parts whose values are known.
    #[must_use]
    pub fn known(self) -> u128 {
        PARTS.iter().filter(|&part| self.0 & part != 0).fold(0, |bits, part| bits | part)
    }

    /// Whether each value that is known in `other` (a surname, an initial, the year, the month or the day) is
    /// the same in `self`.
    #[must_use]
    pub fn know_all_of(self, other: Self) -> bool {
        self & other.known() == other
    }

    /// Whether the two have the same value in each part that is known in both.
    #[must_use]
    pub fn agree_with(self, other: Self) -> bool {
        let both = self.known() & other.known();
        self & both == other & both
    }

    /// The surnames and the date, without the initials; `None` unless both surnames and the year are known.
    #[must_use]
    pub fn surnames_and_date(self) -> Option<Self> {
        let [white, _, black, _, year, month, day] = PARTS;
        let needed = [white, black, year].iter().all(|part| self.0 & part != 0);
        needed.then_some(self & (white | black | year | month | day))
    }

    /// The bits as two words, the higher word first.
    #[must_use]
    pub fn words(self) -> [u64; 2] {
        [(self.0 >> 64) as u64, self.0 as u64]
    }

    /// Decodes the two words that [`words`](Self::words) returned.
    pub fn of_words([high, low]: [u64; 2]) -> Self {
        Self(u128::from(high) << 64 | u128::from(low))
    }
}

impl BitAnd<u128> for Players {
    type Output = Self;

    fn bitand(self, bits: u128) -> Self {
        Self(self.0 & bits)
    }
}

/// The fingerprint of a game. If two fingerprints differ in `game`, they belong to different games.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Fingerprint {
    /// XXH3-64 of the start position, all moves and the result; for a short game, also of the names and the
    /// date.
    pub game: u64,
    /// The players and the date.
    pub players: Players,
}

impl Fingerprint {
    /// The number of bytes that a fingerprint takes in a file.
    pub const BYTES: usize = 24;

    /// Encodes the fingerprint for a file: both fields, in little-endian order.
    #[must_use]
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..8].copy_from_slice(&self.game.to_le_bytes());
        bytes[8..].copy_from_slice(&self.players.0.to_le_bytes());
        bytes
    }

    /// Decodes the bytes that [`to_bytes`](Self::to_bytes) returned.
    #[must_use]
    pub fn of_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let (mut game, mut players) = ([0; 8], [0; 16]);
        game.copy_from_slice(&bytes[..8]);
        players.copy_from_slice(&bytes[8..]);
        Self { game: u64::from_le_bytes(game), players: Players(u128::from_le_bytes(players)) }
    }

    /// Whether the two fingerprints belong to the same game. Their `game` fields must be equal, and one of
    /// the two must have the same value for each detail of the players and the date that is known in the
    /// other.
    #[must_use]
    pub fn is_copy_of(self, other: Self) -> bool {
        let (ours, theirs) = (self.players, other.players);
        self.game == other.game && (ours.know_all_of(theirs) || theirs.know_all_of(ours))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fill_the_bits_without_overlap() {
        assert_eq!(PARTS.iter().map(|part| part.count_ones()).sum::<u32>(), 128);
        assert_eq!(PARTS.iter().fold(0, |all, part| all | part), u128::MAX);
        assert_eq!(Players::new([u64::MAX; 7]), Players(u128::MAX));
        assert_eq!(Players::new([0, 0, 0, 0, 0, 0, 9]).known(), 31);
    }

    #[test]
    fn what_is_known_decides() {
        let whole = Players::new([3, 2, 5, 4, 2013, 11, 9]);
        let year = Players::new([3, 2, 5, 4, 2013, 0, 0]);
        let nameless = Players::new([3, 0, 0, 0, 0, 0, 0]);
        assert!(whole.know_all_of(year) && whole.know_all_of(nameless) && whole.know_all_of(whole));
        assert!(!year.know_all_of(whole) && year.agree_with(whole) && whole.agree_with(year));
        for other in [[3, 1, 5, 4, 2013, 11, 9], [3, 2, 6, 4, 2013, 11, 9], [3, 2, 5, 4, 2013, 10, 0]] {
            let other = Players::new(other);
            assert!(!whole.know_all_of(other) && !whole.agree_with(other));
        }
        assert_eq!(whole.surnames_and_date(), Some(Players::new([3, 0, 5, 0, 2013, 11, 9])));
        assert_eq!(nameless.surnames_and_date(), None);
        let of = |game, players| Fingerprint { game, players };
        assert!(of(1, year).is_copy_of(of(1, whole)) && of(1, whole).is_copy_of(of(1, year)));
        assert!(!of(1, year).is_copy_of(of(2, whole)));
        assert!(
            !of(1, Players::new([3, 0, 0, 0, 0, 0, 1])).is_copy_of(of(1, year)),
            "each knows what the other does not"
        );
    }
}
