//! Combines the bits that several bitboards have for a square into one number for that square.

/// Byte n of an entry is 1 if bit n of the entry's index is set, and 0 if not.
const SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut at = 0;
    while at < 256 {
        let mut bit = 0;
        while bit < 8 {
            table[at] |= (at as u64 >> bit & 1) << (bit * 8);
            bit += 1;
        }
        at += 1;
    }
    table
};

/// Returns a number for each of the lowest eight squares. `bits` has one bitboard for each bit of the
/// returned numbers, lowest bit first.
#[inline]
pub(crate) fn spread(bits: &[u64]) -> [u8; 8] {
    let numbers = bits.iter().enumerate().map(|(bit, board)| SPREAD[(board & 0xff) as usize] << bit);
    numbers.fold(0, |numbers, bit| numbers | bit).to_le_bytes()
}
