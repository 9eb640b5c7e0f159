//! Scans JSON in which the fields of objects are known, strings have no escapes, and numbers are whole.

use std::ops::RangeInclusive;

use memchr::memchr2;

use crate::{EvalReason, Refusal, number::within, shown};

/// A line's text, and the scanner's offset in it.
#[derive(Clone)]
pub(crate) struct Scanner<'l> {
    text: &'l [u8],
    at: usize,
}

type Scanned<'l, T> = Result<T, Refusal<'l>>;

impl<'l> Scanner<'l> {
    pub(crate) fn new(text: &'l [u8]) -> Self {
        Self { text, at: 0 }
    }

    /// Skips whitespace, and returns the next byte; 0 at the end.
    #[inline]
    fn peek(&mut self) -> u8 {
        loop {
            match self.text.get(self.at) {
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                byte => return byte.copied().unwrap_or(0),
            }
        }
    }

    #[inline]
    fn take(&mut self, byte: u8) -> bool {
        let is_next = self.peek() == byte;
        self.at += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, byte: u8) -> Scanned<'l, ()> {
        if self.take(byte) { Ok(()) } else { Err(self.bad()) }
    }

    /// The error for the text at the current offset, which does not have the expected form.
    pub(crate) fn bad(&self) -> Refusal<'l> {
        let rest = self.text.get(self.at..).unwrap_or_default();
        (EvalReason::BadText, shown(rest))
    }

    /// Reads an object; calls `field` with the name of each field to read its value.
    pub(crate) fn object(
        &mut self,
        mut field: impl FnMut(&mut Self, &'l [u8]) -> Scanned<'l, ()>,
    ) -> Scanned<'l, ()> {
        self.expect(b'{')?;
        if self.take(b'}') {
            return Ok(());
        }
        loop {
            let (_, name) = self.string()?;
            self.expect(b':')?;
            field(self, name)?;
            if !self.take(b',') {
                return self.expect(b'}');
            }
        }
    }

    /// Reads an array; calls `item` to read each item.
    pub(crate) fn array(&mut self, mut item: impl FnMut(&mut Self) -> Scanned<'l, ()>) -> Scanned<'l, ()> {
        self.expect(b'[')?;
        if self.take(b']') {
            return Ok(());
        }
        loop {
            item(self)?;
            if !self.take(b',') {
                return self.expect(b']');
            }
        }
    }

    /// Skips this exact text, if it comes next.
    #[inline]
    pub(crate) fn pass(&mut self, text: &[u8]) -> Option<()> {
        let is_next = self.text.get(self.at..)?.starts_with(text);
        self.at += if is_next { text.len() } else { 0 };
        is_next.then_some(())
    }

    /// Reads a string, and returns it with its offset in the text. Escapes are rejected: no field that is
    /// read here needs them.
    #[inline]
    pub(crate) fn string(&mut self) -> Scanned<'l, (usize, &'l [u8])> {
        self.expect(b'"')?;
        self.rest_of_string()
    }

    /// Reads the rest of a string, after its opening quote.
    #[inline]
    pub(crate) fn rest_of_string(&mut self) -> Scanned<'l, (usize, &'l [u8])> {
        let from = self.at;
        match memchr2(b'"', b'\\', &self.text[from..]) {
            Some(length) if self.text[from + length] == b'"' => {
                self.at = from + length + 1;
                Ok((from, &self.text[from..from + length]))
            }
            _ => Err(self.bad()),
        }
    }

    /// Reads a whole number within a range.
    #[inline]
    pub(crate) fn number<T: TryFrom<i64>>(&mut self, range: RangeInclusive<i64>) -> Scanned<'l, T> {
        within(self.word(), range)
    }

    /// Reads text up to a comma, a bracket or a space.
    #[inline]
    pub(crate) fn word(&mut self) -> &'l [u8] {
        self.peek();
        let rest = &self.text[self.at..];
        let end =
            rest.iter().position(|byte| matches!(byte, b',' | b'}' | b']' | b' ')).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    /// Checks that nothing follows.
    pub(crate) fn end(mut self) -> Scanned<'l, ()> {
        if self.peek() == 0 && self.at == self.text.len() { Ok(()) } else { Err(self.bad()) }
    }
}
