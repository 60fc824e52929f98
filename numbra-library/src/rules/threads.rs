//! Result types of questions about threads.

use crate::{Mismatch, ResultCx};
use numbra_ir::{Signature, Type, TypeKind};

/// `() -> int64`
pub(crate) fn number(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: Vec::new(),
        ret: Type::INT64,
    })
}

/// `(int64) -> none`
pub(crate) fn set(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    integer(cx, 0, "The number of threads specified must be an integer")?;
    Ok(Signature {
        params: vec![Type::INT64],
        ret: Type::NONE,
    })
}

/// `() -> uint32`
pub(crate) fn chunksize(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: Vec::new(),
        ret: Type::UINT32,
    })
}

/// `(int64) -> uint32`
pub(crate) fn exchange(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    integer(cx, 0, "The parallel chunksize must be an integer")?;
    Ok(Signature {
        params: vec![Type::INT64],
        ret: Type::UINT32,
    })
}

/// `(manager, int64) -> uint32`
pub(crate) fn enter(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let manager = cx.plain(0);
    match cx.types.kind(manager) {
        TypeKind::Function { name, .. } if name == "numbra.parallel_chunksize" => {}
        _ => return Err(Mismatch::rejected("Unsupported context manager in use")),
    }
    integer(cx, 1, "The parallel chunksize must be an integer")?;
    Ok(Signature {
        params: vec![manager, Type::INT64],
        ret: Type::UINT32,
    })
}

/// A call of a context manager as if it were a function.
pub(crate) fn outside_of_with(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Err(Mismatch::rejected(
        "`parallel_chunksize(n)` can only be used in a `with` statement",
    ))
}

fn integer(cx: &ResultCx<'_>, arg: usize, otherwise: &'static str) -> Result<(), Mismatch> {
    match cx.types.as_scalar(cx.plain(arg)) {
        Some(kind) if kind.is_int() => Ok(()),
        Some(_) | None => Err(Mismatch::rejected(otherwise)),
    }
}
