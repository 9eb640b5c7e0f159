//! Serializes a tally in the form that other programs read: `games`, `white`, `draws`, `black`.

use position::Tally;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
struct TallyFields {
    games: u64,
    white: u64,
    draws: u64,
    black: u64,
}

impl From<Tally> for TallyFields {
    fn from(tally: Tally) -> Self {
        Self { games: tally.games(), white: tally.white, draws: tally.draws, black: tally.black }
    }
}

/// A function for `#[serde(serialize_with)]`. Writes an object with the fields of [`TallyFields`], or null if
/// there is no tally.
#[expect(clippy::ref_option, reason = "the signature that serde calls")]
pub(crate) fn tally_fields<S: Serializer>(tally: &Option<Tally>, serializer: S) -> Result<S::Ok, S::Error> {
    tally.map(TallyFields::from).serialize(serializer)
}
