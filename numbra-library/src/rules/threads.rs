//! Result types of questions about threads.

use crate::{Mismatch, ResultCx};
use numbra_ir::{Signature, Type};

/// `() -> int64`
pub(crate) fn number(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: Vec::new(),
        ret: Type::INT64,
    })
}

/// `(int64) -> none`
pub(crate) fn set(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    integer(cx, "The number of threads specified must be an integer")?;
    Ok(Signature {
        params: vec![Type::INT64],
        ret: Type::NONE,
    })
}

/// `(int64) -> int64`
pub(crate) fn exchange(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    integer(cx, "The parallel chunksize must be an integer")?;
    Ok(Signature {
        params: vec![Type::INT64],
        ret: Type::INT64,
    })
}

fn integer(cx: &ResultCx<'_>, otherwise: &'static str) -> Result<(), Mismatch> {
    match cx.types.as_scalar(cx.plain(0)) {
        Some(kind) if kind.is_int() => Ok(()),
        Some(_) | None => Err(Mismatch::rejected(otherwise)),
    }
}
