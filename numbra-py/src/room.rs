//! Whether the system has memory for what cannot stop where there is none.

use std::ptr;

/// True if the system has so many bytes now, or the allocator does.
///
/// The system is asked first: nobody writes to what it gives, while debugging allocators do to all that they hand out.
pub(crate) fn has_room(bytes: usize) -> bool {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    // SAFETY: an anonymous mapping at an address of the system's choice touches nothing that exists.
    let base = unsafe { libc::mmap(ptr::null_mut(), bytes, protection, flags, -1, 0) };
    if base == libc::MAP_FAILED {
        return numbra_memory::try_room::<u8>(bytes).is_ok();
    }
    // SAFETY: the mapping made above, to which nothing refers.
    unsafe { libc::munmap(base, bytes) };
    true
}
