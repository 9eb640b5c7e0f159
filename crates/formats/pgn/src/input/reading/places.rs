//! Records how much of each input was read, and converts places in the inputs to human-readable form.

use serde::{Deserialize, Serialize};

use crate::input::{cutting::Place, packings::Packing};

/// A place in human-readable form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The name of the input, or `archive!member` for a member of an archive.
    pub name: String,
    /// The byte offset in the decompressed stream; in a UTF-16 stream, the offset in its text as UTF-8.
    pub offset: u64,
}

/// An input, and a record of how much of it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadInput {
    /// Its name, as the caller wrote it; `-` for standard input.
    pub name: String,
    /// How it is compressed.
    pub packing: Packing,
    /// Its length as stored. For an input that was not read to its end, the larger of two numbers: its length
    /// when it was opened, and the number of bytes read.
    pub bytes: u64,
    /// Its [identity](crate::input::identity_of_blocks); `None` if it was not read to its end, or if only a
    /// section was read.
    pub xxh3: Option<u64>,
    /// The hashes of its blocks or, if only a section was read, of the blocks that start in it. Empty if it
    /// was not read to its end.
    pub blocks: Vec<u64>,
    /// The XXH3-64 of all its stored bytes together, not block by block; earlier versions used it to identify
    /// inputs. `None` if the input was not read to its end, or if the hash was not [asked
    /// for](super::ChunkOptions::whole_hash).
    pub whole_xxh3: Option<u64>,
    /// Its parts, in order.
    pub parts: Vec<Part>,
    /// In a section of a pzstd file, the number of bytes of text in the sections before it, if that is known;
    /// otherwise 0.
    pub text_before: u64,
    /// The names of archive members that were not read because of their names: hidden members, and members
    /// whose extension does not belong to the [unit](crate::input::Unit) that is read (`pgn` for games).
    pub skipped: Vec<String>,
}

impl ReadInput {
    /// The length of the decompressed text, in bytes.
    #[must_use]
    pub fn text_bytes(&self) -> u64 {
        self.parts.iter().map(|part| part.bytes).sum()
    }
}

/// A part of an input.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The name of the member, if the input is an archive.
    pub member: Option<String>,
    /// The length of the part's decompressed text, in bytes.
    pub bytes: u64,
}

/// All inputs that were opened, in the order in which they were given, with a record of how much of each was
/// read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadInputs {
    /// The inputs; the index of each is [`Place::input`].
    pub list: Vec<ReadInput>,
}

impl ReadInputs {
    /// Converts a place to human-readable form. Takes time proportional to the number of parts of the input.
    ///
    /// # Panics
    /// Panics if `place` does not lie in one of these inputs.
    #[must_use]
    pub fn locate(&self, place: Place) -> Location {
        let input = &self.list[place.input as usize];
        let part = place.part as usize;
        match &input.parts[part].member {
            Some(member) => Location { name: format!("{}!{member}", input.name), offset: place.offset },
            None => Location {
                name: input.name.clone(),
                offset: input.text_before
                    + input.parts[..part].iter().map(|part| part.bytes).sum::<u64>()
                    + place.offset,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(member: Option<&str>, bytes: u64) -> Part {
        Part { member: member.map(Into::into), bytes }
    }

    fn input(name: &str, packing: Packing, parts: Vec<Part>) -> ReadInput {
        ReadInput { name: name.into(), packing, bytes: 1, parts, ..ReadInput::default() }
    }

    #[test]
    fn members_count_from_their_own_start_and_frames_from_that_of_the_file() {
        let frames = input("a.zst", Packing::Zstd, vec![part(None, 10), part(None, 20), part(None, 5)]);
        let members = input("b.zip", Packing::Zip, vec![part(Some("x.pgn"), 10), part(Some("y.pgn"), 20)]);
        let inputs = ReadInputs { list: vec![frames, members] };
        let at = |input, part, offset| {
            let Location { name, offset } = inputs.locate(Place { input, part, offset });
            (name, offset)
        };
        assert_eq!(at(0, 0, 3), ("a.zst".into(), 3));
        assert_eq!(at(0, 2, 3), ("a.zst".into(), 33));
        assert_eq!(at(1, 1, 3), ("b.zip!y.pgn".into(), 3));
        assert_eq!(inputs.list[0].text_bytes(), 35);
    }
}
