//! Native bodies of library functions, in the convention of `numbra_library::native`: a row of the library names and documents
//! each, a table of the module that has it says how it is called.

use crate::value::RawValue;

/// A symbol and its address.
pub(crate) type NativeBody = (
    &'static str,
    unsafe extern "C" fn(*const RawValue, *const RawValue) -> i32,
);

/// `BODIES`, the table of the bodies of a module: `name = body, number of arguments`, and for some how most calls go. The symbol
/// is `numbra_abi::NATIVE_BODY_PREFIX` and the name.
macro_rules! bodies {
    ($($name:ident = $body:path, $count:literal $(, $short:path)?;)*) => {
        pub(crate) const BODIES: &[$crate::bodies::NativeBody] = &[$(
            (concat!("numbra_np_", stringify!($name)), {
                /// # Safety
                /// `args` points to the arguments and `ret` to the result, as `numbra_library::native` says.
                unsafe extern "C" fn native(
                    args: *const $crate::value::RawValue,
                    ret: *const $crate::value::RawValue,
                ) -> i32 {
                    $(
                        // SAFETY: the caller's promise is the same.
                        if unsafe { $short(args, &*ret) } {
                            return numbra_abi::status::OK;
                        }
                    )?
                    // SAFETY: the caller's promise is the same.
                    unsafe { $crate::value::enter::<$count>(args, ret, $body) }
                }
                native
            }),
        )*];
    };
}
