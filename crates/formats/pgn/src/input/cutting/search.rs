//! Looks for the start of the first game in the text that is read block by block, in bounded memory.

use std::io::{self, Read};

use super::{
    rule::Rule,
    start::{
        LOOK_BYTES_MAX, first_decisive_line, first_start, is_blank, open_line, substitute_before,
        substitute_of,
    },
};

const BLOCK_BYTES: usize = 64 << 10;

/// A search for the start of the next game in a stream whose text is not kept.
///
/// # Memory
/// A search holds one block of 64 KiB. It also holds the unfinished line before the block (at most another 64
/// KiB) if a game may turn out to start at that line. Of the earlier text, it remembers only whether that
/// text ends with a blank line or, for records, with a tag line.
#[derive(Debug)]
pub(crate) struct Search {
    rule: Rule,
    /// A short substitute for earlier text, then the unfinished line that was kept, then the last block read.
    window: Vec<u8>,
    /// The number of bytes at the beginning of the window that do not belong to [`Self::fresh`]: text that
    /// was passed on earlier, or the substitute for earlier text.
    done: usize,
    /// Two offsets in the window; `None` until a decisive line has been read (see [`first_decisive_line`]).
    /// The first offset is that of the decisive line, or 0 if the earlier text is known. The second offset is
    /// where the search for the start of a game begins.
    known: Option<(usize, usize)>,
}

impl Search {
    /// Starts a search in text whose beginning is unknown. The search finds the start of a game only after a
    /// decisive line: before such a line, the unknown text may affect where a game starts. The first line may
    /// be the end of a longer line, so it is ignored.
    pub(crate) fn amid_unknown(rule: Rule) -> Self {
        // A `%` before the first line makes the rule for game starts skip that line.
        let window = b"%".to_vec();
        Self { rule, done: window.len(), window, known: None }
    }

    /// Continues a search after `text`, in which no further game starts.
    pub(crate) fn after(text: &[u8], rule: Rule) -> Self {
        let open = open_line(text, rule);
        let mut window = substitute(text, open, rule);
        let done = window.len();
        window.extend_from_slice(&text[open..]);
        Self { rule, window, done, known: Some((0, 0)) }
    }

    /// Returns the search that will read the next block. The window of the new search holds only the text of
    /// the current window that is still needed.
    fn advanced(&self) -> Self {
        if let Some((line, _)) = self.known {
            return Self::after(&self.window[line..], self.rule);
        }
        let line = &self.window[self.rule.ends.open_line(&self.window)..];
        let mut window = line.to_vec();
        // Whatever follows, the search finds no start of a game at a line this long, so a short substitute is
        // enough. A CR at the end of the line is kept, because an LF after it would belong to the same line
        // break.
        if line.len() > LOOK_BYTES_MAX {
            let (content, end) = line.split_at(line.len() - usize::from(line.ends_with(b"\r")));
            window = substitute(content, content.len(), self.rule);
            window.extend_from_slice(end);
        }
        Self { rule: self.rule, done: window.len(), window, known: None }
    }

    /// Reads the next block; the previous block must have been passed on. Returns false at the end of the
    /// stream.
    pub(crate) fn read_block(&mut self, reader: &mut (impl Read + ?Sized)) -> io::Result<bool> {
        *self = self.advanced();
        let held = self.window.len();
        self.window.resize(held + BLOCK_BYTES, 0);
        let read = reader.read(&mut self.window[held..]);
        self.window.truncate(held + read.as_ref().map_or(0, |&bytes| bytes));
        self.known = self.known.or_else(|| first_decisive_line(&self.window, self.rule));
        Ok(read? > 0)
    }

    /// The offset in the fresh text at which the first game starts.
    pub(crate) fn find(&self) -> Option<usize> {
        let (line, from) = self.known?;
        let start = first_start(&self.window[line..], self.done.max(from) - line, self.rule)?;
        Some(line + start.line - self.done)
    }

    /// The text that has not been passed on yet.
    pub(crate) fn fresh(&self) -> &[u8] {
        &self.window[self.done..]
    }

    /// The number of bytes at the beginning of [`Self::fresh`] that cannot belong to a game whose start is
    /// found later.
    pub(crate) fn settled_bytes(&self) -> usize {
        let open = self.known.map_or(self.window.len(), |_| open_line(&self.window, self.rule));
        open.max(self.done) - self.done
    }

    /// The number of bytes in the fresh text that are kept for the next block because a game may begin there.
    pub(crate) fn kept_bytes(&self) -> usize {
        self.fresh().len() - self.settled_bytes()
    }
}

/// Returns a short text that can replace `text[..open]` without changing which later lines start a game.
/// `open` must be the start of a line or the end of the text.
fn substitute(text: &[u8], open: usize, rule: Rule) -> Vec<u8> {
    let line = rule.ends.last_line(&text[..open]);
    let mut short = Vec::with_capacity(BLOCK_BYTES);
    if line > 0 {
        short.extend_from_slice(substitute_before(text, line, rule));
        short.push(text[line - 1]);
    }
    let partial = &text[line..open];
    match partial.first() {
        None => {}
        Some(b'%') => short.push(b'%'),
        // The line may still turn out to be blank, but no tag in this line can start a game. The substitute
        // for the line therefore has more than [`LOOK_BYTES_MAX`] spaces.
        Some(_) if is_blank(partial) => short.resize(short.len() + LOOK_BYTES_MAX + 1, b' '),
        Some(_) => short.extend_from_slice(substitute_of(partial, rule)),
    }
    short
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{
        super::{line_ends::LineEnds, rule::Unit},
        *,
    };

    /// The offset at which the search finds the start of a game when the text is read in blocks of the given
    /// size.
    fn found(mut search: Search, text: &[u8], block: usize) -> Option<usize> {
        let mut passed = 0;
        for block in text.chunks(block).chain([&[][..]]) {
            passed += search.fresh().len() - search.after_block(block);
            if let Some(at) = search.find() {
                return Some(passed + at);
            }
        }
        None
    }

    impl Search {
        /// Reads a block, and returns how many bytes of the fresh text come from earlier blocks.
        fn after_block(&mut self, mut block: &[u8]) -> usize {
            let bytes = block.len();
            self.read_block(&mut block).unwrap();
            self.fresh().len() - bytes
        }
    }

    #[test]
    fn a_start_is_found_at_the_same_place_in_any_blocks() {
        let texts: [(&[u8], Option<usize>); 11] = [
            (b"4 e5\n\n\n[Site \"x\"]\n\n[Event \"a\"]", Some(7)),
            (b"  \n[Site \"x\"]\n[White \"\"]\n \n\t\xEF\xBB\xBF[White \"a\"]", Some(27)),
            (b"[Event \"a\"]\n[Event \"a\"]\n[Event \"a\"]", Some(24)),
            (b"te \"\"]\n[Site \"\"]\n[Event \"a\"]\n[White \"\"]\n[Event \"b\"]", Some(40)),
            (b" 1-0\n[Site \"\"] 1. e4\n[Event \"a\"]", Some(21)),
            (b"\n[Site \"\"]\n%\n[Event \"\"]\n[Site \"\"]\n\n\n[Site \"\"]", Some(36)),
            (b"\n% [\n[White \"a\"]\n% \n\n% \n[White \"a\"]", Some(24)),
            (b"% \n[White \"a\"]\n", None),
            (b"e4\n\n[White\n\"a\"]\n", None),
            (b"", None),
            (b"\n\r\n[White_9\t\t\"a\"]\n", Some(3)),
        ];
        for (text, start) in texts {
            for block in 1..=text.len() + 1 {
                let search = Search::amid_unknown(Rule::games(LineEnds::Lf));
                assert_eq!(found(search, text, block), start, "{} by {block}", text.escape_ascii());
            }
        }
    }

    #[test]
    fn a_line_too_long_to_hold_is_judged_as_in_one_piece() {
        for (long, starts) in [
            (format!("[A \"{}\"]", "x".repeat(2 * LOOK_BYTES_MAX)), true),
            (format!("%{}", "x".repeat(2 * LOOK_BYTES_MAX)), false),
            (" ".repeat(2 * LOOK_BYTES_MAX), true),
        ] {
            for ends in [LineEnds::Lf, LineEnds::Cr] {
                let text = format!("4 e5\r\n{long}\r\n[Event \"a\"]");
                for block in [1000, BLOCK_BYTES - 1, BLOCK_BYTES] {
                    let search = Search::amid_unknown(Rule::games(ends));
                    let start = starts.then_some(long.len() + 8);
                    assert_eq!(found(search, text.as_bytes(), block), start, "{} by {block}", &long[..4]);
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn prop_a_certain_start_is_one_of_the_whole_text(
            lines in prop::collection::vec(prop::sample::select(SOUP), 0..40),
            block in 1usize..60,
            old_mac in any::<bool>(),
            unit in 0..3usize,
        ) {
            let text = lines.concat();
            let ends = if old_mac { LineEnds::Cr } else { LineEnds::Lf };
            let rule = Rule { ends, unit: [Unit::Games, Unit::Records, Unit::Lines][unit] };
            for cut in 0..=text.len() {
                let in_one_block = found(Search::amid_unknown(rule), &text[cut..], text.len() + 1);
                let in_blocks = found(Search::amid_unknown(rule), &text[cut..], block);
                prop_assert_eq!(in_one_block, in_blocks, "{} from {}", text.escape_ascii(), cut);
                if let Some(start) = in_blocks {
                    let start = cut + start;
                    let whole = first_start(&text, start, rule).map(|start| start.line);
                    prop_assert_eq!(whole, Some(start), "{} from {}", text.escape_ascii(), cut);
                }
            }
        }
    }

    const SOUP: &[&[u8]] = &[
        b"\n",
        b"\r\n",
        b"\r",
        b"\n\n",
        b" ",
        b"%",
        b"[",
        b"[Event \"a\"]\n",
        b"[ Event\"a\" ]\r",
        b"\n[Event \"a\"]\n",
        b"[White \"b\"]\n",
        b"[White \"b\"]\r",
        b"[Elo \"b\"][E \"\"]\n",
        b"[Elo \"b\"] [Event \"\"]\n",
        b"[Elo \"b",
        b"1. e4 e5\n",
        b"\n\n[W \"\"]\n",
    ];

    #[test]
    fn what_came_before_matters_only_by_its_last_lines() {
        let next = b"[White \"a\"]";
        for (before, starts) in
            [("e4\n", false), ("e4\n\n", true), ("e4\n\n%x\n", true), ("%x\n", true), ("", true)]
        {
            let search = Search::after(before.as_bytes(), Rule::games(LineEnds::Lf));
            assert_eq!(found(search, next, 3).is_some(), starts, "{before:?}");
        }
        assert_eq!(found(Search::after(b"e4\n\n [Whi", Rule::games(LineEnds::Lf)), b"te \"\"]", 1), Some(0));
        assert_eq!(
            found(Search::after(b"e4\n\n%", Rule::games(LineEnds::Lf)), b"\n[White \"\"]", 1),
            Some(1)
        );
        assert_eq!(found(Search::after(b"e4\r", Rule::games(LineEnds::Cr)), b"\n[White \"\"]", 1), None);
    }

    #[test]
    fn records_start_at_the_same_place_in_any_blocks() {
        let rule = Rule { ends: LineEnds::Lf, unit: Unit::Records };
        let texts: [(&[u8], Option<usize>); 6] = [
            (b"ite \"a\"]\n[B \"b\"]\n e4 {1 2 3}\n[W \"c\"]\n[B \"d\"]", Some(29)),
            (b"\n[W \"c\"]\n\n[B \"d\"]\n\n% x\n e4\n\n[W \"e\"]", Some(28)),
            (b"1 2 3}\n[W \"c\"]\n[B \"d\"]", None),
            (b"1 2 3}\nposition\n[W \"c\"]", Some(16)),
            (b" e4\n[\n[1]\n e5\n \xEF\xBB\xBF[W]", Some(14)),
            (b"", None),
        ];
        for (text, start) in texts {
            for block in 1..=text.len() + 1 {
                assert_eq!(
                    found(Search::amid_unknown(rule), text, block),
                    start,
                    "{} by {block}",
                    text.escape_ascii()
                );
            }
        }
        for (before, starts) in
            [("[W x]\n", false), ("[W x]\n\n", false), ("[W x]\n e4\n\n", true), ("[W", false), ("", true)]
        {
            let search = Search::after(before.as_bytes(), rule);
            assert_eq!(found(search, b"\n[B x]", 3).is_some(), starts, "{before:?}");
        }
    }
}
