//! Breaks text into lines of fewer than eighty columns.

/// The maximum number of characters in a line.
const COLUMNS: usize = 79;

/// Breaks text into lines at spaces. The text arrives in pieces, which may be cut anywhere.
#[derive(Default)]
pub(crate) struct Wrap {
    /// The line so far, which is not full yet.
    rest: String,
}

impl Wrap {
    /// Adds a piece of text, and moves full lines to `out`. A space at the beginning of a piece is dropped
    /// if it would begin a line.
    pub(crate) fn push(&mut self, text: &str, out: &mut String) {
        let text = if self.rest.is_empty() { text.trim_start_matches(' ') } else { text };
        self.rest.push_str(text);
        let mut begin = 0;
        while let Some(end) = end_of_line(&self.rest[begin..]) {
            out.push_str(&self.rest[begin..begin + end]);
            out.push('\n');
            begin += end + 1;
        }
        self.rest.drain(..begin);
    }

    /// Adds the last piece of text, moves whatever is left to `out`, and ends the last line.
    pub(crate) fn finish(mut self, text: &str, out: &mut String) {
        self.push(text, out);
        out.push_str(&self.rest);
        out.push('\n');
    }
}

/// Where to break text that does not fit on one line: at the last space that leaves the line short enough or,
/// if there is none, at the first space. `None` if the text fits.
fn end_of_line(text: &str) -> Option<usize> {
    let is_short = text.len() <= COLUMNS;
    let past = if is_short { None } else { text.char_indices().nth(COLUMNS).map(|(at, _)| at) }?;
    let (line, rest) = text.split_at(past);
    let before = if rest.starts_with(' ') { Some(past) } else { line.rfind(' ') };
    before.or_else(|| rest.find(' ').map(|at| past + at))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn prop_lines_are_short_and_hold_the_words_wherever_the_text_is_cut(
            words in prop::collection::vec("[a-zé(){}]{1,60}|[a-z]{78,81}", 1..60),
            size in 1_usize..200,
        ) {
            let text = words.join(" ");
            let mut wrap = Wrap::default();
            let mut out = String::new();
            let letters: Vec<char> = text.chars().collect();
            letters.chunks(size).for_each(|piece| wrap.push(&String::from_iter(piece), &mut out));
            wrap.finish("", &mut out);
            prop_assert_eq!(out.split_whitespace().collect::<Vec<_>>(), words);
            let mut lines = out.lines().peekable();
            while let Some(line) = lines.next() {
                let columns = line.chars().count();
                prop_assert!(columns <= COLUMNS || !line.contains(' '));
                if let Some(word) = lines.peek().and_then(|next| next.split(' ').next()) {
                    prop_assert!(columns + 1 + word.chars().count() > COLUMNS, "{} fits", word);
                }
            }
        }
    }
}
