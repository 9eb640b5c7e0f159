//! The sources of each edge's lessons: for each source, the number of lessons and the latest date.

/// The source and the date of a record.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Origin {
    /// The index of the record's source in the caller's list.
    pub source: u32,
    /// The record's date as yyyymmdd; 0 if unknown.
    pub date: u32,
}

/// The lessons for one edge from one source.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct SourceLessons {
    /// The number of the source.
    pub source: u32,
    /// The number of the source's records that have a lesson for the edge.
    pub count: u32,
    /// The latest date among these records, as yyyymmdd; 0 if none of them is dated.
    pub last_date: u32,
}

impl SourceLessons {
    fn add(&mut self, date: u32) {
        self.count = self.count.saturating_add(1);
        self.last_date = self.last_date.max(date);
    }
}

/// The index that marks the end of a chain. A chain whose head is this index is empty.
pub(super) const NONE: u32 = u32::MAX;

/// The chains of all edges. The chain of an edge has one link for each source of the edge's lessons, in
/// descending order of source numbers.
///
/// # Memory
///
/// An edge needs sixteen bytes for each source from which it has lessons; an edge without lessons needs none.
#[derive(Clone, Debug, Default)]
pub(super) struct Chains {
    links: Links,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    taught: SourceLessons,
    next: u32,
}

/// The links of all chains; a link is found by its number. Links are stored in blocks, so that adding a link
/// never moves the others.
#[derive(Clone, Debug, Default)]
struct Links {
    blocks: Vec<Vec<Link>>,
    count: usize,
}

/// The number of links in a block.
const BLOCK: usize = 1 << 14;

impl Links {
    #[inline]
    fn get(&self, at: u32) -> Option<&Link> {
        self.blocks.get(at as usize / BLOCK)?.get(at as usize % BLOCK)
    }

    #[inline]
    fn get_mut(&mut self, at: u32) -> Option<&mut Link> {
        self.blocks.get_mut(at as usize / BLOCK)?.get_mut(at as usize % BLOCK)
    }

    fn push(&mut self, link: Link) {
        if self.count.is_multiple_of(BLOCK) {
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        self.count += 1;
        if let Some(block) = self.blocks.last_mut() {
            block.push(link);
        }
    }
}

impl Chains {
    /// Adds a lesson to the chain that begins at `head`. Since records are mostly replayed source by source,
    /// the lesson nearly always belongs to the first link.
    #[inline]
    pub(super) fn note(&mut self, head: &mut u32, origin: Origin) {
        match self.links.get_mut(*head) {
            Some(link) if link.taught.source == origin.source => link.taught.add(origin.date),
            Some(link) if link.taught.source > origin.source => self.note_below(*head, origin),
            _ => *head = self.begin(*head, origin),
        }
    }

    /// Adds a lesson to the part of a chain that follows the link `at`. The lesson's source must have a lower
    /// number than the source of this link.
    fn note_below(&mut self, mut at: u32, origin: Origin) {
        loop {
            let Some(next) = self.links.get(at).map(|link| link.next) else { return };
            match self.links.get_mut(next) {
                Some(link) if link.taught.source == origin.source => return link.taught.add(origin.date),
                Some(link) if link.taught.source > origin.source => at = next,
                _ => {
                    let begun = self.begin(next, origin);
                    if let Some(link) = self.links.get_mut(at) {
                        link.next = begun;
                    }
                    return;
                }
            }
        }
    }

    /// Inserts a link before `next`. If there are already four billion links, the source is not recorded, but
    /// the lesson still changes the learned value.
    fn begin(&mut self, next: u32, origin: Origin) -> u32 {
        let Some(at) = u32::try_from(self.links.count).ok().filter(|&at| at != NONE) else { return next };
        let taught = SourceLessons { source: origin.source, count: 1, last_date: origin.date };
        self.links.push(Link { taught, next });
        at
    }

    /// Returns the links of the chain that begins at `head`, in descending order of source numbers.
    pub(super) fn iter(&self, head: u32) -> impl Iterator<Item = SourceLessons> + '_ {
        let mut at = head;
        std::iter::from_fn(move || {
            let link = self.links.get(at)?;
            at = link.next;
            Some(link.taught)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_kept_apart() {
        let mut chains = Chains::default();
        let (mut one, mut other) = (NONE, NONE);
        for (source, date) in [(4, 19_980_307), (7, 0), (4, 19_980_301), (0, 1), (7, 0), (5, 2), (0, 3)] {
            chains.note(&mut one, Origin { source, date });
        }
        chains.note(&mut other, Origin { source: 7, date: 5 });
        let taught: Vec<_> =
            chains.iter(one).map(|taught| (taught.source, taught.count, taught.last_date)).collect();
        assert_eq!(taught, [(7, 2, 0), (5, 1, 2), (4, 2, 19_980_307), (0, 2, 3)]);
        assert_eq!(chains.iter(other).count(), 1);
        assert_eq!(chains.iter(NONE).count(), 0);
    }
}
