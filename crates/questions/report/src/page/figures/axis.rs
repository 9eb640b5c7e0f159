//! The axis of a chart: the values that it covers, and its ticks.

use output::grouped;

/// The maximum number of steps from the first tick to the last.
const STEPS_MOST: f64 = 6.0;

/// An axis with a tick at each end.
pub(super) struct Axis {
    least: f64,
    most: f64,
    step: f64,
    unit: &'static str,
}

impl Axis {
    /// Creates an axis that covers these values. Its ticks are multiples of `step`, or of a larger number if
    /// `step` would give too many ticks.
    pub(super) fn over(values: impl Iterator<Item = f64>, mut step: f64, unit: &'static str) -> Self {
        let (least, most) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), it| (it.min(least), it.max(most)));
        for factor in [2.0, 2.5, 2.0].into_iter().cycle() {
            if most - least <= STEPS_MOST * step {
                break;
            }
            step *= factor;
        }
        let least = (least / step).floor() * step;
        Self { least, most: ((most / step).ceil() * step).max(least + step), step, unit }
    }

    /// Returns the place of a value on the axis, from 0 at the lower end to 1 at the upper end.
    pub(super) fn at(&self, value: f64) -> f64 {
        (value - self.least) / (self.most - self.least)
    }

    /// Returns each tick's place on the axis, from 0 to 1, and its label.
    pub(super) fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        let count = ((self.most - self.least) / self.step).round() as u32;
        (0..=count).map(|tick| {
            let value = self.least + f64::from(tick) * self.step;
            (self.at(value), format!("{}{}", self.label(value), self.unit))
        })
    }

    fn label(&self, value: f64) -> String {
        match self.step {
            ..0.9 => format!("{value:.1}"),
            _ if value < 0.0 => format!("{value:.0}"),
            _ => grouped(value.round() as u64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(values: &[f64], step: f64) -> String {
        let axis = Axis::over(values.iter().copied(), step, "");
        let labels: Vec<_> = axis.ticks().map(|(_, label)| label).collect();
        labels.join(" ")
    }

    #[test]
    fn ticks_are_round_and_few() {
        assert_eq!(labels(&[0.0, 1.0], 1.0), "0 1");
        assert_eq!(labels(&[0.0, 0.0], 1.0), "0 1");
        assert_eq!(labels(&[0.0, 5_321.0], 1.0), "0 1,000 2,000 3,000 4,000 5,000 6,000");
        assert_eq!(labels(&[-30.0, 41.0], 0.1), "-40 -20 0 20 40 60");
        assert_eq!(labels(&[0.1, 2.2], 0.1), "0.0 0.5 1.0 1.5 2.0 2.5");
        let axis = Axis::over([45.0, 55.0].into_iter(), 0.1, " %");
        assert_eq!((axis.at(50.0), axis.ticks().next().unwrap().1), (0.5, "44 %".to_owned()));
    }
}
