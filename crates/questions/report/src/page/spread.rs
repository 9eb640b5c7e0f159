//! Box plots that show how numbers measured in games are spread, such as how much moves lose or how much time
//! they take.

/// A section of box plots, with one box for each opening and each part.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// The name of the section in the ids of HTML elements, made of letters and dashes.
    pub id: &'static str,
    /// The section's heading.
    pub heading: &'static str,
    /// Sentences that explain the numbers.
    pub text: String,
    /// What the vertical axis measures.
    pub unit: &'static str,
    /// The parts that each opening is split into, such as bands of the mover's rating: the name of each part,
    /// and its boxes.
    pub parts: Vec<(&'static str, Vec<BoxPlot>)>,
}

/// A box of a box plot.
#[derive(Clone, Debug, PartialEq)]
pub struct BoxPlot {
    /// The opening.
    pub opening: String,
    /// The number of values that the box shows.
    pub numbers: u64,
    /// The 5, 25, 50, 75 and 95 percent quantiles.
    pub quantiles: [f64; 5],
}
