//! How items with the same identity become one row.

/// How to combine the sums of items with the same identity, or of rows with the same identity from several
/// runs.
///
/// The result must not depend on the order in which they are combined.
pub trait Combine<const SUMS: usize>: Send + Sync + 'static {
    /// Whether run files hold the sums as plain 64-bit words. Random words do not compress, but small counts
    /// can be packed.
    const PLAIN: bool;

    /// Resets `sums` for a row that has no items yet, unless the next item belongs to the same row
    /// (`goes_on`).
    fn begin(sums: &mut [u64; SUMS], goes_on: bool);

    /// Combines `sums` with the sums of another row with the same identity. Returns `false` if the result
    /// does not fit.
    fn absorb(sums: &mut [u64; SUMS], more: &[u64; SUMS]) -> bool;
}

/// Adds each sum separately.
#[derive(Clone, Copy, Debug)]
pub struct Sum;

/// Keeps all words of the smallest item. Items are compared from the first word on.
#[derive(Clone, Copy, Debug)]
pub struct Least;

impl<const SUMS: usize> Combine<SUMS> for Sum {
    const PLAIN: bool = false;

    /// Whether an item belongs to the previous row is unpredictable, so this uses a mask instead of a branch.
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
        *sums = (*sums).min(*more);
        true
    }
}
