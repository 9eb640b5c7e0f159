//! Rewrites movetext in the standard spelling of PGN: replaces characters that are not part of PGN, and adds
//! missing spaces.
//!
//! Only a game that cannot be read as it stands is rewritten. Unknown text is left alone, so that the
//! movetext reader reports it. Comments and variations are copied as they are.
//!
//! If there is no space between a move and the result or move number after it, the two are split, provided
//! that there is only one way to split them.

mod signs;

use crate::{
    misspelling::{Misspelling, Misspellings},
    tags::{blank_len, line_end_byte},
};

use super::{bytes::ends_bad_token, result, san, skip};
use signs::sign;

/// The maximum length, in bytes, of a word that may be split into a move and the result or move number after
/// it.
const GLUED_BYTES_MAX: usize = 64;

/// The text of one game in the standard spelling of PGN.
///
/// # Memory
///
/// Takes about as much memory as the text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Respelling {
    pub(crate) text: Vec<u8>,
    /// Pairs of an offset in `text` and the matching offset in the original text. There is one pair for each
    /// place where the difference between the two offsets changes.
    shifts: Vec<(usize, usize)>,
    /// The spellings that were replaced.
    pub(crate) misspellings: Misspellings,
    /// The offset of the word that is being read.
    word: usize,
}

impl Respelling {
    /// Rewrites the game `text`, starting at byte `at`, where its tags end. Variations are rewritten only if
    /// `variations` is true.
    pub(crate) fn of(text: &[u8], at: usize, variations: bool) -> Self {
        let mut new = Self { text: text[..at].to_vec(), word: at, ..Self::default() };
        let (line_end, mut at) = (line_end_byte(text), at);
        while at < text.len() {
            let end = skip::aside(text, at, line_end, variations).max(at + blank_len(text, at));
            let end = end.max(at + usize::from(ends_bad_token(text[at])));
            if end > at {
                new.end_word();
                new.text.extend_from_slice(&text[at..end]);
                new.word = new.text.len();
                at = end;
            } else {
                at = new.push(text, at);
            }
        }
        new.end_word();
        new
    }

    /// The offset in the original text that corresponds to byte `at`.
    pub(crate) fn place(&self, at: usize) -> usize {
        let shifts = self.shifts.partition_point(|(from, _)| *from <= at);
        let (from, to) = shifts.checked_sub(1).map_or((0, 0), |last| self.shifts[last]);
        to + (at - from)
    }

    /// Adds the character at `at`, or its replacement in PGN; returns where the character ends.
    fn push(&mut self, text: &[u8], at: usize) -> usize {
        let (end, known) = sign(text, at);
        let Some((replacement, kind)) = known else {
            self.text.extend_from_slice(&text[at..end]);
            return end;
        };
        self.misspellings.add(kind);
        self.text.extend_from_slice(replacement.as_bytes());
        self.shifts.push((self.text.len(), end));
        if replacement.ends_with(' ') {
            // A replacement that ends with a space also ends the word before it.
            let blank = self.text.len() - replacement.len();
            let word = std::mem::replace(&mut self.word, self.text.len());
            self.split(word, blank);
        }
        end
    }

    fn end_word(&mut self) {
        let (word, end) = (self.word, self.text.len());
        self.split(word, end);
    }

    /// Splits the word from byte `at` to `end` into its parts.
    fn split(&mut self, mut at: usize, mut end: usize) {
        self.mend(at..end);
        while let Some((length, kind)) = glued(&self.text[at..end]) {
            self.misspellings.add(kind);
            at += length;
            let place = self.place(at);
            let index = self.shifts.partition_point(|(from, _)| *from <= at);
            self.shifts[index..].iter_mut().for_each(|(from, _)| *from += 1);
            self.shifts.insert(index, (at + 1, place));
            self.text.insert(at, b' ');
            (at, end) = (at + 1, end + 1);
            self.word += usize::from(self.word > at);
        }
    }

    /// In a word, replaces each `:` that stands for a capture with `x`, and a final `/ep` or `/e.p.` with
    /// spaces; the length does not change.
    fn mend(&mut self, word: std::ops::Range<usize>) {
        let word = &mut self.text[word];
        for at in 1..word.len() {
            if let [before, b':', b'a'..=b'h'] = word[at - 1..(at + 2).min(word.len())]
                && before.is_ascii_alphanumeric()
            {
                word[at] = b'x';
                self.misspellings.add(Misspelling::CaptureSigns);
            }
        }
        for mark in [&b"/e.p."[..], b"/ep"] {
            if let Some(at) = word.len().checked_sub(mark.len()).filter(|at| *at > 0 && word[*at..] == *mark)
            {
                word[at..].fill(b' ');
                self.misspellings.add(Misspelling::EnPassantMarks);
            }
        }
    }
}

/// Splits `word` into a move, which may have a number before it, and the text that directly follows the move.
/// Returns the length of the part before the split and the kind of misspelling; `None` if the word is a move
/// as it stands, is too long, or cannot be split in exactly one way.
fn glued(word: &[u8]) -> Option<(usize, Misspelling)> {
    let first = number_len(word);
    if word.len() > GLUED_BYTES_MAX || san::is_whole(&word[first..]) {
        return None;
    }
    let cut = |at: usize| Some((at, glued_kind(&word[at..])?)).filter(|_| san::is_whole(&word[first..at]));
    let mut cuts = (first + 2..word.len()).filter_map(cut);
    let only = cuts.next()?;
    cuts.next().is_none().then_some(only)
}

/// `rest` is the text that directly follows a move. If it is a result or begins with a move number, returns
/// the kind of misspelling.
fn glued_kind(rest: &[u8]) -> Option<Misspelling> {
    if result::parse(rest, 0).is_some_and(|(_, end)| end == rest.len()) {
        return Some(Misspelling::GluedResults);
    }
    (number_len(rest) > 0 && rest[0] != b'0').then_some(Misspelling::GluedNumbers)
}

/// The length of a number and its dots at the beginning of `word`, or 0 if there is no such number.
fn number_len(word: &[u8]) -> usize {
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let dots = word[digits..].iter().take_while(|byte| **byte == b'.').count();
    if digits == 0 || dots == 0 { 0 } else { digits + dots }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn respelled(text: &[u8], variations: bool) -> (String, Vec<(&'static str, u32)>) {
        let new = Respelling::of(text, 0, variations);
        let kinds = new.misspellings.iter().map(|(kind, times)| (kind.into(), times)).collect();
        (String::from_utf8(new.text.clone()).unwrap(), kinds)
    }

    #[track_caller]
    fn reads_as(text: &str, expected: &str, kind: &'static str) {
        assert_eq!(respelled(text.as_bytes(), false), (expected.to_owned(), vec![(kind, 1)]), "{text}");
    }

    #[test]
    fn each_kind_is_written_as_pgn_has_it() {
        reads_as("♘f3", "Nf3", "figurines");
        reads_as("exd8=♛+", "exd8=Q+", "figurines");
        reads_as("e:d5 e5", "exd5 e5", "capture-signs");
        reads_as("N3×e5", "N3xe5", "capture-signs");
        reads_as("exd6/ep d5", "exd6    d5", "en-passant-marks");
        reads_as("exd6/e.p.", "exd6     ", "en-passant-marks");
        reads_as("Nf3± d5", "Nf3 +/-  d5", "evaluation-signs");
        reads_as("e4‼", "e4!!", "evaluation-signs");
        reads_as("e4\u{a0}e5", "e4 e5", "typography");
        reads_as("1…e5", "1...e5", "typography");
        reads_as("0–1", "0-1", "typography");
        reads_as("e2—e4", "e2-e4", "typography");
        reads_as("Qg20-1", "Qg2 0-1", "glued-results");
        reads_as("40.Qg2#0-1", "40.Qg2# 0-1", "glued-results");
        reads_as("0-00-1", "0-0 0-1", "glued-results");
        reads_as("Ra11/2-1/2", "Ra1 1/2-1/2", "glued-results");
        reads_as("bxa8Q1-0\n", "bxa8Q 1-0\n", "glued-results");
        reads_as("1.e4 e52.Nf3", "1.e4 e5 2.Nf3", "glued-numbers");
        reads_as("1.e42...e5", "1.e4 2...e5", "glued-numbers");
        reads_as("Rd112.h3", "Rd1 12.h3", "glued-numbers");
        let all = "♘f3±♞f62.e:d5½–½";
        let expected = "Nf3 +/- Nf6 2.exd5 ½-½".to_owned();
        assert_eq!(respelled(all.as_bytes(), false).0, expected);
    }

    #[test]
    fn what_can_be_cut_in_no_way_or_two_stays() {
        for text in [
            "e4e5",
            "Qg20-2",
            "Nf3d5",
            "Qg2x0-1",
            "e40-0",
            "Rb1/2-1/2",
            "e52",
            "Nf3Nc63.Bb5",
            "e.p.",
            "Zf31-0",
            "1-0",
            "0-1",
            "1/2-1/2",
            "½-½",
            "O-O",
            "12.",
            "e8=Q",
            "♥f3",
            "König",
            "a:",
            ":e4",
            "/ep",
            "e4 {♘ 1–0} (♘f3) ; ±",
        ] {
            assert_eq!(respelled(text.as_bytes(), false), (text.to_owned(), vec![]));
        }
        let long = format!("{}0-1", "e4".repeat(40));
        assert_eq!(respelled(long.as_bytes(), false).0, long);
    }

    #[test]
    fn the_first_word_is_read_apart_from_the_tags() {
        let text = "[Site \"a:b\"]\n\ne4e52.Nf3";
        let new = Respelling::of(text.as_bytes(), text.find("e4").unwrap(), false);
        assert_eq!(new.text, "[Site \"a:b\"]\n\ne4e5 2.Nf3".as_bytes());
        let kinds: Vec<_> = new.misspellings.iter().collect();
        assert_eq!(kinds, [(Misspelling::GluedNumbers, 1)]);
    }

    #[test]
    fn windows_1252_is_read_where_utf_8_is_not_valid() {
        let (text, kinds) = respelled(b"e4\xa0e5\xb1 \xbd\x96\xbd", false);
        assert_eq!(text, "e4 e5 +/-  ½-½");
        assert_eq!(kinds, [("evaluation-signs", 1), ("typography", 4)]);
    }

    #[test]
    fn variations_are_respelled_where_they_are_read() {
        assert_eq!(respelled("e4 (♘f3 {♘} Qg20-1) e5".as_bytes(), true).0, "e4 (Nf3 {♘} Qg2 0-1) e5");
    }

    #[test]
    fn places_are_those_of_the_text_as_it_is_written() {
        let text = "[A \"♘\"]\n1.♘f3±♞f62.e:d5½–½ e4";
        let at = text.find('\n').unwrap();
        let new = Respelling::of(text.as_bytes(), at, false);
        let spelt = std::str::from_utf8(&new.text).unwrap();
        assert_eq!(spelt, "[A \"♘\"]\n1.Nf3 +/- Nf6 2.exd5 ½-½ e4");
        for (word, written) in [
            ("1.N", "1.♘"),
            ("f3", "f3"),
            ("Nf6", "♞"),
            ("f6", "f62"),
            ("2.", "2."),
            ("d5", "d5"),
            ("½-", "½"),
            (" e4", " e4"),
        ] {
            let at = text.find(written).unwrap();
            assert_eq!(new.place(spelt.find(word).unwrap()), at, "{word}");
        }
        assert_eq!(new.place(spelt.len()), text.len());
    }
}
