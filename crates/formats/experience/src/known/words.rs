//! Describes the experience of a row in words.

use position::{ExperienceKind, Lesson};

use super::KnownExperience;

/// A value in pawns with its sign; a value that rounds to zero has no sign.
#[must_use]
pub fn signed(pawns: f32) -> String {
    let text = format!("{pawns:+.2}");
    if text == "-0.00" { "+0.00".into() } else { text }
}

impl KnownExperience {
    /// Returns each kind of lesson with a description of its value, such as
    /// `learned -0.98, not to be played`.
    #[must_use]
    pub fn values(&self) -> Vec<(Lesson, String)> {
        let learned = self.learn.map(|learn| {
            (Lesson::Learn, format!("learned {}{}", signed(learn), self.verdict(Lesson::Learn)))
        });
        let own = self.own.map(|own| {
            let (wins, draws, losses) = (own.wins, own.draws, own.losses);
            (Lesson::Own, format!("own games: {wins} won, {draws} drawn, {losses} lost"))
        });
        let set = self.set_by_hand().map(|set| (Lesson::Set, set + self.verdict(Lesson::Set)));
        let searched = self.searched().map(|search| (Lesson::Search, search));
        [learned, own, set, searched].into_iter().flatten().collect()
    }

    /// The text for a value that rules the move out; empty for any other value.
    fn verdict(&self, lesson: Lesson) -> &'static str {
        if self.is_ruled_out_by(lesson) { ", not to be played" } else { "" }
    }

    /// Describes the values set by hand: `set to 75 (!), priority 4`, or `marked ?`.
    fn set_by_hand(&self) -> Option<String> {
        let value = match (self.user_value, self.mark) {
            (Some(value), Some(mark)) => Some(format!("set to {value} ({mark})")),
            (Some(value), None) => Some(format!("set to {value}")),
            (None, mark) => mark.map(|mark| format!("marked {mark}")),
        };
        let priority = self.priority.map(|priority| format!("priority {priority}"));
        let parts: Vec<_> = value.into_iter().chain(priority).collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Describes the value of a search, such as `searched +0.35 at depth 12` or
    /// `searched mate in -3 at depth 30, 1200 nodes`. A value computed from the searches of later positions
    /// is described as `minimax +0.35 at depth 12`.
    fn searched(&self) -> Option<String> {
        let mate = self.mate.map(|mate| format!("mate in {mate}"));
        let value = mate.or_else(|| self.eval.map(signed))?;
        let depth = self.depth.map_or_else(String::new, |depth| format!(" at depth {depth}"));
        let nodes = self.nodes.map_or_else(String::new, |nodes| format!(", {nodes} nodes"));
        let found = if self.kind == <&str>::from(ExperienceKind::Minimax) { "minimax" } else { "searched" };
        Some(format!("{found} {value}{depth}{nodes}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_rounds_to_zero_has_no_sign() {
        let texts = [-0.004, -0.0, 0.004, -0.006, 1.0].map(signed);
        assert_eq!(texts, ["+0.00", "+0.00", "+0.00", "-0.01", "+1.00"]);
    }
}
