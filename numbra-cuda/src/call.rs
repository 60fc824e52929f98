//! Calling what cust declares, with error codes as numbers.
//!
//! cust's functions return an enum of the codes that it knows. A newer driver returns others, and a Rust enum must not
//! hold them; so functions are called through pointers of the same type but for the result.

use core::ffi::c_int;

use cust::sys::CUresult;

macro_rules! with_number {
    ($($name:ident($($arg:ident)*);)*) => {$(
        /// A function of so many parameters as one that returns a number.
        #[inline(always)]
        pub(crate) fn $name<$($arg),*>(
            entry: unsafe extern "C" fn($($arg),*) -> CUresult,
        ) -> unsafe extern "C" fn($($arg),*) -> c_int {
            // SAFETY: the two types differ in the result only, and what is called is C and returns an `int`.
            unsafe { core::mem::transmute(entry) }
        }
    )*};
}

with_number! {
    with_number0();
    with_number1(A);
    with_number2(A B);
    with_number3(A B C);
    with_number4(A B C D);
    with_number5(A B C D E);
    with_number7(A B C D E F G);
    with_number8(A B C D E F G H);
    with_number10(A B C D E F G H I J);
    with_number11(A B C D E F G H I J K);
}

/// `call!(cuMemFree_v2(pointer))`: a call of the driver whose failure is a [`DriverError`](crate::DriverError).
///
/// A first `in module` names a declaration of this crate's own. Expands to an unsafe call.
macro_rules! call {
    (@of) => { $crate::call::with_number0 };
    (@of $a:expr) => { $crate::call::with_number1 };
    (@of $a:expr, $b:expr) => { $crate::call::with_number2 };
    (@of $a:expr, $b:expr, $c:expr) => { $crate::call::with_number3 };
    (@of $a:expr, $b:expr, $c:expr, $d:expr) => { $crate::call::with_number4 };
    (@of $a:expr, $b:expr, $c:expr, $d:expr, $e:expr) => { $crate::call::with_number5 };
    (@of $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr, $g:expr) => { $crate::call::with_number7 };
    (@of $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr, $g:expr, $h:expr) => { $crate::call::with_number8 };
    (@of $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr, $g:expr, $h:expr, $i:expr, $j:expr) => {
        $crate::call::with_number10
    };
    (@of $a:expr, $b:expr, $c:expr, $d:expr, $e:expr, $f:expr, $g:expr, $h:expr, $i:expr, $j:expr, $k:expr) => {
        $crate::call::with_number11
    };
    (in $module:ident, $name:ident($($arg:expr),* $(,)?)) => {
        $crate::driver::check(stringify!($name), $module::$name($($arg),*))
    };
    ($name:ident($($arg:expr),* $(,)?)) => {
        $crate::driver::check(stringify!($name), $crate::call::call!(@of $($arg),*)(cust::sys::$name)($($arg),*))
    };
}
pub(crate) use call;
