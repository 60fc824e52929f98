//! Whether the system has memory for what cannot stop where there is none.

use std::ptr;
use std::sync::OnceLock;

/// True if the system has so many bytes now, or the allocator does.
///
/// The system is asked first: nobody writes to what it gives, while debugging allocators do to all that they hand out.
/// Where nothing limits what a process may map, it gives always, and asking would take longer than loading a function.
pub(crate) fn has_room(bytes: usize) -> bool {
    if !is_limited() {
        return true;
    }
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

/// True where a mapping of this size may be refused: under a limit of this process, which it may set at any time, or on a
/// system that gives no more than it has (`vm.overcommit_memory=2`).
fn is_limited() -> bool {
    static COUNTED: OnceLock<bool> = OnceLock::new();
    let counted = || {
        let setting = std::fs::read_to_string("/proc/sys/vm/overcommit_memory");
        setting.is_ok_and(|text| text.trim() == "2")
    };
    let limited = |resource| {
        let mut limit = libc::rlimit {
            rlim_cur: 0,
            rlim_max: 0,
        };
        // SAFETY: the structure is one that the call fills.
        let answer = unsafe { libc::getrlimit(resource, &raw mut limit) };
        answer != 0 || limit.rlim_cur != libc::RLIM_INFINITY
    };
    limited(libc::RLIMIT_AS) || limited(libc::RLIMIT_DATA) || *COUNTED.get_or_init(counted)
}

/// Has the allocator keep memory of arrays that are freed, for those that follow.
///
/// glibc adapts what it maps by itself, and how much it keeps at the end of its heap, to the largest block that was freed.
/// Before any was, each array from 128 KiB on is mapped and unmapped, and each of its pages faults: sorting 20,000 numbers took
/// 1.7 times as long.
pub(crate) fn keep_freed_memory() {
    const LARGEST: usize = 16 << 20;
    // SAFETY: the block is freed as it was allocated, and nothing refers to it; null may be freed.
    unsafe { libc::free(std::hint::black_box(libc::malloc(LARGEST))) };
}
