//! One line: what did not count, where it stands, and why.

use pgn::verdict::Verdict;
use serde::Serialize;

use crate::spool::{Decoder, Encoder};

/// A line of the list.
#[derive(Serialize)]
pub(crate) struct Line<'l> {
    /// The stream of games or records.
    pub(crate) input: &'l str,
    /// Where in it, bytes.
    pub(crate) offset: u64,
    #[serde(flatten)]
    pub(crate) number: Number,
    #[serde(flatten)]
    pub(crate) fate: Fate<'l>,
}

/// Which one of its stream, from 1.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Number {
    Game(u64),
    Record(u64),
}

/// Why it does not count.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub(crate) enum Fate<'f> {
    /// It cannot be read as meant; `ply` is that of the move at fault, from 1.
    Rejected { ply: Option<u32>, reason: &'f str, text: &'f str },
    /// A filter refused it.
    Filtered { filter: &'f str },
}

/// The tags of fates that wait.
const REJECTED: u64 = 0;
const FILTERED: u64 = 1;

impl<'f> Fate<'f> {
    /// What became of a game that does not count; none of one that does.
    pub(crate) fn of(verdict: &'f Verdict) -> Option<Self> {
        match verdict {
            Verdict::Accepted { .. } => None,
            Verdict::Filtered(filter) => Some(Self::Filtered { filter: filter.name() }),
            Verdict::Rejected(why) => {
                Some(Self::Rejected { ply: why.ply, reason: why.reason.name(), text: &why.text })
            }
        }
    }

    /// Lets it wait: its tag, then ply or 0, reason and text, or the filter.
    pub(crate) fn write(&self, entry: &mut Encoder<'_>) {
        match *self {
            Self::Rejected { ply, reason, text } => {
                entry.number(REJECTED);
                entry.number(u64::from(ply.unwrap_or(0)));
                entry.text(reason);
                entry.text(text);
            }
            Self::Filtered { filter } => {
                entry.number(FILTERED);
                entry.text(filter);
            }
        }
    }

    /// One that waited.
    pub(crate) fn read(entry: &mut Decoder<'f>) -> Self {
        if entry.number() == FILTERED {
            return Self::Filtered { filter: entry.text() };
        }
        let ply = entry.number() as u32;
        Self::Rejected { ply: (ply > 0).then_some(ply), reason: entry.text(), text: entry.text() }
    }
}

impl Line<'_> {
    /// Adds the line to others.
    pub(super) fn write(&self, lines: &mut Vec<u8>) {
        let Ok(()) = serde_json::to_writer(&mut *lines, self) else {
            unreachable!("strings and numbers serialise")
        };
        lines.push(b'\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spool::Spool;

    const FATES: [Fate<'_>; 3] = [
        Fate::Rejected { ply: Some(12), reason: "illegal-move", text: "\"Bb6\" é" },
        Fate::Rejected { ply: None, reason: "fragment", text: "" },
        Fate::Filtered { filter: "min-elo" },
    ];

    #[test]
    fn lines_are_as_they_are_documented() {
        let mut lines = Vec::new();
        for (fate, number) in FATES.into_iter().zip([Number::Game(7), Number::Record(1), Number::Game(8)]) {
            Line { input: "a.zip!x.pgn", offset: 1234, number, fate }.write(&mut lines);
        }
        let expected = concat!(
            r#"{"input":"a.zip!x.pgn","offset":1234,"game":7,"ply":12,"reason":"illegal-move","text":"\"Bb6\" é"}"#,
            "\n",
            r#"{"input":"a.zip!x.pgn","offset":1234,"record":1,"ply":null,"reason":"fragment","text":""}"#,
            "\n",
            r#"{"input":"a.zip!x.pgn","offset":1234,"game":8,"filter":"min-elo"}"#,
            "\n",
        );
        assert_eq!(String::from_utf8(lines).unwrap(), expected);
    }

    #[test]
    fn fates_come_back_as_they_were() {
        let folder = tempfile::tempdir().unwrap();
        let mut spool = Spool::new(folder.path());
        for fate in FATES {
            spool.push(|entry| fate.write(entry)).unwrap();
        }
        let mut expected = FATES.iter();
        spool
            .for_each(|mut entry| {
                assert_eq!(Some(&Fate::read(&mut entry)), expected.next());
                Ok(())
            })
            .unwrap();
        assert_eq!(expected.next(), None);
    }
}
