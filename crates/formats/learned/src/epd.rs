//! Distinguishes EPD from a damaged learning file.
//!
//! Crafty 17.0 to 20.14 imports computer-analysed positions (CAP) with the same command as learning files
//! (`LearnImportCAP` in `learn.c`). This reader rejects such positions.

/// Whether the first line of the text begins like a position in EPD: with eight ranks and a side to move.
pub(super) fn is_epd(text: &[u8]) -> bool {
    let line = text.split(|&byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default();
    let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let is_board = |board: &[u8]| {
        let ranks = board.split(|&byte| byte == b'/').count();
        ranks == 8 && board.iter().all(|byte| b"/12345678pnbrqkPNBRQK".contains(byte))
    };
    fields.next().is_some_and(is_board) && matches!(fields.next(), Some(b"w" | b"b"))
}

#[cfg(test)]
mod tests {
    use super::is_epd;

    #[test]
    fn positions_are_told_from_words() {
        assert!(is_epd(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - acd 10; ce 21; pm e4;\nmore"));
        assert!(!is_epd(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq -"));
        assert!(!is_epd(b"a/b/c/d/e/f/g/h w"));
        assert!(!is_epd(b"e4 e5 {1 2 3}") && !is_epd(b""));
    }
}
