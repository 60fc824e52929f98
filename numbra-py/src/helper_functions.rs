//! The C functions that Numba's helper library exports beside what its compiled code needs, for programs that look them up
//! by name (`ctypes.CDLL(numba._helperlib.__file__)`): here they are symbols of the extension module.

use std::ffi::{c_int, c_void};

unsafe extern "C" {
    /// C, `stdio.h`.
    fn fflush(stream: *mut c_void) -> c_int;
}

/// Writes out what C programs have printed.
#[unsafe(no_mangle)]
extern "C" fn _numba_flush_stdout() {
    // SAFETY: null stands for all streams.
    unsafe { fflush(std::ptr::null_mut()) };
}

#[unsafe(no_mangle)]
extern "C" fn _numba_test_sin(x: f64) -> f64 {
    x.sin()
}

#[unsafe(no_mangle)]
extern "C" fn _numba_test_cos(x: f64) -> f64 {
    x.cos()
}

#[unsafe(no_mangle)]
extern "C" fn _numba_test_exp(x: f64) -> f64 {
    x.exp()
}

#[unsafe(no_mangle)]
extern "C" fn _numba_test_boolean() -> bool {
    true
}

/// The function at 1.
///
/// # Safety
/// `function` is one of this signature.
#[unsafe(no_mangle)]
unsafe extern "C" fn _numba_test_funcptr(function: unsafe extern "C" fn(f64) -> f64) -> f64 {
    // SAFETY: by contract.
    unsafe { function(1.0) }
}

/// The `power`s of `n` numbers.
///
/// # Safety
/// `x` points to `n` numbers, and `out` to room for as many.
unsafe fn powers(n: c_int, x: *const f64, out: *mut f64, power: i32) {
    for i in 0..usize::try_from(n).unwrap_or(0) {
        // SAFETY: by contract.
        let value = unsafe { *x.add(i) };
        // SAFETY: by contract.
        unsafe { *out.add(i) = value.powi(power) };
    }
}

/// The squares of `n` numbers.
///
/// # Safety
/// As for [`powers`].
#[unsafe(no_mangle)]
unsafe extern "C" fn _numba_test_vsquare(n: c_int, x: *const f64, out: *mut f64) {
    // SAFETY: by contract.
    unsafe { powers(n, x, out, 2) };
}

/// The third powers of `n` numbers.
///
/// # Safety
/// As for [`powers`].
#[unsafe(no_mangle)]
unsafe extern "C" fn _numba_test_vcube(n: c_int, x: *const f64, out: *mut f64) {
    // SAFETY: by contract.
    unsafe { powers(n, x, out, 3) };
}
