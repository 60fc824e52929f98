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
pub(crate) fn set(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![Type::INT64],
        ret: Type::NONE,
    })
}

/// `(int64) -> int64`
pub(crate) fn exchange(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![Type::INT64],
        ret: Type::INT64,
    })
}
