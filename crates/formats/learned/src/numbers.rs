//! The three numbers that end a record: `{79 3 100}`.

use pgn::tags::blank_len;

/// The three numbers, and the offset of their end.
pub(super) type Numbers = ([i32; 3], usize);

/// Reads three whole numbers after the `{` at offset `at`. They may be separated and surrounded by any
/// whitespace, commas and semicolons. The closing brace may be missing only where a line ends; anywhere else,
/// the last number might have been cut short.
pub(super) fn parse(text: &[u8], at: usize) -> Option<Numbers> {
    let mut numbers = [0; 3];
    let mut end = at + 1;
    for number in &mut numbers {
        let from = separators(text, end);
        (*number, end) = integer(text, from)?;
        let apart = text.get(end).is_none_or(|&byte| byte == b'}' || is_separator(text, end) > 0);
        if !apart {
            return None;
        }
    }
    let after = separators(text, end);
    if text.get(after) == Some(&b'}') {
        return Some((numbers, after + 1));
    }
    let ends_line = memchr::memchr2(b'\n', b'\r', &text[end..after]).is_some();
    ends_line.then_some((numbers, after))
}

/// The whole number at `at`, and the offset of its end; `None` if there is none, or it does not fit in 32
/// bits.
fn integer(text: &[u8], at: usize) -> Option<(i32, usize)> {
    let sign = usize::from(matches!(text.get(at), Some(b'+' | b'-')));
    let digits = text[(at + sign).min(text.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let end = at + sign + digits;
    let number = text.get(at..end).filter(|_| digits > 0)?;
    Some((std::str::from_utf8(number).ok()?.parse().ok()?, end))
}

/// The end of the separators that begin at `at`.
fn separators(text: &[u8], mut at: usize) -> usize {
    while let length @ 1.. = is_separator(text, at) {
        at += length;
    }
    at
}

/// The length of the separator at `at`; 0 if there is none.
fn is_separator(text: &[u8], at: usize) -> usize {
    match text.get(at) {
        Some(b',' | b';') => 1,
        _ => blank_len(text, at),
    }
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn three_whole_numbers_are_read() {
        for (text, numbers) in [
            ("{79 3 100}", [79, 3, 100]),
            ("{-99900 10 0} \n", [-99_900, 10, 0]),
            ("{\n  +1\t-2 \r\n 3 }", [1, -2, 3]),
            ("{1,2;3}", [1, 2, 3]),
            ("{2147483647 -2147483648 007}", [i32::MAX, i32::MIN, 7]),
        ] {
            let end = text.find('}').unwrap() + 1;
            assert_eq!(parse(text.as_bytes(), 0), Some((numbers, end)), "{text:?}");
        }
    }

    #[test]
    fn a_missing_brace_needs_the_end_of_a_line() {
        assert_eq!(parse(b"{1 2 3\n", 0), Some(([1, 2, 3], 7)));
        assert_eq!(parse(b"{1 2 3 \r[", 0), Some(([1, 2, 3], 8)));
        assert_eq!(parse(b"{1 2 3", 0), None, "perhaps 30");
        assert_eq!(parse(b"{1 2 3 ", 0), None);
    }

    #[test]
    fn anything_else_is_refused() {
        for text in [
            "{",
            "{}",
            "{1}",
            "{1 2}",
            "{1 2 }",
            "{1 2 3 4}",
            "{1.35 5 0}",
            "{a b c}",
            "{1 2 x}",
            "{- 2 3}",
            "{--1 2 3}",
            "{1-2 3}",
            "{2147483648 1 1}",
            "{1 2 99999999999999999999}",
            "{1 2 3e4}",
            "{1 2 3 x\n}",
        ] {
            assert_eq!(parse(text.as_bytes(), 0), None, "{text:?}");
        }
    }
}
