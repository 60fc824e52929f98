//! What compiled kernels call.

use super::fiber::Fiber;
use super::output;
use super::strand;
use super::warp::WarpOp;
use numbra_abi::DeviceThread;
use std::cell::Cell;
use std::ffi::c_char;
use std::sync::OnceLock;
use std::time::Instant;

thread_local! {
    static CURRENT: Cell<*mut DeviceThread> = const { Cell::new(std::ptr::null_mut()) };
}

/// While this lives, the thread of the operating system runs this thread of a kernel.
pub(super) struct Current(*mut DeviceThread);

impl Current {
    pub(super) fn enter(thread: *mut DeviceThread) -> Current {
        Current(CURRENT.replace(thread))
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        CURRENT.set(self.0);
    }
}

/// See `numbra_abi::NATIVES`.
pub(crate) extern "C" fn numbra_rt_device_thread() -> *mut DeviceThread {
    CURRENT.get()
}

/// See `numbra_abi::NATIVES`.
pub(crate) extern "C" fn numbra_rt_device_look() {
    strand::look();
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `function` is a C string.
pub(crate) unsafe extern "C" fn numbra_rt_device_enter(function: *const c_char) {
    // SAFETY: the caller's promise is the same.
    unsafe { strand::enter(function) };
}

/// The fiber that runs the thread; `None` in kernels of which no thread waits.
///
/// # Safety
/// `thread` is what the kernel's entry was given.
unsafe fn fiber<'a>(thread: *const DeviceThread) -> Option<&'a Fiber> {
    // SAFETY: the caller says what `thread` is; a fiber outlives the threads that run on it.
    unsafe { (*thread).fiber.cast_const().cast::<Fiber>().as_ref() }
}

/// What the lanes of a mask answer; a lane that is alone answers itself.
///
/// # Safety
/// As for [`fiber`], called by that thread.
unsafe fn meet(
    thread: *const DeviceThread,
    op: WarpOp,
    mask: i32,
    value: u64,
    operand: i32,
) -> u64 {
    // SAFETY: the caller's promise is the same; the grid outlives its fibers.
    unsafe {
        let Some(fiber) = fiber(thread) else {
            return 0;
        };
        // A lane that its own mask does not name comes nevertheless; CUDA leaves open what happens.
        let mask = mask.cast_unsigned() | 1 << (*thread).lane;
        (*fiber.grid).meet(fiber, op, mask, value, operand.cast_unsigned())
    }
}

/// See `numbra_abi::NATIVES`. The result has the threads that were there in its high half, and in its low half those of
/// them whose operand is not 0.
///
/// # Safety
/// `thread` is what the kernel's entry was given.
pub(crate) unsafe extern "C" fn numbra_rt_device_barrier(
    thread: *const DeviceThread,
    truth: i32,
) -> i64 {
    // SAFETY: the caller's promise is the same; the grid outlives its fibers.
    unsafe {
        match fiber(thread) {
            Some(fiber) => (*fiber.grid).barrier(fiber, truth != 0).cast_signed(),
            None => 1 << 32 | i64::from(truth != 0),
        }
    }
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `thread` is what the kernel's entry was given.
pub(crate) unsafe extern "C" fn numbra_rt_device_grid_barrier(thread: *const DeviceThread) {
    // SAFETY: the caller's promise is the same; the grid outlives its fibers.
    unsafe {
        if let Some(fiber) = fiber(thread) {
            (*fiber.grid).grid_barrier(fiber);
        }
    }
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `thread` is what the kernel's entry was given.
pub(crate) unsafe extern "C" fn numbra_rt_device_relax(thread: *const DeviceThread) {
    // SAFETY: the caller's promise is the same; the grid outlives its fibers.
    unsafe {
        if let Some(fiber) = fiber(thread) {
            (*fiber.grid).relax(fiber);
        }
    }
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `thread` is what the kernel's entry was given.
pub(crate) unsafe extern "C" fn numbra_rt_device_spin(thread: *const DeviceThread) {
    // SAFETY: the caller's promise is the same; the grid outlives its fibers.
    unsafe {
        if let Some(fiber) = fiber(thread)
            && fiber.has_spun()
        {
            (*fiber.grid).relax(fiber);
        }
    }
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `thread` is what the kernel's entry was given.
pub(crate) unsafe extern "C" fn numbra_rt_device_sync_warp(thread: *const DeviceThread, mask: i32) {
    // SAFETY: the caller's promise is the same.
    unsafe { meet(thread, WarpOp::Sync, mask, 0, 0) };
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `thread` is what the kernel's entry was given.
pub(crate) unsafe extern "C" fn numbra_rt_device_shuffle(
    thread: *const DeviceThread,
    mask: i32,
    value: i32,
    operand: i32,
    kind: i32,
) -> i32 {
    let op = match kind {
        0 => WarpOp::ShuffleIdx,
        1 => WarpOp::ShuffleUp,
        2 => WarpOp::ShuffleDown,
        _ => WarpOp::ShuffleXor,
    };
    let bits = u64::from(value.cast_unsigned());
    // SAFETY: the caller's promise is the same.
    unsafe { meet(thread, op, mask, bits, operand) as i32 }
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `thread` is what the kernel's entry was given.
pub(crate) unsafe extern "C" fn numbra_rt_device_vote(
    thread: *const DeviceThread,
    mask: i32,
    truth: i32,
) -> i64 {
    let truth = u64::from(truth != 0);
    // SAFETY: the caller's promise is the same.
    unsafe { meet(thread, WarpOp::Vote, mask, truth, 0).cast_signed() }
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `thread` is what the kernel's entry was given.
pub(crate) unsafe extern "C" fn numbra_rt_device_match_any(
    thread: *const DeviceThread,
    mask: i32,
    value: i64,
) -> i32 {
    // SAFETY: the caller's promise is the same.
    unsafe { meet(thread, WarpOp::MatchAny, mask, value.cast_unsigned(), 0) as i32 }
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `thread` is what the kernel's entry was given.
pub(crate) unsafe extern "C" fn numbra_rt_device_match_all(
    thread: *const DeviceThread,
    mask: i32,
    value: i64,
) -> i32 {
    // SAFETY: the caller's promise is the same.
    unsafe { meet(thread, WarpOp::MatchAll, mask, value.cast_unsigned(), 0) as i32 }
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `thread` is what the kernel's entry was given.
pub(crate) unsafe extern "C" fn numbra_rt_device_active_mask(
    thread: *const DeviceThread,
    place: i32,
) -> i32 {
    // SAFETY: the caller's promise is the same.
    unsafe { meet(thread, WarpOp::ActiveMask(place), -1, 0, 0) as i32 }
}

/// See `numbra_abi::NATIVES`.
///
/// # Safety
/// `format` is a C string, `arguments` has eight bytes for each of its conversions.
pub(crate) unsafe extern "C" fn numbra_rt_device_print(
    format: *const c_char,
    arguments: *const u64,
) -> i32 {
    // SAFETY: the caller's promise is the same.
    unsafe { output::print(format, arguments) }
}

/// See `numbra_abi::NATIVES`.
pub(crate) extern "C" fn numbra_rt_device_clock() -> i64 {
    static START: OnceLock<Instant> = OnceLock::new();
    // 292 years fit.
    START.get_or_init(Instant::now).elapsed().as_nanos() as i64
}
