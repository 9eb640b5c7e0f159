//! Crafty's position learning, which stores the results of searches for positions that are out of book.
//!
//! A record in `position.lrn` contains a value from the mover's point of view, the best move in Crafty's own
//! packing, and a depth in a unit that depends on the version. It becomes experience of
//! `ExperienceKind::Position`. Reading the file is the caller's job. The FENs in that file may omit empty
//! squares at the end of a rank. Source: 15.17 and 20.14 `LearnPosition` and `LearnPositionImport` in
//! `learn.c` (Crafty: position learning).

use position::{Experience, PackedMove};
use shakmaty::{CastlingSide, Chess, File, Move, Position as _, Role, Square};

use crate::{Error, crafty::Version};

/// The three numbers in braces at the end of a record.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PositionRecord {
    /// The value from the point of view of the side to move, in the version's unit.
    pub value: i64,
    /// The best move in Crafty's packing, or 0 if there is none. Starting from the lowest bit, the packing
    /// uses 6 bits for the from-square, 6 for the to-square, and 3 each for the piece, the captured piece and
    /// the promotion.
    pub mv: u32,
    /// The depth in the version's unit.
    pub depth: i64,
}

/// Converts a record about `position`, written by Crafty `version`, to experience. Returns the move, which is
/// 0 if the record has none, along with its value and depth. If `version` is `None`, the units of 12.6 to
/// 20.2 apply, because most files come from these versions.
///
/// Values are in pawns. A pawn is 1000 units before 12.6 and 100 units from 12.6 on; see
/// [`Family`](crate::crafty::Family). A ply is 60 units of depth in versions up to 20.2, and 4 units from
/// 20.3 on (`INCREMENT_PLY` and its removal). Fractions of a ply are dropped.
///
/// # Errors
///
/// Fails with [`Error::LearnedMove`] if the move is illegal in the position.
pub fn learned(
    record: &PositionRecord,
    version: Option<Version>,
    position: &Chess,
) -> Result<(PackedMove, Experience), Error> {
    let mv = if record.mv == 0 { PackedMove::TERMINAL } else { unpack(record.mv, position)? };
    let experience = Experience {
        eval: Some(pawns(record.value, version)),
        depth: Some(plies(record.depth, version)),
        ..Experience::default()
    };
    Ok((mv, experience))
}

/// The record that Crafty `version` would write for `position`, where `known` is the experience of the move
/// `mv` or, if `mv` is 0, of the position itself. `None` if there is no value, or if the move is illegal in
/// the position.
#[must_use]
pub fn record(
    mv: PackedMove,
    known: &Experience,
    version: Version,
    position: &Chess,
) -> Option<PositionRecord> {
    let pawns = known.eval?;
    let unit = if counts_millipawns(version) { 1000.0 } else { 100.0 };
    let depth = i64::from(known.depth.unwrap_or(0)) * depth_unit(version);
    let mv = if mv.is_terminal() { 0 } else { pack(mv.unpack(position)?) };
    Some(PositionRecord { value: (f64::from(pawns) * unit).round() as i64, mv, depth })
}

/// A move in Crafty's packing, where a pawn is 1, a knight 2, a king 3, a bishop 5, a rook 6 and a queen 7.
fn pack(m: Move) -> u32 {
    let piece = |role| match role {
        Role::Pawn => 1,
        Role::Knight => 2,
        Role::King => 3,
        Role::Bishop => 5,
        Role::Rook => 6,
        Role::Queen => 7,
    };
    let from = m.from().unwrap_or(m.to());
    // Crafty's packing encodes castling as a king move of two files; ours encodes it as the king taking its
    // own rook.
    let castled = |side: CastlingSide| Square::from_coords(side.king_to_file(), from.rank());
    let to = m.castling_side().map_or(m.to(), castled);
    u32::from(from)
        | u32::from(to) << 6
        | piece(m.role()) << 12
        | m.capture().map_or(0, piece) << 15
        | m.promotion().map_or(0, piece) << 18
}

#[expect(clippy::cast_precision_loss, reason = "a value has a few digits; a longer one is rounded")]
fn pawns(value: i64, version: Option<Version>) -> f32 {
    let millipawns = version.is_some_and(counts_millipawns);
    (value as f64 / if millipawns { 1000.0 } else { 100.0 }) as f32
}

fn plies(depth: i64, version: Option<Version>) -> u16 {
    let plies = depth.max(0) / version.map_or(PLY, depth_unit);
    u16::try_from(plies).unwrap_or(u16::MAX)
}

fn counts_millipawns(version: Version) -> bool {
    version < Version { major: 12, minor: 6 }
}

/// The number of depth units in a ply before 20.3.
const PLY: i64 = 60;

/// The number of depth units in a ply of this version.
fn depth_unit(version: Version) -> i64 {
    if version >= (Version { major: 20, minor: 3 }) { 4 } else { PLY }
}

/// Decodes a move from Crafty's packing, and fails if the move is illegal. Both packings number squares from
/// a1 along the ranks.
fn unpack(crafty: u32, position: &Chess) -> Result<PackedMove, Error> {
    let (from, to) = (Square::new(crafty & 63), Square::new(crafty >> 6 & 63));
    let promotion = match crafty >> 18 & 7 {
        2 => Some(Role::Knight),
        5 => Some(Role::Bishop),
        6 => Some(Role::Rook),
        7 => Some(Role::Queen),
        _ => None,
    };
    let mv = PackedMove::new(from, castled_to(position, from, to), promotion);
    mv.unpack(position).map(|_| mv).ok_or(Error::LearnedMove(crafty))
}

/// Converts a to-square to our packing, in which a castling king takes its own rook instead of moving two
/// files.
fn castled_to(position: &Chess, from: Square, to: Square) -> Square {
    let king = position.board().king_of(position.turn()) == Some(from);
    let side = match (from.file(), to.file()) {
        (File::E, File::G) => CastlingSide::KingSide,
        (File::E, File::C) => CastlingSide::QueenSide,
        _ => return to,
    };
    let rook = position.castles().rook(position.turn(), side);
    rook.filter(|_| king && from.rank() == to.rank()).unwrap_or(to)
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, fen::Fen};

    use super::*;

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>().unwrap().into_position(CastlingMode::Standard).unwrap()
    }

    #[test]
    fn a_record_of_15_17() {
        let position = position("r2q1rk1/ppp1nppp/1b1p1n2/1P2pb2/P1P5/2N1P3/3PBPPP/R1BQK1NR b KQ - 0 1");
        let record = PositionRecord { value: 102, mv: 6704, depth: 120 };
        let (mv, experience) = learned(&record, Some(Version { major: 15, minor: 17 }), &position).unwrap();
        assert_eq!(mv.to_string(), "a7a6");
        assert_eq!((experience.eval, experience.depth), (Some(1.02), Some(2)));
    }

    #[test]
    fn a_record_of_20_14() {
        let position = position("r1b1k1nr/ppp2ppp/2nb4/1B1pp3/3P4/P3PN1P/1PP2PqR/RNBQK3 b Qkq - 0 1");
        let record = PositionRecord { value: -16, mv: 31630, depth: 8 };
        let (mv, experience) = learned(&record, Some(Version { major: 20, minor: 14 }), &position).unwrap();
        assert_eq!(mv.to_string(), "g2g6");
        assert_eq!((experience.eval, experience.depth), (Some(-0.16), Some(2)));
    }

    #[test]
    fn records_are_written_as_they_were_read() {
        let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let king = u32::from(Square::E1) | u32::from(Square::G1) << 6 | 3 << 12;
        let promotion = u32::from(Square::A7) | u32::from(Square::A8) << 6 | 1 << 12 | 7 << 18;
        for (fen, mv) in [
            ("r2q1rk1/ppp1nppp/1b1p1n2/1P2pb2/P1P5/2N1P3/3PBPPP/R1BQK1NR b KQ - 0 1", 6704),
            ("r1b1k1nr/ppp2ppp/2nb4/1B1pp3/3P4/P3PN1P/1PP2PqR/RNBQK3 b Qkq - 0 1", 31630),
            (castles, king),
            (castles, 0),
            ("8/P6k/8/8/8/8/8/K7 w - - 0 1", promotion),
        ] {
            let position = position(fen);
            for (major, minor) in [(11, 23), (15, 17), (20, 14)] {
                let version = Version { major, minor };
                let (value, depth) = (-102, 12 * depth_unit(version));
                let entry = PositionRecord { value, mv, depth };
                let (read, known) = learned(&entry, Some(version), &position).unwrap();
                assert_eq!(record(read, &known, version, &position), Some(entry), "{fen}");
            }
        }
    }

    #[test]
    fn castling_takes_the_rook() {
        let position = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for (to, text) in [(Square::G1, "e1h1"), (Square::C1, "e1a1"), (Square::D1, "e1d1")] {
            let crafty = u32::from(Square::E1) | u32::from(to) << 6 | 3 << 12;
            let record = PositionRecord { value: 0, mv: crafty, depth: -3 };
            let (mv, experience) = learned(&record, None, &position).unwrap();
            assert_eq!((mv.to_string().as_str(), experience.depth), (text, Some(0)));
        }
    }

    #[test]
    fn promotions_and_what_is_not_there() {
        let position = position("8/P6k/8/8/8/8/8/K7 w - - 0 1");
        let promote = |piece: u32| {
            let mv = u32::from(Square::A7) | u32::from(Square::A8) << 6 | 1 << 12 | piece << 18;
            learned(
                &PositionRecord { value: 5, mv, depth: i64::MAX },
                Some(Version { major: 12, minor: 5 }),
                &position,
            )
        };
        let names = [2, 5, 6, 7].map(|piece| promote(piece).unwrap().0.to_string());
        assert_eq!(names, ["a7a8n", "a7a8b", "a7a8r", "a7a8q"]);
        let experience = promote(7).unwrap().1;
        assert_eq!((experience.eval, experience.depth), (Some(0.005), Some(u16::MAX)));
        assert!(matches!(promote(0), Err(Error::LearnedMove { .. })));
        let none = learned(&PositionRecord { value: 5, mv: 0, depth: 60 }, None, &position).unwrap();
        assert_eq!(none.0, PackedMove::TERMINAL);
    }
}
