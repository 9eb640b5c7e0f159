//! How items with the same identity become one row.

/// How to combine sums that belong to the same identity, whether they come from items or from rows of several
/// runs.
///
/// The result must not depend on the order in which they are combined.
pub trait Combine<const SUMS: usize>: Send + Sync + 'static {
    /// Whether run files hold the sums as plain 64-bit words. Plain words suit random values, which cannot be
    /// compressed; small counts take less space if they are packed.
    const PLAIN: bool;

    /// Prepares `sums` for the next item. If `goes_on` is true, the item belongs to the row of the previous
    /// item, and `sums` is kept; otherwise, the item begins a new row, and `sums` is reset.
    fn begin(sums: &mut [u64; SUMS], goes_on: bool);

    /// Combines `sums` with the sums of another row with the same identity. Returns `false` if the result
    /// does not fit.
    fn absorb(sums: &mut [u64; SUMS], more: &[u64; SUMS]) -> bool;
}

/// Adds each sum separately.
#[derive(Clone, Copy, Debug)]
pub struct Sum;

/// Keeps all words of the smallest item. Items are compared word by word.
#[derive(Clone, Copy, Debug)]
pub struct Least;

impl Least {
    /// Replaces `words` by `others` if these are smaller. The words are replaced one by one without a branch:
    /// the processor could not predict it, and must not read words together that it has just written apart.
    #[inline]
    pub fn keep<const WORDS: usize>(words: &mut [u64; WORDS], others: &[u64; WORDS]) {
        let are_less = others < words;
        for (word, other) in words.iter_mut().zip(others) {
            *word = if are_less { *other } else { *word };
        }
    }
}

impl<const SUMS: usize> Combine<SUMS> for Sum {
    const PLAIN: bool = false;

    /// The processor cannot predict whether an item belongs to the previous row, so this uses a mask instead
    /// of a branch.
    #[inline]
    fn begin(sums: &mut [u64; SUMS], goes_on: bool) {
        for sum in sums {
            *sum &= u64::from(goes_on).wrapping_neg();
        }
    }

    #[inline]
    fn absorb(sums: &mut [u64; SUMS], more: &[u64; SUMS]) -> bool {
        let mut fits = true;
        for (sum, more) in sums.iter_mut().zip(more) {
            let (total, carried) = sum.overflowing_add(*more);
            *sum = total;
            fits &= !carried;
        }
        fits
    }
}

impl<const SUMS: usize> Combine<SUMS> for Least {
    const PLAIN: bool = true;

    /// A new row starts with the greatest possible words, so its first item replaces them.
    #[inline]
    fn begin(sums: &mut [u64; SUMS], goes_on: bool) {
        for sum in sums {
            *sum |= u64::from(!goes_on).wrapping_neg();
        }
    }

    #[inline]
    fn absorb(sums: &mut [u64; SUMS], more: &[u64; SUMS]) -> bool {
        Least::keep(sums, more);
        true
    }
}
