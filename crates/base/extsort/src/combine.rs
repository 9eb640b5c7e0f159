//! How items of the same identity become one row.

/// How the sums of several items, or of rows of several runs, with the same identity are combined.
///
/// The result must not depend on the order in which they are combined.
pub trait Combine<const SUMS: usize>: Send + Sync + 'static {
    /// Whether run files hold the sums as plain 64-bit words. Random words do not compress, while small
    /// counts are packed.
    const PLAIN: bool;

    /// Sets `sums` to those of a row without items, unless the next item `goes_on` with the row.
    fn begin(sums: &mut [u64; SUMS], goes_on: bool);

    /// Combines `sums` with those of another row of the same identity. Returns `false` if the result does
    /// not fit.
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

    /// Whether an item goes on with a row cannot be predicted, so this uses a mask in place of a branch.
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

    /// A row without items is larger than any item.
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
