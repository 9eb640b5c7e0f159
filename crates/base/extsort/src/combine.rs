//! How items of one identity become one row.

/// What becomes of the sums when several items, or rows of several runs, have one identity.
///
/// The result must not depend on the order in which they meet.
pub trait Combine<const SUMS: usize>: Send + Sync + 'static {
    /// Whether run files hold the sums as plain 64-bit words, because they are as good as random;
    /// small counts are packed.
    const PLAIN: bool;

    /// Sets `sums` to those of a row that no item was added to, unless the next item `goes_on` with the row.
    fn begin(sums: &mut [u64; SUMS], goes_on: bool);

    /// Combines `sums` with those of another row of the same identity; `false` if the result does not fit.
    fn absorb(sums: &mut [u64; SUMS], more: &[u64; SUMS]) -> bool;
}

/// Adds, sum by sum.
#[derive(Clone, Copy, Debug)]
pub struct Sum;

/// Keeps the smallest: all words of the item that is the smallest, compared from the first word on.
#[derive(Clone, Copy, Debug)]
pub struct Least;

impl<const SUMS: usize> Combine<SUMS> for Sum {
    const PLAIN: bool = false;

    /// Whether an item goes on with a row is as good as chance, so a mask is used, not a branch.
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
