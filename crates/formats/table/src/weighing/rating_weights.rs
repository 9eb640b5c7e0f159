//! The weights of games by their players' ratings.

use std::{fmt, str::FromStr};

use position::RatingBand;

/// A weight of 1, in thousandths.
pub(super) const ONE: u32 = 1000;
/// The largest weight.
const WEIGHT_MAX: u32 = 100;
/// The word that is written in place of a band to set the weight of games without ratings.
const UNKNOWN: &str = "unknown";

/// A weight for each band of the players' mean rating, parsed from text such as `2200=2,2500=4`. A band's
/// weight also applies to the bands above it, up to the next band listed in the text. Games below the lowest
/// listed band have a weight of 1. Games without ratings also have a weight of 1, unless the text gives them
/// another weight, as `unknown=0` does.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RatingWeights {
    /// The weight of games without ratings, in thousandths, if one was given.
    unknown: Option<u32>,
    /// The weights given to bands, in thousandths, in the order of [`RatingBand::LOWER_BOUNDS`].
    named: [Option<u32>; RatingBand::LOWER_BOUNDS.len()],
}

impl RatingWeights {
    /// The weight of a band, in thousandths.
    pub(super) fn thousandths(&self, band: Option<RatingBand>) -> u32 {
        let Some(band) = band else { return self.unknown.unwrap_or(ONE) };
        let bounds = RatingBand::LOWER_BOUNDS.iter().zip(&self.named);
        let below = bounds.take_while(|&(&bound, _)| bound <= band.lower_bound());
        below.filter_map(|(_, weight)| *weight).last().unwrap_or(ONE)
    }

    fn set(&mut self, band: &str, weight: u32) -> Result<(), String> {
        let bounds = RatingBand::LOWER_BOUNDS.map(|bound| bound.to_string());
        let place = bounds.iter().position(|bound| bound == band);
        let slot = match place {
            Some(at) => &mut self.named[at],
            None if band == UNKNOWN => &mut self.unknown,
            None => {
                let bounds = bounds.join(", ");
                return Err(format!("no band begins at `{band}`: expected {bounds} or {UNKNOWN}"));
            }
        };
        slot.replace(weight).map_or(Ok(()), |_| Err(format!("`{band}` has two weights")))
    }
}

impl FromStr for RatingWeights {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut weights = Self { unknown: None, named: [None; RatingBand::LOWER_BOUNDS.len()] };
        for part in text.split(',') {
            let (band, weight) = part.split_once('=').ok_or_else(|| {
                format!("`{part}` has no weight: expected a band and a weight, such as 2200=2")
            })?;
            weights.set(band, thousandths(weight)?)?;
        }
        Ok(weights)
    }
}

/// Parses a weight with up to three decimal places; returns it in thousandths.
fn thousandths(text: &str) -> Result<u32, String> {
    let wrong = || {
        format!(
            "`{text}` is not a weight: expected a number from 0 to {WEIGHT_MAX} with at most three decimal places"
        )
    };
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(decimals) || decimals.len() > 3 {
        return Err(wrong());
    }
    let whole: u32 = whole.parse().map_err(|_| wrong())?;
    let decimals: u32 = format!("{decimals:0<3}").parse().map_err(|_| wrong())?;
    let weight = whole.min(WEIGHT_MAX + 1) * ONE + decimals;
    if weight > WEIGHT_MAX * ONE { Err(wrong()) } else { Ok(weight) }
}

/// Prints `2200=2,2500=4,unknown=0.5`.
impl fmt::Display for RatingWeights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bands = RatingBand::LOWER_BOUNDS.iter().zip(self.named);
        let bands = bands.filter_map(|(bound, weight)| Some((bound.to_string(), weight?)));
        let unknown = self.unknown.map(|weight| (UNKNOWN.to_owned(), weight));
        let text = |(name, weight)| format!("{name}={}", f64::from(weight) / f64::from(ONE));
        f.write_str(&bands.chain(unknown).map(text).collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(text: &str) -> RatingWeights {
        text.parse().unwrap()
    }

    #[test]
    fn a_weight_holds_up_to_the_next_band_that_is_named() {
        let weights = weights("2500=4,2000=1.5");
        let of = |rating| weights.thousandths(Some(RatingBand::of_mean(rating)));
        assert_eq!([1500, 2000, 2499, 2500, 3300].map(of), [1000, 1500, 1500, 4000, 4000]);
        assert_eq!(weights.thousandths(None), 1000);
        assert_eq!(super::RatingWeights::from_str("0=0.5,unknown=0").unwrap().thousandths(None), 0);
    }

    #[test]
    fn weights_are_written_as_they_are_read() {
        for text in ["2000=1.5,2500=4", "0=0,1000=100", "2200=0.125,unknown=0.001", "unknown=0"] {
            assert_eq!(weights(text).to_string(), text);
        }
        assert_eq!(weights("2500=4,2000=2").to_string(), "2000=2,2500=4");
    }

    #[test]
    fn what_cannot_be_meant_is_refused() {
        for wrong in [
            "",
            "2200",
            "2100=2",
            "2200=",
            "2200=-1",
            "2200=101",
            "2200=1.2345",
            "2200=2,2200=3",
            "unknown=1,unknown=1",
            "2200=x",
        ] {
            assert!(wrong.parse::<RatingWeights>().is_err(), "{wrong}");
        }
    }
}
