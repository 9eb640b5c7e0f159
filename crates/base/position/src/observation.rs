//! One move of one game in sixteen bytes.
//!
//! # Format
//!
//! A `u128`, most significant bits first: key 64, move 16, group 30, step 16, outcome 2. The numeric order is
//! the order of table rows. The top 110 bits are the row's identity. They determine the step, which the next
//! 16 bits hold.

use crate::{Group, Key, Outcome, PackedMove, Step};

/// A position, the move played in it (0 for a terminal visit), its group, and the game's outcome.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[repr(transparent)]
pub struct Observation(pub u128);

const MOVE_SHIFT: u32 = 48;
const GROUP_SHIFT: u32 = 18;
const STEP_SHIFT: u32 = 2;

impl Observation {
    /// The number of low bits that hold the step and the outcome, and are therefore not part of the row's
    /// identity.
    pub const PAYLOAD_BITS: u32 = GROUP_SHIFT;

    /// Packs the parts.
    #[inline]
    #[must_use]
    pub fn new(key: Key, mv: PackedMove, group: Group, step: Step, outcome: Outcome) -> Self {
        let low = u64::from(mv.0) << MOVE_SHIFT
            | u64::from(group.bits()) << GROUP_SHIFT
            | u64::from(step.0) << STEP_SHIFT
            | outcome as u64;
        Self(u128::from(key.0) << 64 | u128::from(low))
    }

    /// The identity of a table row: an observation in which the bits of the step and the outcome are 0.
    #[must_use]
    pub fn row_id(key: Key, mv: PackedMove, group: Group) -> u128 {
        Self::new(key, mv, group, Step::default(), Outcome::White).0
    }

    /// The position before the move.
    #[inline]
    pub fn key(self) -> Key {
        Key((self.0 >> 64) as u64)
    }

    /// The move, or 0.
    #[inline]
    pub fn mv(self) -> PackedMove {
        PackedMove((self.0 as u64 >> MOVE_SHIFT) as u16)
    }

    /// The group.
    #[inline]
    pub fn group(self) -> Group {
        Group::from_bits((self.0 as u64 >> GROUP_SHIFT) as u32)
    }

    /// The step.
    #[inline]
    pub fn step(self) -> Step {
        Step((self.0 as u64 >> STEP_SHIFT) as u16)
    }

    /// The outcome's number: 0 White won, 1 drawn, 2 Black won.
    #[inline]
    #[must_use]
    pub fn outcome_index(self) -> usize {
        self.0 as usize & 3
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prop_parts_round_trip(key: u64, mv: u16, group in 0u32..1 << 30, step: u16, outcome in 0usize..3) {
            let observation = Observation::new(
                Key(key), PackedMove(mv), Group::from_bits(group), Step(step), Outcome::ALL[outcome]);
            prop_assert_eq!(observation.key(), Key(key));
            prop_assert_eq!(observation.mv(), PackedMove(mv));
            prop_assert_eq!(observation.group().bits(), group);
            prop_assert_eq!(observation.step(), Step(step));
            prop_assert_eq!(observation.outcome_index(), outcome);
            let id = Observation::row_id(Key(key), PackedMove(mv), Group::from_bits(group));
            prop_assert_eq!(observation.0 >> Observation::PAYLOAD_BITS << Observation::PAYLOAD_BITS, id);
        }
    }
}
