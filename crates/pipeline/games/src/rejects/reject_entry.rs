//! One line: a game that does not count, where it is, and why.

use run::Status;
use serde::{Deserialize, Serialize, Serializer, ser::SerializeMap as _};

/// A line of the list.
#[derive(Serialize)]
pub struct RejectEntry<'l> {
    /// The name of the stream that contains the game or record.
    pub input: &'l str,
    /// The offset in the stream at which the game or record begins.
    pub offset: u64,
    /// The number of the game or record in its stream.
    #[serde(flatten)]
    pub number: Number,
    /// The status of the game or record, which is the reason why it is in the list.
    #[serde(flatten, serialize_with = "status")]
    pub status: Status<'l>,
    /// The place of the original, if the game is a copy.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copy_of: Option<Original>,
}

/// The original of a copy.
#[derive(Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Original {
    /// The stream of the original, and the offset at which the original begins.
    Read { input: String, offset: u64 },
    /// A table already counts the original. The value is always the string `table`, which is written to the
    /// line.
    Counted(&'static str),
}

/// The number of the game or record in its stream, from 1.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Number {
    /// A game, from 1.
    Game(u64),
    /// A record, from 1.
    Record(u64),
}

/// Writes the keys that say why the game does not count.
fn status<S: Serializer>(status: &Status<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut keys = serializer.serialize_map(None)?;
    match *status {
        Status::Rejected { ply, reason, text } => {
            keys.serialize_entry("ply", &ply)?;
            keys.serialize_entry("reason", reason)?;
            keys.serialize_entry("text", text)?;
        }
        Status::Filtered(why) | Status::Idle(why) => keys.serialize_entry("filter", why)?,
        Status::Accepted { .. } | Status::Waiting | Status::Copy(_) => {}
    }
    keys.end()
}

/// A line whose game cannot be numbered yet because earlier chunks are still being read.
#[derive(Deserialize, Serialize)]
pub(super) struct PendingEntry<'l> {
    /// The offset of the game in the chunk, in bytes.
    pub(super) offset: u64,
    /// The number of games in the chunk before this game.
    pub(super) games_before: u64,
    #[serde(borrow)]
    pub(super) status: Status<'l>,
}

impl RejectEntry<'_> {
    /// Appends the line to `lines`.
    pub(super) fn write(&self, lines: &mut Vec<u8>) {
        let Ok(()) = serde_json::to_writer(&mut *lines, self) else {
            unreachable!("strings and numbers serialise")
        };
        lines.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use pgn::input::Place;

    use super::*;
    use crate::spool::Spool;

    const STATUSES: [Status<'_>; 5] = [
        Status::Rejected { ply: Some(12), reason: "illegal-move", text: "\"Bb6\" é" },
        Status::Rejected { ply: None, reason: "fragment", text: "" },
        Status::Filtered("min-elo"),
        Status::Copy(Some(Place { input: 3, part: 1, offset: 77 })),
        Status::Copy(None),
    ];

    #[test]
    fn lines_are_as_they_are_documented() {
        let mut lines = Vec::new();
        for (status, number) in STATUSES.into_iter().zip([7, 1, 8, 9, 10].map(Number::Game)) {
            let copy_of = match status {
                Status::Copy(Some(_)) => Some(Original::Read { input: "b.pgn".into(), offset: 77 }),
                Status::Copy(None) => Some(Original::Counted("table")),
                _ => None,
            };
            RejectEntry { input: "a.zip!x.pgn", offset: 1234, number, status, copy_of }.write(&mut lines);
        }
        let expected = concat!(
            r#"{"input":"a.zip!x.pgn","offset":1234,"game":7,"ply":12,"reason":"illegal-move","text":"\"Bb6\" é"}"#,
            "\n",
            r#"{"input":"a.zip!x.pgn","offset":1234,"game":1,"ply":null,"reason":"fragment","text":""}"#,
            "\n",
            r#"{"input":"a.zip!x.pgn","offset":1234,"game":8,"filter":"min-elo"}"#,
            "\n",
            r#"{"input":"a.zip!x.pgn","offset":1234,"game":9,"copy_of":{"input":"b.pgn","offset":77}}"#,
            "\n",
            r#"{"input":"a.zip!x.pgn","offset":1234,"game":10,"copy_of":"table"}"#,
            "\n",
        );
        assert_eq!(String::from_utf8(lines).unwrap(), expected);
    }

    #[test]
    fn a_status_comes_back_as_it_was() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::new(folder.path());
        for status in STATUSES {
            spool.push(&status).unwrap();
        }
        let mut expected = STATUSES.iter();
        spool
            .for_each(|entry| {
                assert_eq!(Some(&entry.read()), expected.next());
                Ok(())
            })
            .unwrap();
        assert_eq!(expected.next(), None);
    }
}
