//! The one device.

use core::ffi::{c_char, c_int, c_void};
use std::sync::OnceLock;

use super::{INVALID_DEVICE, INVALID_VALUE, SUCCESS, give};

/// Multiprocessors; with their threads they are what of a grid can be there at once.
pub(super) const MULTIPROCESSORS: c_int = 8;
/// Threads that are on a multiprocessor at once.
pub(super) const MULTIPROCESSOR_THREADS: c_int = 2048;
/// Shared memory of a block that asks for as much as it can have.
pub(super) const SHARED_MEMORY: c_int = 227 << 10;

/// Attributes by their numbers. Limits are those of compute capability 9.0, whose operations kernels on the CPU have.
fn attribute_value(attribute: c_int) -> c_int {
    match attribute {
        1..=3 => 1024,         // MAX_THREADS_PER_BLOCK, MAX_BLOCK_DIM_X, MAX_BLOCK_DIM_Y
        4 => 64,               // MAX_BLOCK_DIM_Z
        5 => i32::MAX,         // MAX_GRID_DIM_X
        6 | 7 => 65535,        // MAX_GRID_DIM_Y, MAX_GRID_DIM_Z
        8 => 48 << 10,         // MAX_SHARED_MEMORY_PER_BLOCK
        9 => 64 << 10,         // TOTAL_CONSTANT_MEMORY
        10 => 32,              // WARP_SIZE
        12 | 82 => 64 << 10,   // MAX_REGISTERS_PER_BLOCK, .._PER_MULTIPROCESSOR
        13 => 1_000_000,       // CLOCK_RATE, of the clock that kernels read
        16 => MULTIPROCESSORS, // MULTIPROCESSOR_COUNT
        39 => MULTIPROCESSOR_THREADS, // MAX_THREADS_PER_MULTIPROCESSOR
        75 => 9,               // COMPUTE_CAPABILITY_MAJOR
        76 => 0,               // COMPUTE_CAPABILITY_MINOR
        81 | 97 => SHARED_MEMORY, // MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, .._PER_BLOCK_OPTIN
        87 => 2,               // SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO
        106 => 32,             // MAX_BLOCKS_PER_MULTIPROCESSOR
        // INTEGRATED, CAN_MAP_HOST_MEMORY, UNIFIED_ADDRESSING, MANAGED_MEMORY, PAGEABLE_MEMORY_ACCESS,
        // CONCURRENT_MANAGED_ACCESS, COOPERATIVE_LAUNCH, CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM,
        // PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES, HOST_REGISTER_SUPPORTED, DIRECT_MANAGED_MEM_ACCESS_FROM_HOST
        18 | 19 | 41 | 83 | 88 | 89 | 91 | 95 | 99 | 100 | 101 => 1,
        _ => 0,
    }
}

/// The processor's name.
fn processor() -> &'static str {
    static NAME: OnceLock<String> = OnceLock::new();
    NAME.get_or_init(|| {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let line = info.lines().find(|line| line.starts_with("model name"));
        let name = line
            .and_then(|line| line.split_once(':'))
            .map(|(_, name)| name.trim());
        format!("CPU {}", name.unwrap_or(std::env::consts::ARCH))
    })
}

/// Bytes of memory of the machine.
pub(super) fn total() -> usize {
    // SAFETY: asks for two numbers.
    let (pages, size) = unsafe {
        (
            libc::sysconf(libc::_SC_PHYS_PAGES),
            libc::sysconf(libc::_SC_PAGESIZE),
        )
    };
    usize::try_from(pages).unwrap_or(0) * usize::try_from(size).unwrap_or(0)
}

pub(super) fn is_device(device: c_int) -> bool {
    device == 0
}

unsafe extern "C" fn count(count: *mut c_int) -> c_int {
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(count, 1) }
}

unsafe extern "C" fn get(device: *mut c_int, ordinal: c_int) -> c_int {
    if !is_device(ordinal) {
        return INVALID_DEVICE;
    }
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(device, ordinal) }
}

/// # Safety
/// `to` has `room` bytes.
unsafe fn give_text(to: *mut c_char, room: c_int, text: &str) -> c_int {
    let Some(room) = usize::try_from(room)
        .ok()
        .filter(|&room| room > 0 && !to.is_null())
    else {
        return INVALID_VALUE;
    };
    let bytes = &text.as_bytes()[..text.len().min(room - 1)];
    // SAFETY: one byte more than the text fits, as the caller promises.
    unsafe {
        to.cast::<u8>()
            .copy_from_nonoverlapping(bytes.as_ptr(), bytes.len());
        to.add(bytes.len()).write(0);
    }
    SUCCESS
}

unsafe extern "C" fn name(name: *mut c_char, room: c_int, device: c_int) -> c_int {
    if !is_device(device) {
        return INVALID_DEVICE;
    }
    // SAFETY: the driver's callers pass a place of that size.
    unsafe { give_text(name, room, processor()) }
}

unsafe extern "C" fn bus_id(name: *mut c_char, room: c_int, device: c_int) -> c_int {
    if !is_device(device) {
        return INVALID_DEVICE;
    }
    // SAFETY: the driver's callers pass a place of that size.
    unsafe { give_text(name, room, "0000:00:00.0") }
}

unsafe extern "C" fn uuid(uuid: *mut [u8; 16], device: c_int) -> c_int {
    if !is_device(device) {
        return INVALID_DEVICE;
    }
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(uuid, *b"numbra-processor") }
}

unsafe extern "C" fn total_memory(bytes: *mut usize, device: c_int) -> c_int {
    if !is_device(device) {
        return INVALID_DEVICE;
    }
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(bytes, total()) }
}

unsafe extern "C" fn attribute(value: *mut c_int, attribute: c_int, device: c_int) -> c_int {
    if !is_device(device) {
        return INVALID_DEVICE;
    }
    if !(1..200).contains(&attribute) {
        return INVALID_VALUE;
    }
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(value, attribute_value(attribute)) }
}

unsafe extern "C" fn can_access_peer(can: *mut c_int, device: c_int, peer: c_int) -> c_int {
    if !is_device(device) || !is_device(peer) {
        return INVALID_DEVICE;
    }
    // SAFETY: the driver's callers pass a place for the result.
    unsafe { give(can, 0) }
}

pub(super) fn entry(name_of: &str) -> Option<*mut c_void> {
    Some(match name_of {
        "cuDeviceGetCount" => count as *mut c_void,
        "cuDeviceGet" => get as *mut c_void,
        "cuDeviceGetName" => name as *mut c_void,
        "cuDeviceGetPCIBusId" => bus_id as *mut c_void,
        "cuDeviceGetUuid" => uuid as *mut c_void,
        "cuDeviceTotalMem_v2" => total_memory as *mut c_void,
        "cuDeviceGetAttribute" => attribute as *mut c_void,
        "cuDeviceCanAccessPeer" => can_access_peer as *mut c_void,
        _ => return None,
    })
}
