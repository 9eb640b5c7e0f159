//! A row of experience as text.

use position::{Contribution, Experience, ExperienceKind, ExperienceRow, Key, OwnResults};
use serde::{Deserialize, Serialize};

use super::position_entry::packed_move;

/// The experience of a move, or of the position itself.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveKnowledge {
    /// The move, written as in the list of moves; `--` stands for the position itself.
    #[serde(rename = "move")]
    mv: String,
    /// `book`, `postbook`, `position`, `evaluation` or `minimax`.
    kind: String,
    /// The learned value, in pawns from the mover's point of view, and the number of lessons behind it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    learn: Option<(Pawns, u32)>,
    /// The engine's own games: how many it won, drew and lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    own: Option<[u32; 3]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    user_value: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    priority: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nag: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    eval: Option<Pawns>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mate: Option<i16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    depth: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    /// The contribution of each source.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    taught: Vec<SourceShare>,
}

/// A number of pawns, stored as an `f32`. A number that is too large for an `f32` is read as infinity, and
/// then refused with an error that names the field.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
#[serde(from = "f64")]
struct Pawns(f32);

impl From<f64> for Pawns {
    fn from(pawns: f64) -> Self {
        Self(pawns as f32)
    }
}

/// The contribution of a source.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct SourceShare {
    /// The index of the source in the header line's list of sources, from 0.
    source: u32,
    /// `learn`, `own`, `set` or `search`.
    lesson: String,
    count: u32,
    /// The day of the last lesson, yyyymmdd; 0 if unknown.
    #[serde(default)]
    last: u32,
}

impl MoveKnowledge {
    pub(super) fn of(row: &ExperienceRow) -> Self {
        let Experience { learn, learn_count, own, user_value, priority, nag, eval, mate, depth, nodes } =
            row.experience;
        let OwnResults { wins, draws, losses } = own;
        let taught = row.taught.iter().map(|&Contribution { source, lesson, count, last }| SourceShare {
            source,
            lesson: <&str>::from(lesson).into(),
            count,
            last,
        });
        Self {
            mv: row.mv.to_string(),
            kind: <&str>::from(row.kind).into(),
            learn: (learn != 0.0 || learn_count > 0).then_some((Pawns(learn), learn_count)),
            own: (own != OwnResults::default()).then_some([wins, draws, losses]),
            user_value,
            priority,
            nag,
            eval: eval.map(Pawns),
            mate,
            depth,
            nodes,
            taught: taught.collect(),
        }
    }

    /// Converts the text to an experience row for the position `key`.
    ///
    /// # Errors
    ///
    /// Fails if a book cannot hold the row; the error says why.
    pub(super) fn row(self, key: Key, sources: usize) -> Result<ExperienceRow, String> {
        let kind = self.kind.parse().ok().filter(|kind: &ExperienceKind| kind.is_for_books());
        let kind = kind.ok_or_else(|| {
            let kind = &self.kind;
            format!("{kind:?} is not a `kind`: expected book, postbook, position, evaluation or minimax")
        })?;
        check(self.user_value.is_none_or(|value| value <= 100), "a `user_value` above 100")?;
        check(self.priority.is_none_or(|priority| priority <= 5), "a `priority` above 5")?;
        let (learn, learn_count) =
            self.learn.map_or_else(Default::default, |(Pawns(learn), lessons)| (learn, lessons));
        let eval = self.eval.map(|Pawns(eval)| eval);
        check(learn.is_finite(), "a `learn` above 3.4e38")?;
        check(eval.is_none_or(f32::is_finite), "an `eval` above 3.4e38")?;
        let [wins, draws, losses] = self.own.unwrap_or_default();
        let experience = Experience {
            learn,
            learn_count,
            own: OwnResults { wins, draws, losses },
            user_value: self.user_value,
            priority: self.priority,
            nag: self.nag,
            eval,
            mate: self.mate,
            depth: self.depth,
            nodes: self.nodes,
        };
        let taught = self.taught.into_iter().map(SourceShare::meant).collect::<Result<Vec<_>, _>>()?;
        check(
            taught.iter().all(|taught| (taught.source as usize) < sources),
            "a source that is not in the header line",
        )?;
        Ok(ExperienceRow { key, mv: packed_move(&self.mv)?, kind, experience, taught })
    }
}

impl SourceShare {
    fn meant(self) -> Result<Contribution, String> {
        let Self { source, lesson, count, last } = self;
        let found = lesson.parse().ok();
        let wrong = || format!("{lesson:?} is not a kind of lesson: expected learn, own, set or search");
        Ok(Contribution { source, lesson: found.ok_or_else(wrong)?, count, last })
    }
}

fn check(is_right: bool, what: &str) -> Result<(), String> {
    if is_right { Ok(()) } else { Err(what.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_a_book_cannot_hold_are_refused() {
        let row = |fields: &str| {
            let text = format!("{{\"move\":\"e2e4\",\"kind\":\"book\",{fields}}}");
            let known: MoveKnowledge = serde_json::from_str(&text).unwrap();
            known.row(Key::START, 0)
        };
        assert!(row("\"learn\":[3.4e38,1],\"eval\":-3.4e38").is_ok());
        assert_eq!(row("\"learn\":[1e300,1]").unwrap_err(), "a `learn` above 3.4e38");
        assert_eq!(row("\"eval\":-1e39").unwrap_err(), "an `eval` above 3.4e38");
        assert_eq!(row("\"user_value\":101").unwrap_err(), "a `user_value` above 100");
    }
}
