//! Threads of parallel loops.

use crate::row_macro::rule;
use crate::{Effects, Mismatch, Op, ResultCx, Targets, ThreadOp, TypePattern as P};
use numbra_ir::{Signature, Type, TypeKind};

library! {
    /// Threads that this thread's parallel loops have.
    fn numbra.get_num_threads() {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[], number, Op::Threads(ThreadOp::Count))],
    }
    /// Sets the number of threads of this thread's parallel loops; ValueError unless it is from 1 to `NUMBA_NUM_THREADS`.
    fn numbra.set_num_threads(n) {
        effects: Effects::IO.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[rule(&[P::Any], set, Op::Threads(ThreadOp::SetCount))],
    }
    /// Which of its parallel loop's threads this one is, from 0; 0 outside.
    fn numbra.get_thread_id() {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[], number, Op::Threads(ThreadOp::Id))],
    }
    /// Iterations of a chunk of this thread's parallel loops; 0 leaves it to the runtime.
    fn numbra.get_parallel_chunksize() {
        effects: Effects::READ, targets: Targets::Cpu,
        bodies: &[rule(&[], chunksize, Op::Threads(ThreadOp::Chunksize))],
    }
    /// Sets the iterations of a chunk of this thread's parallel loops, and gives the old number.
    fn numbra.set_parallel_chunksize(n) {
        effects: Effects::IO.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[rule(&[P::Any], exchange, Op::Threads(ThreadOp::SetChunksize))],
    }
    /// `with parallel_chunksize(n):` sets the iterations of a chunk for a block.
    fn numbra.parallel_chunksize(n) {
        effects: Effects::IO.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[rule(&[P::Any], outside_of_with, Op::Threads(ThreadOp::SetChunksize))],
    }
    /// Enters `with manager(n):`; the old number of iterations, which `numbra.set_parallel_chunksize` sets again.
    step with.parallel_chunksize(manager, n) {
        effects: Effects::IO.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], enter, Op::Threads(ThreadOp::SetChunksize))],
    }
}

/// `() -> int64`
fn number(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: Vec::new(),
        ret: Type::INT64,
    })
}

/// `(int64) -> none`
fn set(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    integer(cx, 0, "The number of threads specified must be an integer")?;
    Ok(Signature {
        params: vec![Type::INT64],
        ret: Type::NONE,
    })
}

/// `() -> uint32`
fn chunksize(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: Vec::new(),
        ret: Type::UINT32,
    })
}

/// `(int64) -> uint32`
fn exchange(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    integer(cx, 0, "The parallel chunksize must be an integer")?;
    Ok(Signature {
        params: vec![Type::INT64],
        ret: Type::UINT32,
    })
}

/// `(manager, int64) -> uint32`
fn enter(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
fn outside_of_with(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
