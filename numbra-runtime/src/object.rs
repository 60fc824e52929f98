//! Reference-counted objects.

use crate::blocks::{self, Block};
use crate::counts::{self, count_allocated, count_freed, live_objects};
use crate::spares::Class;
use numbra_abi::{FRAME, HEADER, header_flags};
use std::ptr;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicI64, Ordering, fence};

/// `numbra_abi::HEADER` with what only the allocator needs behind it.
#[repr(C)]
pub struct Header {
    refs: AtomicI64,
    drop: Option<unsafe extern "C" fn(*mut Header)>,
    flags: u64,
    data: *mut u8,
    size: u64,
    object: *mut u8,
    /// The memory that holds header and data.
    block: Block,
}

impl Header {
    /// How many references there are, for tests.
    #[cfg(test)]
    pub(crate) fn count(&self) -> i64 {
        self.refs.load(Ordering::Relaxed)
    }

    /// A header, count 1, of an object whose memory its own `drop` frees.
    pub(crate) fn outside(drop: Option<unsafe extern "C" fn(*mut Header)>) -> Header {
        Header {
            refs: AtomicI64::new(1),
            drop,
            flags: 0,
            data: ptr::null_mut(),
            size: 0,
            object: ptr::null_mut(),
            block: Block {
                base: ptr::null_mut(),
                len: 0,
            },
        }
    }

    /// Where the data are.
    pub fn data_address(&self) -> *mut u8 {
        self.data
    }

    pub(crate) fn data(&self) -> *mut u8 {
        self.data
    }

    pub(crate) fn set_data(&mut self, data: *mut u8, size: usize) {
        self.data = data;
        self.size = size as u64;
    }

    /// The object of the interpreter that owns the data or is kept for them, or null.
    pub fn object(&self) -> *mut u8 {
        self.object
    }

    /// Has the header keep an object of the interpreter, a reference to which it owns from now on.
    pub fn set_object(&mut self, object: *mut u8) {
        self.object = object;
    }

    /// That of a new object with one reference, whose data lie in its block.
    #[inline]
    fn of_memory(block: Block, data: *mut u8, size: usize) -> Header {
        Header {
            refs: AtomicI64::new(1),
            drop: Some(free_memory),
            flags: 0,
            data,
            size: size as u64,
            object: ptr::null_mut(),
            block,
        }
    }

    /// Frees the memory of an object that is none any more.
    ///
    /// # Safety
    /// It came from [`allocate`], was freed and kept, and nobody else knows it.
    pub(crate) unsafe fn give_back(kept: *mut Header) {
        // SAFETY: by contract.
        let block = unsafe { (*kept).block };
        // SAFETY: the block was made with the header, which is used no more.
        unsafe { blocks::free(block) };
    }

    /// Gives up the reference to the interpreter's object.
    pub(crate) fn release_object(&mut self) {
        let object = std::mem::replace(&mut self.object, ptr::null_mut());
        if let Some(hooks) = HOOKS.get().filter(|_| !object.is_null()) {
            // SAFETY: the header owned a reference to this object.
            unsafe { (hooks.release)(object) };
        }
    }
}

/// Data is aligned to this at least: a cache line, and every vector.
const ALIGN: usize = 64;

const _: () = assert!(size_of::<Header>() == ALIGN && HEADER.size as usize <= size_of::<Header>());

/// How objects of the embedding interpreter are kept alive.
#[derive(Clone, Copy)]
struct ObjectHooks {
    retain: unsafe extern "C" fn(*mut u8),
    release: unsafe extern "C" fn(*mut u8),
    code: unsafe extern "C" fn(*mut u8) -> *mut u8,
}

static HOOKS: OnceLock<ObjectHooks> = OnceLock::new();

/// Says how to take and give up a reference to the `object` of a header, and how to get an object, as a new reference, that
/// keeps the compiled code to which an address belongs. All are called from any thread. The first call counts.
pub fn set_object_hooks(
    retain: unsafe extern "C" fn(*mut u8),
    release: unsafe extern "C" fn(*mut u8),
    code: unsafe extern "C" fn(*mut u8) -> *mut u8,
) {
    let _ = HOOKS.set(ObjectHooks {
        retain,
        release,
        code,
    });
}

/// Adds one reference. Null is ignored.
///
/// # Safety
/// `object` is null or a header that is alive.
pub unsafe fn retain(object: *mut Header) {
    // SAFETY: the caller says that it is null or alive.
    if let Some(header) = unsafe { object.as_ref() } {
        header.refs.fetch_add(1, Ordering::Relaxed);
    }
}

/// Drops one reference; frees at zero. Null is ignored.
///
/// # Safety
/// `object` is null or a header that is alive, of which the caller owns a reference and gives it up.
pub unsafe fn release(object: *mut Header) {
    // SAFETY: the caller says that it is null or alive.
    let Some(header) = (unsafe { object.as_ref() }) else {
        return;
    };
    // Who has the only reference needs no atomic operation: nobody else can take one.
    let last = header.refs.load(Ordering::Relaxed) == 1
        || header.refs.fetch_sub(1, Ordering::Release) == 1;
    if last {
        // SAFETY: this was the last reference.
        unsafe { free(object) };
    }
}

/// [`free`] for compiled code, which calls it where an inline release finds no reference left: keeps every register that
/// such code uses, so that a release costs the code around it none.
///
/// # Safety
/// As for [`free`].
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn numbra_rt_free(object: *mut Header) {
    // Nine words and the return address are 80 bytes, so that the stack is aligned for the call.
    std::arch::naked_asm!(
        "push rax", "push rcx", "push rdx", "push rsi", "push rdi", "push r8", "push r9", "push r10", "push r11",
        "sub rsp, 256",
        "movups [rsp], xmm0", "movups [rsp + 16], xmm1", "movups [rsp + 32], xmm2", "movups [rsp + 48], xmm3",
        "movups [rsp + 64], xmm4", "movups [rsp + 80], xmm5", "movups [rsp + 96], xmm6", "movups [rsp + 112], xmm7",
        "movups [rsp + 128], xmm8", "movups [rsp + 144], xmm9", "movups [rsp + 160], xmm10",
        "movups [rsp + 176], xmm11", "movups [rsp + 192], xmm12", "movups [rsp + 208], xmm13",
        "movups [rsp + 224], xmm14", "movups [rsp + 240], xmm15",
        "call {free}",
        "movups xmm0, [rsp]", "movups xmm1, [rsp + 16]", "movups xmm2, [rsp + 32]", "movups xmm3, [rsp + 48]",
        "movups xmm4, [rsp + 64]", "movups xmm5, [rsp + 80]", "movups xmm6, [rsp + 96]", "movups xmm7, [rsp + 112]",
        "movups xmm8, [rsp + 128]", "movups xmm9, [rsp + 144]", "movups xmm10, [rsp + 160]",
        "movups xmm11, [rsp + 176]", "movups xmm12, [rsp + 192]", "movups xmm13, [rsp + 208]",
        "movups xmm14, [rsp + 224]", "movups xmm15, [rsp + 240]",
        "add rsp, 256",
        "pop r11", "pop r10", "pop r9", "pop r8", "pop rdi", "pop rsi", "pop rdx", "pop rcx", "pop rax",
        "ret",
        free = sym free,
    )
}

/// The count of `object` has reached zero: frees it.
///
/// # Safety
/// `object` is a header whose last reference is gone.
unsafe extern "C" fn free(object: *mut Header) {
    fence(Ordering::Acquire);
    // SAFETY: nobody else has a reference any more.
    let drop = unsafe { (*object).drop };
    if let Some(drop) = drop {
        // SAFETY: `drop` belongs to this header and is called once.
        unsafe { drop(object) };
    }
}

/// See [`retain`].
///
/// # Safety
/// As for [`retain`].
pub(crate) unsafe extern "C" fn numbra_rt_retain(object: *mut Header) {
    // SAFETY: the caller's promise is the same.
    unsafe { retain(object) }
}

/// See [`release`].
///
/// # Safety
/// As for [`release`].
pub(crate) unsafe extern "C" fn numbra_rt_release(object: *mut Header) {
    // SAFETY: the caller's promise is the same.
    unsafe { release(object) }
}

/// A new object with `size` bytes of data, count 1; null when memory is exhausted or the size is negative.
pub(crate) extern "C" fn numbra_rt_alloc(size: i64, align: i64) -> *mut Header {
    allocate(size, align, false)
}

/// As [`numbra_rt_alloc`], with zeroed data.
pub(crate) extern "C" fn numbra_rt_alloc_zeroed(size: i64, align: i64) -> *mut Header {
    allocate(size, align, true)
}

/// A new object with `size` bytes of data, zeros but for `first` at the start, count 1; null when memory is exhausted.
pub fn new_memory(first: &[u8], size: usize) -> *mut Header {
    let made = i64::try_from(size).map_or(ptr::null_mut(), |size| allocate(size, 1, true));
    if !made.is_null() {
        let count = first.len().min(size);
        // SAFETY: new memory of `size` bytes.
        unsafe { ptr::copy_nonoverlapping(first.as_ptr(), data_of(made), count) };
    }
    made
}

/// A new object of `size` zero bytes of data, count 1, for which `drop` is called at the end; null when memory is exhausted.
pub(crate) fn new_owner(size: usize, drop: unsafe extern "C" fn(*mut Header)) -> *mut Header {
    let made = new_memory(&[], size);
    // SAFETY: null, or a header made just now that nobody else knows.
    if let Some(header) = unsafe { made.as_mut() } {
        header.drop = Some(drop);
    }
    made
}

/// The 8 bytes at `place`, which own a reference or are null, own `new` instead, as a reference that may stay.
///
/// # Safety
/// `place` points to null or a header that is alive, of which it owns a reference; `new` is null or alive.
pub(crate) unsafe extern "C" fn numbra_rt_ref_set(place: *mut *mut Header, new: *mut Header) {
    // SAFETY: by contract.
    let kept = unsafe { numbra_rt_promote(new) };
    // SAFETY: by contract.
    let old = unsafe { place.replace(kept) };
    // SAFETY: the place owned it.
    unsafe { release(old) };
}

/// [`numbra_rt_promote`] for whoever keeps a reference outside compiled code; null when memory is exhausted.
///
/// # Safety
/// `object` is a header that is alive.
pub unsafe fn promote(object: *mut Header) -> *mut Header {
    // SAFETY: the caller's promise is the same.
    unsafe { numbra_rt_promote(object) }
}

/// A reference that may outlive the call that borrows it: the same object retained, or for a header in a frame a new one
/// on the heap that keeps the object of the interpreter, and for one of constants a new one that keeps their code.
///
/// # Safety
/// `object` is null or a header that is alive.
pub(crate) unsafe extern "C" fn numbra_rt_promote(object: *mut Header) -> *mut Header {
    // SAFETY: the caller says that it is null or alive.
    let Some(header) = (unsafe { object.as_ref() }) else {
        return ptr::null_mut();
    };
    if header.flags & (header_flags::FRAME | header_flags::CODE) == 0 {
        header.refs.fetch_add(1, Ordering::Relaxed);
        return object;
    }
    let new = allocate(0, 1, false);
    // SAFETY: null, or a header made just now that nobody else knows.
    let Some(heap) = (unsafe { new.as_mut() }) else {
        return new;
    };
    heap.data = header.data;
    heap.size = header.size;
    let Some(hooks) = HOOKS.get() else {
        return new;
    };
    if header.flags & header_flags::CODE != 0 {
        // SAFETY: the code is alive, since it is running or somebody keeps it.
        heap.object = unsafe { (hooks.code)(object.cast()) };
    } else if !header.object.is_null() {
        heap.object = header.object;
        // SAFETY: the object is alive, since the frame keeps it for the length of the call.
        unsafe { (hooks.retain)(header.object) };
    }
    new
}

/// A header that names an object of the interpreter, which outlives it: whoever keeps a reference exchanges it for one that
/// keeps the object.
pub fn borrowed_header(object: *mut u8) -> Header {
    let mut header = Header::outside(None);
    header.flags = header_flags::FRAME;
    header.object = object;
    header
}

/// A header on the heap for memory that an object of the interpreter owns, a reference to which it takes; null when
/// memory is exhausted.
pub fn object_header(data: *mut u8, object: *mut u8) -> *mut Header {
    let mut frame = Header::outside(None);
    frame.flags = header_flags::FRAME;
    frame.data = data;
    frame.object = object;
    // SAFETY: the header is alive for this call.
    unsafe { numbra_rt_promote(&raw mut frame) }
}

/// Byte of the number of references in [`FRAME`], and of the first of them.
const FRAME_REFS: usize = FRAME.offset(2) as usize;
const FRAME_FIRST: usize = FRAME.size as usize;

/// A new frame of `size` bytes, zero but for its number of references; null when memory is exhausted.
pub(crate) extern "C" fn numbra_rt_frame_new(size: i64, refs: i64) -> *mut Header {
    let fits = usize::try_from(refs).is_ok_and(|refs| {
        let least = refs.saturating_mul(8).saturating_add(FRAME_FIRST);
        usize::try_from(size).is_ok_and(|size| least <= size)
    });
    if !fits {
        return ptr::null_mut();
    }
    let new = allocate(size, 8, true);
    // SAFETY: null, or a header made just now that nobody else knows.
    if let Some(header) = unsafe { new.as_mut() } {
        header.drop = Some(free_frame);
        // SAFETY: the data have room for the layout.
        unsafe { header.data.add(FRAME_REFS).cast::<i64>().write(refs) };
    }
    new
}

/// A new object laid out as a frame, of `size` bytes with `refs` references: all zero. Null where there is no memory.
pub fn new_frame(size: u32, refs: u32) -> *mut Header {
    numbra_rt_frame_new(i64::from(size), i64::from(refs))
}

/// Gives up all references of a frame: its generator has ended.
///
/// # Safety
/// `frame` came from [`numbra_rt_frame_new`] and is alive.
pub(crate) unsafe extern "C" fn numbra_rt_frame_clear(frame: *mut Header) {
    // SAFETY: by contract.
    let data = unsafe { (*frame).data };
    // SAFETY: frames begin with their layout.
    let refs = unsafe { data.add(FRAME_REFS).cast::<i64>().read() };
    for n in 0..usize::try_from(refs).unwrap_or(0) {
        // SAFETY: this many references stand behind the layout.
        let place = unsafe { data.add(FRAME_FIRST + 8 * n) }.cast::<*mut Header>();
        // SAFETY: each is null or owned by the frame.
        unsafe { numbra_rt_ref_set(place, ptr::null_mut()) };
    }
}

/// Frees a frame and what it holds.
///
/// # Safety
/// `frame` came from [`numbra_rt_frame_new`] and its last reference is gone.
unsafe extern "C" fn free_frame(frame: *mut Header) {
    // SAFETY: the frame is still whole.
    unsafe { numbra_rt_frame_clear(frame) };
    // SAFETY: as any object that `allocate` made.
    unsafe { free_memory(frame) };
}

/// Bytes of data that a live header manages.
pub(crate) fn data_size(object: *mut Header) -> usize {
    // SAFETY: callers have a live header.
    unsafe { (*object).size as usize }
}

/// True for a live header with a flag of `numbra_abi::header_flags`; not for null.
///
/// # Safety
/// `object` is null or a header that is alive.
pub(crate) unsafe fn has_flag(object: *mut Header, flag: u64) -> bool {
    // SAFETY: by contract.
    unsafe { object.as_ref() }.is_some_and(|header| header.flags & flag != 0)
}

/// Adds a flag.
///
/// # Safety
/// `object` is a header that is alive, which nobody else knows yet.
pub(crate) unsafe fn set_flag(object: *mut Header, flag: u64) {
    // SAFETY: by contract.
    unsafe { (*object).flags |= flag };
}

/// Where the data of a new object is.
pub(crate) fn data_of(object: *mut Header) -> *mut u8 {
    // SAFETY: callers pass an object that they have just allocated, or null.
    unsafe { object.as_ref() }.map_or(ptr::null_mut(), |header| header.data)
}

/// Objects that are alive, for leak checks.
pub(crate) extern "C" fn numbra_rt_live_objects() -> i64 {
    live_objects()
}

fn allocate(size: i64, align: i64, zeroed: bool) -> *mut Header {
    let (Ok(size), Ok(align)) = (usize::try_from(size), usize::try_from(align)) else {
        return ptr::null_mut();
    };
    if !align.is_power_of_two() {
        return ptr::null_mut();
    }
    let class = match align {
        0..=ALIGN => Class::of(size),
        _ => None,
    };
    match class.and_then(|class| Some((class, counts::reuse(class)?))) {
        // SAFETY: it has the room of its class, and nobody else knows it.
        Some((class, header)) => unsafe { renew(header, class, size, zeroed) },
        None => in_new_block(size, align.max(ALIGN), class, zeroed),
    }
}

/// An object of a class, made anew.
///
/// # Safety
/// It was made by [`in_new_block`] with the room of its class, and nobody else uses it.
#[inline]
unsafe fn renew(header: *mut Header, class: Class, size: usize, zeroed: bool) -> *mut Header {
    let data = header.wrapping_byte_add(ALIGN).cast::<u8>();
    // SAFETY: by contract.
    let block = unsafe { (*header).block };
    // SAFETY: by contract.
    unsafe { header.write(Header::of_memory(block, data, size)) };
    if zeroed {
        for at in (0..class.room()).step_by(ALIGN) {
            let line = data.wrapping_add(at).cast::<[u64; ALIGN / 8]>();
            // SAFETY: the room for data is a multiple of this and aligned to it.
            unsafe { line.write([0; ALIGN / 8]) };
        }
    }
    header
}

/// A new object in memory of its own, with the room of its class if it has one.
fn in_new_block(size: usize, align: usize, class: Option<Class>, zeroed: bool) -> *mut Header {
    let room = match class {
        Some(class) => class.room(),
        // More than any class has, by which [`class_of`] knows.
        None => size.max(Class::MOST_ROOM + 1),
    };
    let Some(total) = room.checked_add(ALIGN + align) else {
        return ptr::null_mut();
    };
    if total > isize::MAX as usize {
        return ptr::null_mut();
    }
    let Some(block) = blocks::allocate(total, zeroed) else {
        return ptr::null_mut();
    };
    let base = block.base;
    // The header ends where the data begins.
    let data_at = ((base.addr() + ALIGN + align - 1) & !(align - 1)) - base.addr();
    let data = base.wrapping_add(data_at);
    let header = data.wrapping_sub(ALIGN).cast::<Header>();
    // SAFETY: the header lies inside the new block, aligned to 64 bytes, and nobody else knows it.
    unsafe { header.write(Header::of_memory(block, data, size)) };
    count_allocated();
    header
}

/// The class of an object's memory.
#[inline]
fn class_of(block: Block) -> Option<Class> {
    Class::of(block.len.checked_sub(2 * ALIGN)?)
}

/// Frees header and data of an object made here.
///
/// # Safety
/// `header` came from [`allocate`] and its last reference is gone.
pub(crate) unsafe extern "C" fn free_memory(header: *mut Header) {
    // SAFETY: the header is still whole, and this is its last use.
    let (block, object) = unsafe { ((*header).block, (*header).object) };
    if let Some(hooks) = HOOKS.get().filter(|_| !object.is_null()) {
        // SAFETY: the header owned a reference to this object.
        unsafe { (hooks.release)(object) };
    }
    if let Some(class) = class_of(block)
        // SAFETY: memory of this class, which is used no more.
        && unsafe { counts::keep(class, header) }
    {
        return;
    }
    // SAFETY: the block was made with the header, which is used no more.
    unsafe { blocks::free(block) };
    count_freed();
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent_of(header: *mut Header) -> (usize, u64) {
        // SAFETY: tests pass objects that are alive.
        let header = unsafe { &*header };
        (header.data.addr(), header.size)
    }

    #[test]
    fn layout_is_that_of_the_abi() {
        let offsets = [
            std::mem::offset_of!(Header, refs),
            std::mem::offset_of!(Header, drop),
            std::mem::offset_of!(Header, flags),
            std::mem::offset_of!(Header, data),
            std::mem::offset_of!(Header, size),
            std::mem::offset_of!(Header, object),
        ];
        let expected: Vec<usize> = HEADER.fields.iter().map(|f| f.offset as usize).collect();
        assert_eq!(offsets.as_slice(), expected);
    }

    #[test]
    fn data_is_aligned_and_counted() {
        for (size, align) in [
            (0, 1),
            (1, 8),
            (1000, 64),
            (5, 4096),
            (blocks::HUGE as i64 + 3, 64),
        ] {
            for zeroed in [false, true] {
                let object = allocate(size, align, zeroed);
                assert!(!object.is_null());
                let (data, got) = extent_of(object);
                assert_eq!(data % (align as usize).max(ALIGN), 0, "{size} {align}");
                assert_eq!(got, size as u64);
                if zeroed && size > 0 {
                    // SAFETY: the object has `size` bytes.
                    let bytes = unsafe {
                        std::slice::from_raw_parts(
                            ptr::with_exposed_provenance::<u8>(data),
                            size as usize,
                        )
                    };
                    assert!(bytes.iter().all(|&b| b == 0));
                }
                // SAFETY: the object is alive.
                unsafe { retain(object) };
                // SAFETY: this owns two references.
                unsafe { release(object) };
                // SAFETY: this owns one reference.
                unsafe { release(object) };
            }
        }
    }

    #[test]
    fn impossible_sizes_give_null() {
        assert!(numbra_rt_alloc(-1, 8).is_null());
        assert!(numbra_rt_alloc(i64::MAX, 8).is_null());
        assert!(numbra_rt_alloc_zeroed(i64::MAX - 200, 64).is_null());
        assert!(numbra_rt_alloc(8, 24).is_null());
        // SAFETY: null is ignored.
        unsafe { release(ptr::null_mut()) };
        // SAFETY: null is ignored.
        assert!(unsafe { numbra_rt_promote(ptr::null_mut()) }.is_null());
    }

    #[test]
    fn frames_give_up_what_they_hold() {
        assert!(numbra_rt_frame_new(24, 1).is_null());
        assert!(numbra_rt_frame_new(-1, 0).is_null());
        assert!(numbra_rt_frame_new(32, -1).is_null());
        let held = numbra_rt_alloc(8, 8);
        let frame = numbra_rt_frame_new(40, 2);
        // SAFETY: both are alive, and the place is the frame's second reference.
        unsafe {
            let place = (*frame).data.add(FRAME_FIRST + 8).cast::<*mut Header>();
            numbra_rt_ref_set(place, held);
            assert_eq!((*held).refs.load(Ordering::Relaxed), 2);
            numbra_rt_frame_clear(frame);
            assert_eq!((*held).refs.load(Ordering::Relaxed), 1);
            assert!((*place).is_null());
            numbra_rt_ref_set(place, held);
            release(frame);
            assert_eq!((*held).refs.load(Ordering::Relaxed), 1);
            release(held);
        }
    }

    #[test]
    fn frame_headers_are_promoted_to_the_heap() {
        let mut bytes = [7_u8; 16];
        let mut frame = Header {
            refs: AtomicI64::new(1),
            drop: None,
            flags: header_flags::FRAME,
            data: bytes.as_mut_ptr(),
            size: 16,
            object: ptr::null_mut(),
            block: Block {
                base: ptr::null_mut(),
                len: 0,
            },
        };
        // SAFETY: the frame header is alive.
        let heap = unsafe { numbra_rt_promote(&raw mut frame) };
        assert_ne!(heap, &raw mut frame);
        assert_eq!(extent_of(heap), (bytes.as_ptr().addr(), 16));
        // SAFETY: the object is alive.
        assert_eq!(unsafe { numbra_rt_promote(heap) }, heap);
        for _ in 0..2 {
            // SAFETY: this owns two references.
            unsafe { release(heap) };
        }
    }
}
