//! Writes a tree of moves, line by line.

use std::{
    io::{BufWriter, Write as _},
    path::Path,
};

use output::{OutputFile, Prepared};

use super::{AbkMove, FIRST_RECORD, Header};
use crate::{Error, Existing, Result};

/// A move and its replies.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    /// The move's record, whose links are set when it is written.
    pub record: AbkMove,
    /// The indexes of the replies in the list of nodes, in order.
    pub replies: Vec<u32>,
}

/// Writes the tree whose first moves are `first`, one line after another, as Arena does. The file keeps its
/// temporary name until it is published.
///
/// # Errors
///
/// Fails with [`Error::OutputExists`] if the file exists and must not be replaced, and with [`Error::Io`] if
/// it cannot be written.
pub fn prepare(
    path: &Path,
    header: &Header,
    (nodes, first): (&[Branch], &[u32]),
    existing: Existing,
) -> Result<Prepared> {
    let mut output = OutputFile::create(path, existing).map_err(Error::output(path))?;
    let mut out = BufWriter::new(output.file());
    out.write_all(&header.to_bytes()).map_err(Error::io(path))?;
    let sizes = sizes(nodes);
    let mut number = FIRST_RECORD;
    let mut open: Vec<(u32, bool)> = alternatives(first).rev().collect();
    while let Some((place, is_last)) = open.pop() {
        let node = &nodes[place as usize];
        let next_move = (!node.replies.is_empty()).then_some((number + 1).cast_signed());
        let after = number + sizes[place as usize];
        let next_sibling = (!is_last).then_some(after.cast_signed());
        let record = AbkMove { next_move, next_sibling, ..node.record };
        out.write_all(&record.to_bytes()).map_err(Error::io(path))?;
        open.extend(alternatives(&node.replies).rev());
        number += 1;
    }
    out.flush().map_err(Error::io(path))?;
    drop(out);
    output.prepare().map_err(Error::output(path))
}

/// Returns each index in `places` with a flag, which is `true` only for the last index.
fn alternatives(places: &[u32]) -> impl DoubleEndedIterator<Item = (u32, bool)> + '_ {
    places.iter().enumerate().map(|(at, &place)| (place, at + 1 == places.len()))
}

/// For each node, the number of records in its subtree, which includes the node itself. In `nodes`, every
/// reply comes after the move that it answers.
fn sizes(nodes: &[Branch]) -> Vec<u32> {
    let mut sizes = vec![1; nodes.len()];
    for (place, node) in nodes.iter().enumerate().rev() {
        sizes[place] += node.replies.iter().map(|&reply| sizes[reply as usize]).sum::<u32>();
    }
    sizes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abk::Reader;

    fn node(to: u8, replies: &[u32]) -> Branch {
        Branch { record: AbkMove { to, games: i32::from(to), ..AbkMove::default() }, replies: replies.into() }
    }

    fn lines(reader: &Reader) -> Vec<(u32, u8)> {
        let (mut seen, mut found) = (reader.unseen(), Vec::new());
        let mut open: Vec<_> = reader.first().into_iter().collect();
        while let Some(first) = open.pop() {
            for (number, record) in reader.alternatives(first, &mut seen).unwrap() {
                found.push((number, record.to));
                open.extend(record.next_move);
            }
        }
        assert_eq!(seen.count(), reader.records());
        found.sort_unstable();
        found
    }

    #[test]
    fn a_tree_is_written_line_by_line_and_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.abk");
        let nodes = [node(1, &[2, 3]), node(9, &[]), node(2, &[4]), node(4, &[]), node(3, &[])];
        let header = Header { moves: 5, ..Header::default() };
        prepare(&path, &header, (&nodes, &[0, 1]), Existing::Refuse).unwrap().publish().unwrap();
        let reader = Reader::open(&path).unwrap();
        assert_eq!(reader.header(), header);
        assert_eq!(lines(&reader), [(900, 1), (901, 2), (902, 3), (903, 4), (904, 9)]);
    }
}
