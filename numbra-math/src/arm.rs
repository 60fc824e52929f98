//! The functions of `arm/numbra`: algorithms of Arm's Optimized Routines, with the bits of the GNU C library.

use crate::sleef::Isa;
use crate::table::Address;
use numbra_abi::MathFn;

/// Declares one module of symbols for each instruction set, and [`address`].
macro_rules! functions {
    ($($func:ident $name:ident;)*) => {
        functions!(@set scalar $($name)*);
        functions!(@set x128 $($name)*);
        functions!(@set x256 $($name)*);
        functions!(@set x512 $($name)*);

        /// The address of a function in double precision, whose signature is C's on the set's vectors.
        pub(crate) fn address(func: MathFn, isa: Isa) -> Option<Address> {
            let row: [Address; 4] = match func {
                $(MathFn::$func => [scalar::$name, x128::$name, x256::$name, x512::$name],)*
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
    Exp exp;
    Exp2 exp2;
    Log log;
    Log2 log2;
    Pow pow;
}
