//! Collects the texts of games in one chunk.

/// Texts of games. Texts that are adjacent in the chunk are joined.
#[derive(Default)]
pub(super) struct Texts {
    text: Vec<u8>,
    /// For each joined text, the offset in the chunk at which it begins, and the offset in `text` at which it
    /// ends.
    runs: Vec<(usize, usize)>,
}

impl Texts {
    /// Adds the text that begins at `offset` in the chunk.
    pub(super) fn push(&mut self, offset: usize, text: &[u8]) {
        let end = self.text.len() + text.len();
        let begun = self.runs.len().checked_sub(2).map_or(0, |before| self.runs[before].1);
        match self.runs.last_mut() {
            Some((start, run_end)) if *start + *run_end - begun == offset => *run_end = end,
            _ => self.runs.push((offset, end)),
        }
        self.text.extend_from_slice(text);
    }

    /// Replaces each CR with an LF, unless an LF follows the CR. All lines of a file must have the same kind
    /// of line ending, because readers determine this kind only once for each file.
    pub(super) fn end_lines_at_lf(&mut self) {
        for at in 0..self.text.len() {
            if self.text[at] == b'\r' && self.text.get(at + 1) != Some(&b'\n') {
                self.text[at] = b'\n';
            }
        }
    }

    /// The joined texts, with the offset of each in the chunk.
    pub(super) fn runs(&self) -> impl Iterator<Item = (usize, &[u8])> {
        let begins = [0].into_iter().chain(self.runs.iter().map(|(_, end)| *end));
        self.runs.iter().zip(begins).map(|(&(offset, end), begin)| (offset, &self.text[begin..end]))
    }

    /// The memory used, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.text.len() + size_of_val(&self.runs[..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_follow_each_other_are_one() {
        let mut texts = Texts::default();
        for (offset, text) in [(3, "abc"), (6, "de"), (10, "f"), (11, "gh"), (20, "i")] {
            texts.push(offset, text.as_bytes());
        }
        let runs: Vec<_> = texts.runs().map(|(at, text)| (at, std::str::from_utf8(text).unwrap())).collect();
        assert_eq!(runs, [(3, "abcde"), (10, "fgh"), (20, "i")]);
    }
}
