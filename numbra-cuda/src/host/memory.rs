//! Memory: that of the host, in allocations that are known by their addresses.

use core::ffi::{c_int, c_uint, c_void};
use std::alloc::Layout;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{
    HOST_MEMORY_ALREADY_REGISTERED, HOST_MEMORY_NOT_REGISTERED, INVALID_VALUE, NOT_FOUND,
    OUT_OF_MEMORY, SUCCESS, context, device, give, stream,
};

/// Alignment of allocations.
const ALIGN: usize = 256;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Device,
    Host,
    /// The caller's own.
    Registered,
}

#[derive(Clone, Copy)]
struct Allocation {
    kind: Kind,
    size: usize,
}

/// By address.
static ALLOCATIONS: Mutex<BTreeMap<usize, Allocation>> = Mutex::new(BTreeMap::new());

fn allocations() -> MutexGuard<'static, BTreeMap<usize, Allocation>> {
    ALLOCATIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Address and size of what holds these bytes.
fn holder(address: usize, size: usize) -> Option<(usize, Allocation)> {
    let known = allocations();
    let (&start, &found) = known.range(..=address).next_back()?;
    let end = start + found.size;
    (address < end && size <= end - address).then_some((start, found))
}

fn is_memory(address: usize, size: usize) -> bool {
    size == 0 || holder(address, size).is_some()
}

fn layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(size, ALIGN).ok()
}

fn used() -> usize {
    let known = allocations();
    let own = known.values().filter(|a| a.kind != Kind::Registered);
    own.map(|a| a.size).sum()
}

unsafe fn allocate(pointer: *mut usize, size: usize, kind: Kind) -> c_int {
    match context::check() {
        SUCCESS => {}
        code => return code,
    }
    if size == 0 {
        return INVALID_VALUE;
    }
    let Some(layout) = layout(size).filter(|_| size <= device::total().saturating_sub(used()))
    else {
        return OUT_OF_MEMORY;
    };
    // SAFETY: the size is not 0.
    let memory = unsafe { std::alloc::alloc(layout) };
    if memory.is_null() {
        return OUT_OF_MEMORY;
    }
    let address = memory.expose_provenance();
    allocations().insert(address, Allocation { kind, size });
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(pointer, address) }
}

/// Lets go of an allocation that the table has no longer.
fn drop_allocation(address: usize, gone: Allocation) {
    if gone.kind != Kind::Registered
        && let Some(layout) = layout(gone.size)
    {
        let memory: *mut u8 = std::ptr::with_exposed_provenance_mut(address);
        // SAFETY: the table held it, so `allocate` made it with this layout, and nobody has freed it.
        unsafe { std::alloc::dealloc(memory, layout) };
    }
}

fn release(address: usize, kind: Kind, missing: c_int) -> c_int {
    let mut known = allocations();
    match known.get(&address).copied() {
        Some(found) if found.kind == kind => {
            known.remove(&address);
            drop_allocation(address, found);
            SUCCESS
        }
        _ => missing,
    }
}

/// Lets go of everything.
pub(super) fn free_all() {
    let all = std::mem::take(&mut *allocations());
    for (address, gone) in all {
        drop_allocation(address, gone);
    }
}

unsafe extern "C" fn alloc(pointer: *mut usize, size: usize) -> c_int {
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { allocate(pointer, size, Kind::Device) }
}

unsafe extern "C" fn alloc_managed(pointer: *mut usize, size: usize, flags: c_uint) -> c_int {
    if !(1..=2).contains(&flags) {
        return INVALID_VALUE;
    }
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { allocate(pointer, size, Kind::Device) }
}

unsafe extern "C" fn alloc_async(pointer: *mut usize, size: usize, stream: usize) -> c_int {
    match stream::check(stream) {
        // SAFETY: the driver's callers pass a place for the result.
        SUCCESS => unsafe { allocate(pointer, size, Kind::Device) },
        code => code,
    }
}

extern "C" fn free(address: usize) -> c_int {
    release(address, Kind::Device, INVALID_VALUE)
}

extern "C" fn free_async(address: usize, stream: usize) -> c_int {
    match stream::check(stream) {
        SUCCESS => free(address),
        code => code,
    }
}

unsafe extern "C" fn alloc_host(pointer: *mut usize, size: usize, flags: c_uint) -> c_int {
    if flags > 7 {
        return INVALID_VALUE;
    }
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { allocate(pointer, size, Kind::Host) }
}

extern "C" fn free_host(address: usize) -> c_int {
    release(address, Kind::Host, INVALID_VALUE)
}

extern "C" fn register(address: usize, size: usize, _: c_uint) -> c_int {
    if size == 0 || address == 0 {
        return INVALID_VALUE;
    }
    if holder(address, 1).is_some() {
        return HOST_MEMORY_ALREADY_REGISTERED;
    }
    let kind = Kind::Registered;
    allocations().insert(address, Allocation { kind, size });
    SUCCESS
}

extern "C" fn unregister(address: usize) -> c_int {
    release(address, Kind::Registered, HOST_MEMORY_NOT_REGISTERED)
}

unsafe extern "C" fn device_pointer(pointer: *mut usize, address: usize, _: c_uint) -> c_int {
    if !is_memory(address, 1) {
        return INVALID_VALUE;
    }
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(pointer, address) }
}

unsafe extern "C" fn info(free: *mut usize, total: *mut usize) -> c_int {
    match context::check() {
        SUCCESS => {}
        code => return code,
    }
    let all = device::total();
    // SAFETY: the driver's callers pass places for the results.
    unsafe {
        give(total, all);
        give(free, all.saturating_sub(used()))
    }
}

unsafe extern "C" fn address_range(base: *mut usize, size: *mut usize, address: usize) -> c_int {
    match holder(address, 1) {
        Some((start, found)) => {
            // SAFETY: the driver's callers pass places for the results, or null for what they do not ask.
            unsafe {
                give(size, found.size);
                give(base, start);
            }
            SUCCESS
        }
        None => NOT_FOUND,
    }
}

/// `HOST_POINTER` and `DEVICE_POINTER` are the address itself.
unsafe extern "C" fn pointer_attribute(data: *mut u64, attribute: c_int, address: usize) -> c_int {
    if !(3..=4).contains(&attribute) || !is_memory(address, 1) {
        return INVALID_VALUE;
    }
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(data, address as u64) }
}

/// Copies; the sides that must be known to the driver are checked.
unsafe fn copy(to: (usize, bool), from: (usize, bool), size: usize) -> c_int {
    let known = |(address, checked): (usize, bool)| !checked || is_memory(address, size);
    match context::check() {
        SUCCESS if known(to) && known(from) => {
            let source: *const u8 = std::ptr::with_exposed_provenance(from.0);
            let target: *mut u8 = std::ptr::with_exposed_provenance_mut(to.0);
            // SAFETY: memory of the driver has these bytes, as was checked; the other side is the caller's.
            unsafe { target.copy_from(source, size) };
            SUCCESS
        }
        SUCCESS => INVALID_VALUE,
        code => code,
    }
}

unsafe extern "C" fn to_device(to: usize, from: usize, size: usize) -> c_int {
    // SAFETY: the driver's callers pass so many bytes to read.
    unsafe { copy((to, true), (from, false), size) }
}

unsafe extern "C" fn to_host(to: usize, from: usize, size: usize) -> c_int {
    // SAFETY: the driver's callers pass room for so many bytes.
    unsafe { copy((to, false), (from, true), size) }
}

unsafe extern "C" fn on_device(to: usize, from: usize, size: usize) -> c_int {
    // SAFETY: both sides are checked.
    unsafe { copy((to, true), (from, true), size) }
}

unsafe extern "C" fn to_device_async(to: usize, from: usize, size: usize, in_: usize) -> c_int {
    match stream::check(in_) {
        // SAFETY: as for `to_device`.
        SUCCESS => unsafe { to_device(to, from, size) },
        code => code,
    }
}

unsafe extern "C" fn to_host_async(to: usize, from: usize, size: usize, in_: usize) -> c_int {
    match stream::check(in_) {
        // SAFETY: as for `to_host`.
        SUCCESS => unsafe { to_host(to, from, size) },
        code => code,
    }
}

unsafe extern "C" fn on_device_async(to: usize, from: usize, size: usize, in_: usize) -> c_int {
    match stream::check(in_) {
        // SAFETY: as for `on_device`.
        SUCCESS => unsafe { on_device(to, from, size) },
        code => code,
    }
}

extern "C" fn set(to: usize, byte: u8, size: usize) -> c_int {
    match context::check() {
        SUCCESS if is_memory(to, size) => {
            let target: *mut u8 = std::ptr::with_exposed_provenance_mut(to);
            // SAFETY: so many bytes are there, as was checked.
            unsafe { target.write_bytes(byte, size) };
            SUCCESS
        }
        SUCCESS => INVALID_VALUE,
        code => code,
    }
}

extern "C" fn set_async(to: usize, byte: u8, size: usize, in_: usize) -> c_int {
    match stream::check(in_) {
        SUCCESS => set(to, byte, size),
        code => code,
    }
}

pub(super) fn entry(name: &str) -> Option<*mut c_void> {
    Some(match name {
        "cuMemAlloc_v2" => alloc as *mut c_void,
        "cuMemAllocManaged" => alloc_managed as *mut c_void,
        "cuMemAllocAsync" => alloc_async as *mut c_void,
        "cuMemFree_v2" => free as *mut c_void,
        "cuMemFreeAsync" => free_async as *mut c_void,
        "cuMemHostAlloc" => alloc_host as *mut c_void,
        "cuMemFreeHost" => free_host as *mut c_void,
        "cuMemHostRegister_v2" => register as *mut c_void,
        "cuMemHostUnregister" => unregister as *mut c_void,
        "cuMemHostGetDevicePointer_v2" => device_pointer as *mut c_void,
        "cuMemGetInfo_v2" => info as *mut c_void,
        "cuMemGetAddressRange_v2" => address_range as *mut c_void,
        "cuPointerGetAttribute" => pointer_attribute as *mut c_void,
        "cuMemcpyHtoD_v2" => to_device as *mut c_void,
        "cuMemcpyDtoH_v2" => to_host as *mut c_void,
        "cuMemcpyDtoD_v2" => on_device as *mut c_void,
        "cuMemcpyHtoDAsync_v2" => to_device_async as *mut c_void,
        "cuMemcpyDtoHAsync_v2" => to_host_async as *mut c_void,
        "cuMemcpyDtoDAsync_v2" => on_device_async as *mut c_void,
        "cuMemsetD8_v2" => set as *mut c_void,
        "cuMemsetD8Async" => set_async as *mut c_void,
        _ => return None,
    })
}
