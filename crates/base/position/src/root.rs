//! Roots: positions other than the start position from which games start.

use shakmaty::{Chess, Color, Position as _};

use crate::{Group, Key, Observation, Outcome, PackedMove, Placement, Step};

/// A position from which a game started.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[must_use]
pub struct Root {
    /// Its key.
    pub key: Key,
    /// The side to move.
    pub turn: Color,
    /// Its pieces, castling rights and en passant square.
    pub placement: Placement,
}

/// The bit in the move field that marks an observation as a part of a root. No move has it.
const MARK: u16 = 1 << 15;
const BLACK: u16 = 1 << 3;
/// The number of bits of a placement that one part holds: `STEP_BITS` of them in its step, the rest in its
/// group.
const PART_BITS: u32 = 43;
const STEP_BITS: u32 = PART_BITS - Group::BITS;
/// The number of parts into which each half of a placement (two of its four words) is divided.
const HALF_PARTS: u16 = 3;

impl Root {
    /// The size of a root in files, in bytes: the key and the four words of the placement, little-endian, and
    /// the side to move (0 White, 1 Black).
    pub const BYTES: usize = 41;

    /// The number of parts of a root. Each part is encoded as one observation.
    pub const PARTS: u16 = 2 * HALF_PARTS;

    /// The root of a position.
    pub fn of(position: &Chess) -> Self {
        Self { key: Key::of(position), turn: position.turn(), placement: Placement::of(position) }
    }

    /// The position, without move counters; `None` if it is not legal, as in a damaged file.
    #[must_use]
    pub fn position(&self) -> Option<Chess> {
        self.placement.position(self.turn)
    }

    /// Encodes the root for a file.
    #[must_use]
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [u8::from(self.turn.is_black()); Self::BYTES];
        let [a, b, c, d] = self.placement.0;
        let places = bytes.as_chunks_mut().0.iter_mut();
        places.zip([self.key.0, a, b, c, d]).for_each(|(place, word)| *place = word.to_le_bytes());
        bytes
    }

    /// Decodes a root from the bytes in a file.
    pub fn of_bytes(bytes: &[u8; Self::BYTES]) -> Self {
        let word = |at: usize| u64::from_le_bytes(bytes.as_chunks().0[at]);
        let turn = Color::from_white(bytes[Self::BYTES - 1] == 0);
        Self { key: Key(word(0)), turn, placement: Placement([1, 2, 3, 4].map(word)) }
    }

    /// Whether the placement is a legal position and has this key.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        self.position().is_some_and(|position| Key::of(&position) == self.key)
    }

    /// Encodes one game from this root as observations, so that roots are sorted, spilled and summed in the
    /// same way as moves. In sort order, these observations come after the observations of moves played from
    /// the position.
    pub fn observations(self, outcome: Outcome) -> impl Iterator<Item = Observation> {
        (0..Self::PARTS).map(move |part| {
            let bits = self.half(part / HALF_PARTS) >> (PART_BITS * u32::from(part % HALF_PARTS));
            let group = Group::from_bits((bits >> STEP_BITS) as u32);
            let step = Step(bits as u16 & ((1 << STEP_BITS) - 1));
            let mv = PackedMove(MARK | self.turn.fold_wb(0, BLACK) | part);
            Observation::new(self.key, mv, group, step, outcome)
        })
    }

    /// Whether a row with this value in place of a move encodes a part of a root.
    #[inline]
    #[must_use]
    pub fn is_part(mv: PackedMove) -> bool {
        mv.0 & MARK != 0
    }

    /// Starts a root with this `key` and no parts. `mv` is the move of any one of the root's rows; the side
    /// to move is read from it.
    pub fn begun(key: Key, mv: PackedMove) -> Self {
        Self { key, turn: Color::from_white(mv.0 & BLACK == 0), placement: Placement::default() }
    }

    /// Adds to the root the part that is encoded in a row's move, group and step. Returns the part's number.
    pub fn add_part(&mut self, (mv, group, step): (PackedMove, Group, Step)) -> u16 {
        let part = mv.0 & (BLACK - 1);
        let word = usize::from(part / HALF_PARTS) % 2 * 2;
        let bits = u128::from(group.bits()) << STEP_BITS | u128::from(step.0);
        let bits = bits << (PART_BITS * u32::from(part % HALF_PARTS));
        self.placement.0[word] |= bits as u64;
        self.placement.0[word + 1] |= (bits >> 64) as u64;
        part
    }

    /// The first two words of the placement if `half` is 0, otherwise the last two.
    fn half(&self, half: u16) -> u128 {
        let [low, high] = [0, 1].map(|word| u128::from(self.placement.0[usize::from(half) * 2 + word]));
        low | high << 64
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, EnPassantMode, fen::Fen};

    use super::*;

    #[test]
    fn a_root_comes_back_from_its_observations() {
        for fen in [
            "r3k2r/8/8/3pP3/8/8/8/R3K2R w KQkq d6 0 1",
            "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R b Kq - 0 1",
            "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1",
        ] {
            let position = fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap();
            let root = Root::of(&position);
            assert_eq!(root.position(), Some(position));
            assert_eq!(Root::of_bytes(&root.to_bytes()), root);
            assert!(root.is_sound());
            let parts: Vec<_> = root.observations(Outcome::Draw).collect();
            assert!(parts.is_sorted() && parts.iter().all(|part| Root::is_part(part.mv())));
            assert!(parts.iter().all(|part| (part.key(), part.outcome_index()) == (root.key, 1)));
            let mut read = Root::begun(root.key, parts[0].mv());
            let numbers = parts.iter().map(|part| read.add_part((part.mv(), part.group(), part.step())));
            assert!(numbers.eq(0..Root::PARTS));
            assert_eq!(read, root);
            let again = Fen::from_position(&read.position().unwrap(), EnPassantMode::PseudoLegal);
            assert_eq!(again.to_string(), fen);
        }
    }
}
