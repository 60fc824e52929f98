//! Names and addresses, and calls of the scalar functions.

use crate::{has_fma, platform};
use numbra_abi::{MathFn, MathLib};

/// A C function on floats or vectors of them.
pub(crate) type Address = unsafe extern "C" fn();

/// The address of `numbra_math_exp`, `numbra_math_expf_16`, `numbra_libm_exp` and their like.
pub fn symbol(name: &str) -> Option<*const u8> {
    if let Some(name) = name.strip_prefix(MathLib::Libm.symbol_prefix()) {
        let (func, single) = MathFn::from_c_name(name)?;
        return Some(platform::address(func, single) as *const u8);
    }
    let name = name.strip_prefix(MathLib::Numbra.symbol_prefix())?;
    if let Some((func, single)) = MathFn::from_c_name(name) {
        return Some(scalar(func, single, MathLib::Numbra) as *const u8);
    }
    let (name, lanes) = name.rsplit_once('_')?;
    let (func, single) = MathFn::from_c_name(name)?;
    Some(vector(func, single, lanes.parse().ok()?)? as *const u8)
}

/// Every name that [`symbol`] knows.
pub fn symbol_names() -> impl Iterator<Item = String> {
    MathFn::ALL.into_iter().flat_map(|func| {
        [false, true].into_iter().flat_map(move |single| {
            let scalars = MathLib::ALL.map(|lib| lib.symbol(func, single));
            let vectors = MathFn::lanes(single)
                .into_iter()
                .filter(move |&lanes| vector(func, single, lanes).is_some())
                .map(move |lanes| func.vector_symbol(single, lanes));
            scalars.into_iter().chain(vectors)
        })
    })
}

/// The function on one float.
pub(crate) fn scalar(func: MathFn, single: bool, lib: MathLib) -> Address {
    let own = match lib {
        MathLib::Numbra if has_fma() => own_scalar(func, single),
        MathLib::Numbra | MathLib::Libm => None,
    };
    own.unwrap_or_else(|| platform::address(func, single))
}

#[cfg(target_arch = "x86_64")]
fn own_scalar(func: MathFn, single: bool) -> Option<Address> {
    own(func, single, crate::sleef::Isa::Scalar)
}

/// The function on a vector. Only processors that have such vectors, and FMA, may call it.
#[cfg(target_arch = "x86_64")]
pub(crate) fn vector(func: MathFn, single: bool, lanes: u32) -> Option<Address> {
    use crate::sleef::Isa;
    let isa = match MathFn::lanes(single).into_iter().position(|n| n == lanes)? {
        0 => Isa::X128,
        1 => Isa::X256,
        _ => Isa::X512,
    };
    own(func, single, isa)
}

/// One function for all widths: lanes have the bits of scalars.
#[cfg(target_arch = "x86_64")]
fn own(func: MathFn, single: bool, isa: crate::sleef::Isa) -> Option<Address> {
    crate::own::address(func, single, isa).or_else(|| crate::sleef::address(func, single, isa))
}

#[cfg(not(target_arch = "x86_64"))]
fn own_scalar(_: MathFn, _: bool) -> Option<Address> {
    None
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn vector(_: MathFn, _: bool, _: u32) -> Option<Address> {
    None
}

/// A function in double precision; `y` is ignored by functions of one operand.
pub fn double(lib: MathLib, func: MathFn, x: f64, y: f64) -> f64 {
    let address = scalar(func, false, lib);
    if func.arity() == 2 {
        // SAFETY: scalar functions of two operands have this signature in every library.
        let f: extern "C" fn(f64, f64) -> f64 = unsafe { std::mem::transmute(address) };
        return f(x, y);
    }
    // SAFETY: and those of one operand this one.
    let f: extern "C" fn(f64) -> f64 = unsafe { std::mem::transmute(address) };
    f(x)
}

/// A function in single precision; `y` is ignored by functions of one operand.
pub fn single(lib: MathLib, func: MathFn, x: f32, y: f32) -> f32 {
    let address = scalar(func, true, lib);
    if func.arity() == 2 {
        // SAFETY: scalar functions of two operands have this signature in every library.
        let f: extern "C" fn(f32, f32) -> f32 = unsafe { std::mem::transmute(address) };
        return f(x, y);
    }
    // SAFETY: and those of one operand this one.
    let f: extern "C" fn(f32) -> f32 = unsafe { std::mem::transmute(address) };
    f(x)
}
