//! A hint to the processor.

/// Asks the processor to load the item at this index into the cache, in case it is needed soon. The index may
/// be out of bounds.
///
/// This does nothing on architectures other than x86-64.
#[inline]
pub fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "the standard library has no other hint")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // The hint is for the cache line of the item's last byte, because the first byte may be in the cache
        // line of the previous item.
        let last_byte = items.as_ptr().wrapping_add(index + 1).cast::<i8>().wrapping_sub(1);
        // SAFETY: a hint reads no memory, whatever the address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(last_byte) }
    }
}
