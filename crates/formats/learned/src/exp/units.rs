//! Stockfish's values and moves, and those that people and books use.

use shakmaty::{Board, Move, Role, Square};

/// The values of a mate at once and of one far away.
const MATE: i32 = 32_000;
const MATE_FAR: i32 = MATE - 246;
/// Cubic polynomials in the material: the value at which half of the games are won, and its spread.
const HALF: [f64; 4] = [-37.450_518_76, 121.191_015_39, -132.787_835_73, 420.705_766_92];
const SPREAD: [f64; 4] = [90.262_610_72, -137.265_498_98, 71.101_305_40, 51.352_595_97];
/// The material where the model was fitted, and that of its middle.
const FITTED: std::ops::RangeInclusive<u32> = 17..=78;
const MIDDLE: f64 = 58.0;

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Pawns, from the mover's view.
    Pawns(f32),
    /// Plies to a mate; negative if the mover is mated.
    Mate(i16),
}

/// The value that gives the mover half of its games, by the material left: Stockfish prints values as its
/// parts, as pawns (its `UCIEngine::to_cp`; numbers of official-stockfish/WDL_model in 2024).
fn half_and_spread(board: &Board) -> (f64, f64) {
    let points = [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    let material: u32 =
        points.iter().map(|&(role, points)| points * board.by_role(role).count() as u32).sum();
    let m = f64::from(material.clamp(*FITTED.start(), *FITTED.end())) / MIDDLE;
    let cubic = |[a, b, c, d]: [f64; 4]| ((a * m + b) * m + c) * m + d;
    (cubic(HALF), cubic(SPREAD))
}

impl Value {
    pub(super) fn of_units(value: i32, board: &Board) -> Self {
        let plies = MATE - value.abs();
        if plies <= MATE - MATE_FAR {
            return Self::Mate((plies.max(0) * value.signum()) as i16);
        }
        Self::Pawns((f64::from(value) / half_and_spread(board).0) as f32)
    }

    pub(super) fn units(self, board: &Board) -> i32 {
        match self {
            Self::Pawns(pawns) => {
                let units = (f64::from(pawns) * half_and_spread(board).0).round();
                (units as i32).clamp(1 - MATE_FAR, MATE_FAR - 1)
            }
            Self::Mate(plies) if plies < 0 => -MATE - i32::from(plies),
            Self::Mate(plies) => MATE - i32::from(plies),
        }
    }
}

/// The chance to win, in percent, with half of the chance to draw (`get_win_probability` of ShashChess).
pub(super) fn chance(units: i32, board: &Board) -> i32 {
    let (half, spread) = half_and_spread(board);
    let won =
        |units: i32| 0.5 + 1000.0 / (1.0 + ((half - f64::from(units.clamp(-4000, 4000))) / spread).exp());
    let (win, loss) = (won(units), won(-units));
    let percent = |permille: f64| (permille / 10.0).round() as i32;
    percent(win) + percent(1000.0 - win - loss) / 2
}

/// The move as Stockfish packs it.
pub(super) fn packed(m: Move) -> u16 {
    let squares = |from: Square, to: Square| u16::from(to) | u16::from(from) << 6;
    match m {
        Move::Castle { king, rook } => squares(king, rook) | 3 << 14,
        Move::EnPassant { from, to } => squares(from, to) | 2 << 14,
        Move::Normal { from, to, promotion: Some(role), .. } => {
            squares(from, to) | (role as u16 - Role::Knight as u16) << 12 | 1 << 14
        }
        Move::Normal { from, to, .. } => squares(from, to),
        Move::Put { .. } => 0,
    }
}
