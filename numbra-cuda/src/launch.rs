//! Launching kernels.

use core::ffi::c_void;
use core::ptr;

use crate::call::call;
use crate::driver::DriverError;
use crate::module::Function;
use crate::stream::Stream;

/// Sizes of a grid or block in x, y and z.
pub type Dim3 = [u32; 3];

/// Puts a kernel into a stream.
///
/// A cooperative kernel may synchronise its whole grid, which must fit on the device at once.
///
/// # Safety
/// The kernel's module is loaded, kernel and stream are of the current context and it was not reset; `params` has one
/// pointer for each parameter of the kernel, to a value of the parameter's type. The values are copied before it returns.
#[inline]
pub unsafe fn launch(
    function: Function,
    grid: Dim3,
    block: Dim3,
    shared_bytes: u32,
    stream: Stream,
    cooperative: bool,
    params: &mut [*mut c_void],
) -> Result<(), DriverError> {
    let ([gx, gy, gz], [bx, by, bz]) = (grid, block);
    let (function, stream, params) = (function.raw(), stream.raw(), params.as_mut_ptr());
    // SAFETY: as the caller promises; sizes that do not fit the device are an error.
    unsafe {
        if cooperative {
            call!(cuLaunchCooperativeKernel(
                function,
                gx,
                gy,
                gz,
                bx,
                by,
                bz,
                shared_bytes,
                stream,
                params
            ))
        } else {
            let extra = ptr::null_mut();
            call!(cuLaunchKernel(
                function,
                gx,
                gy,
                gz,
                bx,
                by,
                bz,
                shared_bytes,
                stream,
                params,
                extra
            ))
        }
    }
}
