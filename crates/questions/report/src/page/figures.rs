//! Draws charts as SVG, which goes into the document unchanged. They are styled by the document's style
//! sheet.
//!
//! White is always blue and Black orange, because people who confuse red and green can tell these two colours
//! apart.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::format_push_string,
    reason = "places in pictures need not be exact, and a picture is drawn once"
)]

mod axis;
mod bars;
mod boxes;
mod icicle;
mod plot;

pub(super) use bars::{GAMES_SCORED, by_group, left_out};
pub(super) use boxes::boxes;
pub(super) use icicle::icicle;

use crate::color::{Rgb, Scale};

/// The colour of games won by White.
const WHITE: Rgb = [91.0, 155.0, 213.0];
/// The colour of draws, and of a score of 50 %.
const EVEN: Rgb = [220.0, 220.0, 214.0];
/// The colour of games won by Black.
const BLACK: Rgb = [229.0, 140.0, 60.0];
/// The colours that show White's score.
const SCORES: Scale = Scale { bad: BLACK, even: EVEN, good: WHITE };
