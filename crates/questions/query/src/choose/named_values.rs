//! Values by name, in the order they were found.

use policy::Scores;
use serde::{Serialize, Serializer};

/// Values with their names; an object in JSON.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NamedValues(pub Vec<(&'static str, f64)>);

impl From<&Scores> for NamedValues {
    fn from(scores: &Scores) -> Self {
        Self(scores.iter().collect())
    }
}

impl Serialize for NamedValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}
