//! Converts values between Stockfish's units and centipawns or moves to mate, and packs moves as Stockfish
//! does.

use position::Score;
use shakmaty::{Board, Move, Role, Square};

/// The value of a mate on the board, and the smallest value that means a mate.
const MATE: i32 = 32_000;
const MATE_FAR: i32 = MATE - 246;
/// Two cubic polynomials in the material on the board. The first gives the value at which half of the games
/// are won; the second gives how gradually the chance of winning rises around that value.
const HALF: [f64; 4] = [-37.450_518_76, 121.191_015_39, -132.787_835_73, 420.705_766_92];
const SPREAD: [f64; 4] = [90.262_610_72, -137.265_498_98, 71.101_305_40, 51.352_595_97];
/// The range of material for which the model was fitted, and the number by which material is divided before
/// it is inserted into the polynomials.
const FITTED: std::ops::RangeInclusive<u32> = 17..=78;
const MIDDLE: f64 = 58.0;

/// Returns the values of the polynomials `HALF` and `SPREAD` for the material on the board. To print a value
/// in pawns, Stockfish divides it by the result of `HALF` (its `UCIEngine::to_cp`; the numbers are those of
/// official-stockfish/WDL_model in 2024).
fn half_and_spread(board: &Board) -> (f64, f64) {
    let points = [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    let material: u32 =
        points.iter().map(|&(role, points)| points * board.by_role(role).count() as u32).sum();
    let m = f64::from(material.clamp(*FITTED.start(), *FITTED.end())) / MIDDLE;
    let cubic = |[a, b, c, d]: [f64; 4]| ((a * m + b) * m + c) * m + d;
    (cubic(HALF), cubic(SPREAD))
}

/// Converts a value to a score; `None` for a mate that is already on the board.
pub(super) fn score_of(value: i32, board: &Board) -> Option<Score> {
    let plies = MATE - value.abs();
    if plies > MATE - MATE_FAR {
        let cp = 100.0 * f64::from(value) / half_and_spread(board).0;
        return Some(Score::Cp(cp.round() as i32));
    }
    let moves = if value > 0 { (plies + 1) / 2 } else { -(plies / 2) };
    (plies > 0 && moves != 0).then_some(Score::Mate(moves as i16))
}

/// Converts a score to a value.
pub(super) fn value_of(score: Score, board: &Board) -> i32 {
    match score {
        Score::Cp(cp) => {
            let value = (f64::from(cp) * half_and_spread(board).0 / 100.0).round() as i32;
            value.clamp(1 - MATE_FAR, MATE_FAR - 1)
        }
        Score::Mate(moves @ 0..) => MATE + 1 - 2 * i32::from(moves),
        Score::Mate(moves) => -MATE - 2 * i32::from(moves),
    }
}

/// The chance of winning, in percent, plus half the chance of drawing (`get_win_probability` of ShashChess).
pub(super) fn chance(value: i32, board: &Board) -> i32 {
    let (half, spread) = half_and_spread(board);
    let won =
        |units: i32| 0.5 + 1000.0 / (1.0 + ((half - f64::from(units.clamp(-4000, 4000))) / spread).exp());
    let (win, loss) = (won(value), won(-value));
    let percent = |permille: f64| (permille / 10.0).round() as i32;
    percent(win) + percent(1000.0 - win - loss) / 2
}

/// Packs a move as Stockfish does.
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
