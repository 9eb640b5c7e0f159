//! A hint to the processor.

/// Has the item with this index loaded into the cache, in case it is used soon. There may be no such item.
///
/// Outside x86-64 this does nothing.
#[inline]
pub fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "the standard library has no other hint")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // The last byte of an item, because the first may be in the same line of the cache as the item
        // before.
        let last_byte = items.as_ptr().wrapping_add(index + 1).cast::<i8>().wrapping_sub(1);
        // SAFETY: a hint reads no memory, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(last_byte) }
    }
}
