//! How numbers of games are spread, as box plots: what moves lose, what time they take.

/// A section of box plots: a box for each opening and part.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// A part of the ids on the page, of letters and dashes.
    pub id: &'static str,
    /// The section's heading.
    pub heading: &'static str,
    /// What the numbers are, in sentences.
    pub text: String,
    /// What the vertical axis measures.
    pub unit: &'static str,
    /// What each opening is split by, such as the mover's rating: the name of each part, and its boxes.
    pub parts: Vec<(&'static str, Vec<Spreading>)>,
}

/// A box.
#[derive(Clone, Debug, PartialEq)]
pub struct Spreading {
    /// The opening.
    pub opening: String,
    /// How many numbers it is made of.
    pub numbers: u64,
    /// The quantiles at 5, 25, 50, 75 and 95 percent.
    pub quantiles: [f64; 5],
}
