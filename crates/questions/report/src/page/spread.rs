//! Box plots of numbers taken from games, such as how much moves lose or how much time they take.

/// A section of box plots, with a box for each part of each opening.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The section's name in the ids of HTML elements; letters and dashes only.
    pub id: &'static str,
    /// The section's heading.
    pub heading: &'static str,
    /// Sentences that explain the numbers.
    pub text: String,
    /// What the vertical axis measures.
    pub unit: &'static str,
    /// The parts of the section, such as rating bands of the mover. Each part has a name and one box for each
    /// opening.
    pub parts: Vec<(&'static str, Vec<BoxPlot>)>,
}

/// A single box of a box plot.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxPlot {
    /// The opening.
    pub opening: String,
    /// The number of values that the box summarizes.
    pub numbers: u64,
    /// The 5th, 25th, 50th, 75th and 95th percentiles.
    pub quantiles: [f64; 5],
}
