//! Values as written by programs that run engine matches: `+0.35/12 1.2s`.

use std::str::FromStr;

use shakmaty::Color;

use super::{Evaluation, Style, time};

/// A value from one side's point of view.
#[derive(Clone, Copy)]
pub(super) enum Score {
    Pawns(f32),
    /// The number of plies to mate: positive if the side mates, negative if it is mated. The number is never
    /// 0, because a mate on the board counts as a mate in one ply.
    MatePlies(i32),
}

impl Score {
    /// Reads `+0.35`, `0.00`, `M5` or `-M4`.
    pub(super) fn read(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        let Some(plies) = unsigned.strip_prefix('M') else { return decimal(text).map(Self::Pawns) };
        let plies = i32::from(number::<u16>(plies)?).max(1);
        Some(Self::MatePlies(if text.starts_with('-') { -plies } else { plies }))
    }

    /// Converts a value from `side`'s point of view to White's.
    pub(super) fn seen_by(self, side: Color) -> Evaluation {
        match self {
            // Subtracting from zero, rather than negating, keeps a value of 0 from becoming -0.
            Self::Pawns(pawns) => Evaluation::Pawns(side.fold_wb(pawns, 0.0 - pawns)),
            Self::MatePlies(plies) => {
                let moves = plies.signum() * ((plies.abs() + 1) / 2);
                Evaluation::Mate(side.fold_wb(moves, -moves))
            }
        }
    }
}

/// A note such as `+0.35/12 1.2s` or `(e2e4) +0.35/12 5`. If a comma follows the depth, any text after it is
/// ignored.
pub(super) struct SearchNote {
    pub(super) score: Score,
    pub(super) depth: u16,
    pub(super) time_used_ms: Option<u64>,
    pub(super) style: Style,
}

impl SearchNote {
    pub(super) fn read(text: &str) -> Option<Self> {
        let (text, style) = match text.strip_prefix('(') {
            Some(line) => (line.split_once(')')?.1.trim_start(), Style::Arena),
            None => (text, Style::Cutechess),
        };
        let (score, rest) = text.split_once('/')?;
        // A fraction such as `1/2` is not a score.
        let is_score = score.contains(['.', 'M', '+', '-']);
        let rest = rest.split(',').next().unwrap_or_default().trim();
        let (depth, time) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let time_used_ms = match (time.trim(), style) {
            ("", _) => None,
            (time, Style::Arena) => Some(number::<u64>(time)?.checked_mul(1000)?),
            (time, _) => Some(time::seconds(time)?),
        };
        let score = Score::read(score).filter(|_| is_score)?;
        Some(Self { score, depth: number(depth)?, time_used_ms, style })
    }
}

/// Reads a decimal number written with only digits, a sign and a point.
pub(super) fn decimal(text: &str) -> Option<f32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'+' | b'-'));
    text.parse().ok().filter(|number: &f32| plain && number.is_finite())
}

pub(super) fn number<T: FromStr>(text: &str) -> Option<T> {
    text.parse().ok()
}
