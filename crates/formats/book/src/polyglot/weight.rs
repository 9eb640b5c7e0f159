//! The rule that computes a weight from a tally.

use std::str::FromStr;

use position::Tally;
use shakmaty::Color;
use strum::Display;

use crate::{Error, named_values::named_values};

/// The rule that determines a move's weight. If the largest weight of a position is above 65,535, all its
/// weights are scaled down together; every weight is at least 1.
///
/// # Format
///
/// As text, it is `wins-draws`, `games`, `score` or `uniform`, or it lists points, such as
/// `win=2,draw=1,loss=0`. The points may be in any order, and those that are left out are 0.
#[derive(Clone, Copy, Debug, Default, Display, Eq, PartialEq)]
#[strum(serialize_all = "kebab-case")]
pub enum Weight {
    /// A win for the mover counts two and a draw one, as in Polyglot's `make-book`.
    #[default]
    WinsDraws,
    /// Every game weighs one.
    Games,
    /// The mover's score, regardless of the number of games: 65,535 × (wins + draws / 2) / games.
    Score,
    /// Every move weighs 1.
    Uniform,
    /// Points for each of the mover's wins, draws and losses.
    #[strum(to_string = "win={win},draw={draw},loss={loss}")]
    Points {
        /// Points for a win.
        win: u32,
        /// Points for a draw.
        draw: u32,
        /// Points for a loss.
        loss: u32,
    },
}

const WEIGHT_MAX: u128 = u16::MAX as u128;

impl Weight {
    /// The weight before scaling; below 2^98.
    #[must_use]
    pub fn raw(self, tally: Tally, mover: Color) -> u128 {
        let points = |win: u32, draw: u32, loss: u32| {
            u128::from(tally.wins(mover)) * u128::from(win)
                + u128::from(tally.draws) * u128::from(draw)
                + u128::from(tally.wins(!mover)) * u128::from(loss)
        };
        match self {
            Weight::WinsDraws => points(2, 1, 0),
            Weight::Games => points(1, 1, 1),
            Weight::Score => divide_rounding(points(2, 1, 0) * WEIGHT_MAX, 2 * points(1, 1, 1)),
            Weight::Uniform => 1,
            Weight::Points { win, draw, loss } => points(win, draw, loss),
        }
    }

    /// Scales a move's raw weight to the weight in the file; `largest` is the largest raw weight of the
    /// position.
    ///
    /// The result is max(1, round(`raw` × 65,535 / `largest`)) if `largest` is above 65,535, else max(1,
    /// `raw`); halves are rounded up.
    #[must_use]
    pub fn scaled(raw: u128, largest: u128) -> u16 {
        let weight = if largest > WEIGHT_MAX { divide_rounding(raw * WEIGHT_MAX, largest) } else { raw };
        weight.clamp(1, WEIGHT_MAX) as u16
    }
}

/// Divides and rounds to the nearest integer, with halves rounded up; returns 0 if `divisor` is 0.
fn divide_rounding(dividend: u128, divisor: u128) -> u128 {
    (2 * dividend + divisor).checked_div(2 * divisor).unwrap_or(0)
}

impl FromStr for Weight {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text {
            "wins-draws" => Ok(Weight::WinsDraws),
            "games" => Ok(Weight::Games),
            "score" => Ok(Weight::Score),
            "uniform" => Ok(Weight::Uniform),
            _ => points(text).ok_or_else(|| {
                Error::setting(text, "a weight: wins-draws, games, score, uniform, or win=2,draw=1,loss=0")
            }),
        }
    }
}

fn points(text: &str) -> Option<Weight> {
    let [win, draw, loss] = named_values(text, ["win", "draw", "loss"])?.map(Option::unwrap_or_default);
    (win | draw | loss != 0).then_some(Weight::Points { win, draw, loss })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_follow_the_mover() {
        let tally = Tally { white: 3, draws: 2, black: 1 };
        let cases = [
            ("wins-draws", 8, 4),
            ("games", 6, 6),
            ("score", 43_690, 21_845),
            ("uniform", 1, 1),
            ("win=100,loss=7,draw=10", 327, 141),
            ("draw=1", 2, 2),
        ];
        for (rule, white, black) in cases {
            let rule: Weight = rule.parse().unwrap();
            assert_eq!(
                (rule.raw(tally, Color::White), rule.raw(tally, Color::Black)),
                (white, black),
                "{rule}"
            );
            assert_eq!(rule.to_string().parse::<Weight>().unwrap(), rule);
        }
    }

    #[test]
    fn other_rules_are_refused() {
        for text in [
            "",
            "wins",
            "win",
            "win=",
            "win=-1",
            "win=1,win=2",
            "win=1,lose=0",
            "win=0,draw=0",
            "win=4294967296",
        ] {
            assert!(text.parse::<Weight>().is_err(), "{text}");
        }
    }

    #[test]
    fn only_what_does_not_fit_is_scaled() {
        assert_eq!(Weight::scaled(0, 65_535), 1);
        assert_eq!(Weight::scaled(65_535, 65_535), 65_535);
        assert_eq!(Weight::scaled(65_536, 65_536), 65_535);
        assert_eq!(Weight::scaled(32_768, 65_536), 32_768); // 32,767.5 up
        assert_eq!(Weight::scaled(1, 131_070), 1); // 0.5 up
        assert_eq!(Weight::scaled(3, 131_070), 2); // 1.5 up
        assert_eq!(Weight::scaled(1, 1_000_000), 1); // 0.07, at least 1
        let most = Weight::Points { win: u32::MAX, draw: 0, loss: 0 };
        let raw = most.raw(Tally { white: i64::MAX as u64, draws: 0, black: 0 }, Color::White);
        assert_eq!(Weight::scaled(raw, raw), 65_535);
        assert_eq!(
            Weight::Score.raw(Tally { white: i64::MAX as u64, draws: 0, black: 0 }, Color::White),
            65_535
        );
        assert_eq!(Weight::Score.raw(Tally::default(), Color::White), 0);
    }
}
