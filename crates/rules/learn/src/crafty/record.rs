//! One exported record.

use position::{Key, PackedMove};

use crate::identity::Identity;

/// The value of a record that reports a lost game: −99900 if White lost, +99900 if Black lost (15.17 to 18.1
/// `LearnResult`).
pub const RESULT_VALUE: i64 = 99_900;

/// A record from `book.lrn` whose moves have been resolved.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Record<'a> {
    /// The name of the player who had White, exactly as in the record.
    pub white: &'a str,
    /// The name of the player who had Black, exactly as in the record.
    pub black: &'a str,
    /// The legal moves of the record, each with the key of the position before it. The first move is White's,
    /// from the start position.
    pub plies: &'a [(Key, PackedMove)],
    /// The learned value as returned by `LearnFunction`, in the unit and from the point of view of the family
    /// that wrote it.
    pub value: i64,
    /// The depth of the search that yielded the value; replaying ignores it.
    pub depth: i64,
    /// Crafty's rating minus the opponent's.
    pub rating_difference: i64,
}

/// The identity of a record, which all of its copies share. It is a hash of the players' names (the first 31
/// bytes of each), the moves, the value and the rating difference.
///
/// When Crafty imports a record, it writes a copy to its own file, with the current date and sometimes a
/// different depth, so copies may differ in both (15.17 `LearnImportBook`).
#[must_use]
pub fn identity(record: &Record<'_>) -> u64 {
    Identity::new()
        .name(record.white)
        .name(record.black)
        .moves(record.plies.iter().map(|ply| ply.1))
        .number(record.value)
        .number(record.rating_difference)
        .finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RECORD: Record<'static> = Record {
        white: "Crafty 15.17",
        black: "opp",
        plies: &[(Key::START, PackedMove(0x31c))],
        value: -135,
        depth: 5,
        rating_difference: 0,
    };

    #[test]
    fn identity_is_stable() {
        assert_eq!(identity(&RECORD), 0x5a9d_22b7_38dd_2507, "kept in files: it may never change");
    }

    #[test]
    fn depth_and_the_tail_of_a_name_do_not_tell() {
        let long = "a name of more than thirty-one bytes";
        let cut = &long[..31];
        assert_eq!(identity(&Record { depth: 9, ..RECORD }), identity(&RECORD));
        assert_eq!(identity(&Record { black: long, ..RECORD }), identity(&Record { black: cut, ..RECORD }));
    }

    #[test]
    fn everything_else_tells() {
        let others = [
            Record { white: "opp", black: "Crafty 15.17", ..RECORD },
            Record { white: "Crafty 15.17o", black: "pp", ..RECORD },
            Record { plies: &[], ..RECORD },
            Record { value: 135, ..RECORD },
            Record { rating_difference: 1, ..RECORD },
        ];
        for other in others {
            assert_ne!(identity(&other), identity(&RECORD), "{other:?}");
        }
    }
}
