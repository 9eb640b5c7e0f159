//! Which kind of token each byte can begin, and which bytes may not directly follow a token.

/// What a byte begins.
#[derive(Clone, Copy)]
pub(super) enum Start {
    /// A single-byte blank.
    Blank,
    /// A number, a result, castling or a null move.
    Digit,
    /// Full stops after a number.
    Dot,
    /// Almost certainly a move.
    Move,
    /// A comment.
    Brace,
    /// A variation.
    Paren,
    /// A comment to the end of the line.
    Semicolon,
    /// `!` and `?`.
    Suffix,
    /// A numeric annotation.
    Dollar,
    /// `*`, for a game without a result.
    Star,
    /// Something rare, or bad.
    Other,
}

const STARTS: [Start; 256] = {
    let mut table = [Start::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'\t'..=b'\r' | b' ' | 0x1a => Start::Blank,
            b'0'..=b'9' => Start::Digit,
            b'.' => Start::Dot,
            // `e` is missing here: it also begins `e.p.`, so it is left to `Other`.
            b'K' | b'Q' | b'R' | b'B' | b'N' | b'P' | b'a'..=b'd' | b'f'..=b'h' => Start::Move,
            b'{' => Start::Brace,
            b'(' => Start::Paren,
            b';' => Start::Semicolon,
            b'!' | b'?' => Start::Suffix,
            b'$' => Start::Dollar,
            b'*' => Start::Star,
            _ => Start::Other,
        };
        byte += 1;
    }
    table
};

/// What `byte` begins.
#[inline]
pub(super) fn start(byte: u8) -> Start {
    STARTS[usize::from(byte)]
}

/// Whether a move or word becomes unreadable if `byte` directly follows it: `[A-Za-z0-9@_:-]`.
#[inline]
pub(super) fn is_sticky(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'@' | b'_' | b':' | b'-')
}

/// Whether `byte`, which must not be a blank, ends an unreadable token.
pub(super) fn ends_bad_token(byte: u8) -> bool {
    matches!(byte, b'{' | b'}' | b'(' | b')' | b';' | b'$' | b'!' | b'?')
}
