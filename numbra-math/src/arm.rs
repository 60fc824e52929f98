//! The functions of `arm/numbra`: algorithms of Arm's Optimized Routines, with the bits of the GNU C library.

use crate::sleef::Isa;
use crate::table::Address;
use numbra_abi::MathFn;

/// Declares one module of symbols for each instruction set, and [`address`].
macro_rules! functions {
    ($($func:ident $is_single:literal $name:ident;)*) => {
        functions!(@set scalar $($name)*);
        functions!(@set x128 $($name)*);
        functions!(@set x256 $($name)*);
        functions!(@set x512 $($name)*);

        /// The address of a function, whose signature is C's on the set's vectors.
        pub(crate) fn address(func: MathFn, single: bool, isa: Isa) -> Option<Address> {
            let row: [Address; 4] = match (func, single) {
                $((MathFn::$func, $is_single) => [scalar::$name, x128::$name, x256::$name, x512::$name],)*
                _ => return None,
            };
            Some(row[isa as usize])
        }
    };
    (@set $isa:ident $($name:ident)*) => {
        mod $isa {
            unsafe extern "C" {
                $(
                    #[link_name = concat!("numbra_arm_", stringify!($isa), "_", stringify!($name))]
                    pub(super) fn $name();
                )*
            }
        }
    };
}

functions! {
    Exp false exp;
    Exp2 false exp2;
    Log false log;
    Log2 false log2;
    Pow false pow;
    Pow true powf;
}
