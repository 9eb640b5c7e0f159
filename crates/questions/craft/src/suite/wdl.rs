//! Computes how likely a draw is, given an evaluation.

use shakmaty::{Chess, Position as _, Role};

/// The chance of winning with the evaluation x is 1 / (1 + exp((a − x) / b)), where a and b are cubic
/// polynomials in the material (`official-stockfish/WDL_model`). Engines that use this model print 100
/// centipawns when this chance is one half, so +1.00 corresponds to x = a.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WdlModel {
    /// The coefficients of the polynomial a, from the third power down.
    pub a: [f64; 4],
    /// The coefficients of the polynomial b, from the third power down.
    pub b: [f64; 4],
}

/// The range of material values that the model covers. A value outside the range is replaced by the nearest
/// value in the range.
const MATERIAL: (u32, u32) = (17, 78);
/// The divisor for material.
const ANCHOR: f64 = 58.0;

impl WdlModel {
    /// The model of Stockfish 17.1 (`src/uci.cpp`, `win_rate_params`), fitted to its games at fishtest.
    pub const STOCKFISH: Self = Self {
        a: [-13.500_301_98, 40.927_808_83, -36.827_535_45, 386.830_040_70],
        b: [96.533_548_96, -165.790_583_88, 90.896_790_19, 49.295_618_89],
    };

    /// Returns the chance of a draw, from 0 to 1. `pawns` is the evaluation from the point of view of either
    /// side, which makes no difference to the result.
    #[must_use]
    pub fn draws(&self, position: &Chess, pawns: f64) -> f64 {
        let material = f64::from(material(position).clamp(MATERIAL.0, MATERIAL.1)) / ANCHOR;
        let at = |powers: [f64; 4]| powers.into_iter().fold(0.0, |sum, power| sum * material + power);
        let (a, b) = (at(self.a), at(self.b));
        let wins = |x: f64| 1.0 / (1.0 + ((a - x) / b).exp());
        1.0 - wins(pawns * a) - wins(-pawns * a)
    }
}

/// The material of both sides: a pawn counts 1, a knight or bishop 3, a rook 5, a queen 9.
fn material(position: &Chess) -> u32 {
    let of = |(role, value)| value * position.board().by_role(role).count() as u32;
    let values = [(Role::Pawn, 1), (Role::Knight, 3), (Role::Bishop, 3), (Role::Rook, 5), (Role::Queen, 9)];
    values.into_iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected values are the draw rates that Stockfish 17.1 prints for the material of the start
    /// position, at 0 and at 50 centipawns.
    #[test]
    fn draws_as_stockfish_prints_them() {
        let draws = |pawns| WdlModel::STOCKFISH.draws(&Chess::default(), pawns);
        assert!((draws(0.0) - 0.944).abs() < 0.0006, "{}", draws(0.0));
        assert!((draws(0.5) - 0.850).abs() < 0.0016, "{}", draws(0.5));
        assert!((draws(-0.5) - draws(0.5)).abs() < 1e-12);
        assert!(draws(100.0) < 1e-6);
    }
}
